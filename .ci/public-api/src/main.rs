//! Prints the public items of a library, a line for each, from the JSON that rustdoc writes about it.

use std::{collections::HashSet, env, error::Error};

use public_api::Builder;

fn main() -> Result<(), Box<dyn Error>> {
    let json = env::args_os().nth(1).ok_or("usage: list-public-api JSON")?;
    // What every type has, and what is derived, would be most of the lines and say the least.
    let builder = Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true);
    print_each_once(builder.build()?.items().map(ToString::to_string));
    Ok(())
}

/// Prints each item once: the tool lists an implementation with the type, with the trait, and again for each
/// path to the type. What a trait has is listed with the trait, and not again for each type that implements
/// it.
fn print_each_once(items: impl Iterator<Item = String>) {
    let (mut printed, mut implementor) = (HashSet::new(), None);
    for item in items {
        if item.starts_with("impl") {
            implementor = item.split_once(" for ").map(|(_, name)| format!("{name}::"));
        }
        let is_of_trait = implementor.as_ref().is_some_and(|name| item.contains(name));
        if !is_of_trait && printed.insert(item.clone()) {
            println!("{item}");
        }
    }
}
