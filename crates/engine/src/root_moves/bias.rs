//! What makes a root move look better or worse than its score.

use crate::score::{Scale, Score};

/// What makes a root move look better or worse than its score when it is compared with others. What is
/// decided stays as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bias {
    /// The error of a level, in units of the score.
    pub(super) error: i32,
    /// What it costs that the move makes no progress, in expected results.
    pub(super) cost: f64,
}

/// Differences of the expected result below this are taken for none when a move makes progress and another
/// does not: an analysis would not even call it an inaccuracy.
pub(super) const NEARLY_EQUAL: f64 = 0.1;

impl Bias {
    /// What a score is compared by.
    pub(super) fn rank(self, score: Score, scale: Scale) -> Score {
        if score.is_win() || score.is_loss() {
            return score;
        }
        let score = Score::new(score.units() + self.error);
        if self.cost > 0.0 { scale.score((scale.expected(score) - self.cost).max(-1.0)) } else { score }
    }

    /// The score that must be exceeded for it to be compared as better than some rank.
    pub(super) fn score_for(self, rank: Score, scale: Scale) -> Score {
        if rank.is_win() || rank.is_loss() {
            return rank;
        }
        let expected = scale.expected(rank) + self.cost;
        let score = if self.cost <= 0.0 {
            rank
        } else if expected < 1.0 {
            scale.score(expected)
        } else {
            Score::new(Score::LIMIT)
        };
        Score::new(score.units() - self.error)
    }
}
