//! Matches between players, to find out which is the stronger.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    ops::{ControlFlow, Range, RangeInclusive},
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use rand::{Rng, RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use self::spec::Play;
use cublino_engine::{Control, Engine, Options, Playable, RootPosition, Tablebases, TranspositionTable};
use cublino_rules::game::{EndReason, Game, Notation, Player, Record, Stage, playout};

mod report;
mod spec;
#[cfg(test)]
mod tests;

pub use self::{
    report::{Decision, Report, Sprt},
    spec::{NetworkFileError, Spec, SpecError},
};

/// The contestants and the length of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The contestant whose score is reported.
    pub one: Spec,
    /// The other contestant.
    pub two: Spec,
    /// How many games are played. Two games at a time share opening and rolls, with colours changed.
    pub games: u32,
    /// The seed of openings, rolls and contestants. Without limits on time, the same seed gives the same
    /// games, on any number of threads.
    pub seed: u64,
    /// How many games are played at a time.
    pub threads: NonZeroUsize,
}

/// A game with more plies after its opening is given up: it has no end, or is won and drags on.
const MOST_PLIES: u32 = 300;

/// Plays a match, pair by pair of games, on the threads of the config. The contestants have the same
/// tablebases, unless one asks for the built-in ones. `on_game` gets the report after each game, and the
/// game, in the order of their numbers; it decides whether to go on.
///
/// # Errors
/// Fails if the network of a contestant cannot be read.
pub fn run<G: Playable + Notation>(
    config: &Match,
    tablebases: &Tablebases,
    on_game: &mut dyn FnMut(&Report, &Played) -> ControlFlow<()>,
) -> Result<Report, NetworkFileError> {
    let contestant = |spec| Contestant::new::<G>(spec, tablebases);
    let pairs: Vec<[_; 2]> = (0..config.threads.get())
        .map(|_| Ok([contestant(&config.one)?, contestant(&config.two)?]))
        .collect::<Result<_, NetworkFileError>>()?;
    let mut report = Report::default();
    in_order(
        pairs,
        0..config.games.div_ceil(2).into(),
        |players, pair, is_over| {
            // A pair of games does not depend on those before.
            let seed = config.seed.wrapping_add(pair);
            for player in players.iter_mut() {
                player.begin_pair(seed);
            }
            // One opening, with colours changed; fewer than two games if the match has no more, or is over.
            let pair = u32::try_from(pair).expect("there are fewer pairs than games");
            let numbers = (2 * pair..config.games).take(2).take_while(|_| !is_over.load(Ordering::Relaxed));
            numbers.map(|number| play_game::<G>(number, seed, players)).collect::<Vec<_>>()
        },
        |games| {
            games.into_iter().try_for_each(|game| {
                report.add(&game);
                on_game(&report, &game.played)
            })
        },
    );
    Ok(report)
}

/// Plays a game to its end.
///
/// Without dice it also ends by a repetition that the rules decide, or in a draw when a position occurs for
/// the third time, as with that limit of `apply`. The contestants get the history of the game.
fn play_game<G: Playable + Notation>(number: u32, seed: u64, players: &mut [Contestant; 2]) -> Finished {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut record = Record::new(opening::<G>(&mut rng), Some(REPETITION_LIMIT));
    let state = record.position().to_string();
    let first = if number % 2 == 1 { Player::Two } else { Player::One };
    let (started, mut count) = (Instant::now(), 0);
    let moves = play_on(&mut record, MOST_PLIES, &mut rng, |record, _| {
        count += 1;
        players[usize::from(record.position().turn() != first)].choose(RootPosition::from(record))
    });
    let reason = record.stage().outcome().map(|outcome| outcome.reason);
    let (played, result) = (Played { state, moves }, result_for(&record, first));
    Finished { played, reason, result, moves: count, time: started.elapsed() }
}

/// Plays a game on to its end, or for `most_moves` moves. Rolls are random. Returns moves and rolls as
/// callers of `apply` write them.
pub fn play_on<G: Notation, R: Rng>(
    record: &mut Record<G>,
    most_moves: u32,
    rng: &mut R,
    mut choose: impl FnMut(&Record<G>, &mut R) -> G::Move,
) -> Vec<String> {
    let (mut played, mut moves) = (Vec::new(), 0);
    loop {
        let text = match record.stage() {
            Stage::Over(_) => return played,
            Stage::Roll => playout::roll::<G>(rng).expect("a game that rolls has rolls").to_string(),
            Stage::Move if moves == most_moves => return played,
            Stage::Move => {
                moves += 1;
                let m = choose(record, rng);
                record.position().spell(m).to_string()
            }
        };
        let Ok(ply) = record.play(&text) else { unreachable!("{text} is legal in {}", record.position()) };
        played.push(ply.text);
    }
}

