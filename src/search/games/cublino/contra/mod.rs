//! Cublino Contra for the search.

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
        Contra,
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

/// Ranks that a die can have gone forward without having won.
const RANKS: usize = 6;

/// The hand-made evaluation of Contra, with its weights.
///
/// Unless it says otherwise, a weight was fitted: a logistic regression of the results of games that the
/// search played against itself at 300 positions a move, with a random move in twelve. A hundred units are
/// one natural unit of log-odds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContraTerms {
    scale: Scale,
    /// What a die is worth by the ranks that it has gone forward; after the last of these it wins by the
    /// next.
    advanced: [i32; RANKS],
    /// What it is worth besides if it has passed all dice that could stop it.
    passed: [i32; RANKS],
    /// What it is worth to have passed with a die, and to be at the end of the board first.
    first: i32,
    /// What a pip on top is worth: battles are won with them.
    pip: i32,
    /// What a pip is worth that a tip forward would bring up: the die fights with it where it arrives.
    next_pip: i32,
    /// What a die is worth that stands right behind another: whoever fights that one in front has both at
    /// their side.
    backed: i32,
    /// What a die is worth that can go forward.
    free: i32,
    /// What it is worth to be on the move.
    tempo: i32,
}

impl Default for ContraTerms {
    fn default() -> Self {
        Self {
            // Of all scales this one foretold the results of 300 such games best.
            scale: Scale::new(330.0),
            // The fit gives less, 10 for the first and 40 for the last: in even positions it pays to let the
            // opponent come. But with those, three games in five against a player who looks one ply ahead had
            // no end.
            advanced: [0, 25, 50, 75, 105, 150],
            passed: [0, 0, 0, 70, 90, 300],
            // Far less than the fit gives if both have passed, more if one has: the search sees the end of
            // most such races.
            first: 150,
            pip: 2,
            next_pip: 5,
            backed: 28,
            free: 40,
            tempo: 5,
        }
    }
}

impl Evaluator<Contra> for ContraTerms {
    #[inline]
    fn scale(&self) -> Scale {
        self.scale
    }

    fn calibration(&self) -> Calibration {
        // Of 6,000 games at 2,000 positions a move: `examples/calibrate`.
        Calibration::new(
            [0.143, 0.297, 0.394, 0.486, 0.572, 0.714, 0.809, 0.886, 0.956, 0.995],
            [0.033, 0.011, 0.010, 0.012, 0.009, 0.005, 0.002, 0.002, 0.001, 0.000],
        )
    }

    #[inline]
    fn evaluate(&self, position: &Contra) -> Score {
        let (board, mover) = (position.board(), position.turn());
        let own_runners = runners(board, mover, 0);
        let other_runners = runners(board, !mover, 1);
        let (own_way, other_way) = (way(own_runners, mover), way(other_runners, !mover));
        // With as far to go the mover is there first. Without a runner the way is longer than any.
        let first = if own_way == RANKS && other_way == RANKS {
            0
        } else if own_way <= other_way {
            self.first
        } else {
            -self.first
        };
        let form = self.form(board, mover, own_runners) - self.form(board, !mover, other_runners);
        Score::new(form + first + self.tempo)
    }
}

impl ContraTerms {
    /// The worth of a player's dice: how far they have come, what they show, and how they stand.
    #[inline]
    fn form(&self, board: &Board, player: Player, runners: Squares) -> i32 {
        let dice = board.dice(player);
        let forward = Direction::forward(player);
        let count = |squares: Squares| squares.count() as i32;

        let by_rank = |weights: [i32; RANKS], dice: Squares| {
            let (mut rank, mut sum) = (Squares::far_rank(!player), 0);
            for weight in weights {
                sum += weight * count(dice & rank);
                rank = rank.shift(forward);
            }
            sum
        };
        let mut sum = self.pip * board.sum_of_tops(dice) as i32 + by_rank(self.advanced, dice);
        // There hardly ever are any, and counting takes its time.
        if !runners.is_empty() {
            sum += by_rank(self.passed, runners);
        }
        let next_top = |square| i32::from(board.orientation(square).tipped(forward).top());
        let next_tops: i32 = dice.into_iter().map(next_top).sum();
        let free = dice & board.free().shift(forward.opposite());
        let backed = dice & dice.shift(forward);
        sum + self.next_pip * next_tops + self.free * count(free) + self.backed * count(backed)
    }
}

