//! Whole random games of an independent implementation, `tests/fixtures/GAME.jsonl`: what is legal, what a
//! move leads to, and how games end.

use std::{fs, path::Path};

use cublino_rules::{
    game::{Notation, Record, Stage, Standing},
    games::GameId,
    with_game,
};
use serde::Deserialize;
use serde_json::Value;

/// A line: a position of a random game.
#[derive(Deserialize)]
struct Line {
    state: String,
    stage: String,
    /// The listed moves, or the states after each of them.
    legal: Option<Vec<String>>,
    legal_are: Option<String>,
    played: Option<String>,
    next: Option<String>,
    outcome: Option<Value>,
}

fn lines(game: GameId) -> Vec<Line> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/fixtures/{game}.jsonl"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The listed moves, or the states after them, sorted.
fn legal<G: Notation>(position: &G, as_states: bool) -> Vec<String> {
    if position.stage() != Stage::Move {
        return Vec::new();
    }
    let spellings = position.spellings();
    let text = |spelling: &G::Spelling| {
        let m = position.resolve(spelling).expect("a listed move is legal");
        if as_states { position.after(m).to_string() } else { spelling.to_string() }
    };
    let mut legal: Vec<_> = spellings.iter().map(text).collect();
    legal.sort();
    legal
}

fn check<G: Notation>(line: &Line) {
    let state = &line.state;
    let position = G::read(state).unwrap();
    assert_eq!(position.to_string(), *state, "the fixture is canonical");
    let acts = match position.stage() {
        Stage::Move => "move",
        Stage::Roll => "roll",
        Stage::Over(_) => "over",
    };
    assert_eq!(acts, line.stage, "{state}");
    let mut expected = line.legal.clone().unwrap_or_default();
    expected.sort();
    assert_eq!(legal(&position, line.legal_are.is_some()), expected, "{state}");
    if let Some(outcome) = &line.outcome {
        let standing: Standing = position.standing();
        assert_eq!(serde_json::to_value(standing).unwrap(), *outcome, "{state}");
    }
    if let (Some(played), Some(next)) = (&line.played, &line.next) {
        let mut record = Record::new(position, None);
        let ply = record.play(played).unwrap_or_else(|refusal| panic!("{played} in {state}: {refusal}"));
        assert_eq!(ply.position.to_string(), *next, "after {played} in {state}");
    }
}

#[test]
fn every_position_of_the_recorded_games_agrees() {
    for &game in GameId::ALL {
        let lines = lines(game);
        assert!(!lines.is_empty(), "there are games of {game}");
        for line in &lines {
            with_game!(game, G => check::<G>(line));
        }
    }
}
