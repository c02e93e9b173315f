//! Mahbusa for the search.

#![expect(clippy::cast_possible_wrap, reason = "counts on a board are far below the limits of the types")]

use crate::{
    Playable, Score, Strength, Tablebases,
    tablebase::{
        Tablebase,
        bear_off::{self, BearOff},
    },
};
use cublino_rules::{
    game::{Game, Player},
    games::{Mahbusa, mahbusa::Move},
};

impl Playable for Mahbusa {
    const GROWTH: f64 = 16.0;

    const PUZZLES: &str = include_str!("../puzzles/mahbusa.txt");

    const NETWORK: &[u8] = include_bytes!("../weights/mahbusa.net");

    /// Once the players have passed each other only the race counts, whose result is in a table.
    #[inline]
    fn known_score(&self, score_of: impl FnOnce(f64) -> Score) -> Option<Score> {
        let (own, other) = (self.board().side(self.turn()), self.board().side(!self.turn()));
        bear_off::have_passed(own, other).then(|| score_of(bear_off::expected_result(own, other)))
    }

    fn tablebase(tablebases: &Tablebases) -> Option<&dyn Tablebase<Self>> {
        tablebases.wari().map(|_| &BearOff as _)
    }

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

    // At commit c592896: 1,000 games a step, 60 of level 8; losses in 400 positions.
    const MEASURED_LEVELS: &str = include_str!("../levels/mahbusa.json");

    // A ply of dice takes a thousand times as long, and luck hides small errors.
    const LEVELS: [Strength; 8] = [
        Strength::erring(1, 3.0),
        Strength::erring(1, 1.4),
        Strength::erring(1, 1.0),
        Strength::erring(1, 0.66),
        Strength::erring(1, 0.42),
        Strength::erring(1, 0.23),
        Strength::erring(1, 0.1),
        Strength::visiting(Strength::MOST_NODES),
    ];

    /// All checkers must be borne off, and between two turns of a player the opponent has one.
    fn fewest_plies(&self, player: Player) -> u32 {
        let turns = self.board().side(player).total().div_ceil(bear_off::MOST_CHECKERS);
        if self.turn() == player { 2 * turns - 1 } else { 2 * turns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::testing::{assert_is_worth_the_same_from_the_other_side, assert_won_by_next_move};

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
    fn the_last_checkers_are_borne_off_when_they_can_be() {
        assert_won_by_next_move::<Mahbusa>("M21-AA21o");
        assert_won_by_next_move::<Mahbusa>("m66-O19aaaa");
    }
}
