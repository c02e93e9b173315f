//! How a position is to be seen.

use crate::game::{
    Player,
    drawing::{Draw, Effects},
};

/// How a position is to be seen, and what is to be shown on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View<G: Draw> {
    /// The player from whose side the board is seen.
    pub seen_by: Player,
    /// A legal move, drawn as an arrow with what it does.
    pub shown_move: Option<G::Spelling>,
    /// What the move did that led to the position.
    pub last: Option<Effects<G::Place>>,
    /// Places to be highlighted.
    pub highlighted: Vec<G::Place>,
    /// Whether there is a heading.
    pub header: bool,
    /// The width in pixels; as wide as it is drawn if nothing is said.
    pub size: Option<u16>,
    /// The colours.
    pub theme: Theme,
}

/// From the side of player one, with a heading.
impl<G: Draw> Default for View<G> {
    fn default() -> Self {
        Self {
            seen_by: Player::One,
            shown_move: None,
            last: None,
            highlighted: Vec::new(),
            header: true,
            size: None,
            theme: Theme::default(),
        }
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the reader prefers.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The class of the picture, and the name of the theme.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}
