//! Games as people keep them in files.

use std::fmt;

use serde::Deserialize;

use crate::{
    game::Player,
    service::{Ranged, RepetitionLimit, analysis::AnalysisQuestion},
};

/// How many moves stand on a line.
const MOVES_A_LINE: usize = 10;

/// A game: where it began, and what was played.
///
/// As text it is some lines up to an empty one: moves and rolls, separated by blanks, in the notation of the
/// game. A line may say in its first word what else there is to know: `start STATE`, `repetition 3` or
/// `resign two`. Lines that begin with `#` are for people. A line of JSON is a game of its own: the body of a
/// request to play it with `apply`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameFile {
    /// The state that it starts from; the start of the game if there is none.
    pub state: Option<String>,
    /// The moves, and the rolls where the dice were rolled.
    pub moves: Vec<String>,
    /// The game is drawn when a position occurs for this time.
    pub repetition_limit: Option<RepetitionLimit>,
    /// Who gave up after the moves.
    pub resign: Option<Player>,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct UnreadableLine {
    line: usize,
    reason: String,
}

impl GameFile {
    /// The games in a file.
    ///
    /// # Errors
    /// A line cannot be read. Whether moves are legal is not looked at.
    pub fn read_all(text: &str) -> Result<Vec<Self>, UnreadableLine> {
        let mut games = Vec::new();
        let mut game: Option<Self> = None;
        for (line, number) in text.lines().map(str::trim).zip(1..) {
            let wrong = |reason: String| UnreadableLine { line: number, reason };
            if line.starts_with('{') {
                games.extend(game.take());
                games.push(serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?);
            } else if line.is_empty() {
                games.extend(game.take());
            } else if !line.starts_with('#') {
                game.get_or_insert_default().add(line).map_err(wrong)?;
            }
        }
        games.extend(game);
        Ok(games)
    }

    /// Adds what a line says.
    fn add(&mut self, line: &str) -> Result<(), String> {
        let (first, rest) = line.split_once(' ').map_or((line, ""), |(first, rest)| (first, rest.trim()));
        match first {
            "start" => self.state = Some(rest.to_owned()),
            "repetition" => {
                let limit = rest.parse::<u64>().ok().and_then(|limit| Ranged::try_from(limit).ok());
                self.repetition_limit =
                    Some(limit.ok_or_else(|| format!("'{rest}' is not a number from 2 to 10"))?);
            }
            "resign" => {
                self.resign = match rest {
                    "one" => Some(Player::One),
                    "two" => Some(Player::Two),
                    _ => return Err(format!("'{rest}' is neither one nor two")),
                }
            }
            _ => self.moves.extend(line.split_whitespace().map(str::to_owned)),
        }
        Ok(())
    }
}

impl fmt::Display for GameFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(state) = &self.state {
            writeln!(f, "start {state}")?;
        }
        if let Some(limit) = self.repetition_limit {
            writeln!(f, "repetition {}", limit.get())?;
        }
        for moves in self.moves.chunks(MOVES_A_LINE) {
            writeln!(f, "{}", moves.join(" "))?;
        }
        match self.resign {
            None => Ok(()),
            Some(Player::One) => writeln!(f, "resign one"),
            Some(Player::Two) => writeln!(f, "resign two"),
        }
    }
}

impl From<GameFile> for AnalysisQuestion {
    fn from(GameFile { state, moves, repetition_limit, resign }: GameFile) -> Self {
        Self { state, moves, repetition_limit, resign, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn games_are_read_as_they_are_written() {
        for game in [
            GameFile { moves: moves(&["e1e2"; 23]), ..GameFile::default() },
            GameFile {
                state: Some("M-o22O".to_owned()),
                moves: moves(&["63", "XU-UT", "A(5,4)"]),
                repetition_limit: Some(3.try_into().unwrap()),
                resign: Some(Player::Two),
            },
        ] {
            assert_eq!(GameFile::read_all(&game.to_string()), Ok(vec![game]));
        }
    }

    #[test]
    fn empty_lines_end_games_and_a_line_of_json_is_one() {
        let text = "# a comment\ne1e2 d7d6\n\n\n {\"state\":\"S\",\"moves\":[\"1\"]}\n5\n# another\n 7 \n";
        let json = GameFile { state: Some("S".to_owned()), moves: moves(&["1"]), ..GameFile::default() };
        let [one, two] = [["e1e2", "d7d6"], ["5", "7"]]
            .map(|texts| GameFile { moves: moves(&texts), ..GameFile::default() });
        assert_eq!(GameFile::read_all(text), Ok(vec![one, json, two]));
        assert_eq!(GameFile::read_all("\n# nothing\n"), Ok(Vec::new()));
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_line() {
        for (text, said) in [
            ("5\nrepetition 1\n", "line 2: '1' is not a number from 2 to 10"),
            ("resign three", "line 1: 'three' is neither one nor two"),
            ("\n{\"moves\":1}", "line 2: invalid type: integer `1`"),
        ] {
            let error = GameFile::read_all(text).unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
