//! Random positions from games, for tests, openings and training.

use std::{collections::HashSet, marker::PhantomData, ops::RangeInclusive};

use rand::{RngExt, SeedableRng};
use rand_pcg::{Pcg64, Pcg64Mcg};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Bounds, Effort, Failure, Found, Method, Operation, Plan, Planned, Played, Ranged, Search, Seed, Series,
    Unanswered,
    json::{optional_object, optional_word},
    limits::{MAX_MOVES, MAX_POSITIONS, PRICES},
};
use cublino_engine::{
    Control, Engine, Level, LimitChecker, Options, Playable, RootPosition, SearchLimits, StoppedBy,
    Tablebases, TranspositionTable,
};
use cublino_rules::game::{Record, Stage, playout};

/// How many moves and rolls lead to a position.
pub type PlyCount = Ranged<0, { MAX_MOVES as u64 }>;

/// Which random positions to return.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomPositionsQuestion {
    /// How many positions to return. Default: 10.
    #[schema(inline, nullable, example = 3)]
    pub count: Option<Ranged<1, { MAX_POSITIONS as u64 }>>,
    /// Makes the answer reproducible on every machine. Default: random.
    #[schema(inline, nullable, example = 7)]
    pub seed: Option<Seed>,
    /// How many plies lead to a position. Default: 4 to 20.
    #[serde(default, deserialize_with = "optional_object", skip_serializing_if = "Option::is_none")]
    pub plies: Option<PlyRange>,
    /// How to play the games. Default: `random`.
    #[serde(default, deserialize_with = "optional_word", skip_serializing_if = "Option::is_none")]
    pub play: Option<PlayStyle>,
}

/// How many moves and rolls lead to a position. Each number in the range is equally likely.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlyRange {
    /// The minimum.
    // Because a function reads it, the error names it if it is missing.
    #[serde(deserialize_with = "PlyCount::deserialize")]
    #[schema(value_type = u64, maximum = 1000, example = 4)]
    pub from: PlyCount,
    /// The maximum: at least `from`, and at most the service's limit on moves.
    #[serde(deserialize_with = "PlyCount::deserialize")]
    #[schema(value_type = u64, maximum = 1000, example = 20)]
    pub to: PlyCount,
}

/// How to play the games that the positions come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayStyle {
    /// Random moves: each resulting position is equally likely.
    #[default]
    Random,
    /// Both players at level 4 of `suggestion`, with new random errors for each move.
    Good,
}

/// Random positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RandomPositions {
    /// The seed that reproduces this answer.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_u64, example = 7)]
    pub seed: u64,
    /// Distinct positions in progress. There are fewer than `count` if 200 games in a row bring no new one.
    #[schema(max_items = 1000)]
    pub positions: Vec<RandomPosition>,
}

/// The first NDJSON line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DrawnBy {
    /// The seed that reproduces this answer.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_u64, example = 7)]
    pub seed: u64,
}

/// A random position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RandomPosition {
    /// The state, in canonical form.
    #[schema(example = "pWa1Wb1Wc1Wd1Wf1Wg1Le2va7vb7vc7vd7ve7vf7vg7")]
    pub state: String,
    /// The moves from the start of the game, for `apply`. In games with dice, rolls are included.
    #[schema(max_items = 1000, example = json!(["e1e2"]))]
    pub moves: Vec<String>,
}

/// An NDJSON line: first the seed, then a position in each line, or a problem as the last line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum RandomPositionsLine {
    /// The first line.
    DrawnBy(DrawnBy),
    /// A position.
    Position(RandomPosition),
    /// The last line, if a position cannot be drawn.
    Undrawn(Unanswered<'static>),
}

/// The level of good players. By the analysis of 40 games of 16 plies, it loses between a quarter and a
/// little more than a half of what random play does; the next one hardly loses less, and takes four times as
/// long.
const GOOD_LEVEL: u8 = 4;

/// Plays a game up to the position to draw, or to its end. The result has the nodes of its searches.
fn draw<G: Played>(
    seed: u64,
    plies: RangeInclusive<usize>,
    play: PlayStyle,
    tablebases: &Tablebases,
    control: &Control,
    nodes: &mut u64,
) -> Result<Option<RandomPosition>, StoppedBy> {
    /// Enough for the searches of a level, and the same for every service, because results may depend on it.
    const TABLE_BYTES: usize = 64 * 1024;
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut table = TranspositionTable::new(TABLE_BYTES);
    let engine = Engine::built_in::<G>(tablebases.clone());
    let (limits, level) = (SearchLimits::default(), Level::try_from(GOOD_LEVEL).ok());
    let mut checker = LimitChecker::new(&limits, control);
    let plies = rng.random_range(plies);
    let mut record = Record::from(G::default());
    let mut moves = Vec::with_capacity(plies);
    while moves.len() < plies {
        checker.visit()?;
        let text = match (record.stage(), play) {
            (Stage::Over(_), _) => return Ok(None),
            (Stage::Roll, _) => {
                playout::roll::<G>(&mut rng).expect("a game that rolls has rolls").to_string()
            }
            (Stage::Move, PlayStyle::Random) => {
                let m = playout::choose(record.position(), &mut rng);
                record.position().spell(m).to_string()
            }
            (Stage::Move, PlayStyle::Good) => {
                let options = Options { level, seed: rng.random(), ..Options::new(limits) };
                let root = RootPosition::from(&record);
                let found = engine.search(root, &options, control, &mut table, &mut |_| {});
                *nodes += found.nodes;
                if found.stopped_by == StoppedBy::Time {
                    return Err(StoppedBy::Time);
                }
                record.position().spell(found.best()).to_string()
            }
        };
        moves.push(record.play(&text).expect("the move is legal").text);
    }
    let is_over = record.stage().outcome().is_some();
    Ok((!is_over).then(|| RandomPosition { state: record.position().to_string(), moves }))
}

