//! `cublino state`.

use std::io::{self, Write};

use clap::Args;

use super::game;
use crate::{
    config::Within as _,
    engine::{Control, Engine, Options, Playable, SearchLimits, Tablebases, TranspositionTable},
    game::{Notation, Stage},
    games::GameId,
    words::{name, standing, value},
};

/// Show a state: its board, score, value and legal moves
#[derive(Args, Debug)]
pub(super) struct ShowState {
    /// The game
    #[arg(value_parser = game())]
    pub(super) game: GameId,

    /// The state
    state: String,

    /// Maximum nodes (positions) to search for the value
    #[arg(long, default_value_t = 100_000, within(1..=1_000_000_000_u64))]
    nodes: u64,
}

/// The size of the transposition table, in bytes.
const TABLE_BYTES: usize = 64 << 20;
/// How many moves of the best line are shown.
const SHOWN: usize = 6;
/// The width of the list of legal moves, in characters.
const WIDTH: usize = 80;

impl ShowState {
    /// Prints the state. If it is invalid, prints everything that is wrong with it, and fails.
    pub(super) fn run<G: Playable + Notation>(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let position = match G::read(&self.state) {
            Ok(position) => position,
            Err(error) => {
                writeln!(out, "{}", self.state)?;
                for fault in error.faults() {
                    let place = fault.at.map(|at| format!("{}^ ", " ".repeat(at))).unwrap_or_default();
                    writeln!(out, "{place}{}", fault.message)?;
                }
                return Err(io::Error::other("this is not a state of the game"));
            }
        };
        let (turn, stage) = (position.turn(), position.stage());
        let name = name(self.game, turn);
        writeln!(out, "{}\nstate  {position}", position.describe().text(turn))?;
        match stage {
            Stage::Move => writeln!(out, "turn   {name} to move")?,
            Stage::Roll => writeln!(out, "turn   {name} to roll")?,
            Stage::Over(_) => writeln!(out, "turn   over")?,
        }
        writeln!(out, "score  {}", standing(self.game, position.standing()))?;

        let limits = SearchLimits { nodes: Some(self.nodes), ..SearchLimits::default() };
        let (engine, control) = (Engine::built_in::<G>(Tablebases::built_in()), Control::new());
        let mut table = TranspositionTable::new(TABLE_BYTES);
        match stage {
            Stage::Over(_) => Ok(()),
            Stage::Roll => {
                let found = engine.evaluate(&position, &limits, &control, &mut table);
                writeln!(out, "value  {}", value(name, &found.value))
            }
            Stage::Move => {
                let options = Options::new(limits);
                let found = engine.search(&position, &options, &control, &mut table, &mut |_| {});
                let line = &found.lines[0];
                let pv = position.spell_line(&line.pv[..line.pv.len().min(SHOWN)]).join(" ");
                writeln!(out, "value  {}\nbest   {pv}", value(name, &line.value))?;
                let moves: Vec<_> = position.spellings().iter().map(ToString::to_string).collect();
                write!(out, "moves  {}\n{}", moves.len(), columns(&moves))
            }
        }
    }
}

/// Arranges words in columns.
fn columns(words: &[String]) -> String {
    let column = words.iter().map(|word| word.chars().count()).max().unwrap_or(0) + 2;
    let padded: Vec<_> = words.iter().map(|word| format!("{word:column$}")).collect();
    let lines = padded.chunks((WIDTH / column).max(1)).map(|line| line.concat().trim_end().to_owned() + "\n");
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_no_wider_than_a_terminal() {
        let words: Vec<_> = (0..40).map(|i| "x".repeat(i % 7 + 1)).collect();
        let text = columns(&words);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!(text.split_whitespace().count(), 40);
    }
}
