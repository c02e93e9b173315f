//! Scores: what a search compares, and what they mean to people.

use std::{
    cmp::Ordering,
    ops::{Neg, Not},
};

use serde::Serialize;

use super::Evaluate;
use crate::game::Player;

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

    /// In how many plies a game that is decided is over, if they are counted.
    pub(super) const fn plies(self) -> u32 {
        (Self::WIN.0 - self.0.abs()) as u32
    }

    /// The plies to a win or a loss that the search cannot have overlooked a shorter way to: there is none to a win in one, and after a
    /// move that does not end the game it takes two at least.
    pub(super) const fn trivial_plies(self) -> Option<u32> {
        let plies = self.plies();
        if self.is_counted() && plies <= 2 { Some(plies) } else { None }
    }

    /// Who wins a game that is decided, by the score for the side to move of a position.
    pub(super) fn winner<G: Evaluate>(self, position: &G) -> Player {
        if self.is_win() { position.turn() } else { !position.turn() }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proven {
    /// The result for the side to move.
    pub result: GameResult,
    /// In exactly how many plies the game is over if the winner hurries and the loser holds out, with the worst dice for the winner;
    /// null in a draw, and where nobody has counted them.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub plies: Option<u32>,
}

impl Proven {
    /// Nobody wins.
    pub const DRAW: Self = Self { result: GameResult::Draw, plies: None };
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Value {
    /// The expected result: 1 a win, 0 a draw, -1 a loss.
    #[cfg_attr(feature = "openapi", schema(minimum = -1, maximum = 1, example = 0.12))]
    pub expected: f64,
    /// The result, if it is certain.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub proven: Option<Proven>,
}

impl Value {
    /// What a score means. A win or a loss is told with its plies if they are known exactly.
    pub(super) fn of<G: Evaluate>(score: Score, plies: Option<u32>) -> Self {
        if score.is_win() {
            Self::proven(Proven { result: GameResult::Win, plies })
        } else if score.is_loss() {
            Self::proven(Proven { result: GameResult::Loss, plies })
        } else {
            Self { expected: score.expected::<G>(), proven: None }
        }
    }

    /// What a certain result is worth.
    pub(super) const fn proven(proven: Proven) -> Self {
        let expected = match proven.result {
            GameResult::Win => 1.0,
            GameResult::Draw => 0.0,
            GameResult::Loss => -1.0,
        };
        Self { expected, proven: Some(proven) }
    }

    /// Which of two values is better: by the expected result; of equal ones a proven win stands first, the shortest before all, and a proven loss
    /// last, the latest before others.
    pub(super) fn total_cmp(&self, other: &Self) -> Ordering {
        let certainty = |value: &Self| match value.proven {
            Some(Proven { result: GameResult::Win, plies }) => {
                (1, plies.map_or(i64::MIN, |plies| -i64::from(plies)))
            }
            Some(Proven { result: GameResult::Loss, plies }) => (-1, plies.map_or(i64::MAX, i64::from)),
            Some(Proven { result: GameResult::Draw, .. }) | None => (0, 0),
        };
        self.expected.total_cmp(&other.expected).then_with(|| certainty(self).cmp(&certainty(other)))
    }
}
