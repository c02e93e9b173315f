//! Matches between players, to find out which is the stronger.

mod contestant;
mod finished;
mod played;
mod report;
mod spec;
mod sprt;

use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use self::{
    contestant::Contestant,
    finished::{Finished, opening, play},
};
pub use self::{
    played::{Played, Written},
    report::Report,
    spec::{NetworkFileError, Spec, SpecError},
    sprt::{Decision, NotATest, Sprt},
};
use super::{in_order::in_order, playable::Playable, tablebase::Tablebases};
use cublino_rules::game::Player;

/// Who plays a match, and how long it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The contestant whose score is reported.
    pub one: Spec,
    /// The other contestant.
    pub two: Spec,
    /// How many games are played. Two games at a time share opening and rolls, with colours changed.
    pub games: u32,
    /// What openings, rolls and contestants draw from. Without limits on time, and with one thread for each
    /// search, the same seed gives the same games, on any number of threads.
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

/// Plays a match between contestants with the same tablebases, unless one is to have those of the program,
/// pair by pair of games on as many threads as are said. `on_game` gets the report after each game, and the
/// game, in the order of their numbers; it says whether to go on.
///
/// # Errors
/// The network of a contestant cannot be read.
pub fn run<G: Playable>(
    config: &Match,
    tablebases: &Tablebases,
    on_game: &mut dyn FnMut(&Report, &Played<G>) -> ControlFlow<()>,
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
            let pair = u32::try_from(pair).expect("there are fewer pairs than games");
            play_pair::<G>(config, pair, players, is_over)
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

/// Plays the games with one opening, with colours changed; fewer than two if the match has no more, or is
/// over.
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
            let end = play(&mut played, config.max_plies, &mut rng, |root| {
                moves += 1;
                players[usize::from(root.position().turn() != first)].choose(root)
            });
            Finished { played, end, first, moves, time: started.elapsed() }
        })
        .collect()
}
