//! The rules, one test for each; the notation; and laws that hold in all positions.

mod laws;
mod notation;
mod reference;
mod rules;

use super::{
    notation::MalformedMove,
    setup::{Invalid, Malformed},
    *,
};

/// The legal moves as they are listed.
fn moves(position: &Wari) -> Vec<String> {
    let spellings = position.spellings();
    spellings.iter().map(Spelling::to_string).collect()
}

/// The move that a text stands for, or why it is not legal.
fn resolve(state: &str, text: &str) -> Result<Cup, Fault> {
    Wari::read(state).unwrap().resolve(&text.parse().unwrap())
}

/// The state after a move.
#[track_caller]
fn after(state: &str, text: &str) -> String {
    let m = resolve(state, text).unwrap_or_else(|why| panic!("{text} in {state}: {why}"));
    Wari::read(state).unwrap().after(m).to_string()
}

fn cup(number: u8) -> Cup {
    Cup::new(number).unwrap()
}
