//! Cublino Ecke for the search.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "counts on a board are far below the limits of the types"
)]

mod bounds;

use serde::{Deserialize, Serialize};

use super::{battles::winning_battles, leaves_rank, widened};
use crate::{
    game::{Game, Player},
    games::{
        Ecke,
        cublino::{Board, Direction, Move, Squares},
    },
    search::{
        calibration::Calibration,
        evaluation::Evaluator,
        games::measured_levels,
        measured_level::MeasuredLevel,
        playable::{MoveOrdering, NoisyMoves, Playable, RootPolicy},
        score::{Scale, Score},
    },
};

/// The most steps from which a die is said to be near a corner.
const STEPS: usize = 6;

/// The hand-made evaluation of Ecke, with its weights.
///
/// Unless it says otherwise, a weight was fitted: a logistic regression of the results of games that the
/// search played against itself at 300 positions a move, with a random move in twelve. A hundred units are
/// one natural unit of log-odds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EckeTerms {
    scale: Scale,
    /// What a die is worth, whatever it shows.
    die: i32,
    /// What a pip on top is worth: battles are won with them.
    pip: i32,
    /// What it costs to have three dice or fewer, and two: with fewer the game is lost.
    few: [i32; 2],
    /// What it is worth how near the nearest die is to a corner it heads for, in steps: both are needed. The
    /// last is for six steps, and for a corner that no die can reach any more.
    nearest_to_corner: [i32; STEPS + 1],
    /// What a rank is worth that a die has gone forward.
    advance: i32,
    /// What it is worth to have a die on a corner that the opponent heads for.
    guard: i32,
    /// What it is worth to be on the move.
    tempo: i32,
}

impl Default for EckeTerms {
    fn default() -> Self {
        Self {
            // Between what foretold the results of such games best with this `advance`, 790, and with 25,
            // 700. It is large because of `advance`.
            scale: Scale::new(750.0),
            die: 40,
            // The fit prefers ones to twos, by so little that a straight line does as well.
            pip: 8,
            few: [30, 100],
            nearest_to_corner: [80, 35, 30, 5, 0, -20, -65],
            // The fit gives none. With it both sides go on where they would rather wait: of 60 games against
            // a player who looks one ply ahead, 6 had no end. With 12, a `guard` of 35 and a weight for
            // waiting that is gone it was 28; which of the three did most was not tried.
            advance: 35,
            // Chosen small by hand, so that dice leave their corners: the fits disagree about it.
            guard: 5,
            // The fit gives none; a little makes depths that are odd and even agree.
            tempo: 5,
        }
    }
}

impl Evaluator<Ecke> for EckeTerms {
    #[inline]
    fn scale(&self) -> Scale {
        self.scale
    }

    fn calibration(&self) -> Calibration {
        // Of 6,000 games at 2,000 positions a move: `examples/calibrate`.
        Calibration::new(
            [0.138, 0.216, 0.226, 0.236, 0.246, 0.256, 0.266, 0.276, 0.286, 0.296],
            [0.281, 0.121, 0.142, 0.368, 0.331, 0.155, 0.525, 0.567, 0.761, 0.711],
        )
    }

    #[inline]
    fn evaluate(&self, position: &Ecke) -> Score {
        let of = |player| self.strength(position.board(), player);
        Score::new(of(position.turn()) - of(!position.turn()) + self.tempo)
    }
}

impl EckeTerms {
    /// The worth of a player's dice: how many they are, what they show, and how they stand to the four
    /// corners.
    #[inline]
    fn strength(&self, board: &Board, player: Player) -> i32 {
        let dice = board.dice(player);
        let count = dice.count();
        let few = match count {
            0..=2 => self.few[0] + self.few[1],
            3 => self.few[0],
            _ => 0,
        };
        let nearest = |corner: Squares| self.nearest_to_corner[steps_to(corner, dice, player)];
        let corners: i32 = Squares::far_corners(player).into_iter().map(|corner| nearest(corner.set())).sum();
        let guards = (dice & Squares::far_corners(!player)).count();
        let mut rank = Squares::far_rank(!player);
        let mut gone = 0;
        for ranks in 0..=STEPS as i32 {
            gone += ranks * (dice & rank).count() as i32;
            rank = rank.shift(Direction::forward(player));
        }
        self.advance * gone + self.die * count as i32 + self.pip * board.sum_of_tops(dice) as i32 - few
            + corners
            + self.guard * guards as i32
    }
}

