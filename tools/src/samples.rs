//! Training positions, by their features.

use std::{collections::HashSet, hash::BuildHasher, path::Path};

use super::game_file::{self, GameFileError, TrainingGame, VALUE_ONE};
use cublino_engine::{Features, Playable, Score, network::Input};
use cublino_rules::game::{Notation, Player, Stage};

/// Training positions: those at the start of a turn (before the roll, in games with dice), each once.
#[derive(Debug)]
pub struct Samples {
    /// The λ of TD(λ): see [`Self::new`].
    lambda: f32,
    /// The features of one position after the other: as the side to move sees it, then as many as the
    /// opponent sees it.
    features: Vec<u16>,
    /// Where the features of each position end.
    ends: Vec<usize>,
    phases: Vec<u8>,
    labels: Vec<Label>,
    /// Hashes of the positions added so far.
    seen: HashSet<u64>,
}

/// Target and result of a position, for the side to move: 1 a win, 0 a draw, -1 a loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// The expected result that a network should learn.
    pub target: f32,
    /// The result of the game.
    pub result: f32,
}

impl Samples {
    /// No positions yet. `lambda`, from 0 to 1, is the weight of later values and of the result of the game
    /// in a target, against the value of the position's own search: TD(λ), Sutton 1988. The value one move
    /// later says little that the network did not know, and the result has much noise.
    ///
    /// The luck of a roll, the difference between the values after and before it, is subtracted where both
    /// are known (variance reduction, as in rollouts of backgammon). A random move says nothing about the
    /// position before the roll.
    #[must_use]
    pub fn new(lambda: f32) -> Self {
        Self {
            lambda,
            features: Vec::new(),
            ends: Vec::new(),
            phases: Vec::new(),
            labels: Vec::new(),
            seen: HashSet::new(),
        }
    }

    /// Adds the positions of the games in a file, without those that were added before.
    ///
    /// # Errors
    /// Fails if the file cannot be read or does not hold games of this game.
    pub fn add_file<G: Playable + Notation>(&mut self, path: &Path) -> Result<(), GameFileError> {
        game_file::read(path, |game| self.add_game::<G>(&game))
    }

    fn add_game<G: Playable + Notation>(&mut self, game: &TrainingGame) -> Result<(), String> {
        let mut positions = Vec::new();
        game.replay::<G>(|i, position| {
            if G::ROLLS.is_empty() || position.stage() == Stage::Roll {
                let value_at = |i| Some(f32::from(game.values.get(i).copied().flatten()?) / VALUE_ONE);
                // The value before the move, and after the roll if there was one.
                let played = if position.stage() == Stage::Roll { value_at(i + 1) } else { value_at(i) };
                positions.push((*position, value_at(i), played));
            }
        })?;
        // Without dice, a random move says nothing about the position before it: that one is not learned, and
        // the target of the one before it is the value of its search alone. Only the games of an untrained
        // network have no values at all.
        let has_values = game.values.iter().any(Option::is_some);
        let is_random = |value: Option<f32>| G::ROLLS.is_empty() && has_values && value.is_none();
        // Backwards, starting from the result; for player one.
        let mut later = Some(f32::from(game.result));
        let mut labels = Vec::with_capacity(positions.len());
        for (position, value, played) in positions.iter().rev() {
            let for_mover = |result: f32| if position.turn() == Player::One { result } else { -result };
            let known = position.evaluate().map(|known| to_f32(known.score(Score::expecting).expected()));
            // Without a value before a roll, that after it is used: it is right on average.
            let target = known.or_else(|| match (value.or(*played), played, later.map(for_mover)) {
                (Some(value), Some(played), Some(later)) => {
                    Some((value + self.lambda * (later - played)).clamp(-1.0, 1.0))
                }
                (Some(value), ..) => Some(value),
                (None, _, later) => later.filter(|_| !is_random(*value)),
            });
            later = target.map(for_mover);
            // The network is never asked about a position with a known score.
            let label = |target| Label { target, result: game.result_for(position.turn()).into() };
            labels.push(target.filter(|_| known.is_none()).map(label));
        }
        for ((position, ..), label) in positions.iter().zip(labels.into_iter().rev()) {
            if let Some(label) = label {
                self.add(position, label);
            }
        }
        Ok(())
    }

    /// Adds a position, unless it was added before.
    pub fn add<G: Features>(&mut self, position: &G, label: Label) {
        /// Hashes are the same in every run.
        const HASHER: std::hash::BuildHasherDefault<std::hash::DefaultHasher> =
            std::hash::BuildHasherDefault::new();
        if self.seen.insert(HASHER.hash_one(position)) {
            for seen_by in [position.turn(), !position.turn()] {
                G::active_features(&position.seen_by(seen_by), None, |feature| {
                    self.features.push(u16::try_from(feature).expect("features are few enough"));
                });
            }
            self.ends.push(self.features.len());
            self.phases.push(u8::try_from(position.phase()).expect("phases are few"));
            self.labels.push(label);
        }
    }

    /// How many positions there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.labels.len()
    }

    /// A position, and its label.
    pub(super) fn get(&self, i: usize) -> (Input<'_>, Label) {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        let features = &self.features[start..self.ends[i]];
        let (own, other) = features.split_at(features.len() / 2);
        (Input { phase: self.phases[i].into(), views: [own, other] }, self.labels[i])
    }
}

#[expect(clippy::cast_possible_truncation, reason = "an expected result need not be exact")]
fn to_f32(expected: f64) -> f32 {
    expected as f32
}
