//! What moves do that can be told as a gain of one player.

use super::explanation::ExplanationKind;
use cublino_rules::{
    game::{Game, Player, Stage},
    games::{
        cublino::{self, Square},
        described::{Described, Event, Position},
        mahbusa::{self, Point},
        wari,
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
    /// An own checker that was pinned is free.
    Freedom,
    /// A checker is borne off.
    BearOff,
}

impl EffectKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Dice, Self::Marbles, Self::Pin, Self::Freedom, Self::BearOff];

    /// The reason that one has lost something by it; nothing if that is none.
    pub const fn lost(self) -> Option<ExplanationKind> {
        match self {
            Self::Dice => Some(ExplanationKind::DiceLost),
            Self::Marbles => Some(ExplanationKind::MarblesCaptured),
            Self::Freedom => Some(ExplanationKind::CheckersFreed),
            // A line of play ends with the roll, so the opponent does neither in it.
            Self::Pin | Self::BearOff => None,
        }
    }

    /// The reason that one has not got it; nothing if that is none.
    pub const fn missed(self) -> Option<ExplanationKind> {
        match self {
            Self::Dice => Some(ExplanationKind::DiceMissed),
            Self::Marbles => Some(ExplanationKind::MarblesMissed),
            Self::Pin => Some(ExplanationKind::PinMissed),
            // Only the opponent's moves free a checker.
            Self::Freedom => None,
            Self::BearOff => Some(ExplanationKind::BearOffMissed),
        }
    }

    /// What a move does to gain it.
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

impl Effect {
    /// What a legal move is to the players: those of its effects that still hold when it has been played.
    pub fn of_move<G: Described>(position: &G, m: G::Move) -> Vec<Self> {
        let (spelling, after) = (position.spell(m), position.after(m));
        let events = position.events(&spelling).into_iter().map(Into::into);
        let mut effects: Vec<_> = events.filter_map(|event| Self::of(&event)).collect();
        for player in Player::ALL {
            let [before, after] = [position, &after].map(|position| pinned(position, player));
            let mut add = |kind, gains, points: &[Point], others: &[Point]| {
                effects.extend(points.iter().filter(|point| !others.contains(point)).map(|point| {
                    let shown = Some(point.seen_by(position.turn()).to_string());
                    Self { kind, gains, count: 1, place: Some(point.to_string()), shown }
                }));
            };
            add(EffectKind::Pin, !player, &after, &before);
            add(EffectKind::Freedom, player, &before, &after);
        }
        effects
    }

    /// What an event is to the players that no later event of the move undoes; nothing if neither gains.
    fn of(event: &Event) -> Option<Self> {
        let one = |kind, gains| Self { kind, gains, count: 1, place: None, shown: None };
        Some(match *event {
            Event::Cublino(cublino::Event::Removed { square, player }) => {
                let place = Some(square.to_string());
                Self { place: place.clone(), shown: place, ..one(EffectKind::Dice, !player) }
            }
            Event::Wari(wari::Event::Captured { player, total, .. }) => {
                Self { count: total.into(), ..one(EffectKind::Marbles, player) }
            }
            Event::Mahbusa(mahbusa::Event::BorneOff { player, .. }) => one(EffectKind::BearOff, player),
            _ => return None,
        })
    }
}

/// The points on which a checker of a player is pinned.
fn pinned<G: Described>(position: &G, player: Player) -> Vec<Point> {
    if G::ROLLS.is_empty() {
        return Vec::new();
    }
    let Position::Mahbusa(position) = position.describe().into() else { return Vec::new() };
    let pinned = position.points.iter().filter(|point| point.pinned && point.owner == Some(!player));
    pinned.map(|point| point.point).collect()
}

/// After how many of the 36 rolls the side to roll has a play after which a checker of the opponent is pinned
/// that was not; nothing where there is nothing to roll.
pub(super) fn count_pinning_rolls<G: Described>(position: &G) -> Option<u32> {
    if position.stage() != Stage::Roll {
        return None;
    }
    let pinned_before = pinned(position, !position.turn());
    let pins = |roll: G::Roll| {
        let mut rolled = *position;
        rolled.roll_unchecked(roll);
        let mut moves = Vec::new();
        if rolled.stage() == Stage::Move {
            rolled.generate(&mut moves);
        }
        moves.iter().any(|&m| {
            let pinned_after = pinned(&rolled.after(m), !position.turn());
            pinned_after.iter().any(|point| !pinned_before.contains(point))
        })
    };
    Some(G::ROLLS.iter().filter(|&&(roll, _)| pins(roll)).map(|&(_, weight)| weight).sum())
}

