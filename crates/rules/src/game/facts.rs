//! What an analysis may say about positions and moves.

use super::Player;

/// Something certain about a position, or about what a legal move in it gains. An analysis compares the facts
/// of two lines of play, and puts them into words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub kind: FactKind,
    /// Who gains by it, or whose it is.
    pub player: Player,
    /// How many dice, marbles, checkers, ranks or rolls it is about.
    pub count: u32,
    /// The squares or points that it is about, as positions name them.
    pub places: Vec<String>,
    /// The same places as moves name them: points in the letters of the player who moves.
    pub shown: Vec<String>,
}

impl Fact {
    /// A number of things at no place.
    pub(crate) const fn counted(kind: FactKind, player: Player, count: u32) -> Self {
        Self { kind, player, count, places: Vec::new(), shown: Vec::new() }
    }

    /// One thing for each of some places, which moves and positions name alike.
    pub(crate) fn at(kind: FactKind, player: Player, places: impl IntoIterator<Item: ToString>) -> Self {
        let places: Vec<_> = places.into_iter().map(|place| place.to_string()).collect();
        let count = places.len().try_into().expect("a board has few places");
        Self { kind, player, count, shown: places.clone(), places }
    }
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactKind {
    /// A move takes an opponent's die.
    Dice,
    /// A move captures marbles.
    Marbles,
    /// A move pins an opponent's checker.
    Pin,
    /// A move frees an own checker that was pinned.
    Freedom,
    /// A move bears a checker off.
    BearOff,
    /// With this many of the 36 rolls, the player to roll can pin an opponent's checker.
    PinningRolls,
    /// The player has this many ranks to go in a race to the far rank.
    RanksToGo,
    /// The player has no die left that could stop the opponent's die on this square, since dice never go
    /// back.
    Unstoppable,
    /// The player has no die left that could guard these corners.
    Unguarded,
}