/// The result of a game for a player: 1 a win, 0 a draw, -1 a loss. A game that was given up has the result
/// that the rules leave, or is drawn if they leave more than one.
pub fn result_for<G: Playable + Notation>(game: &Record<G>, player: Player) -> i8 {
    if let Stage::Over(outcome) = game.stage() {
        return outcome.result_for(player);
    }
    let (best, worst) = (game.position().best_result(player), -game.position().best_result(!player));
    if best == worst { best } else { 0 }
}

/// A player of matches, with what it needs to play.
#[derive(Debug)]
pub struct Contestant {
    play: Play,
    engine: Engine,
    rng: Pcg64Mcg,
    table: TranspositionTable,
}

impl Contestant {
    /// A contestant as it is described, with the tablebases of a match.
    ///
    /// # Errors
    /// Its network cannot be read.
    pub fn new<G: Playable>(spec: &Spec, tablebases: &Tablebases) -> Result<Self, NetworkFileError> {
        let techniques = spec.techniques;
        let tablebases =
            if spec.has_built_in_tablebases { Tablebases::built_in() } else { tablebases.clone() };
        Ok(Self {
            play: spec.play,
            engine: Engine { evaluator: spec.evaluator::<G>()?, tablebases, techniques },
            rng: Pcg64Mcg::seed_from_u64(0),
            table: TranspositionTable::new(spec.table_mib << 20),
        })
    }

    /// Draws from a new seed, so that a pair of games does not depend on those before.
    pub fn begin_pair(&mut self, seed: u64) {
        self.rng = Pcg64Mcg::seed_from_u64(seed);
    }

    /// Picks a move in a position that is in [`Stage::Move`].
    pub fn choose<G: Playable>(&mut self, root: RootPosition<G>) -> G::Move {
        let position = root.position;
        let mut moves = position.legal_moves();
        let of_some = "Stage::Move has a legal move";
        match self.play {
            Play::Random => *moves.choose(&mut self.rng).expect(of_some),
            // A random one of the best moves.
            Play::Greedy => {
                let score = |&m: &G::Move| self.engine.evaluator.static_score(&position, m);
                let best = moves.iter().map(score).max();
                moves.retain(|m| Some(score(m)) == best);
                *moves.choose(&mut self.rng).expect(of_some)
            }
            Play::Search { level, limits } => {
                let seed = if level.is_some() { self.rng.random() } else { 0 };
                let options = Options { level, seed, ..Options::new(limits) };
                self.engine.search(root, &options, &Control::new(), &mut self.table, &mut |_| {}).best()
            }
        }
    }
}

/// Random plies before the contestants take over: enough that hardly any two games are alike, few enough that
/// hardly any is decided.
const OPENING_PLIES: RangeInclusive<u32> = 2..=6;

/// The number of occurrences of a position that draws a game of a match.
pub const REPETITION_LIMIT: u32 = 3;

/// A game of a match.
struct Finished {
    played: Played,
    /// Why it ended; `None` if it was given up after too many plies.
    reason: Option<EndReason>,
    /// The result for the contestant whose score is reported.
    result: i8,
    /// Moves of both contestants, and the time that they have taken together.
    moves: u64,
    time: Duration,
}

/// A game that was played, as `POST /v1/games/{game}/apply` takes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// The state in which the game began.
    pub state: String,
    /// The moves, and the rolls where the dice were rolled.
    pub moves: Vec<String>,
}

/// A position after a few random moves in which the game goes on.
fn opening<G: Game>(rng: &mut impl Rng) -> G {
    loop {
        let plies = rng.random_range(OPENING_PLIES);
        let mut position = G::default();
        for _ in 0..plies {
            position = playout::step(&position, rng);
        }
        if position.stage().outcome().is_none() {
            return position;
        }
    }
}

/// Works on numbers, on a thread for each worker, and hands the results on in the order of the numbers.
/// `on_result` decides whether to go on; if not, the flag stops work in progress, and its results are lost.
pub fn in_order<W: Send, T: Send>(
    workers: impl IntoIterator<Item = W>,
    numbers: Range<u64>,
    work: impl Fn(&mut W, u64, &AtomicBool) -> T + Sync,
    mut on_result: impl FnMut(T) -> ControlFlow<()>,
) {
    let (next, is_over) = (AtomicU64::new(numbers.start), AtomicBool::new(false));
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for mut worker in workers {
            let (sender, next, is_over, work) = (sender.clone(), &next, &is_over, &work);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end || is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    // The receiver is gone once it is over.
                    if sender.send((number, work(&mut worker, number, is_over))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut due) = (BTreeMap::new(), numbers.start);
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&due) {
                due += 1;
                if on_result(result).is_break() {
                    is_over.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
}
