//! Judging Wari.

use crate::{
    game::Game,
    games::{
        Wari,
        wari::{Cup, Row},
    },
    search::{Evaluate, Knowledge, Known, Score},
};

/// What something is worth, in units of which a prisoner is worth a hundred on a board that is half empty.
///
/// The weights come from a logistic regression of results on two million positions, from some 25,000 games that
/// earlier judgements played against each other eight plies deep after random openings; rounded. The marbles on each
/// side and the cups with one or two were tried as well and added nothing.
///
/// Where a share of the points is given, it is what the judgement got without this term in 200 to 400 games against the
/// one with all terms, at 8,000 positions a move.
struct Weight {
    /// With all marbles in the cups.
    full: i32,
    /// With hardly any left; in between the weight changes in proportion.
    empty: i32,
}

/// A prisoner. The fewer marbles are left, the harder it is to make up for.
const PRISONER: Weight = Weight { full: 60, empty: 140 };
/// A cup that can be played at all. Without: 45 %.
const OCCUPIED: Weight = Weight { full: 80, empty: 25 };
/// A cup from which nothing is given to the opponent: a move to wait with until the opponent has to give
/// something. Without: 26 %.
const STAYING: Weight = Weight { full: 30, empty: 200 };
/// A cup with so many marbles (a kroo) that it goes all the way round, and captures where the opponent has
/// run dry. Without: 45 %.
const COMING_ROUND: Weight = Weight { full: 130, empty: 0 };
/// A marble in the largest capture that the side to move can make at once. Without this and [`THREAT`]: 27 %.
const CAPTURE: Weight = Weight { full: 60, empty: 180 };
/// A marble in the largest capture that the opponent threatens; the side to move may yet prevent it.
const THREAT: Weight = Weight { full: -45, empty: -100 };
/// Having to move, as the regression has it: captures at hand count for more than threats, and this balances them.
/// Without: 50 %.
const TURN: Weight = Weight { full: -30, empty: -50 };

/// What a decided game is worth beyond that: more than all the rest together.
const DECIDED: i32 = 10_000;

/// The marbles in the game.
const MARBLES: i32 = 48;

/// How much earlier a move is tried for each marble that it captures: three outweigh what moves have proven elsewhere.
const PROMISE_OF_CAPTURE: i32 = 1_500;

impl Evaluate for Wari {
    /// From the same regression: a side that is this far ahead gets 85 % of the points.
    const SCALE: f64 = 800.0;
    const HAS_KNOWLEDGE: bool = true;

    fn evaluate(&self) -> Score {
        let (mover, other) = (self.row(self.turn()), self.row(!self.turn()));
        let difference = |of: fn(Row) -> usize| of(mover) as i32 - of(other) as i32;
        let terms = [
            (PRISONER, difference(|row| row.prisoners().into())),
            (OCCUPIED, difference(|row| row.occupied().len())),
            (STAYING, difference(|row| row.staying().len())),
            (COMING_ROUND, difference(|row| row.coming_round().len())),
            (CAPTURE, largest_capture(mover, other)),
            (THREAT, largest_capture(other, mover)),
            (TURN, 1),
        ];
        let full: i32 = terms.iter().map(|(weight, count)| weight.full * count).sum();
        let empty: i32 = terms.iter().map(|(weight, count)| weight.empty * count).sum();
        let in_cups = i32::from(mover.total() + other.total());
        let judged = (full * in_cups + empty * (MARBLES - in_cups)) / MARBLES;
        Score::new(match self.decided_for() {
            None => judged,
            Some(winner) if winner == self.turn() => judged + DECIDED,
            Some(_) => judged - DECIDED,
        })
    }

    /// What the endgames say, where the result does not hinge on endless play.
    #[inline]
    fn known(&self, knowledge: &Knowledge) -> Option<Known> {
        let (mover, other) = (self.row(self.turn()), self.row(!self.turn()));
        let share = knowledge.wari()?.share(mover, other)?;
        share.result(mover.prisoners()).map(Known::certain)
    }

    fn promise(&self, m: Cup) -> i32 {
        let (mover, other) = (self.row(self.turn()), self.row(!self.turn()));
        PROMISE_OF_CAPTURE * i32::from(mover.capture(other, m.place()))
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
    use crate::{
        games::wari::Setup,
        search::{
            Control, GameResult, Knowledge, Limits, Options, Proven, Table,
            arena::{self, Match, Spec},
            search,
        },
    };

    fn position(text: &str) -> Wari {
        Wari::try_from(text.parse::<Setup>().unwrap()).unwrap()
    }

    fn units(text: &str) -> i32 {
        position(text).evaluate().units()
    }

    #[test]
    fn both_players_are_judged_alike() {
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
        let position = position("W-1-0-0-0-1-2-1-1-1-9-9-9-7-7");
        let cup = |number| Cup::new(number).unwrap();
        assert!(position.promise(cup(6)) > position.promise(cup(5)));
        assert_eq!(position.promise(cup(1)), 0);
    }

    fn best(text: &str, depth: u32) -> (String, Option<Proven>) {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut table = Table::new(1 << 20);
        let (options, knowledge) = (Options::new(limits), Knowledge::none());
        let analysis =
            search(&position(text), &options, &knowledge, &Control::new(), &mut table, &mut |_| {});
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
            one: Spec::Depth(4),
            two: Spec::Greedy,
            games: 20,
            seed: 1,
            max_plies: Match::MAX_PLIES,
            threads: NonZeroUsize::MIN,
        };
        let report = arena::run::<Wari>(&config, &Knowledge::none(), &mut |_, _| ControlFlow::Continue(()));
        assert!(report.score() >= 0.8, "{report}");
    }
}
