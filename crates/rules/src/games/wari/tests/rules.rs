//! One test for each rule.

use super::*;
use crate::game::{Record, Refusal};

/// How a state's game has ended: who won, by which rule, and the points of both.
#[track_caller]
fn ending(state: &str) -> (Option<Player>, EndReason, [u8; 2]) {
    let outcome =
        Wari::read(state).unwrap().stage().outcome().unwrap_or_else(|| panic!("{state} is not over"));
    let Points { one, two } = outcome.points.unwrap();
    (outcome.winner, outcome.reason, [one, two])
}

#[test]
fn the_game_starts_with_four_marbles_in_each_cup_and_player_one() {
    assert_eq!(Wari::default().to_string(), "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0");
    assert_eq!(Wari::default().turn(), Player::One);
}

#[test]
fn the_worked_example_of_the_source_comes_out() {
    let mut record = Record::new(Wari::default(), None);
    for m in ["A(5,4)", "B(7,5)", "A(2,4)", "B(12,5)"] {
        record.play(m).unwrap();
    }
    assert_eq!(record.position().to_string(), "W-5-1-6-6-0-6-0-6-6-5-5-0-0-2");
}

#[test]
fn marbles_are_sown_and_captured_as_each_rule_says() {
    let cases = [
        ("one by one", "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0", "2", "w-4-0-5-5-5-5-4-4-4-4-4-4-0-0"),
        ("7 follows 6", "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0", "6", "w-4-4-4-4-4-0-5-5-5-5-4-4-0-0"),
        ("1 follows 12", "w-4-4-4-4-4-4-4-4-4-4-4-4-0-0", "12", "W-5-5-5-5-4-4-4-4-4-4-4-0-0-0"),
        ("past its own cup", "W-1-0-12-0-2-1-1-0-1-3-0-2-12-13", "3", "w-2-1-0-2-3-2-2-1-2-4-1-3-12-13"),
        ("on the second lap", "W-0-0-0-0-0-24-1-4-1-3-0-2-8-5", "6", "w-2-2-2-2-2-0-4-7-3-5-2-4-8-5"),
        ("on the third lap", "w-0-0-0-0-0-0-0-36-0-0-0-1-3-8", "8", "W-3-3-3-3-3-3-3-0-4-4-4-4-3-8"),
        ("two are captured", "W-4-0-0-0-0-1-1-5-5-5-5-5-6-11", "6", "w-4-0-0-0-0-0-0-5-5-5-5-5-8-11"),
        ("three are", "W-4-0-0-0-0-1-2-5-5-5-5-5-6-10", "6", "w-4-0-0-0-0-0-0-5-5-5-5-5-9-10"),
        ("one is not", "W-4-0-0-0-0-1-0-5-5-5-5-5-6-12", "6", "w-4-0-0-0-0-0-1-5-5-5-5-5-6-12"),
        ("four are not", "W-4-0-0-0-0-1-3-5-5-5-5-5-6-9", "6", "w-4-0-0-0-0-0-4-5-5-5-5-5-6-9"),
        ("cups directly before", "W-0-1-0-5-2-0-1-1-2-9-0-4-11-12", "4", "w-0-1-0-0-3-1-0-0-0-9-0-4-18-12"),
        ("up to another number", "W-0-1-0-5-2-0-1-3-2-9-0-4-11-10", "4", "w-0-1-0-0-3-1-2-4-0-9-0-4-14-10"),
        ("not their own cups", "W-0-0-0-0-2-1-1-5-5-5-5-5-7-12", "5", "w-0-0-0-0-0-2-0-5-5-5-5-5-9-12"),
        ("no cups after it", "W-4-0-0-0-0-1-1-2-5-5-5-5-8-12", "6", "w-4-0-0-0-0-0-0-2-5-5-5-5-10-12"),
        ("ending in their own", "W-1-1-0-0-0-4-4-4-4-4-4-4-9-9", "1", "w-0-2-0-0-0-4-4-4-4-4-4-4-9-9"),
        ("having gone round", "W-0-0-0-0-0-16-0-0-1-0-0-2-10-19", "6", "w-1-1-1-1-1-0-0-0-0-0-0-3-21-19"),
        ("by player two", "w-1-2-4-4-4-4-4-4-4-4-4-2-3-4", "12", "W-0-0-4-4-4-4-4-4-4-4-4-0-3-9"),
        ("all but one", "W-3-0-0-0-0-2-1-1-0-0-0-1-21-19", "6", "w-3-0-0-0-0-0-0-0-0-0-0-1-25-19"),
    ];
    for (rule, state, text, expected) in cases {
        assert_eq!(after(state, text), expected, "{rule}");
    }
}

#[test]
fn only_a_cup_of_ones_own_that_is_not_empty_may_be_played() {
    let state = "W-0-4-5-5-5-5-4-4-4-4-4-4-0-0";
    assert_eq!(moves(&Wari::read(state).unwrap()), ["2", "3", "4", "5", "6"]);
    assert_eq!(resolve(state, "1"), Err(Illegal::EmptyCup(cup(1)).into()));
    assert_eq!(resolve(state, "7"), Err(Illegal::NotYours { cup: cup(7), mover: Player::One }.into()));
    let state = "w-0-4-5-5-5-5-4-4-4-4-4-4-0-0";
    assert_eq!(moves(&Wari::read(state).unwrap()), ["7", "8", "9", "10", "11", "12"]);
    assert_eq!(resolve(state, "2"), Err(Illegal::NotYours { cup: cup(2), mover: Player::Two }.into()));
}

