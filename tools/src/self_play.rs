//! Playing games to learn from.

use std::{
    num::NonZeroUsize,
    ops::{ControlFlow, Range, RangeInclusive},
};

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{
    game_file::{TrainingGame, VALUE_ONE},
    training::Training,
};
use cublino_engine::{
    Control, Engine, GameResult, Learned, Options, Playable, RootPosition, SearchLimits, TranspositionTable,
    arena::{REPETITION_LIMIT, in_order, result_for},
};
use cublino_rules::game::{Notation, Player, Record, Stage, playout};

/// How games are played to learn from.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// What ends the search for a move.
    pub limits: SearchLimits,
    /// How many random plies a game begins with, each number as likely as another.
    pub opening: RangeInclusive<u32>,
    /// How likely a move later on is drawn at random, so that positions occur which nobody aims at.
    pub random: f64,
    /// How likely one of the players has a habit: see [`Training::is_avoided`].
    pub habits: f64,
    /// A game that takes more plies is given up.
    pub max_plies: u32,
    /// A position that occurs so often draws the game, where the rules do not say otherwise.
    pub repetition_limit: u32,
    /// Whether what the search expects is written down; not for an evaluation that knows nothing.
    pub values: bool,
    /// Whether what it expects before a roll, on average over all rolls, is written down as well, where a
    /// network is asked.
    pub values_before_rolls: bool,
}

impl SelfPlay {
    /// To find out what becomes of games: the search plays to the end after a few random plies, as in
    /// matches.
    #[must_use]
    pub fn to_calibrate(nodes: u64) -> Self {
        Self {
            limits: SearchLimits { nodes: Some(nodes), ..SearchLimits::default() },
            opening: 4..=8,
            random: 0.0,
            habits: 0.0,
            max_plies: 300,
            repetition_limit: REPETITION_LIMIT,
            values: true,
            values_before_rolls: false,
        }
    }
}

/// The size of a table: the searches are short.
const TABLE_BYTES: usize = 1 << 20;

/// Plays games by their numbers, which with the seed decide everything that is drawn, on as many threads as
/// are said. `on_game` gets them in the order of their numbers, and says whether to go on.
pub fn play<G: Training>(
    engine: &Engine,
    settings: &SelfPlay,
    numbers: Range<u64>,
    seed: u64,
    threads: NonZeroUsize,
    on_game: &mut dyn FnMut(TrainingGame) -> ControlFlow<()>,
) {
    let tables = (0..threads.get()).map(|_| TranspositionTable::new(TABLE_BYTES));
    in_order(
        tables,
        numbers,
        |table, number, _| {
            let mut rng = Pcg64Mcg::seed_from_u64(seed.wrapping_add(number));
            play_game::<G>(engine, settings, table, &mut rng)
        },
        on_game,
    );
}

/// Plays a game to its end, or until its result is proven.
fn play_game<G: Training>(
    engine: &Engine,
    settings: &SelfPlay,
    table: &mut TranspositionTable,
    rng: &mut impl Rng,
) -> TrainingGame {
    let start = G::default();
    let mut game =
        TrainingGame { state: start.to_string(), moves: Vec::new(), values: Vec::new(), result: 0 };
    let mut record = Record::new(start, Some(settings.repetition_limit));
    let opening = rng.random_range(settings.opening.clone());
    let habit_of =
        rng.random_bool(settings.habits).then(|| if rng.random() { Player::One } else { Player::Two });
    let habit = rng.random();
    for ply in 0..settings.max_plies {
        if let Stage::Roll = record.stage() {
            let position = record.position();
            let wanted = settings.values_before_rolls && !position.is_known();
            let value = wanted.then(|| expected_before_roll(&engine.evaluator, position));
            let roll = playout::roll::<G>(rng).expect("a game that rolls has rolls");
            enter(&mut record, &mut game, &roll.to_string());
            game.values.push(value.map(in_file));
        }
        if record.stage().outcome().is_some() {
            break;
        }
        let position = *record.position();
        let mut moves = Vec::new();
        if habit_of == Some(position.turn()) {
            position.generate(&mut moves);
            moves.retain(|&m| !position.is_avoided(m, habit));
        }
        let m = if ply < opening || rng.random_bool(settings.random) {
            game.values.push(None);
            playout::choose(&position, rng)
        } else {
            let (mut root, options) = (RootPosition::from(&record), Options::new(settings.limits));
            if !moves.is_empty() {
                root = root.with_moves(moves);
            }
            let analysis = engine.search(root, &options, &Control::new(), table, &mut |_| {});
            let value = analysis.lines[0].value;
            if let Some(proven) = value.proven {
                let result = match proven.result {
                    GameResult::Win => 1,
                    GameResult::Draw => 0,
                    GameResult::Loss => -1,
                };
                game.result = if position.turn() == Player::One { result } else { -result };
                game.moves.push(position.spell(analysis.best()).to_string());
                game.values.push(Some(in_file(value.expected)));
                return game;
            }
            game.values.push(settings.values.then(|| in_file(value.expected)));
            analysis.best()
        };
        enter(&mut record, &mut game, &position.spell(m).to_string());
    }
    game.result = result_for(&record, Player::One);
    game
}

/// Plays a legal move, or a roll where the dice are rolled, and writes it down.
fn enter<G: Notation>(record: &mut Record<G>, game: &mut TrainingGame, text: &str) {
    let Ok(ply) = record.play(text) else { unreachable!("{text} is legal in {}", record.position()) };
    game.moves.push(ply.text);
}

/// The result that is expected of a position in which the dice are to be rolled, one ply ahead: the mean over
/// all rolls of what the best static evaluation after a move makes of it, by the scale of the evaluator.
///
/// `evaluate` tells the same to a depth of 1, by a search for each roll, which takes several times as
/// long.
pub fn expected_before_roll<G: Playable>(evaluator: &Learned, position: &G) -> f64 {
    let (mut moves, mut sum, mut weights) = (Vec::new(), 0.0, 0);
    for &(roll, weight) in G::ROLLS {
        let rolled = position.rolled(roll);
        moves.clear();
        rolled.generate(&mut moves);
        let best = moves.iter().map(|&m| evaluator.static_score(&rolled, m)).max();
        sum += f64::from(weight) * best.expect("after a roll there is a move, if only to pass").expected();
        weights += weight;
    }
    sum / f64::from(weights)
}

#[expect(clippy::cast_possible_truncation, reason = "an expected result is between -1 and 1")]
fn in_file(expected: f64) -> i16 {
    (expected * f64::from(VALUE_ONE)).round() as i16
}
