//! Wari for the search.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "counts on a board are far below the limits of the types"
)]

use std::ops::{Add, Mul};

use serde::{Deserialize, Serialize};

use crate::{
    game::{Game, Player},
    games::{
        Wari,
        wari::{Cup, MARBLES, Row},
    },
    search::{
        calibration::Calibration,
        evaluation::Evaluator,
        games::measured_levels,
        measured_level::MeasuredLevel,
        playable::{MoveOrdering, NoisyMoves, Playable, RootPolicy, SolverBounds},
        score::{Scale, Score},
        tablebase::{Tablebase, Tablebases},
    },
};

/// The hand-made evaluation of Wari, with its weights: of a prisoner, on a board that is half empty, it is a
/// hundred.
///
/// The weights come from a logistic regression of results on two million positions, from some 25,000 games
/// that earlier evaluations played against each other eight plies deep after random openings; rounded. The
/// marbles on each side and the cups with one or two were tried as well and added nothing.
///
/// Where a share of the points is given, it is what the evaluation got without this term in 200 to 400 games
/// against the one with all terms, at 8,000 positions a move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WariTerms {
    scale: Scale,
    /// A prisoner. The fewer marbles are left, the harder it is to make up for.
    prisoner: Weight,
    /// A cup that can be played at all. Without: 45 %.
    occupied: Weight,
    /// A cup from which nothing is given to the opponent: a move to wait with until the opponent has to give
    /// something. Without: 26 %.
    staying: Weight,
    /// A cup with so many marbles (a kroo) that it goes all the way round, and captures where the opponent
    /// has run dry. Without: 45 %.
    coming_round: Weight,
    /// A marble in the largest capture that the side to move can make at once. Without this and `threat`: 27
    /// %.
    capture: Weight,
    /// A marble in the largest capture that the opponent threatens; the side to move may yet prevent it.
    threat: Weight,
    /// Having to move, as the regression has it: captures at hand count for more than threats, and this
    /// balances them. Without: 50 %.
    turn: Weight,
}

/// What something is worth.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weight {
    /// With all marbles in the cups.
    full: i32,
    /// With hardly any left; in between the weight changes in proportion.
    empty: i32,
}

impl Mul<i32> for Weight {
    type Output = Self;

    fn mul(self, count: i32) -> Self {
        Self { full: self.full * count, empty: self.empty * count }
    }
}

impl Add for Weight {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { full: self.full + other.full, empty: self.empty + other.empty }
    }
}

/// What a decided game is worth beyond that: more than all the rest together.
const DECIDED: i32 = 10_000;

impl Default for WariTerms {
    fn default() -> Self {
        Self {
            // From the same regression: a side that is this far ahead gets 85 % of the points.
            scale: Scale::new(800.0),
            prisoner: Weight { full: 60, empty: 140 },
            occupied: Weight { full: 80, empty: 25 },
            staying: Weight { full: 30, empty: 200 },
            coming_round: Weight { full: 130, empty: 0 },
            capture: Weight { full: 60, empty: 180 },
            threat: Weight { full: -45, empty: -100 },
            turn: Weight { full: -30, empty: -50 },
        }
    }
}

impl Evaluator<Wari> for WariTerms {
    #[inline]
    fn scale(&self) -> Scale {
        self.scale
    }

    fn calibration(&self) -> Calibration {
        // Of 6,000 games at 2,000 positions a move: `examples/calibrate`.
        Calibration::new(
            [0.121, 0.240, 0.341, 0.441, 0.558, 0.644, 0.763, 0.873, 0.959, 0.969],
            [0.343, 0.151, 0.168, 0.128, 0.109, 0.105, 0.100, 0.080, 0.053, 0.037],
        )
    }

    fn evaluate(&self, position: &Wari) -> Score {
        let turn = position.turn();
        let (mover, other) = (position.row(turn), position.row(!turn));
        let difference = |of: fn(Row) -> usize| of(mover) as i32 - of(other) as i32;
        let sum = self.prisoner * difference(|row| row.prisoners().into())
            + self.occupied * difference(|row| row.occupied().len())
            + self.staying * difference(|row| row.staying().len())
            + self.coming_round * difference(|row| row.coming_round().len())
            + self.capture * largest_capture(mover, other)
            + self.threat * largest_capture(other, mover)
            + self.turn;
        let (in_cups, all) = (i32::from(mover.total() + other.total()), i32::from(MARBLES));
        let units = (sum.full * in_cups + sum.empty * (all - in_cups)) / all;
        Score::new(match position.decided_for() {
            None => units,
            Some(winner) if winner == turn => units + DECIDED,
            Some(_) => units - DECIDED,
        })
    }
}

