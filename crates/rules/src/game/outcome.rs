//! How games end, and how they stand.

use std::{cmp::Ordering, fmt, ops::Not};

use serde::{Deserialize, Serialize};

/// What happens next.
///
/// ```
/// use cublino_rules::{game::*, games::*};
///
/// assert_eq!(Wari::default().stage(), Stage::Move);
/// assert_eq!(Mahbusa::default().stage(), Stage::Roll);
/// assert!(matches!(Contra::read("cWa1We7va7")?.stage(), Stage::Over(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The side to move picks one of the legal moves; there is at least one, perhaps only the pass.
    Move,
    /// The dice must be rolled for the side to move.
    Roll,
    /// The game has ended.
    Over(Outcome),
}

impl Stage {
    /// The outcome, if the game is over.
    pub const fn outcome(self) -> Option<Outcome> {
        if let Self::Over(outcome) = self { Some(outcome) } else { None }
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; nobody in a draw.
    pub winner: Option<Player>,
    /// The rule that ended the game.
    pub reason: EndReason,
    /// What each player got; nothing in games that are not played for points.
    pub points: Option<Points>,
}

impl Outcome {
    /// The outcome of a game that is won by the higher number of points.
    pub(crate) fn by_points(points: Points, reason: EndReason) -> Self {
        let winner = match points.one.cmp(&points.two) {
            Ordering::Greater => Some(Player::One),
            Ordering::Equal => None,
            Ordering::Less => Some(Player::Two),
        };
        Self { winner, reason, points: Some(points) }
    }

    /// The result for a player: 1 a win, 0 a draw, -1 a loss.
    ///
    /// ```
    /// use cublino_rules::game::{EndReason, Outcome, Player};
    ///
    /// let outcome = Outcome { winner: Some(Player::Two), reason: EndReason::Resigned, points: None };
    /// assert_eq!(Player::ALL.map(|player| outcome.result_for(player)), [-1, 1]);
    /// ```
    pub fn result_for(self, player: Player) -> i8 {
        i8::from(self.winner == Some(player)) - i8::from(self.winner == Some(!player))
    }
}

/// The rule that ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Reason))]
pub enum EndReason {
    /// Cublino Pur: a player has all seven dice on the far rank; the points decide.
    AllDiceHome,
    /// Cublino Contra: a die stands on its far rank.
    FarRankReached,
    /// Cublino Ecke: both corners of the opponent's end are held.
    CornersHeld,
    /// Cublino Ecke: the opponent has fewer than two dice.
    TooFewDice,
    /// Neither player can move, and nobody has won.
    NobodyCanMove,
    /// The position has occurred as often as the caller's limit allows.
    Repetition,
    /// Mahbusa: all fifteen checkers are borne off.
    BorneOff,
    /// Mahbusa: nobody can ever bear off.
    Deadlock,
    /// Wari: the player to move has no legal move.
    NoLegalMove,
    /// Wari: the marbles would go round for ever.
    EndlessPlay,
    /// A player resigned. No position shows it, only `resign` in the request.
    Resigned,
}

impl EndReason {
    /// The reason in a few words.
    ///
    /// ```
    /// use cublino_rules::game::EndReason;
    ///
    /// assert_eq!(EndReason::CornersHeld.in_words(), "both corners held");
    /// ```
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::AllDiceHome => "all dice home",
            Self::FarRankReached => "far rank reached",
            Self::CornersHeld => "both corners held",
            Self::TooFewDice => "too few dice left",
            Self::NobodyCanMove => "nobody can move",
            Self::Repetition => "repetition",
            Self::BorneOff => "all borne off",
            Self::Deadlock => "deadlock",
            Self::NoLegalMove => "no legal move",
            Self::EndlessPlay => "endless play",
            Self::Resigned => "resigned",
        }
    }
}

/// What each player has scored so far, or in the end.
///
/// Cublino Pur: the tops of the dice on the far rank. Mahbusa: checkers borne off. Wari: prisoners,
/// at the end with the marbles that each player takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Points {
    /// Points of player one.
    #[cfg_attr(feature = "openapi", schema(example = 26))]
    pub one: u8,
    /// Points of player two.
    #[cfg_attr(feature = "openapi", schema(example = 25))]
    pub two: u8,
}

/// Whether a game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Status {
    /// Nobody has won yet.
    InProgress,
    /// A player has won.
    Won,
    /// The game is over, and nobody has won.
    Drawn,
}

/// The score of a game: whether it is over, who has won and why, and the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Outcome))]
pub struct Standing {
    /// Whether the game goes on.
    pub status: Status,
    /// The winner; null while the game goes on and in a draw.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub winner: Option<Player>,
    /// The rule that ended the game; null while it goes on.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub reason: Option<EndReason>,
    /// The points so far or at the end; null in games without points.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub points: Option<Points>,
}

impl Standing {
    /// The standing of a game that goes on.
    pub const fn in_progress(points: Option<Points>) -> Self {
        Self { status: Status::InProgress, winner: None, reason: None, points }
    }
}

impl From<Outcome> for Standing {
    fn from(outcome: Outcome) -> Self {
        Self {
            status: if outcome.winner.is_some() { Status::Won } else { Status::Drawn },
            winner: outcome.winner,
            reason: Some(outcome.reason),
            points: outcome.points,
        }
    }
}

/// One of the two players of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Player {
    /// The player who starts: White in Cublino and Mahbusa, A in Wari.
    #[default]
    One,
    /// The other player: Black in Cublino and Mahbusa, B in Wari.
    Two,
}

impl Player {
    /// Both players, in order.
    pub const ALL: [Self; 2] = [Self::One, Self::Two];

    /// 0 for player one, 1 for player two.
    ///
    /// ```
    /// use cublino_rules::game::Player;
    ///
    /// assert_eq!(!Player::One, Player::Two);
    /// assert_eq!((Player::Two.index(), Player::Two.to_string()), (1, "player two".to_owned()));
    /// ```
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What people call the player where player one is White and player two Black.
    pub(crate) const fn colour(self) -> &'static str {
        ["White", "Black"][self.index()]
    }

    /// The player whose letter this is in a notation: upper case is player one's, lower case player two's.
    pub(crate) const fn of_case(letter: char) -> Self {
        if letter.is_ascii_lowercase() { Self::Two } else { Self::One }
    }

    /// An ASCII letter in this player's case.
    pub(crate) const fn in_case(self, letter: u8) -> u8 {
        match self {
            Self::One => letter.to_ascii_uppercase(),
            Self::Two => letter.to_ascii_lowercase(),
        }
    }
}

/// The opponent.
impl Not for Player {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["player one", "player two"][self.index()])
    }
}
