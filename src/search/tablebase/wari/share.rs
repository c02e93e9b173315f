//! What a player gets of the marbles in the cups.

use super::index::MOST;
use crate::{games::wari::MARBLES, search::value::GameResult};

/// How many of the marbles that are in the cups the side to move gets in the end, captured or left on its
/// side.
///
/// Each player can make sure of one of the bounds, without help from the rule that ends endless play. Where
/// they are equal they are the value of the position. Where they are not it hinges on endless play: on which
/// position occurs again first, and so on the moves before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// So many at least, if the side to move plays its best.
    pub least: u8,
    /// So many at most, if the opponent does.
    pub most: u8,
}

/// The bounds that a byte stands for. Up to [`MOST`] there are 231 pairs; the rest of the bytes stand for
/// nothing, and nobody has to check that they do not occur.
static OF_BYTES: [Share; BYTES] = of_bytes();
/// Different bytes.
const BYTES: usize = 1 << u8::BITS;

const fn of_bytes() -> [Share; BYTES] {
    let mut shares = [Share { least: 0, most: 0 }; BYTES];
    let mut most = 0;
    while most <= MOST {
        let mut least = 0;
        while least <= most {
            let share = Share { least, most };
            shares[share.to_byte() as usize] = share;
            least += 1;
        }
        most += 1;
    }
    shares
}

impl Share {
    /// Nothing is known: all or nothing of so many marbles.
    pub(super) const fn unknown(marbles: u8) -> Self {
        Self { least: 0, most: marbles }
    }

    /// Exactly so many.
    pub(super) const fn exactly(marbles: u8) -> Self {
        Self { least: marbles, most: marbles }
    }

    /// What is left of so many marbles for the opponent of the player who gets this.
    #[inline]
    pub(super) const fn rest_of(self, marbles: u8) -> Self {
        Self { least: marbles - self.most, most: marbles - self.least }
    }

    /// The better of two for the player who may choose.
    #[inline]
    pub(super) fn or(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }

    /// Whether the value does not hinge on endless play.
    #[inline]
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.least == self.most
    }

    /// How the game ends for the side to move, if that does not hinge on endless play.
    #[must_use]
    pub const fn result(self, prisoners: u8) -> Option<GameResult> {
        const HALF: u8 = MARBLES / 2;
        let (least, most) = (prisoners + self.least, prisoners + self.most);
        if least > HALF {
            Some(GameResult::Win)
        } else if most < HALF {
            Some(GameResult::Loss)
        } else if least == HALF && most == HALF {
            Some(GameResult::Draw)
        } else {
            None
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "up to twenty marbles there are 231 pairs")]
    #[inline]
    pub(super) const fn to_byte(self) -> u8 {
        (self.most as u16 * (self.most as u16 + 1) / 2) as u8 + self.least
    }

    /// What [`to_byte`](Self::to_byte) gave.
    #[inline]
    pub(super) fn of_byte(byte: u8) -> Self {
        OF_BYTES[usize::from(byte)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_share_fits_into_a_byte() {
        for most in 0..=MOST {
            for least in 0..=most {
                let share = Share { least, most };
                assert_eq!(Share::of_byte(share.to_byte()), share);
            }
        }
    }

    #[test]
    fn a_result_is_certain_whatever_endless_play_gives() {
        let result = |least, most, prisoners| Share { least, most }.result(prisoners);
        assert_eq!(result(4, 6, 21), Some(GameResult::Win));
        assert_eq!(result(4, 6, 20), None);
        assert_eq!(result(4, 4, 20), Some(GameResult::Draw));
        assert_eq!(result(4, 6, 18), None);
        assert_eq!(result(4, 6, 17), Some(GameResult::Loss));
        assert_eq!(result(0, 6, 25), Some(GameResult::Win));
    }
}
