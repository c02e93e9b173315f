//! What a search starts from: a position, and what occurred before it in the game.

use cublino_rules::game::{Notation, Outcome, Player, Record, Stage};

use crate::{Playable, Score, transposition_table::key};

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
    pub(super) const fn new(position: G, history: GameHistory) -> Self {
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

/// The earlier positions of a game that may occur again, by what their next occurrence means. Empty if
/// nothing is known of what was played before, and in games with dice, where nothing counts as repeated.
///
/// The present position is not among them: who comes back to where a search started has gone round in a
/// circle, which the search sees without being told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GameHistory(
    /// Sorted by key.
    Vec<(u64, Recurrence)>,
);

/// What it means that an earlier position occurs again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Recurrence {
    /// The game is over, and this player has won it, if anybody has.
    Ends(Option<Player>),
    /// The game goes on, and has got nowhere.
    Returns,
}

impl GameHistory {
    /// Nothing has occurred before.
    pub(super) const EMPTY: &'static Self = &Self(Vec::new());

    /// From the positions that occurred, each with how often, the present one included. A position is drawn
    /// when it occurs as often as the limit says, where the rules do not say otherwise.
    pub(super) fn new<'a, G: Playable>(
        present: &G,
        occurrences: impl IntoIterator<Item = (&'a G, u32)>,
        repetition_limit: Option<u32>,
    ) -> Self {
        if !G::ROLLS.is_empty() {
            return Self::default();
        }
        let is_relevant = |earlier: &G| {
            earlier != present && present.may_come_back_to(earlier) && earlier.stage().outcome().is_none()
        };
        let recurrence = |earlier: &G, count| match earlier.outcome_if_repeated() {
            Some(outcome) => Recurrence::Ends(outcome.winner),
            None if repetition_limit.is_some_and(|limit| count + 1 >= limit) => Recurrence::Ends(None),
            None => Recurrence::Returns,
        };
        let occurred = occurrences.into_iter().filter(|(earlier, _)| is_relevant(earlier));
        let mut occurred: Vec<_> =
            occurred.map(|(earlier, count)| (key(earlier), recurrence(earlier, count))).collect();
        occurred.sort_unstable();
        Self(occurred)
    }

    /// Whether no earlier position may occur again.
    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What it means that a position is reached; nothing if it is new.
    pub(super) fn recurrence<G: Playable>(&self, position: &G) -> Option<Recurrence> {
        if self.is_empty() {
            return None;
        }
        let found = self.0.binary_search_by_key(&key(position), |&(key, _)| key);
        found.ok().map(|i| self.0[i].1)
    }

    /// Whether the game is drawn because this position has occurred before.
    pub(super) fn is_draw<G: Playable>(&self, position: &G) -> bool {
        matches!(self.recurrence(position), Some(Recurrence::Ends(None)))
    }
}

impl Recurrence {
    /// The score for the side to move, as seen from so many plies before, and whether it is exact. Where the
    /// game goes on, it is that of a repetition within a search.
    pub(super) fn score<G: Playable>(self, position: &G, plies: u32) -> (Score, bool) {
        match self {
            Self::Ends(winner) => {
                let result = winner.map_or(0, |winner| if winner == position.turn() { 1 } else { -1 });
                (Score::over(result, plies), true)
            }
            Self::Returns => (Score::DRAW, false),
        }
    }

    /// The same for the player who brings it about by a move.
    pub(super) fn score_before<G: Playable>(self, position: &G, next: &G) -> (Score, bool) {
        let (score, is_exact) = self.score(next, 1);
        (if next.turn() == position.turn() { score } else { -score }, is_exact)
    }
}
