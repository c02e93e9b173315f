//! How the positions of a game are drawn: the shapes there are, and what a game draws with them.

mod canvas;
mod pips;

pub use self::{
    canvas::{ARROW_HEAD, At, Canvas, escaped},
    pips::face,
};
use super::{Notation, Player};

/// A game whose positions can be drawn.
pub trait Draw: Notation {
    /// What people call player one and player two.
    const NAMES: [&'static str; 2];
    /// Width and height of the board with its labels, in units of the `viewBox`.
    const SIZE: (f32, f32);

    /// Draws the board and what stands on it, from the side of a player.
    fn draw(&self, canvas: &mut Canvas, seen_by: Player);

    /// The arrows that show a legal move; none for a pass.
    fn arrows(&self, spelling: &Self::Spelling, seen_by: Player) -> Vec<Vec<At>>;

    /// What stands where, in sentences for those who do not see the picture.
    fn summary(&self) -> String;
}

/// The class of what belongs to a player.
pub const fn side(player: Player) -> &'static str {
    match player {
        Player::One => "one",
        Player::Two => "two",
    }
}
