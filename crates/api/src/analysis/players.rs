//! How well the players of a game have played.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{judgment::Judgment, plies::AnalysedPly};
use cublino_engine::in_ten_thousandths;
use cublino_rules::game::Player;

/// How well each player has played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnalysedPlayers {
    /// Player one.
    pub one: AnalysedPlayer,
    /// Player two.
    pub two: AnalysedPlayer,
}

/// How well a player has played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnalysedPlayer {
    /// How many moves the player made, those included that were forced.
    pub moves: usize,
    /// The mean loss of the moves that were not forced; null if there is none.
    #[schema(required, minimum = 0, maximum = 2, example = 0.04)]
    pub mean_loss: Option<f64>,
    /// How near the moves that were not forced came to the best ones, 0 to 100; null if there is none.
    ///
    /// It is the mean of `103.1668 * exp(-0.04354 * d) - 3.1669`, from 0 to 100, where `d` is what a move
    /// loses of the share of points that is expected, in percent: 50 times its loss. A move that loses
    /// nothing counts 100. The formula is the one with which lichess.org measures the accuracy of chess moves
    /// (<https://lichess.org/page/accuracy>).
    #[schema(required, minimum = 0, maximum = 100, example = 91.5)]
    pub accuracy: Option<f64>,
    /// How many moves there were of each judgment.
    pub judgments: JudgmentCounts,
    /// How lucky the player's rolls were together; null in a game without dice.
    #[schema(required, example = 0.21)]
    pub luck: Option<f64>,
}

/// How many moves there were of each judgment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JudgmentCounts {
    /// How many inaccuracies there were.
    pub inaccuracy: usize,
    /// How many mistakes there were.
    pub mistake: usize,
    /// How many blunders there were.
    pub blunder: usize,
}

/// Adds up what is told about the players, ply by ply.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    one: PlayerTally,
    two: PlayerTally,
}

#[derive(Clone, Copy, Debug)]
struct PlayerTally {
    moves: usize,
    /// Moves that were not forced, with the sums of their losses and accuracies.
    free: usize,
    loss: f64,
    accuracy: f64,
    judgments: JudgmentCounts,
    luck: Option<f64>,
}

impl Tally {
    /// Nothing has been added yet, in a game with dice or without.
    #[must_use]
    pub fn new(has_dice: bool) -> Self {
        let nothing = PlayerTally {
            moves: 0,
            free: 0,
            loss: 0.0,
            accuracy: 0.0,
            judgments: JudgmentCounts::default(),
            luck: has_dice.then_some(0.0),
        };
        Self { one: nothing, two: nothing }
    }

    /// Adds a ply.
    pub fn add(&mut self, ply: &AnalysedPly) {
        match ply {
            AnalysedPly::Move(m) => self.of(m.player).add_move(m.forced, m.loss, m.judgment),
            AnalysedPly::Roll(roll) => {
                if let Some(luck) = &mut self.of(roll.player).luck {
                    *luck += roll.luck;
                }
            }
        }
    }

    const fn of(&mut self, player: Player) -> &mut PlayerTally {
        match player {
            Player::One => &mut self.one,
            Player::Two => &mut self.two,
        }
    }

    /// What is told about the players.
    #[must_use]
    pub fn players(&self) -> AnalysedPlayers {
        AnalysedPlayers { one: self.one.told(), two: self.two.told() }
    }
}

impl PlayerTally {
    fn add_move(&mut self, is_forced: bool, loss: f64, judgment: Option<Judgment>) {
        self.moves += 1;
        if is_forced {
            return;
        }
        self.free += 1;
        self.loss += loss;
        self.accuracy += accuracy(loss);
        match judgment {
            None => {}
            Some(Judgment::Inaccuracy) => self.judgments.inaccuracy += 1,
            Some(Judgment::Mistake) => self.judgments.mistake += 1,
            Some(Judgment::Blunder) => self.judgments.blunder += 1,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a game has a thousand moves at most")]
    fn told(&self) -> AnalysedPlayer {
        let mean = |sum: f64| (self.free > 0).then(|| in_ten_thousandths(sum / self.free as f64));
        AnalysedPlayer {
            moves: self.moves,
            mean_loss: mean(self.loss),
            accuracy: mean(self.accuracy),
            judgments: self.judgments,
            luck: self.luck.map(in_ten_thousandths),
        }
    }
}

/// How near a move comes to the best one, 0 to 100; see [`AnalysedPlayer::accuracy`].
fn accuracy(loss: f64) -> f64 {
    /// The share of points, in percent, that an expected result is worth.
    const SHARE: f64 = 50.0;
    // The constants are rounded, and add up to a little less than 100.
    if loss <= 0.0 {
        return 100.0;
    }
    (-0.043_54 * SHARE * loss).exp().mul_add(103.166_8, -3.166_9).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_from_a_hundred_to_nothing() {
        assert!((accuracy(1e-4) - 100.0).abs() < 0.1);
        assert!((accuracy(0.2) - 63.6).abs() < 0.1, "ten percent of the points");
        assert!(accuracy(2.0) < 1.0);
    }

    #[test]
    fn perfect_play_scores_exactly_a_hundred() {
        let mut tally = Tally::new(false);
        for _ in 0..7 {
            tally.one.add_move(false, 0.0, None);
        }
        assert_eq!(tally.players().one.accuracy, Some(100.0));
    }

    #[test]
    fn forced_moves_count_as_moves_and_for_nothing_else() {
        let mut tally = Tally::new(false);
        tally.one.add_move(true, 0.0, None);
        assert_eq!(
            tally.players().one,
            AnalysedPlayer { moves: 1, mean_loss: None, accuracy: None, ..AnalysedPlayer::default() }
        );
        tally.one.add_move(false, 0.5, Some(Judgment::Blunder));
        tally.one.add_move(false, 0.1, Some(Judgment::Inaccuracy));
        let one = tally.players().one;
        assert_eq!((one.moves, one.mean_loss, one.luck), (3, Some(0.3), None));
        assert_eq!(one.judgments, JudgmentCounts { inaccuracy: 1, mistake: 0, blunder: 1 });
        assert_eq!(tally.players().two, AnalysedPlayer::default());
    }
}
