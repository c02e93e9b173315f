//! Colours of the terminal.

use console::Style;

use crate::game::Player;

/// A text in the colour of a player, if the terminal has colours.
pub fn coloured(player: Player, text: &str) -> String {
    let style = match player {
        Player::One => Style::new().bold(),
        Player::Two => Style::new().cyan().bold(),
    };
    style.apply_to(text).to_string()
}
