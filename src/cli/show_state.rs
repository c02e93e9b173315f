//! `cublino state`.

use std::io::{self, Write};

use clap::Args;

use super::{
    board,
    source::{Asked, Source},
    words::{columns, name, standing, value},
};
use crate::{
    games::GameId,
    service::{
        PositionQuestion, StageName,
        apply::{Applied, Apply},
        evaluation::EvaluationQuestion,
        suggestion::SuggestionsQuestion,
        validation::Validation,
    },
};

/// Show a state: whether it is one, the board, the score, what it is worth, and the legal moves
#[derive(Args, Clone, Debug)]
pub struct ShowState {
    /// The game
    game: GameId,

    /// The state
    state: String,

    /// How many positions to visit for the value
    #[arg(
        long, value_name = "N", default_value_t = 100_000,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)
    )]
    nodes: u64,

    #[command(flatten)]
    asked: Asked,
}

/// How many moves of the best line are shown.
const SHOWN: usize = 6;

impl ShowState {
    /// Prints it. What is no state is a failure, after all that is wrong with it has been printed.
    pub(super) fn run(&self) -> io::Result<()> {
        let mut source = self.asked.source()?;
        let validation = source.validate(self.game, &self.state)?;
        if !validation.valid {
            write!(io::stdout(), "{}", what_is_wrong(&validation))?;
            return Err(io::Error::other("this is no state of the game"));
        }
        let asked = Apply { state: self.state.clone(), legal_moves: true, ..Apply::default() };
        let found = source.apply(self.game, &asked)?;
        write!(io::stdout(), "{}", self.head(&found))?;
        self.tell_value(&mut source, &found)?;
        let moves: Vec<_> = found.moves.unwrap_or_default().into_iter().map(|legal| legal.text).collect();
        if !moves.is_empty() {
            write!(io::stdout(), "moves  {}\n{}", moves.len(), columns(&moves))?;
        }
        Ok(())
    }

    /// The board, whose turn it is, and the score.
    fn head(&self, found: &Applied) -> String {
        let Applied { state, turn, stage, outcome, position, .. } = found;
        let turn_name = name(self.game, *turn);
        let next = match stage {
            StageName::Move => format!("{turn_name} to move"),
            StageName::Roll => format!("{turn_name} to roll"),
            StageName::Over => "over".to_owned(),
        };
        let (board, score) = (board::draw(position, *turn), standing(self.game, *outcome));
        format!("{board}\nstate  {state}\nturn   {next}\nscore  {score}\n")
    }

    fn tell_value(&self, source: &mut Source, found: &Applied) -> io::Result<()> {
        let nodes = Some(self.nodes.try_into().map_err(io::Error::other)?);
        let turn = name(self.game, found.turn);
        match found.stage {
            StageName::Over => Ok(()),
            StageName::Roll => {
                let question = EvaluationQuestion { nodes, ..EvaluationQuestion::about(&self.state) };
                let evaluation = source.evaluate(self.game, question)?;
                writeln!(io::stdout(), "value  {}", value(turn, &evaluation.value))
            }
            StageName::Move => {
                let position = PositionQuestion { state: self.state.clone(), ..PositionQuestion::default() };
                let question = SuggestionsQuestion { nodes, ..SuggestionsQuestion::about([position]) };
                let suggestion = source.suggest(self.game, question)?;
                let line = &suggestion.lines[0];
                let told = value(turn, &line.value);
                let pv: Vec<_> = line.pv.iter().take(SHOWN).map(String::as_str).collect();
                writeln!(io::stdout(), "value  {told}\nbest   {}", pv.join(" "))
            }
        }
    }
}

/// All that is wrong with a text, each thing under its place.
fn what_is_wrong(validation: &Validation) -> String {
    let told = validation.problems.iter().map(|problem| {
        let place = problem.at.map(|at| format!("{}^ ", " ".repeat(at))).unwrap_or_default();
        format!("{place}{}\n", problem.message)
    });
    std::iter::once(format!("{}\n", validation.state)).chain(told).collect()
}
