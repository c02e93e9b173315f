//! Judging Mahbusa.
//!
//! Unless they say otherwise, the weights were fitted: a logistic regression of the results of games that the search
//! played against itself at 60 positions a move, with a random move in twelve. A hundred units are one natural
//! unit of log-odds.

use crate::{
    game::Game,
    games::{
        Mahbusa,
        mahbusa::{Die, Move, Point, Points, Side},
    },
    search::{Evaluate, Score},
};

/// What a pip less to go is worth once nobody can pin anybody any more.
const RACING_PIP: i32 = 9;
/// The same as long as that is possible. The fit finds nothing; a little keeps the checkers on the move.
const PIP: i32 = 1;
/// What a checker that is borne off is worth besides.
const BORNE_OFF: i32 = 70;
/// What it costs to have a checker pinned, by the quarter of the board that it is in, the home board first.
const PINNED: [i32; 4] = [20, 22, 15, 60];
/// What it costs to have one pinned where the player started, which only the end of the opponent's game frees.
const PINNED_AT_START: i32 = 500;
/// What it costs to have a checker alone there, within reach of the opponent's dice.
const ALONE_AT_START: i32 = 75;
/// What it costs to have one alone within reach elsewhere: the search sees the rolls that pin it.
const ALONE: i32 = 3;
/// What it is worth to hold a point at home that the opponent has still to pass.
const HELD_AT_HOME: i32 = 5;
/// What it is worth to hold five such points in a row anywhere: hardly a roll leads past them.
const WALL: i32 = 15;
/// So many points in a row are a wall.
const WALL_POINTS: usize = 5;
/// What each checker more than three on one point costs: it is of no use there.
const CROWDED: i32 = 9;
/// So many checkers on a point are of use.
const USEFUL: u8 = 3;
/// A roll is worth about this many pips on average: eight and a sixth.
const PIPS_OF_A_ROLL: i32 = 8;

/// Points in a quarter of the board.
const QUARTER: usize = Point::COUNT / PINNED.len();

impl Evaluate for Mahbusa {
    // Of all scales this one foretold the results of 600 such games best.
    const SCALE: f64 = 250.0;

    #[inline]
    fn evaluate(&self) -> Score {
        let (own, other) = (self.board().side(self.turn()), self.board().side(!self.turn()));
        let lead = way(other) - way(own);
        if have_passed(own, other) {
            // With a roll ahead, and half of it gained on average.
            let borne_off = i32::from(own.borne_off()) - i32::from(other.borne_off());
            return Score::new(RACING_PIP * (lead + PIPS_OF_A_ROLL / 2) + BORNE_OFF * borne_off);
        }
        Score::new(form(own, other) - form(other, own) + PIP * (lead + PIPS_OF_A_ROLL / 2))
    }

    /// Pins first, then plays that leave few checkers alone.
    #[inline]
    fn promise(&self, m: Move) -> i32 {
        /// A quarter of what a history can reach.
        const PIN: i32 = 1000;
        /// A tenth of that.
        const SINGLE: i32 = 100;
        let Move::Play(checkers) = m else { return 0 };
        let pinned = self.board().side(!self.turn()).free.occupied() & checkers.occupied().across();
        PIN * pinned.count() as i32 - SINGLE * checkers.single().count() as i32
    }
}

/// The pips that a player has still to go.
#[inline]
fn way(side: &Side) -> i32 {
    let pips = |point: Point| i32::from(point.pips());
    let free = side.free.occupied().into_iter().map(|point| pips(point) * i32::from(side.free.on(point)));
    free.sum::<i32>() + side.pinned.into_iter().map(pips).sum::<i32>()
}

/// Whether the players are out of each other's way: no checker is pinned, and none has an opposing one before it.
#[inline]
fn have_passed(own: &Side, other: &Side) -> bool {
    let highest = |side: &Side| side.occupied().highest().map_or(0, |point| usize::from(point.pips()));
    highest(own) + highest(other) <= Point::COUNT
}

/// How the checkers of a player stand while the players are in each other's way: pinned, alone, or together.
#[inline]
fn form(own: &Side, other: &Side) -> i32 {
    // Opposing checkers come upwards in the player's letters, from the lowest on.
    let attackers = other.free.occupied().across();
    let within_reach = (1..=Die::SIDES).fold(Points::NONE, |reach, pips| reach | attackers.above(pips));
    let pinning = other.pinned.across();
    let alone = own.free.single().without(pinning) & within_reach;
    let held = own.free.stacked() | own.free.occupied() & pinning;
    let lowest_attacker = other.free.occupied().highest().map_or(0, |point| Point::COUNT - point.index());

    let mut sum = 0;
    for point in own.pinned {
        sum -= if point == Point::START { PINNED_AT_START } else { PINNED[point.index() / QUARTER] };
    }
    for point in alone {
        sum -= if point == Point::START { ALONE_AT_START } else { ALONE };
    }
    for point in own.free.stacked() {
        sum -= CROWDED * i32::from(own.free.on(point).saturating_sub(USEFUL));
    }
    let (mut row, mut next) = (0, None);
    for point in held {
        if usize::from(point.pips()) <= lowest_attacker {
            break;
        }
        row = if next == Some(point.index()) { row + 1 } else { 1 };
        next = point.index().checked_sub(1);
        if Points::HOME.contains(point) {
            sum += HELD_AT_HOME;
        }
        if row == WALL_POINTS {
            sum += WALL;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::{
        game::playout,
        search::eval::testing::{assert_won_by_next_move, position},
    };

    fn units(state: &str) -> i32 {
        position::<Mahbusa>(state).evaluate().units()
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
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        for _ in 0..5 {
            for position in playout::positions(Mahbusa::default(), 400, &mut rng) {
                let state = position.to_string();
                assert_eq!(units(&turned_round(&state)), units(&state), "{state}");
            }
        }
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
