//! The players by the colour of their dice or checkers.

use std::fmt;

use crate::game::Player;

/// A player as people call them where player one is White and player two Black.
pub(super) struct Colour(pub Player);

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Player::One => "White",
            Player::Two => "Black",
        })
    }
}