#[test]
fn a_player_who_has_no_marbles_must_be_given_one() {
    let state = "w-0-0-0-0-0-0-3-1-0-0-0-2-20-22";
    assert_eq!(moves(&Wari::read(state).unwrap()), ["12"]);
    assert_eq!(resolve(state, "8"), Err(Illegal::DoesNotFeed { cup: cup(8), opponent: Player::One }.into()));
}

#[test]
fn capturing_all_of_the_opponents_marbles_is_illegal() {
    let state = "W-3-0-0-0-0-2-1-1-0-0-0-0-21-20";
    assert_eq!(moves(&Wari::read(state).unwrap()), ["1"]);
    assert_eq!(resolve(state, "6"), Err(Illegal::CapturesAll { cup: cup(6), opponent: Player::Two }.into()));
}

#[test]
fn a_player_without_a_legal_move_takes_the_marbles_of_the_own_side_and_so_does_the_opponent() {
    assert_eq!(
        ending("w-0-0-0-0-0-0-1-1-1-1-0-0-22-22"),
        (Some(Player::Two), EndReason::NoLegalMove, [22, 26])
    );
    // A's only marble would capture B's only cup.
    assert_eq!(ending("W-0-0-0-0-0-1-2-0-0-0-0-0-23-22"), (None, EndReason::NoLegalMove, [24, 24]));
}

#[test]
fn a_finished_game_keeps_its_marbles_in_the_cups() {
    let mut record = Record::new(Wari::read("W-0-0-0-0-0-1-0-1-1-0-0-0-22-23").unwrap(), None);
    let ply = record.play("6").unwrap();
    assert_eq!(ply.position.to_string(), "w-0-0-0-0-0-0-1-1-1-0-0-0-22-23");
    assert_eq!(ply.position.points(), Some(Points { one: 22, two: 23 }));
    let outcome = record.stage().outcome().unwrap();
    assert_eq!(outcome.points, Some(Points { one: 22, two: 26 }));
    assert_eq!(Wari::read(&ply.position.to_string()).unwrap(), ply.position);
}

#[test]
fn two_marbles_that_chase_one_another_end_the_game() {
    assert_eq!(
        ending("W-0-0-1-0-0-0-0-0-1-0-0-0-24-22"),
        (Some(Player::One), EndReason::EndlessPlay, [25, 23])
    );
    assert_eq!(ending("w-0-0-0-0-0-1-0-0-0-0-1-0-23-23"), (None, EndReason::EndlessPlay, [24, 24]));
}

#[test]
fn two_marbles_that_will_meet_or_starve_somebody_do_not() {
    for state in ["W-0-0-1-0-0-0-0-1-0-0-0-0-24-22", "W-0-0-1-0-0-0-0-0-0-0-1-0-24-22"] {
        assert_eq!(Wari::read(state).unwrap().stage(), Stage::Move, "{state}");
    }
}

#[test]
fn a_position_that_occurs_again_ends_the_game_whatever_the_limit_on_repetition() {
    for limit in [None, Some(10)] {
        let mut record = Record::new(Wari::read("W-0-1-0-0-1-0-0-0-0-1-0-0-23-22").unwrap(), limit);
        for m in ["5", "10", "6", "11", "2", "12", "3", "7", "4", "8", "1"] {
            record.play(m).unwrap();
            assert_eq!(record.stage(), Stage::Move, "{}", record.position());
        }
        record.play("9").unwrap();
        let outcome = record.stage().outcome().unwrap();
        assert_eq!((outcome.reason, outcome.winner), (EndReason::EndlessPlay, Some(Player::One)));
        assert_eq!(outcome.points, Some(Points { one: 25, two: 23 }));
        assert!(matches!(record.play("5"), Err(Refusal::GameOver(_))));
    }
}

#[test]
fn a_position_alone_does_not_end_the_game_because_it_might_occur_again() {
    assert_eq!(Wari::read("W-0-1-0-0-1-0-0-0-0-1-0-0-23-22").unwrap().stage(), Stage::Move);
}

#[test]
fn twenty_five_prisoners_decide_the_game_and_do_not_end_it() {
    let decided = Wari::read("W-3-3-3-3-0-0-0-0-0-3-3-1-4-25").unwrap();
    assert_eq!(decided.decided_for(), Some(Player::Two));
    assert_eq!(decided.stage(), Stage::Move);
    assert_eq!(Wari::read("W-3-3-3-3-0-0-0-0-0-3-3-2-4-24").unwrap().decided_for(), None);
}

#[test]
fn there_is_no_pass() {
    assert!(Cup::all().all(|cup| !Wari::is_pass(cup)));
    assert!("pass".parse::<Spelling>().is_err());
}
