//! Self-play: games to learn from.

use std::{
    num::NonZeroUsize,
    ops::{ControlFlow, Range, RangeInclusive},
};

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{
    arena::{REPETITION_LIMIT, in_order, result_for},
    game_file::{TrainingGame, VALUE_ONE},
    training::Training,
};
use cublino_engine::{
    Control, Engine, GameResult, Learned, Options, Playable, RootPosition, SearchLimits, TranspositionTable,
};
use cublino_rules::game::{Notation, Player, Record, Stage, playout};

/// Settings of self-play.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The limits of the search for a move.
    pub limits: SearchLimits,
    /// Number of random plies at the start of a game, drawn uniformly.
    pub opening: RangeInclusive<u32>,
    /// Probability of a random move after the opening, so that positions occur that nobody aims at.
    pub random: f64,
    /// Probability that one player of a game has a habit: see [`Training::is_avoided`].
    pub habits: f64,
    /// A game is cut off after this many plies.
    pub max_plies: u32,
    /// A game is drawn when a position occurs this often, unless the rules say otherwise.
    pub repetition_limit: u32,
    /// Whether the expected results of the searches are recorded; not with an untrained network.
    pub values: bool,
    /// Whether the expected result before each roll, averaged over all rolls, is recorded as well, except in
    /// positions with a known score.
    pub values_before_rolls: bool,
}

impl SelfPlay {
    /// Settings of calibration games: as in matches, no move after the opening is random.
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

/// Bytes of a transposition table: the searches are short.
const TABLE_BYTES: usize = 1 << 20;

/// Plays the games with these numbers. The seed and the number of a game fix everything that is random in it.
/// `on_game` gets the games in the order of their numbers, and says whether to continue.
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
            let wanted = settings.values_before_rolls && position.evaluate().is_none();
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

/// Plays a legal move or a roll, and adds it to the game.
fn enter<G: Notation>(record: &mut Record<G>, game: &mut TrainingGame, text: &str) {
    let Ok(ply) = record.play(text) else { unreachable!("{text} is legal in {}", record.position()) };
    game.moves.push(ply.text);
}

/// The expected result of a position before a roll, searched one ply deep: the mean over all rolls of the
/// best static evaluation after a move, on the scale of the evaluator.
///
/// `evaluate` at depth 1 gives the same, but searches each roll, which takes several times as long.
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
