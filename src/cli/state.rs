//! `cublino state`, and the words in which commands say how a game stands.

use std::io::{self, Write};

use clap::Args;

use super::game;
use crate::{
    game::{EndReason, Notation, Player, Points, Stage, Standing},
    games::GameId,
    search::{
        Control, GameResult, Options, Playable, SearchLimits, Tablebases, TranspositionTable, Value,
        evaluate, search,
    },
    service::validation::{self, TextQuestion},
    with_game,
};

/// Show a state: its board, score, value and legal moves
#[derive(Args, Debug)]
pub(super) struct ShowState {
    /// The game
    #[arg(value_parser = game())]
    game: GameId,

    /// The state
    state: String,

    /// How many positions to visit for the value
    #[arg(
        long, value_name = "N", default_value_t = 100_000,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)
    )]
    nodes: u64,
}

/// Memory for what a search has seen.
pub(super) const TABLE_BYTES: usize = 64 << 20;
/// How many moves of the best line are shown.
const SHOWN: usize = 6;
/// Columns for the legal moves.
const WIDTH: usize = 80;

impl ShowState {
    /// Prints it. A text that is no state is a failure, after everything that is wrong with it was printed.
    pub(super) fn run(&self) -> io::Result<()> {
        with_game!(self.game, G => self.show::<G>())
    }

    fn show<G: Playable + Notation>(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let Ok(position) = G::read(&self.state) else {
            writeln!(out, "{}", self.state)?;
            for problem in validation::answer::<G>(TextQuestion { state: self.state.clone() }).problems {
                let place = problem.at.map(|at| format!("{}^ ", " ".repeat(at))).unwrap_or_default();
                writeln!(out, "{place}{}", problem.message)?;
            }
            return Err(io::Error::other("this is no state of the game"));
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
        let (tablebases, control) = (Tablebases::built_in(), Control::new());
        let mut table = TranspositionTable::new(TABLE_BYTES);
        match stage {
            Stage::Over(_) => Ok(()),
            Stage::Roll => {
                let found = evaluate(&position, &limits, &tablebases, &control, &mut table);
                writeln!(out, "value  {}", value(name, &found.value))
            }
            Stage::Move => {
                let options = Options::new(limits);
                let found = search(&position, &options, &tablebases, &control, &mut table, &mut |_| {});
                let line = &found.lines[0];
                let pv = position.spell_line(&line.pv[..line.pv.len().min(SHOWN)]).join(" ");
                writeln!(out, "value  {}\nbest   {pv}", value(name, &line.value))?;
                let moves: Vec<_> = position.spellings().iter().map(ToString::to_string).collect();
                write!(out, "moves  {}\n{}", moves.len(), columns(&moves))
            }
        }
    }
}

/// What a player is called in a game.
pub(super) fn name(game: GameId, player: Player) -> &'static str {
    game.about().players[player.index()]
}

/// How a game stands.
pub(super) fn standing(game: GameId, standing: Standing) -> String {
    let points = |Points { one, two }| format!("{one} to {two}");
    let result = match (standing.reason, standing.winner) {
        (None, _) => return standing.points.map_or("nobody has won yet".to_owned(), points),
        (Some(_), Some(winner)) => format!("{} has won", name(game, winner)),
        (Some(_), None) => "a draw".to_owned(),
    };
    let reason = standing.reason.map_or("", EndReason::in_words);
    let points = standing.points.map(|standing| format!(", {}", points(standing))).unwrap_or_default();
    format!("{result}{points} ({reason})")
}

/// What a position is worth to a player.
fn value(of: &str, value: &Value) -> String {
    let chances = value.chances;
    let percent = |chance: f64| format!("{:.0} %", 100.0 * chance);
    let expected = format!("{:+.2} for {of}", value.expected);
    let Some(proven) = value.proven else {
        let [win, draw, loss] = [chances.win, chances.draw, chances.loss].map(percent);
        return format!("{expected}: win {win}, draw {draw}, loss {loss}");
    };
    let result = match proven.result {
        GameResult::Win => "a certain win",
        GameResult::Draw => "a certain draw",
        GameResult::Loss => "a certain loss",
    };
    let plies = proven.plies.map(|plies| format!(" in {plies} plies")).unwrap_or_default();
    format!("{expected}: {result}{plies}")
}

/// Words in columns.
fn columns(words: &[String]) -> String {
    let column = words.iter().map(|word| word.chars().count()).max().unwrap_or(0) + 2;
    let padded: Vec<_> = words.iter().map(|word| format!("{word:column$}")).collect();
    let lines = padded.chunks((WIDTH / column).max(1)).map(|line| line.concat().trim_end().to_owned() + "\n");
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::Status,
        search::{Chances, Proven},
    };

    #[test]
    fn a_game_is_told_by_who_has_won_and_why() {
        let points = Some(Points { one: 18, two: 25 });
        let in_progress = Standing::in_progress(points);
        assert_eq!(standing(GameId::CublinoPur, in_progress), "18 to 25");
        let won = Standing {
            status: Status::Won,
            winner: Some(Player::Two),
            reason: Some(EndReason::AllDiceHome),
            points,
        };
        assert_eq!(standing(GameId::CublinoPur, won), "Black has won, 18 to 25 (all dice home)");
        let drawn = Standing {
            status: Status::Drawn,
            winner: None,
            reason: Some(EndReason::Repetition),
            points: None,
        };
        assert_eq!(standing(GameId::Wari, drawn), "a draw (repetition)");
        assert_eq!(standing(GameId::Wari, Standing::in_progress(None)), "nobody has won yet");
    }

    #[test]
    fn a_value_is_told_by_its_chances_unless_it_is_certain() {
        let chances = Chances { win: 0.51, draw: 0.1, loss: 0.39 };
        let open = Value { expected: 0.12, chances, proven: None };
        assert_eq!(value("White", &open), "+0.12 for White: win 51 %, draw 10 %, loss 39 %");
        let proven = Some(Proven { result: GameResult::Loss, plies: Some(4) });
        let lost = Value { expected: -1.0, chances, proven };
        assert_eq!(value("A", &lost), "-1.00 for A: a certain loss in 4 plies");
    }

    #[test]
    fn columns_are_no_wider_than_a_terminal() {
        let words: Vec<_> = (0..40).map(|i| "x".repeat(i % 7 + 1)).collect();
        let text = columns(&words);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!(text.split_whitespace().count(), 40);
    }
}
