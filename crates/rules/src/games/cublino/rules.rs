//! What the variants of Cublino differ in.

mod contra;
mod ecke;
mod pur;

use std::{fmt::Debug, hash::Hash};

pub use self::{contra::Contra, ecke::Ecke, pur::Pur};
use super::{
    board::{Battle, Board},
    moves::{Chain, Move, Opening},
    notation::Illegal,
    setup::{Claimed, Invalid},
    square::{Direction, Square, Squares},
};
use crate::game::{About, Fact, Outcome, Player, Points};

/// A variant of Cublino: how dice move, what happens where they arrive, and who wins.
///
/// A move is one step unless a variant lists other moves.
pub trait Rules: Copy + Debug + Default + Eq + Hash + Send + Sync + 'static {
    /// What a newcomer needs to know about the variant.
    const ABOUT: About;
    /// Whether no two moves that [`generate`](Self::generate) lists lead to the same position.
    const DISTINCT_MOVES: bool;
    /// Whether dice can also step diagonally forward.
    const DIAGONALS: bool = false;
    /// Whether dice can jump.
    const JUMPS: bool;
    /// The steps there are, in a clause for people.
    const STEPS: &'static str;

    /// The directions in which a player's dice can step, in the order in which moves are listed.
    fn directions(player: Player) -> &'static [Direction] {
        use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
        const OF: [[Direction; 5]; 2] =
            [[North, West, East, NorthWest, NorthEast], [South, West, East, SouthWest, SouthEast]];
        &OF[player.index()][..if Self::DIAGONALS { 5 } else { 3 }]
    }

    /// The squares that a player's dice head for.
    fn goal(player: Player) -> Squares {
        Squares::far_rank(player)
    }

    /// The faults of the dice of a setup, except squares that are taken twice.
    fn faults(claimed: Claimed<'_>) -> Vec<Invalid>;

    /// Whether a player's dice can make any step. It is computed twice after every move, so the directions
    /// are those that the compiler knows.
    fn can_move(board: &Board, player: Player) -> bool {
        let dice = board.dice(player);
        let can_step = |direction| {
            let [tips, jumps] = steps::<Self>(board, dice, direction);
            !(tips | jumps).is_empty()
        };
        Direction::of(player).into_iter().any(can_step)
            || Self::DIAGONALS && Direction::diagonals(player).into_iter().any(can_step)
    }

    /// Appends the moves of a player's dice, by result, in a fixed order.
    ///
    /// Single steps go direction by direction; of each tips, then jumps, and of these the ends in the order
    /// of the squares.
    fn generate(board: &Board, player: Player, moves: &mut Vec<Move>) {
        for &direction in Self::directions(player) {
            let back = direction.opposite();
            let [tips, jumps] = steps::<Self>(board, board.dice(player), direction);
            let opening = Opening::Tip(direction);
            let from = tips.shift(back);
            moves.extend(from.zip(tips).map(|(from, to)| Move::Go { from, opening, to }));
            if Self::JUMPS {
                let from = jumps.shift(back).shift(back);
                moves.extend(from.zip(jumps).map(|(from, to)| Move::Go { from, opening: Opening::Jump, to }));
            }
        }
    }

    /// The number of moves that [`generate`](Self::generate) lists.
    fn count_moves(board: &Board, player: Player) -> usize {
        let dice = board.dice(player);
        let steps =
            Self::directions(player).iter().flat_map(|&direction| steps::<Self>(board, dice, direction));
        steps.map(|ends| ends.count() as usize).sum()
    }

    /// Calls a function with each listed chain of a player's dice and its first step, in a fixed order.
    ///
    /// Single steps go die by die in the order of the squares, then direction by direction.
    fn chains(board: &Board, player: Player, mut listed: impl FnMut(Chain, Opening)) {
        for from in board.dice(player) {
            for &direction in Self::directions(player) {
                let [tip, jump] = steps::<Self>(board, from.set(), direction);
                if let Some(to) = tip.first() {
                    listed(Chain::from_slice(&[from, to]), Opening::Tip(direction));
                } else if let Some(to) = jump.first() {
                    listed(Chain::from_slice(&[from, to]), Opening::Jump);
                }
            }
        }
    }

    /// The result of a chain of at least two squares that starts from a die of the player.
    ///
    /// # Errors
    /// Says why the chain is not legal.
    fn resolve(board: &Board, player: Player, chain: &[Square]) -> Result<Move, Illegal> {
        let &[from, to] = chain else { return Err(Illegal::SeveralSteps(chain.len() - 1)) };
        Ok(Move::Go { from, opening: step::<Self>(board, player, from, from, to)?, to })
    }

    /// The dice that leave the board when a player's die has arrived on a square.
    fn casualties(_board: &Board, _mover: Player, _arrival: Square) -> Squares {
        Squares::NONE
    }

    /// The battles that are fought when a player's die has arrived on a square.
    fn battles(_board: &Board, _mover: Player, _arrival: Square) -> Vec<Battle> {
        Vec::new()
    }

    /// How the game has ended, if the rules of the variant have ended it.
    fn outcome(board: &Board) -> Option<Outcome>;

    /// The points so far; nothing in a variant that is not played for points.
    fn points(_board: &Board) -> Option<Points> {
        None
    }

    /// What an analysis may say about a position.
    fn facts(_board: &Board) -> Vec<Fact> {
        Vec::new()
    }
}

