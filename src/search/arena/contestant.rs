//! Those who play matches.

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64Mcg;

use super::Spec;
use crate::search::{
    Control, Options, Playable, SearchLimits, Tablebases, TranspositionTable, evaluation::static_score,
    search,
};

/// A player of matches, with what it needs to play.
pub(super) struct Contestant {
    spec: Spec,
    tablebases: Tablebases,
    rng: Pcg64Mcg,
    table: TranspositionTable,
}

/// The size of a table: ample for the short searches of matches.
const TABLE_BYTES: usize = 16 << 20;

impl Contestant {
    pub(super) fn new(spec: Spec, tablebases: Tablebases) -> Self {
        Self {
            spec,
            tablebases,
            rng: Pcg64Mcg::seed_from_u64(0),
            table: TranspositionTable::new(TABLE_BYTES),
        }
    }

    /// Draws from a seed from now on, so that a pair of games is the same whichever were played before.
    pub(super) fn begin_pair(&mut self, seed: u64) {
        self.rng = Pcg64Mcg::seed_from_u64(seed);
    }

    /// Picks a move in a position that is in [`Stage::Move`].
    pub(super) fn choose<G: Playable>(&mut self, position: &G) -> G::Move {
        let options = match self.spec {
            Spec::Random => {
                let mut moves = Vec::new();
                position.generate(&mut moves);
                return *moves.choose(&mut self.rng).expect("Stage::Move has a legal move");
            }
            Spec::Greedy => return greediest(position, &mut self.rng),
            Spec::Level(level) => {
                let seed = self.rng.random();
                Options { level: Some(level), seed, ..Options::new(SearchLimits::default()) }
            }
            Spec::Depth(depth) => {
                Options::new(SearchLimits { depth: Some(depth), ..SearchLimits::default() })
            }
            Spec::Nodes(nodes) => {
                Options::new(SearchLimits { nodes: Some(nodes), ..SearchLimits::default() })
            }
            Spec::Time(time) => Options::new(SearchLimits { time: Some(time), ..SearchLimits::default() }),
        };
        search(position, &options, &self.tablebases, &Control::new(), &mut self.table, &mut |_| {}).best()
    }
}

/// The move after which the static evaluation is best for the mover; one at random of those that are as good.
fn greediest<G: Playable>(position: &G, rng: &mut Pcg64Mcg) -> G::Move {
    let evaluator = G::Evaluator::default();
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let scored: Vec<_> = moves.iter().map(|&m| (m, static_score(&evaluator, position, m))).collect();
    let best = scored.iter().map(|&(_, score)| score).max();
    let best: Vec<_> = scored.iter().filter(|&&(_, score)| Some(score) == best).collect();
    best.choose(rng).expect("Stage::Move has a legal move").0
}
