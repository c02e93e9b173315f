//! Mahbusa against whole random games and leaf counts that independent implementations of the rules have produced.

use std::collections::BTreeSet;

use cublino::{
    game::{Game, Notation, Stage, perft},
    games::{
        Mahbusa,
        mahbusa::{Play, Roll, Setup},
    },
};
use serde_json::Value;

fn position(state: &str) -> Mahbusa {
    let setup: Setup = state.parse().unwrap_or_else(|faults| panic!("{state}: {faults}"));
    Mahbusa::try_from(setup).unwrap_or_else(|faults| panic!("{state}: {faults}"))
}

/// The states after all legal moves.
fn results(position: &Mahbusa) -> BTreeSet<String> {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let results: BTreeSet<_> = moves.iter().map(|&m| position.after(m).to_string()).collect();
    assert_eq!(results.len(), moves.len(), "{position}: a result is listed twice");
    assert_eq!(position.count_moves(), moves.len(), "{position}");
    results
}

#[test]
fn random_games_are_played_as_elsewhere() {
    let (mut rolls, mut plays, mut ends) = (0, 0, 0);
    for line in include_str!("fixtures/mahbusa.jsonl").lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| line[name].as_str().unwrap_or_else(|| panic!("no {name} in {line}"));
        let state = text("state");
        let before = position(state);
        assert_eq!(before.to_string(), state);
        match before.stage() {
            Stage::Roll => {
                assert_eq!(text("stage"), "roll", "{state}");
                let mut rolled = before;
                rolled.roll_unchecked(text("played").parse::<Roll>().unwrap());
                assert_eq!(rolled.to_string(), text("next"), "{state}");
                rolls += 1;
            }
            Stage::Move => {
                assert_eq!(text("stage"), "move", "{state}");
                let legal: BTreeSet<String> = serde_json::from_value(line["legal"].clone()).unwrap();
                assert_eq!(results(&before), legal, "{state}");
                let played: Play = text("played").parse().unwrap();
                let m = before.resolve(&played).unwrap_or_else(|fault| panic!("{state} {played}: {fault}"));
                assert_eq!(before.after(m).to_string(), text("next"), "{state} {played}");
                plays += 1;
            }
            Stage::Over(_) => {
                assert_eq!(text("stage"), "over", "{state}");
                assert_eq!(serde_json::to_value(before.standing()).unwrap(), line["outcome"], "{state}");
                ends += 1;
            }
        }
    }
    assert_eq!((rolls, plays, ends), (290, 290, 3));
}

#[test]
fn the_leaves_from_the_start_are_as_many_as_elsewhere() {
    for (depth, leaves) in [(1, 59), (2, 3_474), (3, 708_405)] {
        assert_eq!(perft(&Mahbusa::default(), depth), leaves, "depth {depth}");
    }
}

/// `cargo test --release --test mahbusa_fixtures -- --ignored`
#[test]
#[ignore = "a deep row, which takes seconds in a release build and a minute without"]
fn the_leaves_four_moves_from_the_start_are_as_many_as_elsewhere() {
    assert_eq!(perft(&Mahbusa::default(), 4), 142_021_166);
}
