//! How the positions of a game are drawn: the shapes there are, and what a game draws with them.

mod canvas;
mod effects;
mod pips;

use std::fmt::{Debug, Display};

pub use self::{
    canvas::{At, Canvas, escaped},
    effects::{Effects, Fight},
    pips::{face, pips},
};
use super::{Notation, Player};

/// A game whose positions can be drawn.
///
/// A picture is drawn from the ground up: the board, what is tinted on it, the pieces, arrows, what the
/// arrows must not hide, and marks.
pub trait Draw: Notation {
    /// A place on the board that has a name: a square, a point in White's letters, or a cup.
    type Place: Copy + Debug + Display + Eq;

    /// What people call player one and player two.
    const NAMES: [&'static str; 2];
    /// What the points count, as it stands after them; nothing in a game that is not played for points.
    const UNIT: &'static str;
    /// Width and height of the board with its labels, in units of the `viewBox`.
    const SIZE: (f32, f32);

    /// The place with a name.
    fn place(name: &str) -> Option<Self::Place>;

    /// Draws the board without what stands on it, from the side of a player.
    fn draw_board(canvas: &mut Canvas, seen_by: Player);

    /// Tints a place of the board.
    fn draw_tint(canvas: &mut Canvas, class: &str, place: Self::Place, seen_by: Player);

    /// Draws what stands on the board.
    fn draw_pieces(&self, canvas: &mut Canvas, seen_by: Player);

    /// The arrows that show a legal move; none for a pass.
    fn arrows(&self, spelling: &Self::Spelling, seen_by: Player) -> Vec<Vec<At>>;

    /// Draws the numbers once more over which the arrows of a legal move go.
    fn draw_over_arrows(&self, canvas: &mut Canvas, spelling: &Self::Spelling, seen_by: Player);

    /// Marks what a move takes at a place.
    fn draw_taken(canvas: &mut Canvas, place: Self::Place, seen_by: Player);

    /// Marks a fight between two pieces; only in games in which they fight.
    fn draw_fight(_canvas: &mut Canvas, _fight: Fight<Self::Place>, _seen_by: Player) {}

    /// What a legal move does.
    fn effects(&self, spelling: &Self::Spelling) -> Effects<Self::Place>;

    /// The places that a player's move names, whatever the position was.
    fn named(spelling: &Self::Spelling, mover: Player) -> Vec<Self::Place>;

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
