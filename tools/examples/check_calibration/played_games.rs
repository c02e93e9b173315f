//! Games that the search plays against itself.

use cublino::{
    game::{Notation, Player},
    search::{
        Control, Engine, Learned, Options, Playable, RootPosition, SearchLimits, Tablebases,
        TranspositionTable,
    },
};

use super::{self_play, tally::Sample};

/// A game that takes more moves counts as drawn.
const MAX_MOVES: u32 = 300;
/// Bytes of a table: the searches are short.
const TABLE_BYTES: usize = 1 << 20;

/// What is known of the positions of all games, in order.
pub fn samples<G: Playable + Notation>(games: u64, nodes: u64, seed: u64) -> Vec<Sample> {
    let engine = Engine::built_in::<G>(Tablebases::built_in());
    let options = Options::new(SearchLimits { nodes: Some(nodes), ..SearchLimits::default() });
    self_play::each(games, |game| play::<G>(game, seed.wrapping_add(game), &engine, &options)).concat()
}

/// Plays a game, and returns what is known of its positions.
fn play<G: Playable + Notation>(
    game: u64,
    seed: u64,
    engine: &Engine<Learned>,
    options: &Options,
) -> Vec<Sample> {
    let mut table = TranspositionTable::new(TABLE_BYTES);
    let mut found = Vec::new();
    let outcome = self_play::play::<G>(seed, MAX_MOVES, |record, _| {
        let root = RootPosition::from(record);
        let analysis = engine.search(root, options, &Control::new(), &mut table, &mut |_| {});
        let value = analysis.lines[0].value;
        if value.proven.is_none() {
            found.push((record.position().turn(), value));
        }
        analysis.best()
    });
    let result = |player: Player| f64::from(outcome.map_or(0, |outcome| outcome.result_for(player)));
    let samples = found.into_iter().map(|(player, value)| {
        let (player, value) = if value.expected < 0.0 { (!player, -value) } else { (player, value) };
        Sample { game, expected: value.expected, chances: value.chances, result: result(player) }
    });
    samples.collect()
}
