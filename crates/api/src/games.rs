//! The descriptions of the games.

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Method, Operation, Visitor, roll::Rolled, visit};
use cublino_engine::{Level, MeasuredLevel, Playable, Strength};
use cublino_rules::{
    game::{Game, Notation},
    games::{
        GameId,
        cublino::{self, OrientationDescription},
        described::Position,
    },
    with_game,
};

/// All games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Games {
    /// The games, in a fixed order.
    pub games: Vec<GameSummary>,
}

/// What people call the players of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerNames {
    /// Player one, who starts.
    #[schema(example = "White")]
    pub one: Cow<'static, str>,
    /// Player two.
    #[schema(example = "Black")]
    pub two: Cow<'static, str>,
}

/// A game in a few lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Game)]
pub struct GameSummary {
    /// Its name in paths.
    pub id: GameId,
    /// Its name for people.
    #[schema(example = "Cublino Pur")]
    pub name: Cow<'static, str>,
    /// Whether it is played with dice that are rolled.
    pub dice: bool,
    /// The state it starts from.
    #[schema(example = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7")]
    pub start: String,
    /// Its goal, in one line.
    pub goal: Cow<'static, str>,
    /// How its states and moves are written, in one line.
    pub notation: Cow<'static, str>,
    /// What people call the players.
    pub players: PlayerNames,
    /// What the points count; null in games without points.
    #[schema(required, example = "prisoners")]
    pub points: Option<Cow<'static, str>>,
    /// Links to its operations, and to itself, relative to the address of this answer. Links that need a
    /// state contain the start state. `apply`, `analysis`, `random_positions` and `roll` need POST; `roll`
    /// is null in games without dice.
    pub links: BTreeMap<String, Option<String>>,
}

/// A game with its rules, its levels and, in Cublino, the 24 orientations of a die.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameDetails {
    /// The game in a few lines.
    #[serde(flatten)]
    pub game: GameSummary,
    /// The rules and the notation, with a worked example, in Markdown.
    pub rules: Cow<'static, str>,
    /// The levels at which `suggestion` can play, the weakest first.
    #[schema(min_items = 8, max_items = 8)]
    pub levels: Vec<LevelDescription>,
    /// The 24 orientations of a die in the order of their letters; null except in Cublino.
    #[schema(required, min_items = 24, max_items = 24)]
    pub orientations: Option<Vec<OrientationDescription>>,
}

/// How a level plays, and its measured strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Level)]
pub struct LevelDescription {
    /// Its number: 1, a beginner, to 8, nearly full strength.
    #[schema(minimum = 1, maximum = 8)]
    pub level: u8,
    /// Its name.
    #[schema(example = "club player")]
    pub name: Cow<'static, str>,
    /// Its rating in Elo points: the sum of the measured steps between levels. Random play has 0, and 400
    /// points more score 10 of 11 games. Null if it was not measured.
    #[schema(required, example = 1_650)]
    pub rating: Option<i32>,
    /// The depth of its searches, in plies; null if only the nodes limit them.
    #[schema(required, minimum = 1, example = 2)]
    pub depth: Option<u32>,
    /// Maximum nodes of a move.
    #[schema(minimum = 1, example = 100_000)]
    pub nodes: u64,
    /// Its measured strength; null if it was not measured.
    #[schema(required)]
    pub measured: Option<MeasuredLevel>,
}

/// All games.
///
/// ```
/// use cublino_rules::games::GameId;
///
/// let games = cublino_api::games::answer().games;
/// assert_eq!((games.len(), &*games[4].name), (GameId::ALL.len(), "Wari"));
/// assert_eq!(games[4].start, "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0");
/// ```
pub fn answer() -> Games {
    Games { games: GameId::ALL.iter().map(|&id| summary(id, "games/")).collect() }
}

/// A game with its rules.
///
/// ```
/// use cublino_rules::games::GameId;
///
/// let details = cublino_api::games::details(GameId::CublinoPur);
/// assert_eq!((details.levels.len(), details.orientations.map(|all| all.len())), (8, Some(24)));
/// ```
pub fn details(id: GameId) -> GameDetails {
    let (levels, start) = with_game!(id, G => (levels::<G>(), G::default().describe()));
    let orientations = matches!(start, Position::Cublino(_)).then(cublino::orientations);
    GameDetails { game: summary(id, ""), rules: id.about().rules.into(), levels, orientations }
}

/// What the levels are called, the weakest first.
const NAMES: [&str; 8] = [
    "first steps",
    "beginner",
    "club player",
    "strong club player",
    "expert",
    "master",
    "grandmaster",
    "full strength",
];

/// The levels of a game, the weakest first.
fn levels<G: Playable>() -> Vec<LevelDescription> {
    let measured: Vec<MeasuredLevel> =
        serde_json::from_str(G::FILES.levels).expect("a test reads the levels of every game");
    let describe = |level: Level| {
        let i = usize::from(level.get()) - 1;
        let Strength { depth, nodes, .. } = G::TUNING.levels[i];
        let up_to = measured.get(..=i);
        LevelDescription {
            level: level.get(),
            name: NAMES[i].into(),
            rating: up_to.map(rating),
            depth,
            nodes,
            measured: up_to.map(|measured| measured[i]),
        }
    };
    Level::all().map(describe).collect()
}

/// The rating of the last of these levels.
#[expect(clippy::cast_possible_truncation, reason = "a rating is a few thousand points")]
fn rating(levels: &[MeasuredLevel]) -> i32 {
    let points = |score: f64| 400.0 * (score / (1.0 - score)).log10();
    levels.iter().map(|level| points(level.score_against_below)).sum::<f64>().round() as i32
}

/// One game. Its links begin with the path from the answer to the folder of the games: a proxy may have
/// stripped what came before.
fn summary(id: GameId, folder: &str) -> GameSummary {
    let about = id.about();
    let [one, two] = about.players.map(Cow::Borrowed);
    let (dice, start) = with_game!(id, G => (!G::ROLLS.is_empty(), G::default().to_string()));
    let (path, query) = (format!("{folder}{}", about.id), format!("?state={start}"));
    let mut operations = Names::default();
    visit(&mut operations);
    let link = |(name, needs_state): (&str, bool)| {
        let query = if needs_state { &*query } else { "" };
        let is_known = dice || name != Rolled::NAME;
        let key = name.trim_end_matches(".svg").replace(['-', '/'], "_");
        (key, is_known.then(|| format!("{path}/{name}{query}")))
    };
    let mut links: BTreeMap<_, _> = operations.0.into_iter().map(link).collect();
    links.insert("self".to_owned(), Some(path));
    GameSummary {
        id,
        name: about.name.into(),
        dice,
        start,
        goal: about.goal.into(),
        notation: about.notation.into(),
        players: PlayerNames { one, two },
        points: about.points.map(Into::into),
        links,
    }
}

/// The names of the operations, and whether the link needs a state.
#[derive(Default)]
struct Names(Vec<(&'static str, bool)>);

impl Visitor for Names {
    fn visit<O: Operation>(&mut self) {
        let is_about_state = O::METHOD == Method::Get && O::state(&O::Question::default()).is_some();
        self.0.push((O::NAME, is_about_state));
    }
}
