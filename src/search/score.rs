//! Scores: what a search compares, and what they mean to people.

use std::ops::{Neg, Not};

use serde::Serialize;
use utoipa::ToSchema;

use super::Evaluate;

/// A judgement of a position for the side to move, in the unit of the game's [`Evaluate`]; higher is better.
///
/// Judgements lie within ±[`Score::LIMIT`]. Beyond them are the games that are decided: a win is the better
/// the sooner it comes, a loss the later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

impl Score {
    /// A drawn game, and a position that is as good for one player as for the other.
    pub const DRAW: Self = Self(0);
    /// The bounds of judgements, far from those of the type, which leaves room for wins in any number of plies.
    pub const LIMIT: i32 = 20_000;
    /// A win that is already there.
    pub(super) const WIN: Self = Self(30_000);
    /// A win that is certain though nobody has counted the plies to it.
    const KNOWN: Self = Self(25_000);
    /// Beyond this are the games whose plies are counted; those that are certain otherwise are well below.
    const COUNTED: i16 = 28_000;
    /// Beyond all scores.
    pub(super) const INFINITY: Self = Self(31_000);

    /// A judgement; what lies beyond [`Score::LIMIT`] is cut off.
    #[inline]
    #[must_use]
    pub const fn new(units: i32) -> Self {
        if units > Self::LIMIT {
            Self(Self::LIMIT as i16)
        } else if units < -Self::LIMIT {
            Self(-Self::LIMIT as i16)
        } else {
            Self(units as i16)
        }
    }

    /// The number of units.
    #[inline]
    #[must_use]
    pub const fn units(self) -> i32 {
        self.0 as i32
    }

    /// A finished game, by its result for the side to move (1, 0 or -1), as seen from so many plies before.
    #[inline]
    pub(super) const fn over(result: i8, plies: u32) -> Self {
        Self(result as i16 * (Self::WIN.0 - plies as i16))
    }

    /// A position that has occurred before, for the side to move: drawn, unless the rules say otherwise. A judgement
    /// in any case.
    pub(super) fn repeated<G: Evaluate>(position: &G) -> Self {
        let ended = position.outcome_if_repeated();
        ended.map_or(Self::DRAW, |end| Self::new(i32::from(end.result_for(position.turn())) * Self::LIMIT))
    }

    /// A win that is certain, as seen from so many plies before the position that it is known of.
    #[inline]
    pub(super) const fn known_win(plies: u32) -> Self {
        Self(Self::KNOWN.0 - plies as i16)
    }

    /// Whether the number of plies to a win or a loss is known.
    pub(super) const fn is_counted(self) -> bool {
        self.0.abs() > Self::COUNTED
    }

    pub(super) const fn is_win(self) -> bool {
        self.0 > Self::LIMIT as i16
    }

    pub(super) const fn is_loss(self) -> bool {
        self.0 < -Self::LIMIT as i16
    }

    /// In how many plies a game that is decided is over.
    const fn plies(self) -> u32 {
        (Self::WIN.0 - self.0.abs()) as u32
    }

    /// The same, seen from so many plies earlier.
    pub(super) const fn earlier(self, plies: u32) -> Self {
        if self.is_win() {
            Self(self.0 - plies as i16)
        } else if self.is_loss() {
            Self(self.0 + plies as i16)
        } else {
            self
        }
    }

    /// The same, seen from so many plies later.
    pub(super) const fn later(self, plies: u32) -> Self {
        if self.is_win() {
            Self(self.0 + plies as i16)
        } else if self.is_loss() {
            Self(self.0 - plies as i16)
        } else {
            self
        }
    }

    /// A judgement with something added to it. What is decided stays as it is.
    pub(super) const fn with_bias(self, bias: i32) -> Self {
        if self.is_win() || self.is_loss() { self } else { Self::new(self.units() + bias) }
    }

    /// The score that must be exceeded for it to be above this one [with a bias](Self::with_bias).
    pub(super) const fn without_bias(self, bias: i32) -> Self {
        if self.is_win() || self.is_loss() { self } else { Self((self.units() - bias) as i16) }
    }

    /// The next higher score.
    pub(super) const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The bits, to be packed.
    pub(super) const fn to_bits(self) -> u16 {
        self.0 as u16
    }

    /// What [`to_bits`](Self::to_bits) gave.
    pub(super) const fn from_bits(bits: u16) -> Self {
        Self(bits as i16)
    }

    /// The expected result, -1 to 1: `s / sqrt(s² + scale²)` for a judgement.
    ///
    /// Of the curves that rise from -1 to 1 this one needs nothing but a square root, which every machine rounds
    /// alike.
    pub(super) fn expected<G: Evaluate>(self) -> f64 {
        if self.is_win() {
            1.0
        } else if self.is_loss() {
            -1.0
        } else {
            let units = f64::from(self.0);
            units / (units * units + G::SCALE * G::SCALE).sqrt()
        }
    }

    /// The highest score of which nothing above can be expected to give less than this: what is at most this high is
    /// at most `expected`. Below all scores if nothing is.
    pub(super) fn at_most<G: Evaluate>(expected: f64) -> Self {
        if expected <= -1.0 { -Self::INFINITY } else { Self(Self::of_expected::<G>(expected.min(1.0)).0 - 1) }
    }

    /// A score from which on at least this much is expected. Above all scores if nothing is.
    pub(super) fn at_least<G: Evaluate>(expected: f64) -> Self {
        -Self::at_most::<G>(-expected)
    }

    /// The judgement with this expected result: the inverse of [`expected`](Self::expected).
    pub(super) fn of_expected<G: Evaluate>(expected: f64) -> Self {
        let rest = (1.0 - expected * expected).max(f64::EPSILON).sqrt();
        Self::new((G::SCALE * expected / rest).round() as i32)
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// A result for one of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// This player wins.
    Win,
    /// Nobody wins.
    Draw,
    /// The opponent wins.
    Loss,
}

impl GameResult {
    /// The result that a number stands for: 1 a win, 0 a draw, -1 a loss.
    pub(super) const fn of(number: i8) -> Self {
        match number {
            1.. => Self::Win,
            0 => Self::Draw,
            _ => Self::Loss,
        }
    }
}

/// The same for the other player.
impl Not for GameResult {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// A result that follows from the rules, whatever the opponent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Proven {
    /// The result for the side to move.
    pub result: GameResult,
    /// In how many plies the game is over if both play their best.
    pub plies: u32,
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Value {
    /// The expected result: 1 a win, 0 a draw, -1 a loss.
    #[schema(minimum = -1, maximum = 1, example = 0.12)]
    pub expected: f64,
    /// The result, if it is certain.
    #[schema(required)]
    pub proven: Option<Proven>,
}

impl Value {
    /// What a score means; `drawn_in` is the number of plies after which the game is drawn, if that is certain.
    pub(super) fn of<G: Evaluate>(score: Score, drawn_in: Option<u32>) -> Self {
        let proven = if score.is_counted() {
            let result = if score.is_win() { GameResult::Win } else { GameResult::Loss };
            Some(Proven { result, plies: score.plies() })
        } else {
            drawn_in.map(|plies| Proven { result: GameResult::Draw, plies })
        };
        let expected = if drawn_in.is_some() { 0.0 } else { score.expected::<G>() };
        Self { expected, proven }
    }
}