/// After this many games in a row without a new position, drawing ends: there are hardly any others.
const FUTILE_GAMES: usize = 200;

/// Collects positions of games that are new, until there are enough.
struct Drawing<G> {
    seed: u64,
    count: usize,
    plies: RangeInclusive<usize>,
    play: PlayStyle,
    effort: Effort,
    tablebases: Tablebases,
    /// The seeds of the games. Each has its own, so it does not depend on the other games or on threads.
    seeds: Pcg64,
    futile: usize,
    drawn: HashSet<String>,
    game: PhantomData<G>,
}

impl<G: Played> Series<RandomPositions> for Drawing<G> {
    fn first_line(&self) -> Option<RandomPositionsLine> {
        Some(RandomPositionsLine::DrawnBy(DrawnBy { seed: self.seed }))
    }

    fn next(&mut self) -> Option<Search<Option<RandomPositionsLine>>> {
        let (seed, plies, play) = (self.seeds.random(), self.plies.clone(), self.play);
        let tablebases = self.tablebases.clone();
        Some(Search::new(self.effort, move |control, _| {
            let mut nodes = 0;
            let drawn = draw::<G>(seed, plies, play, &tablebases, control, &mut nodes);
            let stopped_by = drawn.as_ref().err().copied().unwrap_or(StoppedBy::Depth);
            let answer = drawn.ok().flatten().map(RandomPositionsLine::Position);
            Found { answer, nodes, time: control.elapsed(), stopped_by }
        }))
    }

    fn add(&mut self, found: Option<RandomPositionsLine>) -> Option<RandomPositionsLine> {
        let new = found.filter(|line| match line {
            RandomPositionsLine::Position(position) => self.drawn.insert(position.state.clone()),
            _ => false,
        });
        self.futile = if new.is_some() { 0 } else { self.futile + 1 };
        new
    }

    fn is_complete(&self) -> bool {
        self.drawn.len() == self.count || self.futile == FUTILE_GAMES
    }

    fn whole(&self) -> RandomPositions {
        RandomPositions { seed: self.seed, positions: Vec::new() }
    }
}

/// What a question asks for, with the defaults filled in.
fn wanted(question: &RandomPositionsQuestion) -> (usize, RangeInclusive<usize>, PlayStyle) {
    const DEFAULT_COUNT: usize = 10;
    let count = question.count.map_or(DEFAULT_COUNT, Ranged::to);
    let plies = question.plies.map_or(4..=20, |plies| plies.from.to()..=plies.to.to());
    (count, plies, question.play.unwrap_or_default())
}

/// The effort to play a game of so many plies.
fn effort<G: Playable>(play: PlayStyle, plies: usize) -> Effort {
    let depth = match play {
        PlayStyle::Random => Some(0),
        PlayStyle::Good => G::TUNING.levels[usize::from(GOOD_LEVEL) - 1].depth,
    };
    Effort { options: Options::new(SearchLimits { depth, ..SearchLimits::default() }), searches: plies }
}

impl Operation for RandomPositions {
    const NAME: &'static str = "random-positions";
    const METHOD: Method = Method::Post;
    const HAS_LINES: bool = true;

    type Question = RandomPositionsQuestion;
    type Item = RandomPositionsLine;

    fn state(_: &RandomPositionsQuestion) -> Option<&str> {
        None
    }

    fn plan<G: Played>(question: &RandomPositionsQuestion, _: &Bounds, _: Stage) -> Planned<G, Self> {
        let (count, plies, play) = wanted(question);
        if plies.is_empty() {
            let detail = format!("'plies' goes from {} to {}, which is less", plies.start(), plies.end());
            return Err(Failure::invalid_parameter("plies", detail));
        }
        Ok(Plan::Series(vec![(effort::<G>(play, *plies.end()), count)], |asked| {
            let (count, plies, play) = wanted(asked.question);
            let seed = Seed::or_drawn(asked.question.seed);
            Ok(Box::new(Drawing::<G> {
                seed,
                count,
                effort: effort::<G>(play, *plies.end()),
                plies,
                play,
                tablebases: asked.bounds.tablebases.clone(),
                seeds: Pcg64::seed_from_u64(seed),
                futile: 0,
                drawn: HashSet::new(),
                game: PhantomData,
            }))
        }))
    }

    fn price(question: &RandomPositionsQuestion) -> u32 {
        let (count, plies, _) = wanted(question);
        PRICES.of(count, count * plies.end())
    }
}