impl MoveOrdering for Wari {
    fn ordering_score(&self, m: Cup) -> i32 {
        /// For each marble that it captures: three outweigh any history.
        const CAPTURED: i32 = 1_500;
        let (mover, other) = (self.row(self.turn()), self.row(!self.turn()));
        CAPTURED * i32::from(mover.capture(other, m.place()))
    }
}

impl NoisyMoves for Wari {}
impl RootPolicy for Wari {
    const MEASURED_LEVELS: Option<[MeasuredLevel; 8]> = Some(measured_levels::WARI);
}

impl SolverBounds for Wari {
    /// Nobody gives prisoners back.
    fn may_come_back_to(&self, earlier: &Self) -> bool {
        Player::ALL.into_iter().all(|player| self.row(player).prisoners() == earlier.row(player).prisoners())
    }
}

impl Playable for Wari {
    type Evaluator = WariTerms;

    fn tablebase(tablebases: &Tablebases) -> Option<&dyn Tablebase<Self>> {
        tablebases.wari().map(|endgames| endgames as _)
    }
}

/// The marbles that a player could capture from the other by one move.
fn largest_capture(player: Row, other: Row) -> i32 {
    player.occupied().map(|place| player.capture(other, place)).max().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use std::{num::NonZeroUsize, ops::ControlFlow};

    use super::*;
    use crate::search::{
        GameResult, Proven,
        arena::{self, Match},
        testing::{depth, position, searched},
    };

    fn units(text: &str) -> i32 {
        WariTerms::default().evaluate(&position(text)).units()
    }

    #[test]
    fn both_players_are_evaluated_alike() {
        let one = units("W-0-1-0-5-2-0-1-1-2-9-0-4-11-12");
        assert_eq!(one, units("w-1-1-2-9-0-4-0-1-0-5-2-0-12-11"));
    }

    #[test]
    fn prisoners_are_worth_having() {
        assert!(units("W-4-4-4-4-4-4-4-4-4-4-0-0-8-0") > units("W-4-4-4-4-4-4-4-4-4-4-0-0-4-4"));
    }

    #[test]
    fn a_capture_at_hand_is_worth_more_than_one_that_is_threatened() {
        let at_hand = units("W-0-0-4-0-0-1-2-0-0-5-0-0-18-18");
        let threatened = units("w-0-0-4-0-0-1-2-0-0-5-0-0-18-18");
        assert!(at_hand > -threatened, "{at_hand} and {threatened}");
    }

    #[test]
    fn a_move_to_wait_with_is_worth_having() {
        // A can move within the own row in the first and has to give in the second.
        assert!(units("W-4-0-0-0-0-0-4-4-4-4-4-4-10-10") > units("W-0-0-0-0-0-4-4-4-4-4-4-4-10-10"));
    }

    #[test]
    fn a_decided_game_outweighs_everything_else() {
        assert!(units("W-0-0-0-0-0-1-0-0-0-0-1-1-25-20") > 9_000);
        assert!(units("w-1-0-0-0-0-1-0-0-0-0-1-0-25-20") < -9_000);
    }

    #[test]
    fn the_larger_capture_is_tried_first() {
        let position: Wari = position("W-1-0-0-0-1-2-1-1-1-9-9-9-7-7");
        let cup = |number| Cup::new(number).unwrap();
        assert!(position.ordering_score(cup(6)) > position.ordering_score(cup(5)));
        assert_eq!(position.ordering_score(cup(1)), 0);
    }

    fn best(text: &str, plies: u32) -> (String, Option<Proven>) {
        let analysis = searched(&position::<Wari>(text), depth(plies));
        (analysis.best().to_string(), analysis.lines[0].value.proven)
    }

    #[test]
    fn the_search_takes_what_it_can() {
        assert_eq!(best("W-0-1-0-5-2-0-1-1-2-9-0-4-11-12", 6).0, "4");
    }

    #[test]
    fn the_search_sees_who_takes_the_last_marbles() {
        // A must give the last marble away, and B cannot give any back: B takes four and wins by 26 to 22.
        let (_, proven) = best("W-0-0-0-0-0-1-0-1-1-1-0-0-22-22", 8);
        assert_eq!(proven, Some(Proven { result: GameResult::Loss, plies: Some(1) }));
    }

    #[test]
    fn looking_ahead_beats_greed() {
        let config = Match {
            one: "depth=4".parse().unwrap(),
            two: "greedy".parse().unwrap(),
            games: 20,
            seed: 1,
            max_plies: Match::MAX_PLIES,
            threads: NonZeroUsize::MIN,
        };
        let report =
            arena::run::<Wari>(&config, &Tablebases::none(), &mut |_, _| ControlFlow::Continue(())).unwrap();
        assert!(report.score() >= 0.8, "{report}");
    }
}
