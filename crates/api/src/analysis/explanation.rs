//! A reason why a move is worse than the best one, in data and in a sentence.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What makes a move worse than the best one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Explanation {
    /// What kind of reason it is.
    pub kind: ExplanationKind,
    /// In which ply of the line it shows, the move that was played being the first.
    #[schema(minimum = 1, example = 2)]
    pub ply: usize,
    /// The reason for people.
    #[schema(example = "the reply d6d5 takes the die on d4")]
    pub message: String,
    /// The squares or points that it is about; empty if there are none.
    #[schema(example = json!(["d4"]))]
    pub places: Vec<String>,
    /// How many there are: dice, marbles, checkers, points, ranks, or of the 36 rolls; null where nothing is
    /// counted.
    #[schema(required, example = 1)]
    pub count: Option<u32>,
}

/// What kind of reason it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExplanationKind {
    /// The best move wins for certain.
    WinMissed,
    /// The game is lost for certain.
    LossProven,
    /// Dice are taken.
    DiceLost,
    /// The best line takes dice.
    DiceMissed,
    /// Marbles are captured.
    MarblesCaptured,
    /// The best line captures marbles.
    MarblesMissed,
    /// More rolls pin checkers.
    CheckersPinned,
    /// Checkers are freed that were pinned.
    CheckersFreed,
    /// The best move pins checkers.
    PinMissed,
    /// The best move threatens to take something or to win, or more rolls would pin checkers in the player's
    /// next turn, if the opponent did nothing.
    ThreatMissed,
    /// The best move bears checkers off.
    BearOffMissed,
    /// The best line brings more points home.
    PointsLost,
    /// Nothing is left that could stop a die on its way to the far rank, or guard the own corners.
    Undefended,
    /// The player is further behind, or less far ahead, in the race: by so many ranks.
    RaceLost,
    /// The best reply threatens to take something, or to win, if the player did nothing.
    Threatened,
    /// None of these shows in the line, but the best reply is another than in the best line.
    Refuted,
}

impl Explanation {
    /// A result that is certain, in so many plies if somebody has counted them.
    pub(super) fn of_result(kind: ExplanationKind, plies: Option<u32>, message: String) -> Self {
        let ply = plies.map_or(1, |plies| plies as usize);
        Self { kind, ply, message, places: Vec::new(), count: None }
    }
}
