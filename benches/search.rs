//! How fast the search is: nodes per second, and the time to each depth, from the start of every game.
//!
//! `cargo bench --bench search` prints a table; `-- cublino-contra 16` goes on to that depth in one game, and
//! `--off reductions` does without a technique.

#![expect(clippy::cast_precision_loss, reason = "counts are turned into rates for people to read")]

use clap::Parser;
use cublino::{
    engine::{
        Analysis, Control, Engine, Options, Playable, SearchLimits, Tablebases, Techniques,
        TranspositionTable,
    },
    game::{Stage, playout},
    games::GameId,
    with_game,
};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Enough for the depths at which most of the time is spent, and few enough for all games to take seconds.
const NODES: u64 = 3_000_000;

/// More than a search thread of the service has by default: 16 MiB.
const TABLE_BYTES: usize = 64 << 20;

/// How fast the search is
#[derive(Debug, Parser)]
struct Asked {
    /// The game; all games if omitted
    game: Option<GameId>,
    /// How deep to search; if omitted, as deep as three million nodes allow
    depth: Option<u32>,
    /// A search technique to switch off
    #[arg(long)]
    off: Vec<String>,
    /// What cargo passes to every benchmark
    #[arg(long = "bench", hide = true)]
    _from_cargo: bool,
}

fn main() {
    let asked = Asked::parse();
    let without = |techniques: Techniques, off: &String| techniques.without_named(off);
    let techniques = asked.off.iter().try_fold(Techniques::default(), without).expect("a technique");
    let nodes = asked.depth.is_none().then_some(NODES);
    let limits = SearchLimits { depth: asked.depth, nodes, ..SearchLimits::default() };
    for &game in GameId::ALL.iter().filter(|&&game| asked.game.is_none_or(|wanted| wanted == game)) {
        with_game!(game, G => measure::<G>(game, limits, techniques));
    }
}

fn measure<G: Playable>(game: GameId, limits: SearchLimits, techniques: Techniques) {
    let mut position = G::default();
    if position.stage() == Stage::Roll {
        position = playout::step(&position, &mut Pcg64Mcg::seed_from_u64(1));
    }
    println!("{game}: {position}\n{:>6} {:>12} {:>10} {:>12}", "depth", "nodes", "seconds", "nodes/second");
    let print = |analysis: &Analysis<G::Move>| {
        let (depth, nodes, seconds) = (analysis.depth, analysis.nodes, analysis.time.as_secs_f64());
        println!(
            "{depth:>6} {nodes:>12} {seconds:>10.3} {:>12.0}",
            nodes as f64 / seconds.max(f64::MIN_POSITIVE)
        );
    };
    let (mut table, options) = (TranspositionTable::new(TABLE_BYTES), Options::new(limits));
    let engine = Engine { techniques, ..Engine::built_in::<G>(Tablebases::none()) };
    engine.search(&position, &options, &Control::new(), &mut table, &mut { print });
}
