//! A board of Wari.

use super::colour::coloured;
use crate::{game::Player, games::wari::Description};

/// Cups in a row.
const ROW: usize = 6;

/// Draws the board: B's cups above, from right to left, and A's below. The numbers of the cups are outside,
/// the marbles in them inside.
pub(super) fn draw(position: &Description) -> String {
    let (of_one, of_two) = position.cups.split_at(ROW);
    let cups = |player, marbles: &mut dyn Iterator<Item = &u8>| {
        marbles.map(|marbles| coloured(player, &format!("{marbles:>4}"))).collect::<Vec<_>>().concat()
    };
    let numbers = |numbers: &mut dyn Iterator<Item = usize>| {
        numbers.map(|number| format!("{number:>4}")).collect::<Vec<_>>().concat()
    };
    format!(
        "cup {}\n  B {}   {} prisoners\n  A {}   {} prisoners\ncup {}\n",
        numbers(&mut (ROW + 1..=2 * ROW).rev()),
        cups(Player::Two, &mut of_two.iter().rev()),
        position.prisoners.two,
        cups(Player::One, &mut of_one.iter()),
        position.prisoners.one,
        numbers(&mut (1..=ROW)),
    )
}
