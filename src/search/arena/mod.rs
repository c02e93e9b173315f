//! Matches between players, to find out which is the stronger.

mod contestant;
mod played;
mod report;
mod spec;
mod sprt;

use std::{
    collections::{BTreeMap, HashMap},
    num::NonZeroUsize,
    ops::{ControlFlow, RangeInclusive},
    sync::{
        atomic::{AtomicBool, AtomicU32, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use self::{contestant::Contestant, played::Action};
pub use self::{
    played::{Played, Written},
    report::Report,
    spec::{Spec, SpecError},
    sprt::{NotATest, Sprt, Verdict},
};
use super::{Playable, Tablebases};
use crate::game::{Outcome, Player, Stage, playout};

/// Who plays a match, and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The contestant whose score is reported.
    pub one: Spec,
    /// The other contestant.
    pub two: Spec,
    /// How many games are played. Two games at a time share opening and rolls, with colours changed.
    pub games: u32,
    /// What openings, rolls and contestants draw from. Without limits on time the same seed gives the same games, on any number of
    /// threads.
    pub seed: u64,
    /// A game that takes more plies, its opening not counted, is given up.
    pub max_plies: u32,
    /// How many games are played at a time.
    pub threads: NonZeroUsize,
}

impl Match {
    /// A limit that only games without an end reach.
    pub const MAX_PLIES: u32 = 300;
}

/// Random plies before the contestants take over: enough that hardly two games are alike, few enough that hardly
/// one is decided.
const OPENING_PLIES: RangeInclusive<u32> = 2..=6;

/// Plays a match between contestants with the same tablebases, pair by pair of games on as many threads as are said. `on_game` gets the
/// report after each game, and the game, in the order of their numbers; it says whether to go on.
pub fn run<G: Playable>(
    config: &Match,
    tablebases: &Tablebases,
    on_game: &mut dyn FnMut(&Report, &Played<G>) -> ControlFlow<()>,
) -> Report {
    let mut report = Report::default();
    let (next, is_over) = (AtomicU32::new(0), AtomicBool::new(false));
    let (sender, finished) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..config.threads.get() {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            scope.spawn(move || {
                let mut players =
                    [config.one, config.two].map(|spec| Contestant::new(spec, tablebases.clone()));
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= config.games.div_ceil(2) || is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    // Nobody receives any more once the match is over.
                    if sender.send((pair, play_pair::<G>(config, pair, &mut players, is_over))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (pair, games) in finished {
            waiting.insert(pair, games);
            while let Some(games) = waiting.remove(&due) {
                due += 1;
                for game in games {
                    report.add(&game);
                    if on_game(&report, &game.played).is_break() {
                        is_over.store(true, Ordering::Relaxed);
                        return;
                    }
                }
            }
        }
    });
    report
}

/// So often a position may occur before a game is drawn.
const REPETITION_LIMIT: u32 = 3;

/// How a game of a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// By the rules.
    Over(Outcome),
    /// A position occurred for the third time.
    Repeated,
    /// It had so many plies that it was given up.
    GivenUp,
}

/// A game of a match.
struct Finished<G: Playable> {
    played: Played<G>,
    end: End,
    /// The contestant whose score is reported.
    first: Player,
    /// Moves of both contestants, and the time that they have taken together.
    moves: u64,
    time: Duration,
}

/// Plays the games with one opening, with colours changed; fewer than two if the match has no more, or is over.
fn play_pair<G: Playable>(
    config: &Match,
    pair: u32,
    players: &mut [Contestant; 2],
    is_over: &AtomicBool,
) -> Vec<Finished<G>> {
    let seed = config.seed.wrapping_add(pair.into());
    for player in players.iter_mut() {
        player.begin_pair(seed);
    }
    let numbers = (2 * pair..config.games).take(2).take_while(|_| !is_over.load(Ordering::Relaxed));
    numbers
        .map(|number| {
            let mut rng = Pcg64Mcg::seed_from_u64(seed);
            let start = opening::<G>(&mut rng);
            let first = if number % 2 == 1 { Player::Two } else { Player::One };
            let started = Instant::now();
            let mut played = Played::new(start);
            let mut moves = 0;
            let end = play(&mut played, config.max_plies, &mut rng, |position| {
                moves += 1;
                players[usize::from(position.turn() != first)].choose(position)
            });
            Finished { played, end, first, moves, time: started.elapsed() }
        })
        .collect()
}

/// A position after a few random moves in which the game goes on.
fn opening<G: Playable>(rng: &mut impl Rng) -> G {
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

/// Plays a game to its end.
///
/// Without dice it also ends when a position occurs again for the rules' own reason, or for the third time: then it is drawn, as for
/// callers who ask `apply` for that limit. Nothing would end it otherwise, since a search plays alike in the same position.
fn play<G: Playable>(
    played: &mut Played<G>,
    max_plies: u32,
    rng: &mut impl Rng,
    mut choose: impl FnMut(&G) -> G::Move,
) -> End {
    let mut position = *played.start();
    let mut occurred = HashMap::from([(position, 1)]);
    let mut plies = 0;
    loop {
        match position.stage() {
            Stage::Over(outcome) => return End::Over(outcome),
            Stage::Roll => {
                let roll = playout::roll::<G>(rng).expect("a game that rolls has rolls");
                position.roll_unchecked(roll);
                played.push(Action::Roll(roll));
                continue;
            }
            Stage::Move if plies == max_plies => return End::GivenUp,
            Stage::Move => {
                let m = choose(&position);
                position.play_unchecked(m);
                played.push(Action::Move(m));
                plies += 1;
            }
        }
        if G::ROLLS.is_empty() && position.stage().outcome().is_none() {
            let times = occurred.entry(position).or_insert(0);
            *times += 1;
            if let (2.., Some(outcome)) = (*times, position.outcome_if_repeated()) {
                return End::Over(outcome);
            }
            if *times == REPETITION_LIMIT {
                return End::Repeated;
            }
        }
    }
}