/// The squares to which some dice can tip in a direction, and those to which they can jump.
pub fn steps<R: Rules>(board: &Board, dice: Squares, direction: Direction) -> [Squares; 2] {
    let next = dice.shift(direction);
    let free = board.free();
    let jumps = if R::JUMPS { (next & board.occupied()).shift(direction) & free } else { Squares::NONE };
    [next & free, jumps]
}

/// How a player's die goes from one square to another in one step. The die began its move on `began`, and
/// while it moves, that square neither blocks nor can be jumped.
///
/// # Errors
/// Says why no step leads there.
fn step<R: Rules>(
    board: &Board,
    mover: Player,
    began: Square,
    from: Square,
    to: Square,
) -> Result<Opening, Illegal> {
    let (east, north) = from.offset_to(to);
    let not_a_step = Illegal::NotAStep { from, to, steps: R::STEPS };
    let Some(direction) = Direction::of_offset((east, north)) else { return Err(not_a_step) };
    if !R::directions(mover).contains(&direction) {
        let goes_back = R::directions(mover).contains(&direction.opposite());
        return Err(if goes_back { Illegal::Backwards { from, to, mover } } else { not_a_step });
    }
    let owner_on = |square| board.die(square).filter(|_| square != began).map(|die| die.player);
    match (east.abs().max(north.abs()), from.neighbour(direction)) {
        (1, _) => match owner_on(to) {
            Some(owner) => Err(Illegal::TipBlocked { to, owner, mover }),
            None => Ok(Opening::Tip(direction)),
        },
        (2, Some(_)) if !R::JUMPS => Err(Illegal::NoJumps { from, to }),
        (2, Some(over)) => match (owner_on(over), owner_on(to)) {
            (None, _) => Err(Illegal::NothingToJump { from, over, to }),
            (Some(_), Some(owner)) => Err(Illegal::LandingTaken { over, to, owner, mover }),
            (Some(_), None) => Ok(Opening::Jump),
        },
        _ => Err(not_a_step),
    }
}

/// How many ranks are ahead of a player's die on a square.
fn ranks_ahead(square: Square, player: Player) -> u8 {
    if player == Player::One { RANKS_TO_CROSS - square.rank() } else { square.rank() }
}

/// How many ranks the hindmost die of a player has behind it.
fn ranks_behind(board: &Board, player: Player) -> Option<u8> {
    board.dice(player).map(|square| RANKS_TO_CROSS - ranks_ahead(square, player)).min()
}

/// The number of ranks from the first to the last.
const RANKS_TO_CROSS: u8 = 6;

/// At most seven dice each: what Contra and Ecke have in common.
fn too_many_dice(claimed: Claimed<'_>) -> impl Iterator<Item = Invalid> {
    Player::ALL.into_iter().filter_map(move |player| {
        let count = claimed.count(player);
        (count > DICE).then_some(Invalid::TooManyDice { player, count })
    })
}

/// Dice that each player starts with.
const DICE: usize = 7;
