//! Scores, which a search compares, and the expected results that they stand for.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "scores and plies are far below the limits of the types"
)]

use std::ops::Neg;

use cublino_rules::game::{Game, Player};

/// The score of a position for the side to move; higher is better.
///
/// Heuristic scores lie within ±[`Score::LIMIT`]. Decided games lie beyond: a win scores higher the sooner it
/// comes, a loss the later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub(super) i16);

impl Score {
    /// A drawn game, and a position that is as good for one player as for the other.
    pub(super) const DRAW: Self = Self(0);
    /// The bounds of heuristic scores, far from those of the type, which leaves room for wins in any number
    /// of plies.
    pub const LIMIT: i32 = 20_000;
    /// A win in a game that is over.
    pub(super) const WIN: Self = Self(30_000);
    /// A certain win whose plies are not counted.
    const UNCOUNTED: Self = Self(25_000);
    /// Beyond this are decided games whose plies are counted; the uncounted ones are well below.
    const COUNTED: i16 = 28_000;
    /// A bound beyond all scores.
    pub(super) const INFINITY: Self = Self(31_000);

    /// A heuristic score, clamped to ±[`Score::LIMIT`].
    pub(crate) fn new(units: i32) -> Self {
        Self(units.clamp(-Self::LIMIT, Self::LIMIT) as i16)
    }

    /// The number of units.
    pub const fn units(self) -> i32 {
        self.0 as i32
    }

    /// A finished game, by its result for the side to move (1, 0 or -1), as seen from `plies` plies before.
    pub(super) const fn over(result: i8, plies: u32) -> Self {
        Self(result as i16 * (Self::WIN.0 - plies as i16))
    }

    /// The score of a repeated position for the side to move: a draw, unless the rules say otherwise. Always
    /// a heuristic score.
    pub(super) fn repeated<G: Game>(position: &G) -> Self {
        let ended = position.outcome_if_repeated();
        ended.map_or(Self::DRAW, |end| Self::new(i32::from(end.result_for(position.turn())) * Self::LIMIT))
    }

    /// A certain win without counted plies, as seen from `plies` plies before it is known.
    pub(super) const fn uncounted_win(plies: u32) -> Self {
        Self(Self::UNCOUNTED.0 - plies as i16)
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

    /// The plies to the end of a decided game, if they are counted.
    pub(super) const fn plies(self) -> u32 {
        (Self::WIN.0 - self.0.abs()) as u32
    }

    /// The plies to a win or a loss, if the search cannot have overlooked a shorter way: no win is shorter
    /// than one ply, and after a move that does not end the game it takes two at least.
    pub(super) const fn trivial_plies(self) -> Option<u32> {
        let plies = self.plies();
        if self.is_counted() && plies <= 2 { Some(plies) } else { None }
    }

    /// Who wins a game that is decided, by the score for the side to move of a position.
    pub(super) fn winner<G: Game>(self, position: &G) -> Player {
        if self.is_win() { position.turn() } else { !position.turn() }
    }

    /// The same, seen from so many plies earlier.
    pub(super) const fn earlier(self, plies: u32) -> Self {
        self.nearer_by(-(plies as i16))
    }

    /// The same, seen from so many plies later.
    pub(super) const fn later(self, plies: u32) -> Self {
        self.nearer_by(plies as i16)
    }

    /// The same, with a win or a loss so many plies nearer.
    const fn nearer_by(self, plies: i16) -> Self {
        if self.is_win() {
            Self(self.0 + plies)
        } else if self.is_loss() {
            Self(self.0 - plies)
        } else {
            self
        }
    }

    /// The score with contempt for draws: `units`, times the draw share, which is 0 to 1.
    pub(super) fn with_contempt(self, units: i32, draw_share: f64) -> Self {
        Self::new(self.units() + (f64::from(units) * draw_share) as i32)
    }

    /// The next higher score.
    pub(super) const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The score at which the expected result is `1 / sqrt(2)`, about 0.71.
    pub const UNITS: i32 = 600;

    /// The expected result, -1 to 1: `s / sqrt(s² + UNITS²)` for a heuristic score.
    ///
    /// Among sigmoid curves from -1 to 1, this one needs only a square root, which every machine rounds
    /// alike.
    ///
    /// ```
    /// use cublino_engine::Score;
    ///
    /// assert!((Score::expecting(0.5).expected() - 0.5).abs() < 0.001);
    /// ```
    pub fn expected(self) -> f64 {
        if self.is_win() {
            1.0
        } else if self.is_loss() {
            -1.0
        } else {
            let (score, units) = (f64::from(self.0), f64::from(Self::UNITS));
            score / (score * score + units * units).sqrt()
        }
    }

    /// The heuristic score with this expected result: the inverse of [`expected`](Self::expected).
    pub fn expecting(expected: f64) -> Self {
        let rest = (1.0 - expected * expected).max(f64::EPSILON).sqrt();
        Self::new((f64::from(Self::UNITS) * expected / rest).round() as i32)
    }

    /// A score such that it and all lower ones have at most this expected result. Below all scores if there
    /// is none.
    pub(super) fn at_most(expected: f64) -> Self {
        if expected <= -1.0 { -Self::INFINITY } else { Self(Self::expecting(expected.min(1.0)).0 - 1) }
    }

    /// A score such that it and all higher ones expect at least this. Above all scores if there is none.
    pub(super) fn at_least(expected: f64) -> Self {
        -Self::at_most(-expected)
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}