impl MoveOrdering for Ecke {
    /// Corners first, and far forward before sideways.
    #[inline]
    fn ordering_score(&self, m: Move) -> i32 {
        /// A quarter of what a history can reach.
        const CORNER: i32 = 1000;
        /// A tenth of that.
        const RANK: i32 = 100;
        let Move::Go { from, to, .. } = m else { return 0 };
        let corner = Squares::far_corners(self.turn()).contains(to);
        RANK * i32::from(from.rank().abs_diff(to.rank())) + if corner { CORNER } else { 0 }
    }
}

impl NoisyMoves for Ecke {
    #[inline]
    fn noisy_moves(&self) -> impl Iterator<Item = (Move, Self)> {
        let (mover, enemies) = (self.turn(), self.board().dice(!self.turn()));
        let beside = widened(enemies);
        let around = beside | beside.shift(Direction::North) | beside.shift(Direction::South);
        winning_battles(self, around | Squares::far_corners(mover))
    }
}

impl RootPolicy for Ecke {
    const MEASURED_LEVELS: Option<[MeasuredLevel; 8]> = Some(measured_levels::ECKE);

    fn makes_progress(&self, m: Move) -> bool {
        leaves_rank(m)
    }
}

impl Playable for Ecke {
    type Evaluator = EckeTerms;
}

/// How many steps the nearest die has to a square, if nothing were in its way: [`STEPS`] if that many or none
/// can get there.
#[inline]
fn steps_to(square: Squares, dice: Squares, player: Player) -> usize {
    let back = Direction::forward(!player);
    let mut from = square;
    for steps in 0..STEPS {
        if !(from & dice).is_empty() {
            return steps;
        }
        let level = from | from.shift(back);
        from = widened(level);
    }
    STEPS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::cublino::Square,
        search::{
            games::testing::{
                assert_is_worth_the_same_from_the_other_side, assert_won_by_next_move, cublino_turned_round,
            },
            testing::position,
        },
    };

    fn units(state: &str) -> i32 {
        EckeTerms::default().evaluate(&position(state)).units()
    }

    #[test]
    fn a_position_is_worth_the_same_from_the_other_side() {
        assert_is_worth_the_same_from_the_other_side::<Ecke>(20, 100, cublino_turned_round);
    }

    #[test]
    fn a_die_more_is_worth_more() {
        assert!(units("EWa1Wb1Wc1We1va7vb7vc7") > units("EWa1Wb1Wc1va7vb7vc7"));
    }

    #[test]
    fn both_corners_in_reach_are_worth_more_than_one() {
        assert!(units("EWa6Wg6Wd2vd7ve7vc3") > units("EWa6Wb6Wd2vd7ve7vc3"));
    }

    #[test]
    fn a_corner_that_no_die_can_reach_any_more_is_far_away() {
        let (corner, other) = ("a7".parse::<Square>().unwrap(), "g7".parse::<Square>().unwrap());
        assert_eq!(steps_to(corner.set(), corner.set(), Player::One), 0);
        assert_eq!(steps_to(other.set(), corner.set(), Player::One), STEPS);
    }

    #[test]
    fn the_second_corner_is_taken_when_it_can_be() {
        assert_won_by_next_move::<Ecke>("EWa7Wf6Wd1vd4ve2vc3");
        assert_won_by_next_move::<Ecke>("eva1vg3vd5vg2Wd7Wc6Wb5");
    }

    #[test]
    fn the_last_die_but_one_is_beaten_when_it_can_be() {
        assert_won_by_next_move::<Ecke>("EWa1Wd2We1ae4vg7");
    }
}
