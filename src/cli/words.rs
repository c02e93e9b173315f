//! How answers are told to people.

use crate::{
    game::{EndReason, Player, Points, Standing, drawing::Draw},
    games::GameId,
    search::{GameResult, Value},
    with_game,
};

/// Columns of a terminal.
const WIDTH: usize = 80;

/// What a player is called in a game.
pub fn name(game: GameId, player: Player) -> &'static str {
    with_game!(game, G => <G as Draw>::NAMES)[player.index()]
}

/// How a game stands.
pub fn standing(game: GameId, standing: Standing) -> String {
    let points = |Points { one, two }| format!("{one} to {two}");
    let told = match (standing.reason, standing.winner) {
        (None, _) => return standing.points.map_or("nobody has won yet".to_owned(), points),
        (Some(_), Some(winner)) => format!("{} has won", name(game, winner)),
        (Some(_), None) => "a draw".to_owned(),
    };
    let reason = standing.reason.map_or("", EndReason::in_words);
    let points = standing.points.map(|standing| format!(", {}", points(standing))).unwrap_or_default();
    format!("{told}{points} ({reason})")
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
    let plies = proven.plies.map(|plies| format!(" in {plies} plies")).unwrap_or_default();
    format!("{expected}: {result}{plies}")
}

/// Words one beside the other, as wide as a terminal.
pub fn columns(words: &[String]) -> String {
    let column = words.iter().map(|word| word.chars().count()).max().unwrap_or(0) + 2;
    let padded: Vec<_> = words.iter().map(|word| format!("{word:column$}")).collect();
    let lines = padded.chunks((WIDTH / column).max(1)).map(|line| line.concat().trim_end().to_owned() + "\n");
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::Status, search::Chances, search::Proven};

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
