//! What is known about a forced win.

/// What is known about a forced win of the attacker, in plies from the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinBound {
    /// They can force it within so many plies.
    Within(u32),
    /// They cannot force it within so many plies.
    NotWithin(u32),
}

impl WinBound {
    /// They cannot force it in any number of plies.
    pub const NEVER: Self = Self::NotWithin(u8::MAX as u32);

    /// They cannot within so many plies, or in any number if there is no telling so many apart.
    pub(super) fn not_within(plies: u32) -> Self {
        Self::NotWithin(plies.min(u8::MAX.into()))
    }

    /// Before any move was looked at: the side to move has nothing.
    pub(super) const fn without_moves(attacks: bool) -> Self {
        if attacks { Self::NEVER } else { Self::Within(0) }
    }

    /// Whether this is what the side to move wants, the attacker or the defender.
    pub(super) const fn suits(self, attacks: bool) -> bool {
        matches!(self, Self::Within(_)) == attacks
    }

    /// What the side to move has if it has both this, from moves that do not suit it, and another move.
    pub(super) fn or(self, other: Self, attacks: bool) -> Self {
        match (self, other) {
            (Self::Within(one), Self::Within(two)) if !attacks => Self::Within(one.max(two)),
            (Self::NotWithin(one), Self::NotWithin(two)) if attacks => Self::NotWithin(one.min(two)),
            _ => other,
        }
    }

    /// The same, seen from a ply earlier.
    pub(super) fn earlier(self) -> Self {
        match self {
            Self::Within(plies) => Self::Within(plies + 1),
            Self::NotWithin(plies) => Self::not_within(plies + 1),
        }
    }
}
