//! `tools solve`.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;

use crate::tablebases;
use cublino_engine::{
    Analysis, Control, Engine, GameResult, Options, Playable, Proven, SearchLimits, StoppedBy,
    TranspositionTable,
    solver::{self, Solution},
};
use cublino_rules::{
    game::{Notation, Stage},
    games::GameId,
    with_game,
};

/// Find out whether a player can force a win, and how
///
/// In Cublino, a solver looks for forced wins, deeper and deeper. It prints "win for player one in 9 plies"
/// with the moves, "player one cannot force a win within 14 plies; player two cannot within 13 plies", or
/// "neither player can ever force a win".
///
/// The other games use the search of the service. It prints a proven result such as "draw" or "win for player
/// two" with the moves, or "unknown after 9 plies" with the expected result, which proves nothing.
///
/// The last line has the nodes, and what ended the search. The exit status is 0 for every verdict, and 1 if
/// the state cannot be solved.
#[derive(Args, Clone, Debug)]
pub struct Solve {
    /// The game
    game: GameId,
    /// The state
    state: String,
    /// Maximum nodes (positions) to search
    #[arg(
        long, value_name = "N", default_value_t = 20_000_000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    nodes: u64,
    /// Maximum depth, in plies [default: as deep as the nodes allow]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(solver::MAX_PLIES)))]
    depth: Option<u32>,
    /// Memory for the transposition table, in MiB
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    table_mib: u32,
    /// File with larger endgames of Wari, written by `cublino endgames wari`
    #[arg(long, value_name = "FILE")]
    wari_database: Option<PathBuf>,
}

impl Solve {
    /// Solves, and prints the verdict.
    pub fn run(&self) -> io::Result<()> {
        with_game!(self.game, G => self.solve::<G>())
    }

    fn solve<G: Playable + Notation>(&self) -> io::Result<()> {
        let position: G = G::read(&self.state).map_err(io::Error::other)?;
        match position.stage() {
            Stage::Move if G::TUNING.has_solver => self.force(&position),
            Stage::Move => self.explore(&position),
            Stage::Roll => Err(io::Error::other("the dice must be rolled first; give a state with a roll")),
            Stage::Over(outcome) => {
                let how = outcome.winner.map_or("drawn".to_owned(), |winner| format!("won by {winner}"));
                writeln!(io::stdout(), "the game is over, {how}")
            }
        }
    }

    /// Solves with the solver for forced wins.
    fn force<G: Playable + Notation>(&self, position: &G) -> io::Result<()> {
        let Solution { win, not_within, nodes, stopped_by } =
            solver::solve(position, &self.limits(), &Control::new(), self.table_bytes());
        let verdict = match (win, not_within) {
            (Some(win), _) => {
                let line = position.spell_line(&win.line).join(" ");
                format!("win for {} in {}: {line}", win.winner, plies(win.plies))
            }
            (None, [None, None]) => "neither player can ever force a win".to_owned(),
            (None, [one, two]) => {
                let within = |number| format!(" within {}", plies(number));
                let [one, two] = [one, two].map(|number| number.map_or(" ever".to_owned(), within));
                format!("player one cannot force a win{one}; player two cannot{two}")
            }
        };
        conclude(&verdict, nodes, stopped_by)
    }

    /// Solves with the search that the service uses.
    fn explore<G: Playable + Notation>(&self, position: &G) -> io::Result<()> {
        let engine = Engine::built_in::<G>(tablebases(self.wari_database.as_deref())?);
        let analysis = engine.search(
            position,
            &Options::new(self.limits()),
            &Control::new(),
            &mut TranspositionTable::new(self.table_bytes()),
            &mut |_| {},
        );
        conclude(&verdict(position, &analysis), analysis.nodes, analysis.stopped_by)
    }

    fn limits(&self) -> SearchLimits {
        SearchLimits { nodes: Some(self.nodes), depth: self.depth, time: None }
    }

    fn table_bytes(&self) -> usize {
        (self.table_mib as usize) << 20
    }
}

/// The result of a search, in one line.
fn verdict<G: Playable + Notation>(position: &G, analysis: &Analysis<G::Move>) -> String {
    let (line, mover) = (&analysis.lines[0], position.turn());
    let pv = position.spell_line(&line.pv).join(" ");
    if let Some(Proven { result, plies: number }) = line.value.proven {
        let result = match result {
            GameResult::Win => format!("win for {mover}"),
            GameResult::Loss => format!("win for {}", !mover),
            GameResult::Draw => "draw".to_owned(),
        };
        let within = number.map(|number| format!(" in {}", plies(number))).unwrap_or_default();
        return format!("{result}{within}: {pv}");
    }
    let (depth, expected) = (plies(analysis.depth), line.value.expected);
    format!("unknown after {depth}: {mover} expects {expected:.2}: {pv}")
}

fn plies(number: u32) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

fn conclude(verdict: &str, nodes: u64, stopped_by: StoppedBy) -> io::Result<()> {
    let ended = match stopped_by {
        StoppedBy::Proven => "the result is certain",
        StoppedBy::Nodes => "the limit of nodes is reached",
        StoppedBy::Depth => "that is as far as was asked",
        StoppedBy::OnlyMove => "there is only one legal move",
        StoppedBy::Database => "the position was looked up",
        StoppedBy::Time => "it was stopped",
    };
    writeln!(io::stdout(), "{verdict}\nvisited nodes: {nodes}; {ended}")
}