/// The position if the side to move did nothing; nothing if there is no such position.
pub(super) fn passed<G: Game>(position: &G) -> Option<G> {
    let state = position.to_string();
    let (turn, rest) = state.split_at(1);
    let turn = if position.turn() == Player::One { turn.to_lowercase() } else { turn.to_uppercase() };
    let passed = G::read(&format!("{turn}{rest}")).ok()?;
    (passed.turn() != position.turn()).then_some(passed)
}

/// How far a player still has to go in a race to the far rank, in ranks: with all dice in Pur, with the
/// foremost die in Contra. Nothing in other games, and for who has no dice.
pub(super) fn ranks_to_go<G: Described>(position: &G, player: Player) -> Option<u32> {
    let to_go = |dice: Vec<cublino::DieDescription>| {
        let own = dice.into_iter().filter(|die| die.player == player);
        own.map(|die| u32::from(ranks_ahead(die.square, player)))
    };
    match (position.describe().into(), G::ABOUT.id) {
        (Position::Cublino(board), "cublino-pur") => Some(to_go(board.dice).sum()),
        (Position::Cublino(board), "cublino-contra") => to_go(board.dice).min(),
        _ => None,
    }
}

/// The number of ranks from the first to the last.
const RANKS_TO_CROSS: u8 = 6;

/// How many ranks are ahead of a player's die on a square.
fn ranks_ahead(square: Square, player: Player) -> u8 {
    if player == Player::One { RANKS_TO_CROSS - square.rank() } else { square.rank() }
}

/// What a player can no longer defend, since dice never go back, as the end of a sentence and the squares: in
/// Ecke the own corners, with no die left on the first two ranks; in Contra the own side, against a die that
/// all of the player's dice have passed by two ranks or more.
pub(super) fn undefended<G: Described>(position: &G, player: Player) -> Option<(String, Vec<String>)> {
    let Position::Cublino(board) = position.describe().into() else { return None };
    let of = |owner| board.dice.iter().filter(move |die| die.player == owner);
    let hindmost = of(player).map(|die| RANKS_TO_CROSS - ranks_ahead(die.square, player)).min();
    match G::ABOUT.id {
        "cublino-ecke" => {
            let corners = if player == Player::One { ["a1", "g1"] } else { ["a7", "g7"] };
            let what = format!("guard {} or {}", corners[0], corners[1]);
            hindmost.filter(|&rank| rank >= 2).map(|_| (what, corners.map(str::to_owned).to_vec()))
        }
        "cublino-contra" => {
            let (ahead, square) =
                of(!player).map(|die| (ranks_ahead(die.square, !player), die.square)).min()?;
            let is_past = hindmost.is_none_or(|rank| rank >= ahead + 2);
            is_past.then(|| (format!("stop the die on {square}"), vec![square.to_string()]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cublino_rules::{game::Notation, games::Mahbusa};

    fn position_and_move(state: &str, spelling: &str) -> (Mahbusa, <Mahbusa as Game>::Move) {
        let position = Mahbusa::read(state).unwrap();
        (position, position.resolve(&spelling.parse().unwrap()).unwrap())
    }

    #[test]
    fn a_pin_that_the_same_play_lifts_is_none() {
        let (position, m) = position_and_move("M61-eabaa1baAaAAaA4B2A1H", "IH-HB");
        let effects = Effect::of_move(&position, m);
        let pins = effects.iter().filter(|effect| effect.kind == EffectKind::Pin);
        assert_eq!(pins.map(|pin| pin.place.as_deref()).collect::<Vec<_>>(), [Some("B")], "{effects:?}");
    }

    #[test]
    fn rolls_that_pin_are_counted_by_what_they_lead_to() {
        let (position, m) = position_and_move("m53-1A5cdbacaAHaAD6", "QL-LI");
        assert_eq!(count_pinning_rolls(&position.after(m)), Some(35));
    }
}
