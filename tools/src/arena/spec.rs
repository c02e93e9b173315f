//! Descriptions of contestants.

use std::{fs, io, path::PathBuf, str::FromStr, time::Duration};

use cublino_engine::{
    Learned, Level, NotALevel, Playable, SearchLimits, Techniques,
    network::{MalformedNetwork, Network},
};

/// A contestant: how it plays, and with which settings, separated by commas.
///
/// It plays as `random`, `greedy`, or as a search: `level=3`, `nodes=10000`, `time=100` (milliseconds a
/// move), `depth=4`. The settings are `network=FILE` (the evaluation), `table=MIB`, `tablebase=built-in` (not
/// those of the match), a technique that is not to be used, such as `quiescence=off`, and a parameter of the
/// search, such as `futility=50`.
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
        "'{0}' is not a setting: network=FILE, table=1 to {MOST_TABLE_MIB} (MiB), tablebase=built-in, \
         {names}=off, or {numbers}",
        names = Techniques::names().collect::<Vec<_>>().join("=off, "),
        numbers = parameters()
    )]
    UnknownSetting(String),
    /// There is no such level.
    #[error("'{0}' is not a level: {NotALevel}")]
    Level(String),
    /// A limit is a number, at least 1.
    #[error("'{1}' is not a limit: {0} is a whole number, at least 1")]
    Limit(&'static str, String),
}

/// Why a network file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// It cannot be read.
    #[error("the network {path} cannot be read: {1}", path = .0.display())]
    Unreadable(PathBuf, io::Error),
    /// It does not hold a network of the game.
    #[error("{path} does not hold a network of this game: {1}", path = .0.display())]
    Malformed(PathBuf, MalformedNetwork),
}

/// The size of a table: ample for the short searches of matches.
const TABLE_MIB: usize = 16;
/// The largest table: 64 GiB.
const MOST_TABLE_MIB: usize = 65_536;

impl Spec {
    /// The evaluator of the contestant.
    pub(super) fn evaluator<G: Playable>(&self) -> Result<Learned, NetworkFileError> {
        let Some(path) = &self.network else { return Ok(Learned::built_in::<G>()) };
        let file = fs::read(path).map_err(|reason| NetworkFileError::Unreadable(path.clone(), reason))?;
        let network = Network::read(&file, G::FEATURES.count);
        network.map(Learned::from).map_err(|reason| NetworkFileError::Malformed(path.clone(), reason))
    }

    /// Reads a setting of a search.
    fn set(&mut self, setting: &str) -> Result<(), SpecError> {
        let unknown = || SpecError::UnknownSetting(setting.to_owned());
        let (name, value) = setting.split_once('=').ok_or_else(unknown)?;
        match (name, value) {
            ("network", file) => self.network = Some(file.into()),
            ("table", mib) => {
                let mib = mib.parse().ok().filter(|mib| (1..=MOST_TABLE_MIB).contains(mib));
                self.table_mib = mib.ok_or_else(unknown)?;
            }
            ("tablebase", "built-in") => self.has_built_in_tablebases = true,
            (name, "off") => {
                self.techniques = self.techniques.without_named(name).ok_or_else(unknown)?;
            }
            (name, value) => {
                let value = value.parse().map_err(|_| unknown())?;
                self.techniques = self.techniques.with_parameter(name, value).ok_or_else(unknown)?;
            }
        }
        Ok(())
    }
}

/// The parameters of a search with their ranges.
fn parameters() -> String {
    let range = |(name, [least, _, most]): (_, [i16; 3])| format!("{name}={least} to {most}");
    Techniques::parameters().map(range).collect::<Vec<_>>().join(", ")
}

fn number<T: TryFrom<u64>>(name: &'static str, found: &str) -> Result<T, SpecError> {
    let number = found.parse().ok().filter(|&number: &u64| number > 0);
    let limit = || SpecError::Limit(name, found.to_owned());
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
        let (mut level, mut limits) = (None, SearchLimits::default());
        match (text, text.split_once('=')) {
            ("random", _) => return Ok(Self::Random),
            ("greedy", _) => return Ok(Self::Greedy),
            (_, Some(("level", found))) => {
                level = found.parse().ok().and_then(|number: u8| Level::try_from(number).ok());
                if level.is_none() {
                    return Err(SpecError::Level(found.to_owned()));
                }
            }
            (_, Some(("nodes", found))) => limits.nodes = Some(number("nodes", found)?),
            (_, Some(("time", found))) => limits.time = Some(Duration::from_millis(number("time", found)?)),
            (_, Some(("depth", found))) => limits.depth = Some(number("depth", found)?),
            _ => return Err(SpecError::Unknown(text.to_owned())),
        }
        Ok(Self::Search { level, limits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_are_read_as_they_are_described() {
        let spec: Spec = "nodes=500,table=1,network=some/file.net,reductions=off,tablebase=off,futility=7"
            .parse()
            .unwrap();
        let limits = SearchLimits { nodes: Some(500), ..SearchLimits::default() };
        assert_eq!(spec.play, Play::Search { level: None, limits });
        assert_eq!((spec.network, spec.table_mib), (Some("some/file.net".into()), 1));
        let techniques = Techniques::default().with_parameter("futility", 7);
        let without = |techniques: Techniques, name| techniques.without_named(name);
        let techniques = ["reductions", "tablebase"].into_iter().try_fold(techniques.unwrap(), without);
        assert_eq!(Some(spec.techniques), techniques);

        let level = Level::try_from(8).unwrap();
        for (text, play) in [
            ("random", Play::Random),
            ("greedy", Play::Greedy),
            ("level=8", Play::Search { level: Some(level), limits: SearchLimits::default() }),
            (
                "time=100",
                Play::Search {
                    level: None,
                    limits: SearchLimits {
                        time: Some(Duration::from_millis(100)),
                        ..SearchLimits::default()
                    },
                },
            ),
            (
                "depth=4",
                Play::Search {
                    level: None,
                    limits: SearchLimits { depth: Some(4), ..SearchLimits::default() },
                },
            ),
        ] {
            assert_eq!(text.parse::<Spec>().unwrap().play, play);
        }
        assert!("greedy,tablebase=built-in".parse::<Spec>().unwrap().has_built_in_tablebases);
    }

    #[test]
    fn what_is_wrong_with_a_contestant_is_said() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert!(error("clever").starts_with("'clever' is not a player"));
        assert!(error("random=1").starts_with("'random=1' is not a player"));
        for level in ["0", "9", "-1", "", "one"] {
            let said = error(&format!("level={level}"));
            assert_eq!(said, format!("'{level}' is not a level: a level is a number from 1 to 8"));
        }
        assert!(error("nodes=0").starts_with("'0' is not a limit: nodes"));
        assert!(error("depth=4294967296").starts_with("'4294967296' is not a limit: depth"));
        assert!(error("time=").starts_with("'' is not a limit: time"));
        assert!(error("nodes=1,depth=1").starts_with("'depth=1' is not a setting: network=FILE"));
        let unknown = error("nodes=1,quiescence=on");
        assert!(unknown.contains("singular=off, or reduction=0 to 200, "), "{unknown}");
        assert_eq!(error("nodes=1,reduction=201").replace("reduction=201", "quiescence=on"), unknown);
        for table in ["table=0", "table=65537", "table=-1"] {
            let said = error(&format!("nodes=1,{table}"));
            assert!(said.starts_with(&format!("'{table}' is not a setting: ")), "{said}");
            assert!(said.contains(" table=1 to 65536 (MiB), "), "{said}");
        }
        assert!("nodes=1,table=65536".parse::<Spec>().is_ok());
    }
}
