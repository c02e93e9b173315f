//! Parsed positions and moves, for callers who do not want to parse the notation.

use serde::{Deserialize, Serialize};

use super::board::Point;
use crate::game::{Player, Points};

/// A parsed Mahbusa position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MahbusaPosition))]
pub struct Description {
    /// The 24 points in White's letters, from A to X.
    #[cfg_attr(feature = "openapi", schema(min_items = 24, max_items = 24))]
    pub points: Vec<PointDescription>,
    /// What the dice show, the larger number first; null before they are rolled and after the end.
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<crate::game::RollNumbers>))]
    pub roll: Option<[u8; 2]>,
    /// How many checkers each player has borne off.
    pub borne_off: Points,
}

/// A point of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MahbusaPoint))]
pub struct PointDescription {
    /// The point in White's letters; White's A is Black's X.
    pub point: Point,
    /// The player who holds the point; null if it is empty.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub owner: Option<Player>,
    /// How many checkers the owner has there, 0 to 15, without a pinned checker below them.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 15))]
    pub count: u8,
    /// Whether a checker of the owner's opponent is pinned under them.
    pub pinned: bool,
}

impl Description {
    /// The board in characters as a player sees it, in their letters: White's A is at the lower left, and
    /// Black sees the board turned round. White has square brackets, Black round ones; a star is a checker of
    /// the opponent that is pinned.
    pub(crate) fn text(&self, seen_by: Player) -> String {
        let (low, high) = self.points.split_at(12);
        let [lower, upper] = if seen_by == Player::One { [low, high] } else { [high, low] };
        let row = |points: &mut dyn Iterator<Item = String>| {
            let (left, right): (Vec<_>, Vec<_>) = ((&mut *points).take(6).collect(), points.collect());
            format!("{}| {}", left.concat(), right.concat()).trim_end().to_owned()
        };
        let letter = |point: &PointDescription| format!(" {}   ", point.point.seen_by(seen_by));
        let roll = self.roll.map(|[larger, smaller]| format!("   roll {larger} {smaller}"));
        format!(
            "{}\n{}\n\n{}\n{}\n\nborne off: White {}, Black {}{}\n",
            row(&mut upper.iter().rev().map(letter)),
            row(&mut upper.iter().rev().map(PointDescription::stack)),
            row(&mut lower.iter().map(PointDescription::stack)),
            row(&mut lower.iter().map(letter)),
            self.borne_off.one,
            self.borne_off.two,
            roll.unwrap_or_default(),
        )
    }
}

impl PointDescription {
    /// What stands on the point, five columns wide.
    fn stack(&self) -> String {
        let pinned = if self.pinned { "*" } else { "" };
        let stack = match self.owner {
            None => " .".to_owned(),
            Some(Player::One) => format!("[{}]{pinned}", self.count),
            Some(Player::Two) => format!("({}){pinned}", self.count),
        };
        format!("{stack:5}")
    }
}

/// One step of a Mahbusa move: one die played with one checker. Points are in the letters of the player who
/// moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MahbusaStep))]
pub enum StepDescription {
    /// A checker goes to another point.
    Move {
        /// Where it starts.
        from: Point,
        /// Where it ends.
        to: Point,
        /// The die that is played, 1 to 6.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
        die: u8,
    },
    /// A checker leaves the board.
    BearOff {
        /// Where it starts, on the home board.
        #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[A-F]$", example = "E"))]
        from: Point,
        /// The die that is played, 1 to 6.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
        die: u8,
    },
}

/// Something that happens while a Mahbusa move is played. Points are in White's letters, as in the position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MahbusaEvent))]
pub enum Event {
    /// A checker went to another point.
    Move {
        /// Whose it is.
        player: Player,
        /// Where it was.
        from: Point,
        /// Where it is now.
        to: Point,
        /// The die that was played, 1 to 6.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
        die: u8,
    },
    /// A checker was pinned by the one that has just arrived.
    Pinned {
        /// Whose checker is pinned.
        player: Player,
        /// Where it is.
        point: Point,
    },
    /// A checker was freed: the last checker on top of it left.
    Freed {
        /// Whose checker is free.
        player: Player,
        /// Where it is.
        point: Point,
    },
    /// A checker left the board.
    BorneOff {
        /// Whose it was.
        player: Player,
        /// Where it was.
        from: Point,
        /// The die that was played, 1 to 6.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
        die: u8,
    },
}

/// Checkers that count in the score of Mahbusa.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MahbusaCounted))]
pub enum Counted {
    /// The checkers that a player has borne off, if there are any.
    Checkers {
        /// How many there are, 1 to 15.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 15))]
        borne_off: u8,
    },
}
