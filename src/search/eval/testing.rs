//! What the tests of several evaluations need.

use crate::{
    game::Game,
    search::{Control, Evaluate, GameResult, Knowledge, Limits, Options, Proven, Table, search},
};

/// A position by its notation.
pub(super) fn position<G: Game>(state: &str) -> G {
    G::try_from(state.parse().unwrap()).unwrap()
}

/// A state of Cublino seen from the other side of the board, with the players changed.
pub(super) fn turned_round(state: &str) -> String {
    let other_case = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let mut turned = other_case(state.chars().next().unwrap()).to_string();
    for die in state.as_bytes()[1..].chunks(3) {
        let first = if die[0].is_ascii_uppercase() { b'A' } else { b'a' };
        // The four orientations with the same top follow each other, and those that face apart are the outer two and
        // the inner two.
        let orientation = first + (die[0] - first) / 4 * 4 + 3 - (die[0] - first) % 4;
        turned.push(other_case(orientation.into()));
        turned.push((b'a' + b'g' - die[1]).into());
        turned.push((b'1' + b'7' - die[2]).into());
    }
    turned
}

/// Asserts that a search finds a win by the next move, and knows that it is one.
pub(super) fn assert_won_by_next_move<G: Evaluate>(state: &str) {
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let analysis = search(
        &position::<G>(state),
        &Options::new(limits),
        &Knowledge::none(),
        &Control::new(),
        &mut Table::new(1 << 20),
        &mut |_| {},
    );
    let proven = Some(Proven { result: GameResult::Win, plies: Some(1) });
    assert_eq!(analysis.lines[0].value.proven, proven, "{state}");
    let won = position::<G>(state).after(analysis.best());
    assert!(won.stage().outcome().is_some(), "{state} {won}");
}
