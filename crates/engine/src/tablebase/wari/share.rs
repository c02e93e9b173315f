//! What a player gets of the marbles in the cups.

use super::index::MOST;
use crate::value::GameResult;
use cublino_rules::games::wari::MARBLES;

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

/// The most marbles of which every pair of bounds has a byte of its own: there are 253 pairs.
const ALL_PAIRS: u8 = 21;
/// With more marbles, the byte of bounds that are too far apart for one of their own: it stands for all or
/// nothing. Bounds that are up to 12 apart always have one.
const WIDE: u8 = u8::MAX;

/// The bounds that a byte stands for: of up to [`ALL_PAIRS`] marbles, and of each number above. The rest of
/// the bytes stand for nothing, and nobody has to check that they do not occur.
static OF_BYTES: [[Share; BYTES]; TABLES] = of_bytes();
/// Different bytes.
const BYTES: usize = 1 << u8::BITS;
/// Tables of what bytes stand for.
const TABLES: usize = (MOST - ALL_PAIRS) as usize + 1;

const fn of_bytes() -> [[Share; BYTES]; TABLES] {
    let mut tables = [[Share { least: 0, most: 0 }; BYTES]; TABLES];
    let mut table = 0;
    while table < TABLES {
        #[expect(clippy::cast_possible_truncation, reason = "there are few tables")]
        let marbles = ALL_PAIRS + table as u8;
        let mut most = 0;
        while most <= marbles {
            let mut least = 0;
            while least <= most {
                let share = Share { least, most };
                tables[table][share.to_byte(marbles) as usize] = share;
                least += 1;
            }
            most += 1;
        }
        if table > 0 {
            tables[table][WIDE as usize] = Share::unknown(marbles);
        }
        table += 1;
    }
    tables
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

    /// What both of two bounds for the same position allow.
    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
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

    /// The byte that stands for these bounds in positions with so many marbles, or for wider ones.
    #[expect(clippy::cast_possible_truncation, reason = "what is larger is cut off before")]
    #[inline]
    pub(super) const fn to_byte(self, marbles: u8) -> u8 {
        let (least, most) = (self.least as u16, self.most as u16);
        if marbles <= ALL_PAIRS {
            return (most * (most + 1) / 2 + least) as u8;
        }
        // Narrow bounds come first: there are as many more marbles than bounds can be apart.
        let apart = most - least;
        let narrower = apart * (marbles as u16 + 1) - apart * apart.saturating_sub(1) / 2;
        if narrower + least < WIDE as u16 { (narrower + least) as u8 } else { WIDE }
    }

    /// What [`to_byte`](Self::to_byte) gave.
    #[inline]
    pub(super) fn of_byte(byte: u8, marbles: u8) -> Self {
        OF_BYTES[usize::from(marbles.saturating_sub(ALL_PAIRS))][usize::from(byte)]
    }

    /// Whether a byte has lost the bounds, because they are too far apart.
    pub(super) const fn is_wide(byte: u8, marbles: u8) -> bool {
        marbles > ALL_PAIRS && byte == WIDE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_share_fits_into_a_byte_or_is_told_less_exactly() {
        for marbles in 0..=MOST {
            for most in 0..=marbles {
                for least in 0..=most {
                    let share = Share { least, most };
                    let byte = share.to_byte(marbles);
                    if Share::is_wide(byte, marbles) {
                        assert!(marbles > 21 && most - least > 12, "{share:?} of {marbles}");
                        assert_eq!(Share::of_byte(byte, marbles), Share::unknown(marbles));
                    } else {
                        assert_eq!(Share::of_byte(byte, marbles), share, "of {marbles}");
                    }
                }
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
