//! Which dice lie where: sets of squares, so that rules about many dice cost a few instructions.

use std::{array, cmp::Ordering};

use serde::{Deserialize, Serialize};

use super::{
    die::Orientation,
    square::{Direction, Square, Squares},
};
use crate::game::Player;

/// A die of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Die {
    /// Whose it is.
    pub player: Player,
    /// How it lies.
    pub orientation: Orientation,
}

/// The dice on the board.
///
/// Orientations are kept in five sets of squares, one for each bit of a code: two for which of the four
/// possible faces looks north, then three for the number on top. So the tops of many dice are added up
/// by counting squares, and a board without history has one representation only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    dice: [Squares; 2],
    code: [Squares; 5],
}

/// An orientation's number plus four has the top in its upper three bits, 1 to 6.
const CODE_OFFSET: u8 = 4;
/// The lowest bit of the top in the code.
const TOP_BIT: usize = 2;

impl Board {
    /// The squares of a player's dice.
    #[must_use]
    pub const fn dice(&self, player: Player) -> Squares {
        self.dice[player.index()]
    }

    /// The squares on which a die lies.
    #[must_use]
    pub fn occupied(&self) -> Squares {
        self.dice[0] | self.dice[1]
    }

    /// The squares on which none lies.
    #[must_use]
    pub fn free(&self) -> Squares {
        Squares::ALL.without(self.occupied())
    }

    /// The die on a square.
    pub(crate) fn die(&self, square: Square) -> Option<Die> {
        let player = Player::ALL.into_iter().find(|&player| self.dice(player).contains(square))?;
        Some(Die { player, orientation: self.orientation(square) })
    }

    /// All dice, square by square.
    pub(crate) fn all_dice(&self) -> impl Iterator<Item = (Square, Die)> + use<'_> {
        self.occupied().into_iter().map(|square| {
            let player = if self.dice(Player::One).contains(square) { Player::One } else { Player::Two };
            (square, Die { player, orientation: self.orientation(square) })
        })
    }

    /// The dice of a player that are on their far rank.
    #[must_use]
    pub fn home(&self, player: Player) -> Squares {
        self.dice(player) & Squares::far_rank(player)
    }

    /// The sum of the tops of the dice on some squares.
    #[must_use]
    pub fn sum_of_tops(&self, squares: Squares) -> u32 {
        let [ones, twos, fours] = [0, 1, 2].map(|bit| (self.code[TOP_BIT + bit] & squares).count());
        ones + 2 * twos + 4 * fours
    }

    /// Those among some squares on which a die shows more than this on top, and those on which it shows less.
    pub(crate) fn tops_above_and_below(&self, squares: Squares, top: u8) -> (Squares, Squares) {
        let (mut above, mut below, mut equal) = (Squares::NONE, Squares::NONE, squares & self.occupied());
        for bit in (0..3).rev() {
            let set = self.code[TOP_BIT + bit];
            if top >> bit & 1 == 0 {
                above |= equal & set;
                equal = equal.without(set);
            } else {
                below |= equal.without(set);
                equal = equal & set;
            }
        }
        (above, below)
    }

    /// This board without the dice on some squares.
    #[inline]
    #[must_use]
    pub fn without(&self, squares: Squares) -> Self {
        Self {
            dice: self.dice.map(|set| set.without(squares)),
            code: self.code.map(|set| set.without(squares)),
        }
    }

    /// Puts a die on a free square.
    pub(crate) fn put(&mut self, square: Square, die: Die) {
        let member = member_of(die);
        let put = |sets: &mut [Squares], member: &[Squares]| {
            sets.iter_mut().zip(member).for_each(|(set, &member)| *set |= square.set() & member);
        };
        put(&mut self.dice, &member.dice);
        put(&mut self.code, &member.code);
    }

    /// This board after a player's die has gone from one square to another, which is free or the same, turned
    /// as said.
    #[inline]
    #[must_use]
    pub fn relocated(&self, player: Player, from: Square, to: Square, orientation: Orientation) -> Self {
        let member = member_of(Die { player, orientation });
        let moved = |set: Squares, member: Squares| set.without(from.set()) | to.set() & member;
        Self {
            dice: array::from_fn(|i| moved(self.dice[i], member.dice[i])),
            code: array::from_fn(|i| moved(self.code[i], member.code[i])),
        }
    }

    /// How the die on a square lies; the square holds one.
    #[inline]
    #[must_use]
    pub fn orientation(&self, square: Square) -> Orientation {
        let bits = self.code.iter().enumerate();
        let code = bits.fold(0, |code, (bit, set)| code | u8::from(set.contains(square)) << bit);
        Orientation::new(code.wrapping_sub(CODE_OFFSET)).expect("the square holds a die")
    }
}

