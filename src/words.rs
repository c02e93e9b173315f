//! Sentences for people and models: about a game, and about a panic.

use std::{any::Any, fmt::Display};

use crate::{
    api::analysis::AnalysedPlayer,
    engine::{GameResult, Value},
    game::{EndReason, Player, Points, Standing},
    games::GameId,
};

/// What a player is called in a game.
pub fn name(game: GameId, player: Player) -> &'static str {
    game.about().players[player.index()]
}

/// How a game stands.
pub fn standing(game: GameId, standing: Standing) -> String {
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
pub fn value(of: &str, value: &Value) -> String {
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
    let plies = proven.plies.map(|plies| format!(" in {}", count(plies, "ply", "plies"))).unwrap_or_default();
    format!("{expected}: {result}{plies}")
}

/// A number with its noun: `1 marble`, `2 marbles`.
pub fn count<N: Copy + Display + From<u8> + PartialEq>(number: N, one: &str, more: &str) -> String {
    let name = if number == N::from(1) { one } else { more };
    format!("{number} {name}")
}

/// How well a player has played.
pub fn in_a_line(player: &AnalysedPlayer) -> String {
    let AnalysedPlayer { moves, mean_loss, accuracy, judgments, luck } = player;
    [
        Some(count(*moves, "move", "moves")),
        accuracy.map(|accuracy| format!("accuracy {accuracy:.0} %")),
        mean_loss.map(|loss| format!("mean loss {loss:.2}")),
        Some(count(judgments.inaccuracy, "inaccuracy", "inaccuracies")),
        Some(count(judgments.mistake, "mistake", "mistakes")),
        Some(count(judgments.blunder, "blunder", "blunders")),
        luck.map(|luck| format!("luck {luck:+.2}")),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(", ")
}

/// The message of a panic.
pub fn of_panic(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{Chances, Proven},
        game::Status,
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
}
