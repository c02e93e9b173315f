//! Those who play matches.

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64Mcg;

use super::spec::{NetworkFileError, Play, Spec};
use crate::{
    control::Control, evaluation::static_score, learned::Learned, options::Options, playable::Playable,
    root::Engine, root_position::RootPosition, tablebase::Tablebases,
    transposition_table::TranspositionTable,
};

/// A player of matches, with what it needs to play.
pub(super) struct Contestant {
    play: Play,
    engine: Engine<Learned>,
    rng: Pcg64Mcg,
    table: TranspositionTable,
}

impl Contestant {
    /// A contestant as it is described.
    pub(super) fn new<G: Playable>(spec: &Spec, tablebases: &Tablebases) -> Result<Self, NetworkFileError> {
        let techniques = spec.techniques;
        let tablebases =
            if spec.has_built_in_tablebases { Tablebases::built_in() } else { tablebases.clone() };
        Ok(Self {
            play: spec.play,
            engine: Engine { evaluator: spec.evaluator::<G>()?, tablebases, techniques },
            rng: Pcg64Mcg::seed_from_u64(0),
            table: TranspositionTable::new(spec.table_mib << 20),
        })
    }

    /// Draws from a seed from now on, so that a pair of games is the same whichever were played before.
    pub(super) fn begin_pair(&mut self, seed: u64) {
        self.rng = Pcg64Mcg::seed_from_u64(seed);
    }

    /// Picks a move in a position that is in [`Stage::Move`](cublino_rules::game::Stage::Move).
    pub(super) fn choose<G: Playable>(&mut self, root: RootPosition<G>) -> G::Move {
        let mut moves = Vec::new();
        let position = *root.position();
        position.generate(&mut moves);
        let of_some = "Stage::Move has a legal move";
        match self.play {
            Play::Random => *moves.choose(&mut self.rng).expect(of_some),
            // One at random of those that are as good.
            Play::Greedy => {
                let score = |&m: &G::Move| static_score(&self.engine.evaluator, &position, m);
                let best = moves.iter().map(score).max();
                moves.retain(|m| Some(score(m)) == best);
                *moves.choose(&mut self.rng).expect(of_some)
            }
            Play::Search { level, limits } => {
                let seed = if level.is_some() { self.rng.random() } else { 0 };
                let options = Options { level, seed, ..Options::new(limits) };
                self.engine.search(root, &options, &Control::new(), &mut self.table, &mut |_| {}).best()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cublino_rules::games::Wari;

    #[test]
    fn a_contestant_probes_the_tablebases_of_the_match_unless_it_is_to_have_those_of_the_program() {
        for (spec, marbles) in [("nodes=1", "0"), ("nodes=1,tablebase=built-in", "12")] {
            let contestant = Contestant::new::<Wari>(&spec.parse().unwrap(), &Tablebases::none()).unwrap();
            assert_eq!(contestant.engine.tablebases.to_string(), marbles);
        }
    }
}
