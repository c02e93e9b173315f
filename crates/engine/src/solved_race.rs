//! What a game answers when it has worked out a race.

use super::value::GameResult;

/// A race that has been worked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedRace<M> {
    /// For the side to move, if both play their best.
    pub result: GameResult,
    /// The moves of both to the end.
    pub line: Vec<M>,
}
