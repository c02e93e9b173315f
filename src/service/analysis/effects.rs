//! What moves do that can be told as a gain of one player.

use super::explanation::ExplanationKind;
use crate::{
    game::{Player, Stage},
    games::{
        cublino,
        described::{Described, Event},
        mahbusa, wari,
    },
};

/// A gain of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Effect {
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
pub(super) enum EffectKind {
    /// An opponent's die leaves the board.
    Dice,
    /// Marbles are captured.
    Marbles,
    /// An opponent's checker is pinned.
    Pin,
    /// A checker is borne off.
    BearOff,
}

impl EffectKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Dice, Self::Marbles, Self::Pin, Self::BearOff];

    /// The reason that one has lost something by it; nothing if that is none.
    pub const fn lost(self) -> Option<ExplanationKind> {
        match self {
            Self::Dice => Some(ExplanationKind::DiceLost),
            Self::Marbles => Some(ExplanationKind::MarblesCaptured),
            // A line of play ends with the roll, so nothing is lost in it.
            Self::Pin | Self::BearOff => None,
        }
    }

    /// The reason that one has not got it.
    pub const fn missed(self) -> ExplanationKind {
        match self {
            Self::Dice => ExplanationKind::DiceMissed,
            Self::Marbles => ExplanationKind::MarblesMissed,
            Self::Pin => ExplanationKind::PinMissed,
            Self::BearOff => ExplanationKind::BearOffMissed,
        }
    }

    /// What a move does to gain it.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Dice => "takes",
            Self::Marbles => "captures",
            Self::Pin => "pins",
            Self::BearOff => "bears off",
        }
    }

    /// What is gained, as the object of a sentence.
    pub fn described(self, count: u32, places: &[String]) -> String {
        let one = count == 1;
        match self {
            Self::Dice if one => format!("the die on {}", listed(places)),
            Self::Dice => format!("the dice on {}", listed(places)),
            Self::Marbles => format!("{count} marbles"),
            Self::Pin if one => format!("the checker on {}", listed(places)),
            Self::Pin => format!("the checkers on {}", listed(places)),
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

impl Effect {
    /// What an event is to the players; nothing if neither gains by it.
    pub fn of(event: &Event) -> Option<Self> {
        let one = |kind, gains| Self { kind, gains, count: 1, place: None, shown: None };
        Some(match *event {
            Event::Cublino(cublino::Event::Removed { square, player }) => {
                let place = Some(square.to_string());
                Self { place: place.clone(), shown: place, ..one(EffectKind::Dice, !player) }
            }
            Event::Wari(wari::Event::Captured { player, total, .. }) => {
                Self { count: total.into(), ..one(EffectKind::Marbles, player) }
            }
            Event::Mahbusa(mahbusa::Event::Pinned { player, point }) => {
                let (place, shown) = (point.to_string(), point.seen_by(!player).to_string());
                Self { place: Some(place), shown: Some(shown), ..one(EffectKind::Pin, !player) }
            }
            Event::Mahbusa(mahbusa::Event::BorneOff { player, .. }) => one(EffectKind::BearOff, player),
            _ => return None,
        })
    }
}

/// After how many of the 36 rolls the side to roll has a play that pins a checker of a player; nothing where
/// there is nothing to roll.
pub(super) fn count_pinning_rolls<G: Described>(position: &G, player: Player) -> Option<u32> {
    if position.stage() != Stage::Roll || position.turn() == player {
        return None;
    }
    let pins = |roll: G::Roll| {
        let mut rolled = *position;
        rolled.roll_unchecked(roll);
        let mut spellings = Vec::new();
        if rolled.stage() == Stage::Move {
            rolled.spellings(&mut spellings);
        }
        let mut events = spellings.iter().flat_map(|spelling| rolled.events(spelling));
        events.any(|event| {
            let effect = Effect::of(&event.into());
            effect.is_some_and(|effect| effect.kind == EffectKind::Pin && effect.gains != player)
        })
    };
    Some(G::ROLLS.iter().filter(|&&(roll, _)| pins(roll)).map(|&(_, weight)| weight).sum())
}
