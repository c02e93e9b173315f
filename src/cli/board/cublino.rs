//! A board of Cublino: each die with its top, and three of the faces around it.

use super::colour::coloured;
use crate::{
    game::Player,
    games::cublino::{Description, DieDescription},
};

/// Draws the board, rank 7 first, two lines for each rank. Above the top of a die stands its face towards
/// rank 7, and on both sides of it those towards files a and g. The top is in brackets: square ones for
/// White, round ones for Black. Opposite faces make seven.
pub(super) fn draw(position: &Description) -> String {
    let mut text = String::new();
    for rank in (1..=7).rev() {
        let dice: Vec<_> = ('a'..='g').map(|file| die_on(position, &format!("{file}{rank}"))).collect();
        let norths =
            dice.iter().map(|die| die.map_or("      ".to_owned(), |die| format!("   {}  ", die.faces.north)));
        let tops = dice.iter().map(|die| die.map_or("   .  ".to_owned(), top));
        let lines =
            [format!("  {}", norths.collect::<String>()), format!("{rank} {}", tops.collect::<String>())];
        for line in lines {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text + "     a     b     c     d     e     f     g\n"
}

fn die_on<'a>(position: &'a Description, square: &str) -> Option<&'a DieDescription> {
    position.dice.iter().find(|die| die.square.to_string() == square)
}

/// The top of a die, between the faces towards files a and g.
fn top(die: &DieDescription) -> String {
    let top = match die.player {
        Player::One => format!("[{}]", die.faces.top),
        Player::Two => format!("({})", die.faces.top),
    };
    format!(" {}{}{}", die.faces.west, coloured(die.player, &top), die.faces.east)
}
