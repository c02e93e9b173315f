//! Mahbusa for the search.

#![expect(clippy::cast_possible_wrap, reason = "counts on a board are far below the limits of the types")]

use serde::{Deserialize, Serialize};

use crate::{
    game::{Game, Player},
    games::{
        Mahbusa,
        mahbusa::{Die, Move, Point, PointSet, Side},
    },
    search::{
        calibration::Calibration,
        evaluation::Evaluator,
        games::measured_levels,
        measured_level::MeasuredLevel,
        playable::{MoveOrdering, NoisyMoves, Playable, RootPolicy, SolverBounds, Strength},
        score::{Scale, Score},
        tablebase::{Tablebase, Tablebases, bear_off},
    },
};

/// A weight for each point, from A on.
type ByPoint = [i32; Point::COUNT];

/// A checker more than so many on a point is of little use there.
const USEFUL: u8 = 2;

/// The hand-made evaluation of Mahbusa, with its weights.
///
/// As long as the players are in each other's way, a checker counts by where it stands and how; once they
/// have passed each other only the race counts.
///
/// The weights of the first were fitted: a logistic regression of results on 1.2 million positions from
/// 64,000 games that players looking one ply ahead played with these weights, with those of earlier rounds
/// and with those that were here before, one move in twelve at random. A hundred units are one natural unit
/// of log-odds. Looking one ply ahead, these weights won 57 % of 2,000 games against those before, which knew
/// quarters of the board instead of points.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MahbusaTerms {
    scale: Scale,
    /// A checker alone within six points of an opposing one that has still to pass it.
    alone_in_reach: ByPoint,
    /// A checker alone further ahead of those.
    alone_afar: ByPoint,
    /// A checker alone that no opposing one has still to pass.
    alone_behind: ByPoint,
    /// A point that is held: by two checkers or more, or by any upon a pinned one.
    held: ByPoint,
    /// Each checker more than two on a point.
    more: ByPoint,
    /// A checker that is pinned. On the last it is freed only by the end of the opponent's game.
    pinned: ByPoint,
    /// What it costs besides to have so many checkers pinned: none, one, and so on, the last also for more.
    pinned_together: [i32; 5],
    /// A checker that is borne off while the opponent is still in the way.
    borne_off_early: i32,
    /// So many points held in a row, with opposing checkers that have still to pass: none, one, and so on,
    /// the last also for more.
    wall: [i32; 7],
    /// The same by how many points those checkers stand on.
    walled_in: [i32; 7],
}

impl Default for MahbusaTerms {
    fn default() -> Self {
        Self {
            // Where the curve of expected results is nearest to that of the regression, which is steeper far
            // out.
            scale: Scale::new(190.0),
            alone_in_reach: [
                0, -39, -33, -22, -26, -20, -19, -15, -8, -8, -11, -12, //
                -10, -6, -4, -3, 1, 6, 10, 8, 0, -17, -31, -110,
            ],
            alone_afar: [
                0, 0, 0, 0, 0, 0, 0, 31, 29, 26, 11, 5, //
                9, 4, 2, 3, 2, 5, 4, 2, -5, -13, -28, -33,
            ],
            alone_behind: [
                -34, -37, -31, -25, -22, -20, -17, -16, -13, -13, -11, 0, //
                -2, 3, 7, 1, 7, 16, 22, 20, 7, 9, 26, 0,
            ],
            held: [
                -53, -85, -64, -56, -43, -40, -39, -40, -30, -25, -20, -16, //
                -11, -5, -2, 2, 4, 10, 11, 6, -1, -11, -25, -45,
            ],
            more: [
                -29, -1, 1, -6, -21, -28, -27, -21, -17, -14, -10, -9, //
                -8, -6, -6, -4, -5, -3, -4, -4, -5, -6, -4, -8,
            ],
            pinned: [
                0, -57, -42, -14, -15, -3, -11, -13, -14, -15, -19, -23, //
                -25, -26, -25, -30, -31, -27, -27, -33, -65, -135, -277, -711,
            ],
            pinned_together: [0, -86, -103, -123, -135],
            borne_off_early: 279,
            wall: [0, 0, 0, 16, 34, 52, 72],
            walled_in: [0, 0, 0, -2, -4, -7, -9],
        }
    }
}

impl Evaluator<Mahbusa> for MahbusaTerms {
    #[inline]
    fn scale(&self) -> Scale {
        self.scale
    }

    fn calibration(&self) -> Calibration {
        // Of 6,000 games at 2,000 positions a move: `examples/calibrate`.
        Calibration::new(
            [0.069, 0.189, 0.309, 0.408, 0.534, 0.681, 0.821, 0.929, 0.991, 0.995],
            [0.0; Calibration::POINTS],
        )
    }

    #[inline]
    fn evaluate(&self, position: &Mahbusa) -> Score {
        let (own, other) = (position.board().side(position.turn()), position.board().side(!position.turn()));
        if bear_off::have_passed(own, other) {
            return self.scale.score(bear_off::expected_result(own, other));
        }
        Score::new(self.form(own, other) - self.form(other, own))
    }
}

