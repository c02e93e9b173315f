//! Counting the leaves of the game tree, to test and to time move generation.
//!
//! Depth counts moves. Rolls count nothing, and neither does a pass that is forced on the position that is
//! counted from, in games where a pass can only occur there. A position in which the game is over has one
//! leaf at depth 0 and none deeper.

use std::{collections::HashSet, hint::black_box};

use super::{Game, Notation, Stage};
use crate::{games::GameId, with_game};

/// The number of leaves at a depth, counted by result: two moves that lead to the same position are one.
///
/// ```
/// use cublino_rules::{game::perft, games::Pur};
///
/// assert_eq!(perft(&Pur::default(), 3), 805);
/// ```
#[inline(never)]
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    count(&after_forced_pass(position), depth, &mut Vec::new())
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
    count_listed(&after_forced_pass(position), depth, &mut Vec::new())
}

/// The code that counts leaves of a game. Nobody needs to call this. It makes the compiler generate the code
/// in this crate, which is built as one unit so that it is fast; other crates then link to it. Never inlined:
/// otherwise the compiler leaves it to its callers, as it does with all small functions.
#[doc(hidden)]
#[inline(never)]
pub fn compiled(game: GameId) -> [*const (); 2] {
    with_game!(game, G => [perft::<G> as *const (), perft_by_spelling::<G> as *const ()])
}

/// In Cublino a pass occurs only in a position that was handed in; it is played before counting.
fn after_forced_pass<G: Game>(position: &G) -> G {
    match position.legal_moves()[..] {
        [m] if G::ROLLS.is_empty() && G::is_pass(m) => position.after(m),
        _ => *position,
    }
}

/// Counts with one list of moves for the whole line, each ply on top of those before it.
fn count<G: Game>(position: &G, depth: u32, moves: &mut Vec<G::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.stage() {
        Stage::Over(_) => 0,
        Stage::Roll => over_rolls(position, |rolled| count(rolled, depth, moves)),
        Stage::Move if depth == 1 && G::DISTINCT_MOVES => position.count_moves() as u64,
        Stage::Move => {
            let first = moves.len();
            position.generate(moves);
            let leaves = if G::DISTINCT_MOVES {
                (first..moves.len()).map(|i| count(&position.after(moves[i]), depth - 1, moves)).sum()
            } else {
                let results: HashSet<G> = moves.drain(first..).map(|m| position.after(m)).collect();
                results.iter().map(|after| count(after, depth - 1, moves)).sum()
            };
            moves.truncate(first);
            leaves
        }
    }
}

/// Counts listed moves, and plays each.
fn count_listed<G: Notation>(position: &G, depth: u32, moves: &mut Vec<G::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.stage() {
        Stage::Over(_) => 0,
        Stage::Roll => over_rolls(position, |rolled| count_listed(rolled, depth, moves)),
        Stage::Move => {
            let first = moves.len();
            if G::SEVERAL_SPELLINGS {
                position.list(|_, m| moves.push(m));
            } else {
                position.generate(moves);
            }
            let leaves = if depth == 1 {
                // Counting is also timing, and a leaf that nobody looks at would not be made.
                moves[first..].iter().for_each(|&m| _ = black_box(position.after(m)));
                (moves.len() - first) as u64
            } else {
                (first..moves.len()).map(|i| count_listed(&position.after(moves[i]), depth - 1, moves)).sum()
            };
            moves.truncate(first);
            leaves
        }
    }
}

fn over_rolls<G: Game>(position: &G, mut leaves: impl FnMut(&G) -> u64) -> u64 {
    let rolled = |roll| {
        let mut rolled = *position;
        rolled.roll_unchecked(roll);
        rolled
    };
    G::ROLLS.iter().map(|&(roll, _)| leaves(&rolled(roll))).sum()
}
