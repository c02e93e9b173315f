//! Whole games of Wari that an independent implementation of the rules has played at random.

use cublino::{
    game::{Game, Notation, Stage},
    games::{Wari, wari::Setup},
};
use serde::Deserialize;
use serde_json::Value;

/// A position of a game.
#[derive(Deserialize)]
struct Line {
    state: String,
    stage: String,
    /// The legal moves in no particular order; none when the game is over.
    #[serde(default)]
    legal: Vec<String>,
    played: Option<String>,
    next: Option<String>,
    outcome: Option<Value>,
}

#[test]
fn an_independent_implementation_agrees() {
    for line in include_str!("fixtures/wari.jsonl").lines() {
        agrees(&serde_json::from_str(line).unwrap());
    }
}

fn agrees(line: &Line) {
    let Line { state, .. } = line;
    let position = Wari::try_from(state.parse::<Setup>().unwrap()).unwrap();
    assert_eq!(position.to_string(), *state);
    match position.stage() {
        Stage::Over(_) => {
            assert_eq!(line.stage, "over", "{state}");
            assert_eq!(Some(serde_json::to_value(position.standing()).unwrap()), line.outcome, "{state}");
        }
        Stage::Move => {
            assert_eq!(line.stage, "move", "{state}");
            let mut spellings = Vec::new();
            position.spellings(&mut spellings);
            let mut legal: Vec<_> = spellings.iter().map(ToString::to_string).collect();
            legal.sort();
            assert_eq!(legal, line.legal, "{state}");
        }
        Stage::Roll => unreachable!("Wari is played without dice"),
    }
    if let (Some(played), Some(next)) = (&line.played, &line.next) {
        let m = position.resolve(&played.parse().unwrap()).unwrap();
        assert_eq!(position.after(m).to_string(), *next, "{played} in {state}");
    }
}
