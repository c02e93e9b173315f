//! What several tests need.

use std::str::FromStr;

use cublino::game::Game;

/// The position that a valid state describes.
pub fn position<G: Game>(state: &str) -> G {
    let setup = G::Setup::from_str(state).unwrap_or_else(|faults| panic!("{state}: {faults}"));
    G::try_from(setup).unwrap_or_else(|faults| panic!("{state}: {faults}"))
}
