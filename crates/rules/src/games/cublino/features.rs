//! What a learned evaluation sees: which die lies where and how, and how many are still to start or have
//! crossed.

use super::{
    Cublino,
    die::Orientation,
    rules::Rules,
    square::{Square, Squares},
};
use crate::game::{Features, Player};

const SQUARES: usize = 49;
const ORIENTATIONS: usize = Orientation::COUNT as usize;
const TOPS: usize = 6;
const RANKS: usize = 7;

/// Own dice, then those of the opponent.
const SIDES: usize = 2;

/// A feature for each side, orientation and square.
const OF_DICE: usize = SIDES * ORIENTATIONS * SQUARES;
const GROUPS_OF_DICE: usize = SIDES * (SQUARES + ORIENTATIONS + TOPS * RANKS);

/// None to seven dice are on a rank.
const COUNTS: usize = RANKS + 1;
/// A feature for each side, number of dice on the first rank and number on the last.
const OF_RANKS: usize = SIDES * COUNTS * COUNTS;
const GROUPS_OF_RANKS: usize = SIDES * 2 * COUNTS;

/// A feature for each side, orientation and square, seen from the side to move: for player two the board is
/// turned by half a turn. Its groups are those of the same side and square, of the same side and orientation,
/// and of the same side, top and rank.
///
/// Where all dice have to cross, each side has one more, for how many of its dice have not left the first
/// rank and how many are on the last: a die that stays at home keeps the opponent from finishing, and whether
/// it will stay is told by where the others are. Its groups are those of the same side with as many on the
/// one rank or on the other.
impl<R: Rules> Features for Cublino<R> {
    const FEATURES: usize = OF_DICE + if R::ALL_DICE_CROSS { OF_RANKS } else { 0 };
    const MOST_ACTIVE: usize = SIDES * (RANKS + R::ALL_DICE_CROSS as usize);
    const GROUPS: usize = GROUPS_OF_DICE + if R::ALL_DICE_CROSS { GROUPS_OF_RANKS } else { 0 };

    #[inline]
    fn active_features(&self, mut active: impl FnMut(usize)) {
        let board = self.board();
        for (side, player) in [self.turn, !self.turn].into_iter().enumerate() {
            let dice = board.dice(player);
            for square in dice {
                let (orientation, square) = seen_by(self.turn, board.orientation(square), square);
                active((side * ORIENTATIONS + orientation) * SQUARES + square);
            }
            if R::ALL_DICE_CROSS {
                let [first, last] =
                    [!player, player].map(|player| (dice & Squares::far_rank(player)).count() as usize);
                active(OF_DICE + (side * COUNTS + first) * COUNTS + last);
            }
        }
    }

    fn groups(feature: usize) -> impl Iterator<Item = usize> {
        let groups = match feature.checked_sub(OF_DICE) {
            None => groups_of_die(feature).to_vec(),
            Some(feature) => groups_of_ranks(feature).to_vec(),
        };
        groups.into_iter()
    }
}

fn groups_of_die(feature: usize) -> [usize; 3] {
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
}

fn groups_of_ranks(feature: usize) -> [usize; 2] {
    let (last, others) = (feature % COUNTS, feature / COUNTS);
    let (first, side) = (others % COUNTS, others / COUNTS);
    [first, COUNTS + last].map(|group| GROUPS_OF_DICE + side * 2 * COUNTS + group)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Contra, Pur, cublino::setup::Setup};

    /// How many dice each side has on its first rank and on its last, the side to move first.
    fn counted(state: &str) -> Vec<(usize, usize)> {
        let setup = state.parse::<Setup<_>>().expect("a well-formed state");
        let position = Pur::try_from(setup).expect("a valid state");
        let mut counts = Vec::new();
        position.active_features(|feature| {
            if let Some(feature) = feature.checked_sub(OF_DICE) {
                assert_eq!(feature / COUNTS / COUNTS, counts.len(), "own dice come first");
                counts.push((feature / COUNTS % COUNTS, feature % COUNTS));
            }
        });
        counts
    }

    #[test]
    fn dice_that_have_not_started_and_dice_that_are_across_are_counted() {
        assert_eq!(counted("PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"), [(7, 0), (7, 0)]);
        // White keeps a die on g1, which is Black's last square, and Black none on d7.
        let kept = "vb1vc1rd1ve1Sf1gg1pc2pf2Fa7Vb7Uc7Ud7Ve7Qg7";
        assert_eq!(counted(&format!("P{kept}")), [(1, 6), (0, 5)]);
        assert_eq!(counted(&format!("p{kept}")), [(0, 5), (1, 6)]);
    }

    #[test]
    fn where_one_die_across_is_enough_nothing_is_counted() {
        assert_eq!(Contra::FEATURES, OF_DICE);
        Contra::default().active_features(|feature| assert!(feature < OF_DICE));
    }
}
