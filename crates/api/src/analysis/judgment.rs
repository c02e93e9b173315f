//! How bad a move is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How bad a move is, by what it loses of the expected result beside the best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Judgment {
    /// It loses 0.1 or more.
    Inaccuracy,
    /// It loses 0.2 or more.
    Mistake,
    /// It loses 0.3 or more. A proven result is always at least 1 away from any other.
    Blunder,
}

impl Judgment {
    /// The judgments with the least that a move loses, the worst first. The bounds are those of the contract.
    const FROM: [(Self, f64); 3] = [(Self::Blunder, 0.3), (Self::Mistake, 0.2), (Self::Inaccuracy, 0.1)];

    /// The judgment on a move that loses so much; nothing if it is good.
    pub(super) fn of_loss(loss: f64) -> Option<Self> {
        Self::FROM.into_iter().find(|&(_, from)| loss >= from).map(|(judgment, _)| judgment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgment_begins_at_its_bound() {
        for (loss, expected) in [
            (0.0, None),
            (0.099, None),
            (0.1, Some(Judgment::Inaccuracy)),
            (0.2, Some(Judgment::Mistake)),
            (0.3, Some(Judgment::Blunder)),
            (2.0, Some(Judgment::Blunder)),
        ] {
            assert_eq!(Judgment::of_loss(loss), expected, "{loss}");
        }
    }
}
