//! How contestants are described.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use strum::VariantArray;

use crate::{
    evaluation::Learned,
    network::MalformedNetwork,
    options::SearchLimits,
    options::{Level, NotALevel},
    options::{Technique, Techniques},
    playable::Playable,
};

/// A contestant: how it plays, and with which settings, separated by commas.
///
/// It plays as `random`, `greedy`, or as a search: `level=3`, `nodes=10000`, `time=100` (milliseconds a
/// move), `depth=4`. The settings are `network=FILE` (the evaluation), `table=MIB`, `tablebase=built-in` (not
/// those of the match), and a technique that is not to be used, such as `quiescence=off`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// How it picks a move.
    pub(super) play: Play,
    /// The network of the evaluation, if another than that of the program.
    pub(super) network: Option<PathBuf>,
    /// Whether it probes the tablebases of the program, and not those of the match.
    pub(super) has_built_in_tablebases: bool,
    pub(super) techniques: Techniques,
    pub(super) table_mib: usize,
}

/// How a contestant picks a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Play {
    /// Each legal move is as likely as another.
    Random,
    /// The move after which the static evaluation is best.
    Greedy,
    /// The best move that a search finds.
    Search { level: Option<Level>, limits: SearchLimits },
}

/// Why a text does not describe a contestant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There are no such contestants.
    #[error("'{0}' is not a player: random, greedy, level=1 to 8, nodes=N, time=MILLISECONDS or depth=PLIES")]
    Unknown(String),
    /// There is no such setting.
    #[error(
        "'{0}' is not a setting: network=FILE, table=MIB, tablebase=built-in, or {names}=off",
        names = Technique::VARIANTS.iter().map(<&str>::from).collect::<Vec<_>>().join("=off, ")
    )]
    UnknownSetting(String),
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

/// Why there is no use for a file with a network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// It cannot be read.
    #[error("the network {} cannot be read: {reason}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// It does not say what it should.
    #[error("{} does not hold a network of this game: {reason}", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: MalformedNetwork,
    },
}

/// The size of a table: ample for the short searches of matches.
const TABLE_MIB: usize = 16;

impl Spec {
    /// The evaluator of the contestant.
    pub(super) fn evaluator<G: Playable>(&self) -> Result<Learned, NetworkFileError> {
        self.network.as_deref().map_or_else(|| Ok(Learned::built_in::<G>()), read_network::<G>)
    }

    /// Reads a setting of a search.
    fn set(&mut self, setting: &str) -> Result<(), SpecError> {
        let unknown = || SpecError::UnknownSetting(setting.to_owned());
        let (name, value) = setting.split_once('=').ok_or_else(unknown)?;
        match (name, value) {
            ("network", file) => self.network = Some(file.into()),
            ("table", mib) => self.table_mib = number("table", mib)?,
            ("tablebase", "built-in") => self.has_built_in_tablebases = true,
            (name, "off") => {
                self.techniques = self.techniques.without(name.parse().map_err(|_| unknown())?);
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }
}

fn read_network<G: Playable>(path: &Path) -> Result<Learned, NetworkFileError> {
    let file =
        fs::read(path).map_err(|reason| NetworkFileError::Unreadable { path: path.to_owned(), reason })?;
    Learned::read::<G>(&file).map_err(|reason| NetworkFileError::Malformed { path: path.to_owned(), reason })
}

fn number<T: TryFrom<u64>>(name: &'static str, found: &str) -> Result<T, SpecError> {
    let number = found.parse().ok().filter(|&number: &u64| number > 0);
    let limit = || SpecError::Limit { name, found: found.to_owned() };
    number.and_then(|number| T::try_from(number).ok()).ok_or_else(limit)
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut settings = text.split(',');
        let play = settings.next().unwrap_or_default().parse()?;
        let mut spec = Self {
            play,
            network: None,
            has_built_in_tablebases: false,
            techniques: Techniques::default(),
            table_mib: TABLE_MIB,
        };
        settings.try_for_each(|setting| spec.set(setting))?;
        Ok(spec)
    }
}

impl FromStr for Play {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let limited = |limits| Self::Search { level: None, limits };
        let none = SearchLimits::default();
        match (text, text.split_once('=')) {
            ("random", _) => Ok(Self::Random),
            ("greedy", _) => Ok(Self::Greedy),
            (_, Some(("level", found))) => match found.parse() {
                Ok(level) => Ok(Self::Search { level: Some(level), limits: none }),
                Err(source) => Err(SpecError::Level { found: found.to_owned(), source }),
            },
            (_, Some(("nodes", found))) => {
                Ok(limited(SearchLimits { nodes: Some(number("nodes", found)?), ..none }))
            }
            (_, Some(("time", found))) => {
                let time = Duration::from_millis(number("time", found)?);
                Ok(limited(SearchLimits { time: Some(time), ..none }))
            }
            (_, Some(("depth", found))) => {
                Ok(limited(SearchLimits { depth: Some(number("depth", found)?), ..none }))
            }
            _ => Err(SpecError::Unknown(text.to_owned())),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.play.fmt(f)?;
        if let Some(path) = &self.network {
            write!(f, ",network={}", path.display())?;
        }
        if self.table_mib != TABLE_MIB {
            write!(f, ",table={}", self.table_mib)?;
        }
        if self.has_built_in_tablebases {
            f.write_str(",tablebase=built-in")?;
        }
        let mut off = Technique::VARIANTS.iter().filter(|&&technique| !self.techniques.has(technique));
        off.try_for_each(|technique| write!(f, ",{}=off", <&str>::from(technique)))
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Greedy => f.write_str("greedy"),
            Self::Search { level: Some(level), .. } => write!(f, "level={level}"),
            Self::Search { limits: SearchLimits { nodes: Some(nodes), .. }, .. } => {
                write!(f, "nodes={nodes}")
            }
            Self::Search { limits: SearchLimits { depth: Some(depth), .. }, .. } => {
                write!(f, "depth={depth}")
            }
            Self::Search { limits: SearchLimits { time, .. }, .. } => {
                write!(f, "time={}", time.unwrap_or_default().as_millis())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_round_trip_through_text() {
        for text in [
            "random",
            "greedy",
            "level=1",
            "level=8",
            "nodes=10000",
            "time=100",
            "depth=4",
            "greedy,network=some/file.net",
            "nodes=500,table=1,reductions=off,tablebase=off",
            "nodes=500,tablebase=built-in",
        ] {
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
        assert!(error("nodes=1,depth=1").starts_with("'depth=1' is not a setting: network=FILE"));
        assert!(error("nodes=1,quiescence=on").ends_with("futility=off, late-move-pruning=off"));
        assert!(error("nodes=1,table=0").starts_with("'0' is not a limit: table"));
    }
}