/// The sets that a die belongs to: each is either all squares or none, so that putting a die down needs no
/// branches.
///
/// Aligned, so that finding one takes no multiplication: a move waits for it.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Membership(Board);

#[inline]
fn member_of(die: Die) -> &'static Board {
    const NOWHERE: Membership = Membership(Board { dice: [Squares::NONE; 2], code: [Squares::NONE; 5] });
    static MEMBERS: [[Membership; Orientation::COUNT as usize]; 2] = {
        let mut members = [[NOWHERE; Orientation::COUNT as usize]; 2];
        let mut player = 0;
        while player < 2 {
            let mut index = 0;
            while index < Orientation::COUNT {
                let Membership(member) = &mut members[player][index as usize];
                member.dice[player] = Squares::ALL;
                let mut bit = 0;
                while bit < member.code.len() {
                    if (index + CODE_OFFSET) >> bit & 1 != 0 {
                        member.code[bit] = Squares::ALL;
                    }
                    bit += 1;
                }
                index += 1;
            }
            player += 1;
        }
        members
    };
    &MEMBERS[die.player.index()][die.orientation.index() as usize].0
}

/// The squares onto which dice on some squares can tip, forwards or sideways.
#[inline]
pub fn tips(dice: Squares, free: Squares, player: Player) -> Squares {
    let to = Direction::of(player).map(|direction| dice.shift(direction));
    (to[0] | to[1] | to[2]) & free
}

/// The squares that are one jump, forwards or sideways, away from some squares.
#[inline]
pub fn jumps(from: Squares, occupied: Squares, free: Squares, player: Player) -> Squares {
    let to = Direction::of(player).map(|direction| (from.shift(direction) & occupied).shift(direction));
    (to[0] | to[1] | to[2]) & free
}

/// The neighbours of a square in some directions, for each square by its [index](Square::index).
pub const fn neighbours(directions: &[Direction]) -> [Squares; 64] {
    let mut neighbours = [Squares::NONE; 64];
    let mut squares = Squares::ALL;
    while let Some(square) = squares.first() {
        let mut d = 0;
        while d < directions.len() {
            let neighbour = square.set().shift(directions[d]).on_board();
            neighbours[square.index()] = neighbours[square.index()].with(neighbour);
            d += 1;
        }
        squares = squares.without(square.set());
    }
    neighbours
}

/// A battle between the moved die and an enemy die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Battle {
    /// Where the moved die is.
    pub attacker: Square,
    /// Where the enemy die is.
    pub defender: Square,
    /// What counts for the moved die, 1 to 24.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 24))]
    pub attacker_total: u8,
    /// What counts for the enemy die, 1 to 24.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 24))]
    pub defender_total: u8,
    /// Which of the two lost: the player whose total is lower; null if the totals are equal.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub loser: Option<Player>,
}

impl Battle {
    /// The battle between two dice, decided by the totals.
    pub(super) fn between(attacker: (Square, u32), defender: (Square, u32), mover: Player) -> Self {
        let ((attacker, attacker_total), (defender, defender_total)) = (attacker, defender);
        let loser = match attacker_total.cmp(&defender_total) {
            Ordering::Less => Some(mover),
            Ordering::Equal => None,
            Ordering::Greater => Some(!mover),
        };
        let [attacker_total, defender_total] = [attacker_total, defender_total]
            .map(|total| u8::try_from(total).expect("four dice show 24 at most"));
        Self { attacker, defender, attacker_total, defender_total, loser }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All orientations in turn.
    fn orientation_on(square: Square) -> Orientation {
        Orientation::all().nth(square.index() % usize::from(Orientation::COUNT)).unwrap()
    }

    #[test]
    fn the_sum_of_tops_adds_up_the_dice_on_the_squares() {
        let mut board = Board::default();
        let mut sum = 0;
        for square in Square::all() {
            let orientation = orientation_on(square);
            board.put(square, Die { player: Player::One, orientation });
            sum += u32::from(orientation.top());
            assert_eq!(board.sum_of_tops(Squares::ALL), sum);
            assert_eq!(board.sum_of_tops(square.set()), u32::from(orientation.top()));
            assert_eq!(board.orientation(square), orientation);
        }
    }

    #[test]
    fn tops_are_compared_one_by_one() {
        let mut board = Board::default();
        for square in Square::all().skip(3) {
            let orientation = orientation_on(square);
            board.put(square, Die { player: Player::Two, orientation });
        }
        for top in 1..=6 {
            let (above, below) = board.tops_above_and_below(Squares::ALL, top);
            for square in Square::all() {
                let other = board.die(square).map_or(top, |die| die.orientation.top());
                assert_eq!((above.contains(square), below.contains(square)), (other > top, other < top));
            }
        }
    }
}
