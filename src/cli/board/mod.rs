//! Positions drawn in text, in colour where the terminal has it.

mod colour;
mod cublino;
mod mahbusa;
mod wari;

use crate::{game::Player, games::described::Position};

/// A position, as lines. Points of Mahbusa have the letters of the player whose turn it is.
pub fn draw(position: &Position, turn: Player) -> String {
    match position {
        Position::Cublino(position) => cublino::draw(position),
        Position::Mahbusa(position) => mahbusa::draw(position, turn),
        Position::Wari(position) => wari::draw(position),
    }
}
