//! Parsed positions and moves, for callers who do not want to parse the notation.

use serde::{Deserialize, Serialize};

use super::board::{CUPS, Cup};
use crate::game::Player;

/// A parsed Wari position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = WariPosition))]
pub struct Description {
    /// The marbles in cups 1 to 12, 0 to 48 each.
    #[cfg_attr(feature = "openapi", schema(schema_with = cups_schema))]
    pub cups: [u8; CUPS],
    /// The marbles that each player has captured.
    pub prisoners: Prisoners,
    /// The player with at least 25 prisoners, who is certain to win; null if there is none.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub decided_for: Option<Player>,
}

impl Description {
    /// The board in characters: B's cups above, from right to left, and A's below. The numbers of the cups
    /// are outside, the marbles in them inside.
    pub(crate) fn text(&self) -> String {
        let row = |numbers: &mut dyn Iterator<Item = usize>| {
            numbers.map(|number| format!("{number:>4}")).collect::<Vec<_>>().concat()
        };
        let marbles = |cups: &mut dyn Iterator<Item = usize>| row(&mut cups.map(|cup| self.cups[cup].into()));
        format!(
            "cup {}\n  B {}   {} prisoners\n  A {}   {} prisoners\ncup {}\n",
            row(&mut (7..=12).rev()),
            marbles(&mut (6..12).rev()),
            self.prisoners.two,
            marbles(&mut (0..6)),
            self.prisoners.one,
            row(&mut (1..=6)),
        )
    }
}

#[cfg(feature = "openapi")]
fn cups_schema() -> utoipa::openapi::Array {
    let example = serde_json::json!([5, 1, 6, 6, 0, 6, 0, 6, 6, 5, 5, 0]);
    crate::game::numbers("The marbles in cups 1 to 12, 0 to 48 each.", CUPS, [0, 48], example)
}

/// The marbles that each player has captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Prisoners {
    /// Player one's, 0 to 47.
    #[cfg_attr(feature = "openapi", schema(maximum = 47, example = 0))]
    pub one: u8,
    /// Player two's, 0 to 47.
    #[cfg_attr(feature = "openapi", schema(maximum = 47, example = 2))]
    pub two: u8,
}

/// The one step of a Wari move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = WariStep))]
pub enum StepDescription {
    /// A cup is emptied, and its marbles are sown one by one into the cups that follow.
    Sow {
        /// The cup that is emptied.
        from: Cup,
        /// How many marbles are sown, 1 to 48.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 48, example = 4))]
        count: u8,
    },
}

/// Something that happens while a Wari move is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = WariEvent))]
pub enum Event {
    /// Marbles were sown.
    Sown {
        /// The cup that was emptied.
        from: Cup,
        /// How many marbles were sown, 1 to 48.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 48, example = 4))]
        count: u8,
        /// The cup into which each marble fell, in order.
        #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 48, example = json!([6, 7, 8, 9])))]
        cups: Vec<Cup>,
    },
    /// Marbles were captured.
    Captured {
        /// Who has them now.
        player: Player,
        /// The cups from which they were taken, in order: the last cup sown into first.
        #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 5))]
        cups: Vec<EmptiedCup>,
        /// How many there are in all, 2 to 15. At least one cup keeps its marbles.
        #[cfg_attr(feature = "openapi", schema(minimum = 2, maximum = 15, example = 5))]
        total: u8,
    },
    /// The game is over, and a player took the marbles that were left on their own side.
    Swept {
        /// Who has them now.
        player: Player,
        /// The cups from which they were taken, in order.
        #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 6))]
        cups: Vec<EmptiedCup>,
        /// How many there are in all, 1 to 48.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 48, example = 9))]
        total: u8,
    },
}

/// A cup from which marbles were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EmptiedCup {
    /// The cup.
    pub cup: Cup,
    /// How many marbles it held: 2 or 3 in a capture, 1 to 48 at the end of the game.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 48, example = 2))]
    pub count: u8,
}

/// Marbles that count in the score of Wari.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = WariCounted))]
pub enum Counted {
    /// The prisoners that a player has taken, if there are any.
    Prisoners {
        /// How many there are, 2 to 47.
        #[cfg_attr(feature = "openapi", schema(minimum = 2, maximum = 47, example = 26))]
        count: u8,
    },
    /// A cup with marbles on the player's own side. They count for the player at the end.
    Cup {
        /// The cup.
        cup: Cup,
        /// How many marbles are in it, 1 to 48.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 48, example = 2))]
        count: u8,
    },
}
