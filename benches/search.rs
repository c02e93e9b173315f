//! How fast the search is: positions a second, and the time to each depth, from the start of every game.
//!
//! `cargo bench --bench search` prints a table; `-- cublino-contra 16` goes on to that depth in one game, and
//! `--off reductions` does without a technique. `--threads 2` tells how much sooner so many threads reach a
//! depth than one, in positions of games.

#![expect(clippy::cast_precision_loss, reason = "counts are turned into rates for people to read")]

use clap::Parser;
use cublino::{
    game::{Stage, playout},
    games::GameId,
    search::{
        Analysis, Control, Engine, Options, Playable, SearchLimits, StoppedBy, Tablebases, Technique,
        Techniques, TranspositionTable,
    },
    with_game,
};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Enough for the depths at which most of the time is spent, and few enough for all games to take seconds.
const NODES: u64 = 3_000_000;

/// More than a search thread of the service has by default: 16 MiB.
const TABLE_BYTES: usize = 64 << 20;

/// Positions of games in which several threads are compared with one, and how many positions one searches in
/// each.
const COMPARED: u64 = 16;
const COMPARED_NODES: u64 = 1_000_000;

/// How fast the search is
#[derive(Debug, Parser)]
struct Asked {
    /// The game; all of them without
    game: Option<GameId>,
    /// How deep to search; without, as deep as three million positions allow
    depth: Option<u32>,
    /// A technique to do without
    #[arg(long, value_parser = technique)]
    off: Vec<Technique>,
    /// How much sooner so many threads are at a depth than one
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// What cargo says to every benchmark
    #[arg(long = "bench", hide = true)]
    _from_cargo: bool,
}

fn technique(name: &str) -> Result<Technique, String> {
    let named = Technique::ALL.into_iter().find(|technique| technique.name() == name);
    named.ok_or_else(|| format!("the techniques are {}", Technique::ALL.map(Technique::name).join(", ")))
}

fn main() {
    let asked = Asked::parse();
    let techniques = asked.off.iter().fold(Techniques::default(), |techniques, &off| techniques.without(off));
    let nodes = asked.depth.is_none().then_some(NODES);
    let limits = SearchLimits { depth: asked.depth, nodes, ..SearchLimits::default() };
    for &game in GameId::ALL.iter().filter(|&&game| asked.game.is_none_or(|wanted| wanted == game)) {
        with_game!(game, G => if asked.threads > 1 {
            compare::<G>(game, asked.threads, techniques);
        } else {
            measure::<G>(game, limits, techniques);
        });
    }
}

/// Searches each position to the last depth that one thread finishes, in turn with one thread and with
/// several.
fn compare<G: Playable>(game: GameId, threads: usize, techniques: Techniques) {
    let engine = Engine { techniques, ..Engine::built_in::<G>(Tablebases::none()) };
    let mut table = TranspositionTable::new(TABLE_BYTES);
    let mut search = |position: &G, limits, threads| {
        let control = Control::new().with_threads(threads);
        engine.search(position, &Options::new(limits), &control, &mut table, &mut |_| {})
    };
    let (mut sooner, mut of_nodes) = (Vec::new(), Vec::new());
    for seed in 0..COMPARED {
        let position = later::<G>(seed, |position| {
            search(position, SearchLimits { nodes: Some(1_000), ..SearchLimits::default() }, 1).best()
        });
        let nodes = SearchLimits { nodes: Some(COMPARED_NODES), ..SearchLimits::default() };
        let alone = search(&position, nodes, 1);
        let depth = alone.depth - u32::from(!alone.complete);
        if alone.stopped_by != StoppedBy::Nodes || depth == 0 {
            continue;
        }
        let mut sums = [(0.0, 0); 2];
        for _ in 0..2 {
            for (sum, threads) in sums.iter_mut().zip([1, threads]) {
                let found = search(
                    &position,
                    SearchLimits { depth: Some(depth), ..SearchLimits::default() },
                    threads,
                );
                (sum.0, sum.1) = (sum.0 + found.time.as_secs_f64(), sum.1 + found.nodes);
            }
        }
        let [one, several] = sums;
        sooner.push(one.0 / several.0);
        of_nodes.push(several.1 as f64 / one.1 as f64);
    }
    println!(
        "{game}: {threads} threads are {:.2} times as soon at a depth as one, with {:.2} times the positions \
         (medians of {})",
        median(&mut sooner),
        median(&mut of_nodes),
        sooner.len()
    );
}

/// A position with a move to play, some plies after an opening drawn at random.
fn later<G: Playable>(seed: u64, mut choose: impl FnMut(&G) -> G::Move) -> G {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    loop {
        let mut position = playout::positions(G::default(), 4, &mut rng).last().expect("there is the start");
        for _ in 0..3 * (seed % 8) {
            position = match position.stage() {
                Stage::Move => position.after(choose(&position)),
                Stage::Roll => playout::step(&position, &mut rng),
                Stage::Over(_) => break,
            };
        }
        if position.stage() == Stage::Roll {
            position = playout::step(&position, &mut rng);
        }
        if position.stage() == Stage::Move {
            return position;
        }
    }
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
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
