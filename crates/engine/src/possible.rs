//! What can still become of a game.

use std::ops::RangeInclusive;

use super::{playable::Playable, tablebase::Tablebase};

/// The results that the side to move can still come to if both players play their best, from the worst to the
/// best: 1 a win, 0 a draw, -1 a loss. Only asked where the game goes on.
pub(super) fn possible<G: Playable>(
    position: &G,
    tablebase: Option<&dyn Tablebase<G>>,
) -> RangeInclusive<i8> {
    let best = |player| {
        let by_table = tablebase.map_or(1, |tablebase| tablebase.best_result(position, player));
        position.best_result(player).min(by_table)
    };
    -best(!position.turn())..=best(position.turn())
}

/// The same after a move, for the side that plays it.
pub(super) fn possible_after<G: Playable>(
    position: &G,
    m: G::Move,
    tablebase: Option<&dyn Tablebase<G>>,
) -> RangeInclusive<i8> {
    let next = position.after(m);
    if let Some(outcome) = next.stage().outcome() {
        let result = outcome.result_for(position.turn());
        return result..=result;
    }
    let after = possible(&next, tablebase);
    let is_same_turn = next.turn() == position.turn();
    let (worst, best) = if is_same_turn { after.into_inner() } else { (-after.end(), -after.start()) };
    // No move is worth more than the position.
    worst..=best.min(*possible(position, tablebase).end()).max(worst)
}
