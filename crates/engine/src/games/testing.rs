//! Helpers for the tests of several games.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::{
    GameResult, Learned, Playable, Proven,
    testing::{depth, position, searched},
};
use cublino_rules::game::playout;

/// A state of Cublino seen from the other side of the board, with the players changed.
pub(super) fn cublino_turned_round(state: &str) -> String {
    let other_case = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let mut turned = other_case(state.chars().next().unwrap()).to_string();
    for die in state.as_bytes()[1..].chunks(3) {
        let first = if die[0].is_ascii_uppercase() { b'A' } else { b'a' };
        // The four orientations with the same top follow each other, and those that face apart are the outer
        // two and the inner two.
        let orientation = first + (die[0] - first) / 4 * 4 + 3 - (die[0] - first) % 4;
        turned.push(other_case(orientation.into()));
        turned.push((b'a' + b'g' - die[1]).into());
        turned.push((b'1' + b'7' - die[2]).into());
    }
    turned
}

/// Asserts that the evaluation of positions of random games, so many games of so many plies, is the same when
/// a state is turned round.
pub(super) fn assert_is_worth_the_same_from_the_other_side<G: Playable>(
    games: u32,
    plies: usize,
    turned_round: fn(&str) -> String,
) {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let units = |state: &str| Learned::built_in::<G>().evaluate(&position::<G>(state)).units();
    for _ in 0..games {
        for position in playout::positions(G::default(), plies, &mut rng) {
            let state = position.to_string();
            assert_eq!(units(&turned_round(&state)), units(&state), "{state}");
        }
    }
}

/// Asserts that a search finds a win by the next move, and knows that it is one.
pub(super) fn assert_won_by_next_move<G: Playable>(state: &str) {
    let position: G = position(state);
    let analysis = searched(&position, depth(4));
    let proven = Some(Proven { result: GameResult::Win, plies: Some(1) });
    assert_eq!(analysis.lines[0].value.proven, proven, "{state}");
    let won = position.after(analysis.best());
    assert!(won.stage().outcome().is_some(), "{state} {won}");
}
