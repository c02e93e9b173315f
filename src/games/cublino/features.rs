//! What a learned evaluation sees: which die lies where and how.

use super::{die::Orientation, position::Cublino, rules::Rules, square::Square};
use crate::game::{Features, Player};

const SQUARES: usize = 49;
const ORIENTATIONS: usize = Orientation::COUNT as usize;
const TOPS: usize = 6;
const RANKS: usize = 7;

/// Own dice, then those of the opponent.
const SIDES: usize = 2;

/// A feature for each side, orientation and square, seen from the side to move: for player two the board is
/// turned by half a turn. Its groups are those of the same side and square, of the same side and orientation,
/// and of the same side, top and rank.
impl<R: Rules> Features for Cublino<R> {
    const FEATURES: usize = SIDES * ORIENTATIONS * SQUARES;
    const MOST_ACTIVE: usize = 2 * RANKS;
    const GROUPS: usize = SIDES * (SQUARES + ORIENTATIONS + TOPS * RANKS);

    #[inline]
    fn active_features(&self, mut active: impl FnMut(usize)) {
        let board = self.board();
        for (side, player) in [self.turn, !self.turn].into_iter().enumerate() {
            for square in board.dice(player) {
                let (orientation, square) = seen_by(self.turn, board.orientation(square), square);
                active((side * ORIENTATIONS + orientation) * SQUARES + square);
            }
        }
    }

    fn groups(feature: usize) -> impl Iterator<Item = usize> {
        let (square, oriented) = (feature % SQUARES, feature / SQUARES);
        let (orientation, side) = (oriented % ORIENTATIONS, oriented / ORIENTATIONS);
        let top = orientation * TOPS / ORIENTATIONS;
        let first_of_orientations = SIDES * SQUARES;
        let first_of_tops = first_of_orientations + SIDES * ORIENTATIONS;
        [
            side * SQUARES + square,
            first_of_orientations + side * ORIENTATIONS + orientation,
            first_of_tops + (side * TOPS + top) * RANKS + square / RANKS,
        ]
        .into_iter()
    }
}

/// The numbers of an orientation and of a square, as a player sees them from their side of the board.
#[inline]
fn seen_by(player: Player, orientation: Orientation, square: Square) -> (usize, usize) {
    /// The face towards rank 7 is one of four for each top, and opposite faces are the outer two and the
    /// inner two of them.
    const TURNED: usize = 3;
    let orientation = usize::from(orientation.index());
    let number = usize::from(square.rank()) * RANKS + usize::from(square.file());
    match player {
        Player::One => (orientation, number),
        Player::Two => (orientation ^ TURNED, SQUARES - 1 - number),
    }
}
