//! What moves gain, for those who explain games.

use super::Player;

/// A gain of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What is gained.
    pub kind: EffectKind,
    /// Who gains by it.
    pub gains: Player,
    /// How many dice, marbles or checkers it is about.
    pub count: u32,
    /// The square or point, if it is at one, as positions name it.
    pub place: Option<String>,
    /// The same as moves name it: points in the letters of the player who moves.
    pub shown: Option<String>,
}

/// What is gained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// An opponent's die leaves the board.
    Dice,
    /// Marbles are captured.
    Marbles,
    /// An opponent's checker is pinned.
    Pin,
    /// An own checker that was pinned is free.
    Freedom,
    /// A checker is borne off.
    BearOff,
}

impl EffectKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Dice, Self::Marbles, Self::Pin, Self::Freedom, Self::BearOff];

    /// What a move does to gain it.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Dice => "takes",
            Self::Marbles => "captures",
            Self::Pin => "pins",
            Self::Freedom => "frees",
            Self::BearOff => "bears off",
        }
    }

    /// What is gained, as the object of a sentence.
    #[must_use]
    pub fn described(self, count: u32, places: &[String]) -> String {
        let one = count == 1;
        match self {
            Self::Dice if one => format!("the die on {}", listed(places)),
            Self::Dice => format!("the dice on {}", listed(places)),
            Self::Marbles => format!("{count} marbles"),
            Self::Pin | Self::Freedom if one => format!("the checker on {}", listed(places)),
            Self::Pin | Self::Freedom => format!("the checkers on {}", listed(places)),
            Self::BearOff if one => "a checker".to_owned(),
            Self::BearOff => format!("{count} checkers"),
        }
    }
}

/// Some words with commas and an "and".
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}
