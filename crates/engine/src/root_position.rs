//! What a search starts from.

use super::{game_history::GameHistory, playable::Playable};
use cublino_rules::game::{Notation, Outcome, Record, Stage};

/// The position that a search starts from, with what a position alone does not tell.
#[derive(Clone, Debug)]
pub struct RootPosition<G: Playable> {
    pub(super) position: G,
    pub(super) history: GameHistory,
    /// The outcome, if it follows from what happened before and not from the position.
    pub(super) ended: Option<Outcome>,
    /// The moves that are searched; `None` for all.
    pub(super) moves: Option<Vec<G::Move>>,
}

impl<G: Playable> RootPosition<G> {
    /// A position in a game of which it is known what occurred before.
    #[must_use]
    pub const fn new(position: G, history: GameHistory) -> Self {
        Self { position, history, ended: None, moves: None }
    }

    /// The same, with only some moves searched: legal ones, and at least one.
    #[must_use]
    pub fn with_moves(self, moves: Vec<G::Move>) -> Self {
        Self { moves: Some(moves), ..self }
    }

    /// The position.
    #[must_use]
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// Who acts next, with what happened before taken into account.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.ended.map_or_else(|| self.position.stage(), Stage::Over)
    }
}

/// A position of which it is not known what occurred before.
impl<G: Playable> From<&G> for RootPosition<G> {
    fn from(&position: &G) -> Self {
        Self::new(position, GameHistory::default())
    }
}

/// The present position of a game.
impl<G: Playable + Notation> From<&Record<G>> for RootPosition<G> {
    fn from(record: &Record<G>) -> Self {
        let position = *record.position();
        let ended = if position.stage().outcome().is_some() { None } else { record.stage().outcome() };
        let history = GameHistory::new(&position, record.occurrences(), record.repetition_limit());
        Self { ended, ..Self::new(position, history) }
    }
}
