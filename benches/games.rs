//! How fast the rules are: counting leaves, and legal moves from a state text.
//!
//! `cargo bench --bench games`, or with `-- perft` or `-- moves` at the end one of the two.

use std::{
    env, fs,
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};

use cublino::{
    game::{Game, Notation, perft, perft_by_spelling},
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

/// Does something that many times over for a second and prints how often a second one was done: the median.
fn rate(name: &str, elements: u32, mut work: impl FnMut()) {
    let (mut times, began) = (Vec::new(), Instant::now());
    while began.elapsed() < Duration::from_secs(1) {
        let began = Instant::now();
        work();
        times.push(began.elapsed());
    }
    times.sort_unstable();
    let million = f64::from(elements) / times[times.len() / 2].as_secs_f64() / 1e6;
    println!("{name}: {million:.2} million/s");
}

/// Leaves at the first depth with enough of them to measure.
fn leaves<G: Game>(name: &str, count: impl Fn(&G, u32) -> u64) {
    let start = G::default();
    let (mut depth, mut leaves) = (0, 0);
    while leaves <= LEAVES {
        depth += 1;
        leaves = count(&start, depth);
    }
    let leaves = u32::try_from(leaves).expect("a depth has at most a thousand times as many as the last");
    rate(&format!("{name}, depth {depth}"), leaves, || _ = black_box(count(black_box(&start), depth)));
}

/// From the text of a state to its legal moves: what a client that plays needs.
fn moves<G: Notation>(game: GameId) {
    let states = states(game);
    let count = u32::try_from(states.len()).expect("there are a few thousand states");
    let mut moves = Vec::new();
    rate(&format!("moves of {game}, by result"), count, || {
        for state in &states {
            moves.clear();
            G::read(black_box(state)).unwrap().generate(&mut moves);
            black_box(&moves);
        }
    });
    rate(&format!("moves of {game}, as answers list them"), count, || {
        for state in &states {
            black_box(G::read(black_box(state)).unwrap().spellings());
        }
    });
}

fn main() {
    let wanted = env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    for &game in GameId::ALL {
        if "perft".starts_with(&wanted) {
            with_game!(game, G => leaves(&format!("perft of {game}, by result"), perft::<G>));
            let name = format!("perft of {game}, by listed move");
            with_game!(game, G => leaves(&name, perft_by_spelling::<G>));
        }
        if "moves".starts_with(&wanted) {
            with_game!(game, G => moves::<G>(game));
        }
    }
}
