//! How to show a position, and what a move shows in its picture.

use serde::{Deserialize, Serialize};

use crate::game::Player;

/// How to show a position, and what to mark on it: moves as they are written, and places.
///
/// ```
/// use cublino_rules::{game::*, games::*, render::View};
///
/// // Seen by player two, without the line above the board, and with an arrow.
/// let shown_move = Some("5".parse()?);
/// let view = View { seen_by: Player::Two, header: false, shown_move, ..View::default() };
/// assert!(Wari::default().picture(&view).contains("The arrow shows the move 5."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View<S, P> {
    /// The player from whose side the board is seen.
    pub seen_by: Player,
    /// A legal move, drawn as an arrow with what it does.
    pub shown_move: Option<S>,
    /// What the move did that led to the position.
    pub last: Option<Effects<P>>,
    /// Places to be highlighted.
    pub highlighted: Vec<P>,
    /// Whether there is a heading.
    pub header: bool,
    /// The width in pixels; `None` for the width of the `viewBox`.
    pub size: Option<u16>,
    /// The colours.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*, render::{Theme, View}};
    ///
    /// let dark = View { theme: Theme::Dark, ..View::default() };
    /// assert!(Pur::default().picture(&dark).contains(r#"class="picture dark""#));
    /// ```
    pub theme: Theme,
}

/// From the side of player one, with a heading.
impl<S, P> Default for View<S, P> {
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

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(default = "auto"))]
pub enum Theme {
    /// As the reader prefers.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// The places that a move touches, and what it does there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects<P> {
    /// Where pieces leave, pass and arrive, in order.
    pub(crate) touched: Vec<P>,
    /// Where something is taken: dice lost by either player, marbles captured, checkers pinned.
    pub(crate) taken: Vec<P>,
    /// The fights.
    pub(crate) fights: Vec<Fight<P>>,
    /// The same in sentences.
    pub in_words: Vec<String>,
}

impl<P> Effects<P> {
    /// The effects of a move that touches places and does nothing else.
    pub(crate) const fn touching(touched: Vec<P>) -> Self {
        Self { touched, taken: Vec::new(), fights: Vec::new(), in_words: Vec::new() }
    }
}

/// A fight between the piece that has moved and another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fight<P> {
    /// Where the moved piece is.
    pub attacker: P,
    /// Where the other is.
    pub defender: P,
    /// Whether the moved piece has won; nothing if the two are equal.
    pub won: Option<bool>,
}
