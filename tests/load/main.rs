//! Tests under load. Each starts services of its own on free ports of this machine, prints its results, and
//! returns an error status if it has not passed.
//!
//! They take minutes, so `cargo test` compiles them and runs none. One is run by its name, such as `cargo
//! test --release --test load -- soak --seconds 300`; `--help` after the name describes it.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts and times become rates and percentages for people to read"
)]

#[expect(dead_code, reason = "the other tests use the rest")]
#[path = "../attacks/mod.rs"]
mod attacks;
mod batch;
mod memory_limit;
mod overload;
mod rolling;
mod service;
mod soak;
mod times;

use std::{env, process::ExitCode};

use clap::{Parser, Subcommand};

/// Tests under load
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    test: LoadTest,
}

#[derive(Subcommand)]
enum LoadTest {
    Batch(batch::Batch),
    MemoryLimit(memory_limit::MemoryLimit),
    Overload(overload::Overload),
    Rolling(rolling::Rolling),
    Soak(soak::Soak),
}

fn main() -> ExitCode {
    // `cargo test` gives its arguments to every test program: the names of other tests are ignored.
    if !env::args().nth(1).is_some_and(|name| LoadTest::has_subcommand(&name)) {
        println!("load tests run by name: batch, memory-limit, overload, rolling, soak");
        return ExitCode::SUCCESS;
    }
    let passed = match Arguments::parse().test {
        LoadTest::Batch(test) => test.run(),
        LoadTest::MemoryLimit(test) => test.run(),
        LoadTest::Overload(test) => test.run(),
        LoadTest::Rolling(test) => test.run(),
        LoadTest::Soak(test) => test.run(),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
