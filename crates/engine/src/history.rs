//! Where a search starts: a position, and the history of the game before it.

use cublino_rules::game::{Notation, Outcome, Player, Record, Stage};

use crate::{Playable, Score, transposition_table::key};

/// The root of a search: a position, the history of its game, and which moves to search.
///
/// ```
/// use cublino_engine::RootPosition;
/// use cublino_rules::{game::{Game, Record}, games::Wari};
///
/// // A record also knows what was played before: repetition counts.
/// let mut record = Record::new(Wari::default(), Some(3));
/// record.play("5").expect("a legal move");
/// let moves = record.position().legal_moves();
/// let root = RootPosition::from(&record).with_moves(moves[..2].to_vec());
/// assert_eq!(root.position, *record.position());
/// ```
#[derive(Clone, Debug)]
pub struct RootPosition<G: Playable> {
    /// The position.
    pub position: G,
    pub(super) history: GameHistory,
    /// The outcome, if it follows from what happened before and not from the position.
    pub(super) ended: Option<Outcome>,
    /// The moves that are searched; `None` for all.
    pub(super) moves: Option<Vec<G::Move>>,
}

impl<G: Playable> RootPosition<G> {
    /// A position with a known history.
    pub(super) const fn new(position: G, history: GameHistory) -> Self {
        Self { position, history, ended: None, moves: None }
    }

    /// The same, with only some moves searched: legal ones, and at least one.
    #[must_use]
    pub fn with_moves(self, moves: Vec<G::Move>) -> Self {
        Self { moves: Some(moves), ..self }
    }

    /// The stage of the game, with its history taken into account.
    pub(crate) fn stage(&self) -> Stage {
        self.ended.map_or_else(|| self.position.stage(), Stage::Over)
    }
}

/// A position without a history.
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

/// The earlier positions of a game that may occur again, each with the meaning of its next occurrence. Empty
/// if the history is unknown, and in games with dice, which have no repetition.
///
/// The present position is not among them: the search itself notices when it returns to the position it
/// started from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GameHistory(
    /// Sorted by key.
    Vec<(u64, Recurrence)>,
);

/// The meaning of another occurrence of an earlier position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Recurrence {
    /// The game is over: won by this player, or drawn.
    Ends(Option<Player>),
    /// The game goes on without progress. That says nothing about the position: the players can still go on
    /// as before. So only a search with contempt counts it as a repetition, to make progress.
    Returns,
}

impl GameHistory {
    /// Builds the history from the positions that occurred, with their counts, the present one included.
    /// Unless the rules say otherwise, a position is drawn when it occurs `repetition_limit` times.
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
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The meaning of reaching a position in a search with this contempt; `None` if the position is new.
    pub(super) fn recurrence<G: Playable>(&self, position: &G, contempt: i32) -> Option<Recurrence> {
        if self.is_empty() {
            return None;
        }
        let found = self.0.binary_search_by_key(&key(position), |&(key, _)| key);
        let recurrence = found.ok().map(|i| self.0[i].1);
        recurrence.filter(|recurrence| contempt != 0 || *recurrence != Recurrence::Returns)
    }

    /// Whether the game is drawn because this position has occurred before.
    pub(super) fn is_draw<G: Playable>(&self, position: &G) -> bool {
        self.recurrence(position, 0) == Some(Recurrence::Ends(None))
    }
}

impl Recurrence {
    /// The score for the side to move, as seen from `plies` plies before, and whether it is exact. Where the
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
}
