//! The library without the service: read a state, list its moves, search for a good one, and play it.
//!
//! `cargo run --release --example library` prints, with some depths left out:
//!
//! ```text
//! player two has 19 moves: b1a1, b1c1, b3b2, b3a3, b3d3, …
//! depth 1: a6a4
//! depth 8: a6a4
//! 411520 positions in 500.108382ms
//! then the state is Pcb1Wd1We1Gf1sb3Gc3Se3qa4Lc4va5cc5Je5vf7vg7
//! a1a9 is refused: 'a9' is not a square; a square is a file from a to g and a rank from 1 to 7
//! ```

use std::{error::Error, time::Duration};

use cublino::{
    engine::{Control, Engine, Options, SearchLimits, Tablebases, TranspositionTable},
    game::{Game, Notation, Record},
    games::Pur,
};

/// Memory of the search, in bytes.
const TABLE_BYTES: usize = 16 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    // The error would contain everything that is wrong with the text.
    let position = Pur::read("pcb1Wd1We1Gf1sb3Gc3Se3Lc4va5cc5Je5qa6vf7vg7")?;

    let moves = position.spellings();
    let first: Vec<_> = moves.iter().take(5).map(ToString::to_string).collect();
    println!("{} has {} moves: {}, …", position.turn(), moves.len(), first.join(", "));

    let limits = SearchLimits { time: Some(Duration::from_millis(500)), ..SearchLimits::default() };
    let (options, engine) = (Options::new(limits), Engine::built_in::<Pur>(Tablebases::built_in()));
    let mut table = TranspositionTable::new(TABLE_BYTES);
    let analysis = engine.search(&position, &options, &Control::new(), &mut table, &mut |analysis| {
        println!("depth {}: {}", analysis.depth, position.spell(analysis.best()));
    });
    println!("{} positions in {:?}", analysis.nodes, analysis.time);

    // A record plays moves as they are written, and says why one is not legal; it could end the game at a
    // repetition.
    let mut record = Record::new(position, None);
    record.play(&position.spell(analysis.best()).to_string())?;
    println!("then the state is {}", record.position());
    if let Err(refusal) = record.play("a1a9") {
        println!("a1a9 is refused: {refusal}");
    }
    Ok(())
}
