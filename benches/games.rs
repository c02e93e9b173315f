//! How fast the rules are: counting leaves, and legal moves from a state text.
//!
//! `cargo bench --bench games`

use std::{fs, hint::black_box, path::Path};

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use cublino::{
    game::{Game, Notation, perft, perft::perft_by_spelling},
    games::GameId,
    with_game,
};

/// Leaves of a count that takes a few milliseconds to some tens of them.
const LEAVES: u64 = 500_000;

/// The states of the recorded games in which a player is to move.
fn states(game: GameId) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{game}.jsonl"));
    let text = fs::read_to_string(path).expect("the fixtures are part of the project");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON"));
    lines
        .filter(|line: &serde_json::Value| line["stage"] == "move")
        .filter_map(|line| Some(line["state"].as_str()?.to_owned()))
        .collect()
}

/// Leaves by result, at the first depth with enough of them to measure.
fn count_leaves<G: Game>(group: &mut BenchmarkGroup<WallTime>, game: GameId) {
    let start = G::default();
    let leaves = (1..).map(|depth| (depth, perft(&start, depth)));
    let (depth, leaves) = leaves.into_iter().find(|&(_, leaves)| leaves > LEAVES).expect("games branch");
    group.throughput(Throughput::Elements(leaves));
    group.bench_function(format!("{game}, depth {depth}"), |b| b.iter(|| perft(black_box(&start), depth)));
}

/// Leaves by listed move, every one of them played.
fn play_leaves<G: Notation>(group: &mut BenchmarkGroup<WallTime>, game: GameId) {
    let start = G::default();
    let leaves = (1..).map(|depth| (depth, perft_by_spelling(&start, depth)));
    let (depth, leaves) = leaves.into_iter().find(|&(_, leaves)| leaves > LEAVES).expect("games branch");
    group.throughput(Throughput::Elements(leaves));
    group.bench_function(format!("{game}, depth {depth}"), |b| {
        b.iter(|| perft_by_spelling(black_box(&start), depth));
    });
}

/// From the text of a state to its legal moves, by result: what a client that plays needs.
fn results_from_text<G: Game>(group: &mut BenchmarkGroup<WallTime>, game: GameId, states: &[String]) {
    let mut moves = Vec::new();
    group.bench_function(game.to_string(), |b| {
        b.iter(|| {
            for state in states {
                moves.clear();
                G::read(black_box(state)).unwrap().generate(&mut moves);
                black_box(&moves);
            }
        });
    });
}

/// From the text of a state to its legal moves, as they are listed in answers.
fn listed_from_text<G: Notation>(group: &mut BenchmarkGroup<WallTime>, game: GameId, states: &[String]) {
    group.bench_function(game.to_string(), |b| {
        b.iter(|| {
            for state in states {
                black_box(G::read(black_box(state)).unwrap().spellings());
            }
        });
    });
}

fn perfts(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    for &game in GameId::ALL {
        with_game!(game, G => count_leaves::<G>(&mut group, game));
    }
}

fn plays(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft, every leaf played");
    for &game in GameId::ALL {
        with_game!(game, G => play_leaves::<G>(&mut group, game));
    }
}

fn legal_moves(c: &mut Criterion) {
    let mut group = c.benchmark_group("moves from a state text");
    for &game in GameId::ALL {
        let states = states(game);
        group.throughput(Throughput::Elements(states.len() as u64));
        with_game!(game, G => results_from_text::<G>(&mut group, game, &states));
    }
    group.finish();
    let mut group = c.benchmark_group("listed moves from a state text");
    for &game in GameId::ALL {
        let states = states(game);
        group.throughput(Throughput::Elements(states.len() as u64));
        with_game!(game, G => listed_from_text::<G>(&mut group, game, &states));
    }
}

criterion_group!(benches, perfts, plays, legal_moves);
criterion_main!(benches);