impl MahbusaTerms {
    /// How the checkers of a player stand while the players are in each other's way.
    #[inline]
    fn form(&self, own: &Side, other: &Side) -> i32 {
        // Opposing checkers come upwards in the player's letters, from the lowest on.
        let attackers = other.free.occupied().across();
        let in_reach = (1..=Die::SIDES).fold(PointSet::NONE, |reach, pips| reach | attackers.above(pips));
        let lowest_attacker =
            other.free.occupied().highest().map_or(Point::COUNT, |point| point.across().index());
        let pinning = other.pinned.across();
        let alone = own.free.single().without(pinning);
        let held = own.free.occupied().without(alone);

        let mut sum = self.borne_off_early * i32::from(own.borne_off());
        for point in alone {
            let weights = if in_reach.contains(point) {
                &self.alone_in_reach
            } else if point.index() > lowest_attacker {
                &self.alone_afar
            } else {
                &self.alone_behind
            };
            sum += weights[point.index()];
        }
        for point in held {
            sum += self.held[point.index()];
        }
        for point in own.free.stacked() {
            sum += self.more[point.index()] * i32::from(own.free.on(point) - USEFUL);
        }
        for point in own.pinned {
            sum += self.pinned[point.index()];
        }
        sum += self.pinned_together[(own.pinned.count() as usize).min(self.pinned_together.len() - 1)];
        sum + self.walls(held, attackers | pinning)
    }

    /// The worth of points held in a row in front of opposing checkers.
    #[inline]
    fn walls(&self, held: PointSet, opposing: PointSet) -> i32 {
        let (mut sum, mut left) = (0, held);
        while let Some(highest) = left.highest() {
            let mut length = 0;
            let mut lowest = highest;
            for point in left {
                if point.index() + length != highest.index() {
                    break;
                }
                (lowest, length) = (point, length + 1);
            }
            left = left & lowest.and_below().without(lowest.set());
            let behind = (opposing & lowest.and_below()).count() as i32;
            if behind > 0 {
                let length = length.min(self.wall.len() - 1);
                sum += self.wall[length] + self.walled_in[length] * behind;
            }
        }
        sum
    }
}

impl MoveOrdering for Mahbusa {
    /// Pins first, then plays that leave few checkers alone.
    #[inline]
    fn ordering_score(&self, m: Move) -> i32 {
        /// A quarter of what a history can reach.
        const PIN: i32 = 1000;
        /// A tenth of that.
        const SINGLE: i32 = 100;
        let Move::Play(checkers) = m else { return 0 };
        let pinned = self.board().side(!self.turn()).free.occupied() & checkers.occupied().across();
        PIN * pinned.count() as i32 - SINGLE * checkers.single().count() as i32
    }
}

impl NoisyMoves for Mahbusa {}

impl RootPolicy for Mahbusa {
    const MEASURED_LEVELS: Option<[MeasuredLevel; 8]> = Some(measured_levels::MAHBUSA);

    // A ply of dice takes a thousand times as long, and luck hides small errors. In matches of 150 games each
    // took between 64 % and 72 % of the points from the one before, up to the seventh.
    const LEVELS: [Strength; 8] = [
        Strength::erring(1, 3.0),
        Strength::erring(1, 1.4),
        Strength::erring(1, 0.8),
        Strength::erring(1, 0.5),
        Strength::erring(1, 0.25),
        Strength::erring(1, 0.11),
        Strength::erring(1, 0.0),
        Strength::visiting(300_000),
    ];
}

impl SolverBounds for Mahbusa {
    /// All checkers must be borne off, and between two turns of a player the opponent has one.
    fn fewest_plies(&self, player: Player) -> u32 {
        let turns = self.board().side(player).total().div_ceil(bear_off::MOST_CHECKERS);
        if self.turn() == player { 2 * turns - 1 } else { 2 * turns }
    }
}

impl Playable for Mahbusa {
    type Evaluator = MahbusaTerms;

    fn tablebase(tablebases: &Tablebases) -> Option<&dyn Tablebase<Self>> {
        tablebases.bear_off().map(|table| table as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{
        games::testing::{assert_is_worth_the_same_from_the_other_side, assert_won_by_next_move},
        testing::position,
    };

    fn units(state: &str) -> i32 {
        MahbusaTerms::default().evaluate(&position(state)).units()
    }

    /// A state seen from the other side of the board, with the players changed.
    fn turned_round(state: &str) -> String {
        let (turn, points) = state.split_once('-').unwrap();
        let mut groups: Vec<String> = Vec::new();
        for c in points.chars() {
            match groups.last_mut() {
                Some(last)
                    if c == 'p' || c.is_ascii_digit() && last.ends_with(|c: char| c.is_ascii_digit()) =>
                {
                    last.push(c);
                }
                _ => groups.push(c.into()),
            }
        }
        groups.reverse();
        let swap = |c: char| match c {
            'p' => c,
            _ if c.is_uppercase() => c.to_ascii_lowercase(),
            _ => c.to_ascii_uppercase(),
        };
        format!(
            "{}-{}",
            turn.chars().map(swap).collect::<String>(),
            groups.concat().chars().map(swap).collect::<String>()
        )
    }

    #[test]
    fn a_position_is_worth_the_same_from_the_other_side() {
        assert_is_worth_the_same_from_the_other_side::<Mahbusa>(5, 400, turned_round);
    }

    #[test]
    fn a_pin_on_the_start_weighs_more_than_one_elsewhere() {
        // White has a checker pinned on X in the first, on W in the second.
        assert!(units("M-N22ap") < units("M-N21ap1"));
    }

    #[test]
    fn who_is_ahead_in_the_race_is_better_off() {
        assert!(units("M-AA20aa") > units("M-1AA18a1a"));
    }

    #[test]
    fn the_last_checkers_are_borne_off_when_they_can_be() {
        assert_won_by_next_move::<Mahbusa>("M21-AA21o");
        assert_won_by_next_move::<Mahbusa>("m66-O19aaaa");
    }
}
