//! Counting the leaves of the game tree, to test and to time move generation.
//!
//! Depth counts moves, not rolls. In games where only the root position can have a forced pass, that pass
//! does not count either. A position in which the game is over has one leaf at depth 0 and none deeper.

use std::{collections::HashSet, hint::black_box};

use super::{Notation, Stage};
use crate::{games::GameId, with_game};

/// The number of leaves at a depth, counted by result: two moves that lead to the same position are one.
///
/// ```
/// use cublino_rules::{game::perft, games::Pur};
///
/// assert_eq!(perft(&Pur::default(), 3), 805);
/// ```
#[inline(never)]
pub fn perft<G: Notation>(position: &G, depth: u32) -> u64 {
    count::<G, false>(&after_forced_pass(position), depth, &mut Vec::new())
}

/// The number of leaves at a depth, counted by listed move: every spelling counts, and every leaf is played.
///
/// ```
/// use cublino_rules::{game::*, games::*};
///
/// let start = Pur::default();
/// assert_eq!((perft_by_spelling(&start, 1), perft(&start, 1)), (7, 7));
/// ```
#[inline(never)]
pub fn perft_by_spelling<G: Notation>(position: &G, depth: u32) -> u64 {
    count::<G, true>(&after_forced_pass(position), depth, &mut Vec::new())
}

/// The code that counts leaves of a game. Nobody needs to call this. It makes the compiler generate the code
/// in this crate, which is built as one unit so that it is fast; other crates then link to it. Never inlined:
/// otherwise the compiler leaves it to its callers, as it does with all small functions.
#[doc(hidden)]
#[inline(never)]
pub fn compiled(game: GameId) -> [*const (); 2] {
    with_game!(game, G => [perft::<G> as *const (), perft_by_spelling::<G> as *const ()])
}

/// In Cublino only the root position can have a pass; it is played before counting.
fn after_forced_pass<G: Notation>(position: &G) -> G {
    match position.legal_moves()[..] {
        [m] if G::ROLLS.is_empty() && G::is_pass(m) => position.after(m),
        _ => *position,
    }
}

/// Counts with one list of moves for the whole line, each ply on top of those before it.
fn count<G: Notation, const BY_SPELLING: bool>(position: &G, depth: u32, moves: &mut Vec<G::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.stage() {
        Stage::Over(_) => 0,
        Stage::Roll => {
            let rolled = G::ROLLS.iter().map(|&(roll, _)| position.rolled(roll));
            rolled.map(|rolled| count::<G, BY_SPELLING>(&rolled, depth, moves)).sum()
        }
        Stage::Move if depth == 1 && G::DISTINCT_MOVES && !BY_SPELLING => position.count_moves() as u64,
        Stage::Move => {
            let first = moves.len();
            if BY_SPELLING {
                position.list(|_, m| moves.push(m));
            } else {
                position.generate(moves);
            }
            let leaves = if BY_SPELLING && depth == 1 {
                // Perft is also a benchmark, and the compiler would not make a leaf that is never used.
                moves[first..].iter().for_each(|&m| _ = black_box(position.after(m)));
                (moves.len() - first) as u64
            } else if BY_SPELLING || G::DISTINCT_MOVES {
                let mut leaves = 0;
                for i in first..moves.len() {
                    leaves += count::<G, BY_SPELLING>(&position.after(moves[i]), depth - 1, moves);
                }
                leaves
            } else {
                let results: HashSet<G> = moves.drain(first..).map(|m| position.after(m)).collect();
                results.iter().map(|after| count::<G, BY_SPELLING>(after, depth - 1, moves)).sum()
            };
            moves.truncate(first);
            leaves
        }
    }
}