impl MoveOrdering for Contra {
    /// Forward first; the further a die has come, the more it matters.
    #[inline]
    fn ordering_score(&self, m: Move) -> i32 {
        /// A tenth of what a history can reach.
        const RANK: i32 = 400;
        let Move::Go { from, to, .. } = m else { return 0 };
        if from.rank() == to.rank() { 0 } else { RANK * ranks_gone(to.set(), self.turn()) as i32 }
    }
}

impl NoisyMoves for Contra {
    #[inline]
    fn noisy_moves(&self) -> impl Iterator<Item = (Move, Self)> {
        let (mover, enemies) = (self.turn(), self.board().dice(!self.turn()));
        let beside = enemies.shift(Direction::North) | enemies.shift(Direction::South) | widened(enemies);
        winning_battles(self, beside | Squares::far_rank(mover))
    }
}

impl RootPolicy for Contra {
    const MEASURED_LEVELS: Option<[MeasuredLevel; 8]> = Some(measured_levels::CONTRA);

    fn makes_progress(&self, m: Move) -> bool {
        leaves_rank(m)
    }
}

impl Playable for Contra {
    type Evaluator = ContraTerms;
}

/// The dice of a player that nothing stops on their way straight on: no die lies in it, and no opposing die
/// ahead is near enough to come beside it, one that moves `head_start` times before the player's dice do.
#[inline]
fn runners(board: &Board, player: Player, head_start: u32) -> Squares {
    let back = Direction::forward(!player);
    let mut reach = board.dice(!player);
    for _ in 0..head_start {
        reach = widened(reach);
    }
    let (mut file, mut stopped) = (board.occupied(), Squares::NONE);
    for _ in 0..RANKS {
        // An opposing die has as many moves to the side as there are ranks to go to it.
        reach = widened(reach.shift(back));
        file = file.shift(back);
        stopped |= reach | file;
    }
    board.dice(player).without(stopped)
}

/// How many ranks the foremost of some dice has still to go; [`RANKS`] if there is none.
#[inline]
fn way(dice: Squares, player: Player) -> usize {
    RANKS - ranks_gone(dice, player)
}

/// How many ranks the foremost of some dice has gone forward; 0 if there is none.
#[inline]
fn ranks_gone(dice: Squares, player: Player) -> usize {
    let mut rank = Squares::far_rank(player);
    let mut gone = RANKS;
    while gone > 0 && (dice & rank).is_empty() {
        rank = rank.shift(Direction::forward(!player));
        gone -= 1;
    }
    gone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{
        games::testing::{
            assert_is_worth_the_same_from_the_other_side, assert_won_by_next_move, cublino_turned_round,
        },
        testing::position,
    };

    fn units(state: &str) -> i32 {
        ContraTerms::default().evaluate(&position(state)).units()
    }

    #[test]
    fn a_position_is_worth_the_same_from_the_other_side() {
        assert_is_worth_the_same_from_the_other_side::<Contra>(20, 100, cublino_turned_round);
    }

    #[test]
    fn a_die_that_nobody_can_stop_is_worth_more_than_one_that_is_awaited() {
        assert!(units("CWa5vg7") > units("CWa5va7"));
    }

    #[test]
    fn of_two_dice_that_nobody_can_stop_the_one_that_is_there_first_is_worth_more() {
        assert!(units("CWa4vg4") > 0, "White moves first");
        assert!(units("CWa4vg3") < 0, "Black has a rank less to go");
    }

    #[test]
    fn more_pips_are_worth_more() {
        // Both show the same after a tip forward as they do at their sides: only the top is another.
        assert!(units("CWc3vc7") > units("CGc3vc7"));
    }

    #[test]
    fn the_far_rank_is_reached_when_it_can_be() {
        assert_won_by_next_move::<Contra>("CWa6We1va3vg7");
        assert_won_by_next_move::<Contra>("cWa5We1va7vg2");
    }

    #[test]
    fn going_forward_is_progress_and_waiting_is_not() {
        let start = Contra::default();
        let mut moves = Vec::new();
        position::<Contra>("CWc3vc7").generate(&mut moves);
        let progress: Vec<_> = moves.into_iter().map(|m| start.makes_progress(m)).collect();
        assert_eq!(progress, [true, false, false]);
    }
}
