//! Prints the public items of a library, a line for each, from the JSON that rustdoc writes about it.

use std::{env, process::ExitCode};

use public_api::Builder;

fn main() -> ExitCode {
    let Some(json) = env::args_os().nth(1) else {
        eprintln!("usage: list-public-api JSON");
        return ExitCode::FAILURE;
    };
    // What every type has, and what is derived, would be most of the lines and say the least.
    let builder = Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true);
    match builder.build() {
        Ok(api) => {
            print!("{api}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
