//! What a player can say.

use std::path::PathBuf;

/// What is said when somebody asks what can be said.
pub const HELP: &str = "\
a move        in the notation of the game, such as those that Tab completes
a number      the move with this number in the list (not in Wari, where it is a cup)
moves         list the legal moves
hint          what would be played at full strength
undo          take back your last move, and what followed
roll [63]     roll the dice, or say what was rolled; Enter alone rolls as well
level N       let the machine play at level 1 to 8 from now on
resign        give up
save [FILE]   write the game to a file, or to the screen
board         draw the board again
quit          stop playing
";

/// The words that begin what can be said besides moves.
pub const WORDS: [&str; 10] =
    ["board", "help", "hint", "level", "moves", "quit", "resign", "roll", "save", "undo"];

/// What a player says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play a move, or say what was rolled.
    Play(String),
    /// Play the move with this number in the list.
    PlayNumber(usize),
    /// Nothing.
    Enter,
    Moves,
    Hint,
    Undo,
    Roll,
    Level(String),
    Resign,
    Save(Option<PathBuf>),
    Board,
    Help,
    Quit,
}

impl Command {
    /// Reads what was said. What is in `legal` is a move, whatever else it might be, and so is what is
    /// nothing else.
    pub fn read(line: &str, legal: &[String]) -> Self {
        let line = line.trim();
        if legal.iter().any(|text| text == line) {
            return Self::Play(line.to_owned());
        }
        // Where numbers are moves they are nothing else.
        let number = line.parse().ok().filter(|_| legal.iter().all(|text| text.parse::<u32>().is_err()));
        let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match (word, rest) {
            ("", _) => Self::Enter,
            ("moves" | "m", "") => Self::Moves,
            ("hint" | "h", "") => Self::Hint,
            ("undo" | "u", "") => Self::Undo,
            ("roll" | "r", "") => Self::Roll,
            ("roll" | "r", roll) => Self::Play(roll.to_owned()),
            ("level" | "l", level) => Self::Level(level.to_owned()),
            ("resign" | "surrender", "") => Self::Resign,
            ("save" | "s", file) => Self::Save(Some(file).filter(|file| !file.is_empty()).map(PathBuf::from)),
            ("board" | "b", "") => Self::Board,
            ("help" | "?", "") => Self::Help,
            ("quit" | "q" | "exit", "") => Self::Quit,
            _ => match number {
                Some(number) if !legal.is_empty() => Self::PlayNumber(number),
                _ => Self::Play(line.to_owned()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, legal: &[&str]) -> Command {
        Command::read(line, &legal.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_legal_move_is_a_move_and_a_number_is_one_of_the_list_where_it_is_no_move() {
        assert_eq!(read(" e1e2 ", &["e1e2"]), Command::Play("e1e2".to_owned()));
        assert_eq!(read("2", &["e1e2", "d1d2"]), Command::PlayNumber(2));
        assert_eq!(read("5", &["5", "6"]), Command::Play("5".to_owned()));
        assert_eq!(read("1", &["7", "8"]), Command::Play("1".to_owned()));
        assert_eq!(read("63", &[]), Command::Play("63".to_owned()));
    }

    #[test]
    fn every_word_of_the_help_is_known() {
        let named = HELP.lines().map(|line| line.split_whitespace().next().unwrap());
        let named: Vec<&str> = named.filter(|&word| word != "a").chain(["help"]).collect();
        for word in &named {
            assert!(!matches!(read(word, &["e1e2"]), Command::Play(_)), "{word}");
        }
        let sorted = |mut words: Vec<&'static str>| {
            words.sort_unstable();
            words
        };
        assert_eq!(sorted(WORDS.to_vec()), sorted(named));
        assert_eq!(read("save a file", &[]), Command::Save(Some("a file".into())));
        assert_eq!(read("roll 63", &[]), Command::Play("63".to_owned()));
        assert_eq!(read("", &["e1e2"]), Command::Enter);
    }
}
