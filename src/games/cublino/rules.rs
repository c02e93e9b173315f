//! What the variants of Cublino differ in.

mod chains;
mod pur;

use std::{fmt::Debug, hash::Hash};

pub use self::pur::Pur;
use super::{
    board::Board,
    describe::Counted,
    moves::{Chain, Illegal, Move},
    setup::Invalid,
    square::Square,
};
use crate::game::{About, Outcome, Player, Points};

/// A variant of Cublino: how dice move, what happens where they arrive, and who wins.
pub trait Rules: Copy + Debug + Default + Eq + Hash + Send + Sync + 'static {
    /// What a newcomer needs to know about the variant.
    const ABOUT: About;
    /// Whether no two moves that [`generate`](Self::generate) lists lead to the same position.
    const DISTINCT_MOVES: bool;

    /// What is wrong with a board, given how many dice each player is said to have. (Where a square is said to be
    /// taken twice, which is reported elsewhere, the board holds fewer.)
    fn faults(board: &Board, counts: [u32; 2]) -> Vec<Invalid>;

    /// Whether a player's dice can make any step.
    fn can_move(board: &Board, player: Player) -> bool;

    /// Appends the moves of a player's dice, by result, in a fixed order.
    fn generate(board: &Board, player: Player, moves: &mut Vec<Move>);

    /// The number of moves that [`generate`](Self::generate) lists.
    fn count_moves(board: &Board, player: Player) -> usize {
        let mut moves = Vec::new();
        Self::generate(board, player, &mut moves);
        moves.len()
    }

    /// Calls a function with each listed chain of a player's dice, in a fixed order.
    fn chains(board: &Board, player: Player, listed: impl FnMut(Chain));

    /// The result of a chain of at least two squares that starts from a die of the player.
    ///
    /// # Errors
    /// Says why the chain is not legal.
    fn resolve(board: &Board, player: Player, chain: &[Square]) -> Result<Move, Illegal>;

    /// How the game has ended, if the rules of the variant have ended it.
    fn outcome(board: &Board) -> Option<Outcome>;

    /// The points so far.
    fn points(board: &Board) -> Option<Points>;

    /// The dice of a player that count in the score.
    fn counted(board: &Board, player: Player) -> Vec<Counted>;
}
