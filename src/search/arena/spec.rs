//! How contestants are described.

use std::{fmt, str::FromStr, time::Duration};

use crate::search::{Level, NotALevel};

/// A contestant: `random`, `greedy`, `level=3`, `nodes=10000`, `time=100` (milliseconds a move) or `depth=4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spec {
    /// Plays each legal move as likely as another.
    Random,
    /// Plays the move after which the position is judged best, without looking further.
    Greedy,
    /// Plays as a level does.
    Level(Level),
    /// Visits so many positions for each move.
    Nodes(u64),
    /// Takes so much time for each move.
    Time(Duration),
    /// Looks so many plies ahead.
    Depth(u32),
}

/// Why a text does not describe a contestant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There are no such contestants.
    #[error("'{0}' is not a player: random, greedy, level=1 to 8, nodes=N, time=MILLISECONDS or depth=PLIES")]
    Unknown(String),
    /// There is no such level.
    #[error("'{found}' is not a level: {source}")]
    Level {
        /// What is there instead.
        found: String,
        /// What is allowed.
        source: NotALevel,
    },
    /// A limit is a number, at least 1.
    #[error("'{found}' is not a limit: {name} is a whole number, at least 1")]
    Limit {
        /// Which limit.
        name: &'static str,
        /// What is there instead.
        found: String,
    },
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let number = |name, found: &str| match found.parse() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(SpecError::Limit { name, found: found.to_owned() }),
        };
        match (text, text.split_once('=')) {
            ("random", _) => Ok(Self::Random),
            ("greedy", _) => Ok(Self::Greedy),
            (_, Some(("level", found))) => match found.parse() {
                Ok(level) => Ok(Self::Level(level)),
                Err(source) => Err(SpecError::Level { found: found.to_owned(), source }),
            },
            (_, Some(("nodes", found))) => number("nodes", found).map(Self::Nodes),
            (_, Some(("time", found))) => number("time", found).map(Duration::from_millis).map(Self::Time),
            (_, Some(("depth", found))) => {
                let depth = number("depth", found)?;
                let too_deep = |_| SpecError::Limit { name: "depth", found: found.to_owned() };
                u32::try_from(depth).map(Self::Depth).map_err(too_deep)
            }
            _ => Err(SpecError::Unknown(text.to_owned())),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Greedy => f.write_str("greedy"),
            Self::Level(level) => write!(f, "level={level}"),
            Self::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Self::Time(time) => write!(f, "time={}", time.as_millis()),
            Self::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_round_trip_through_text() {
        for text in ["random", "greedy", "level=1", "level=8", "nodes=10000", "time=100", "depth=4"] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_wrong_with_a_contestant_is_said() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert!(error("clever").starts_with("'clever' is not a player"));
        assert!(error("random=1").starts_with("'random=1' is not a player"));
        assert!(error("level=9").starts_with("'9' is not a level"));
        assert!(error("nodes=0").starts_with("'0' is not a limit: nodes"));
        assert!(error("depth=4294967296").starts_with("'4294967296' is not a limit: depth"));
        assert!(error("time=").starts_with("'' is not a limit: time"));
    }
}
