//! Those who play matches.

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64Mcg;

use super::Spec;
use crate::{
    game::Stage,
    search::{Control, Evaluate, Knowledge, Limits, Options, Score, Table, search},
};

/// A player of matches, with what it needs to play.
pub(super) struct Contestant {
    spec: Spec,
    knowledge: Knowledge,
    rng: Pcg64Mcg,
    table: Table,
}

/// The size of a table: ample for the short searches of matches.
const TABLE_BYTES: usize = 16 << 20;

impl Contestant {
    pub(super) fn new(spec: Spec, knowledge: Knowledge) -> Self {
        Self { spec, knowledge, rng: Pcg64Mcg::seed_from_u64(0), table: Table::new(TABLE_BYTES) }
    }

    /// Draws from a seed from now on, so that a pair of games is the same whichever were played before.
    pub(super) fn begin_pair(&mut self, seed: u64) {
        self.rng = Pcg64Mcg::seed_from_u64(seed);
    }

    /// Picks a move in a position that is in [`Stage::Move`].
    pub(super) fn choose<G: Evaluate>(&mut self, position: &G) -> G::Move {
        let options = match self.spec {
            Spec::Random => {
                let mut moves = Vec::new();
                position.generate(&mut moves);
                return *moves.choose(&mut self.rng).expect("Stage::Move has a legal move");
            }
            Spec::Greedy => return greediest(position, &mut self.rng),
            Spec::Level(level) => {
                let seed = self.rng.random();
                Options { level: Some(level), seed, ..Options::new(Limits::default()) }
            }
            Spec::Depth(depth) => Options::new(Limits { depth: Some(depth), ..Limits::default() }),
            Spec::Nodes(nodes) => Options::new(Limits { nodes: Some(nodes), ..Limits::default() }),
            Spec::Time(time) => Options::new(Limits { time: Some(time), ..Limits::default() }),
        };
        search(position, &options, &self.knowledge, &Control::new(), &mut self.table, &mut |_| {}).best()
    }
}

/// The move after which the position is judged best for the mover; one at random of those that are as good.
fn greediest<G: Evaluate>(position: &G, rng: &mut Pcg64Mcg) -> G::Move {
    let judge = |m| {
        let next = position.after(m);
        match next.stage() {
            Stage::Over(outcome) => Score::over(outcome.result_for(position.turn()), 1),
            Stage::Move | Stage::Roll if next.turn() == position.turn() => next.evaluate(),
            Stage::Move | Stage::Roll => -next.evaluate(),
        }
    };
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let best = moves.iter().map(|&m| judge(m)).max();
    let best: Vec<_> = moves.iter().filter(|&&m| Some(judge(m)) == best).copied().collect();
    *best.choose(rng).expect("Stage::Move has a legal move")
}
