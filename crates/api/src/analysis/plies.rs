//! The analysis of each move and each roll of a game.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::why::{Explanation, reasons};
use crate::{Found, SearchReport, json::resolve, searching::time_ms};
use cublino_engine::{
    Comparison, Control, DOUBTED_LOSS, Engine, Evaluated, Playable, RootPosition, SearchLimits, Tablebases,
    TranspositionTable, Value as MoveValue, in_ten_thousandths,
};
use cublino_rules::game::{Notation, Player};

/// An analysed move or roll. A move has the member `move`, a roll has `roll`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum AnalysedPly {
    /// A move that was played.
    Move(AnalysedMove),
    /// A roll of the dice.
    Roll(AnalysedRoll),
}

/// A played move, compared with the best move. Both values come from one search, at the same depth, unless a
/// result is proven.
///
/// Before a move is called a mistake or a blunder, both moves are searched again with more nodes: `verifying`
/// in the limits is the factor. If only one of them has a proven result, the other one is searched again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnalysedMove {
    /// The index in the list of moves, counted from 0.
    pub index: usize,
    /// Who played it.
    pub player: Player,
    /// The move as it is recorded.
    #[serde(rename = "move")]
    #[schema(example = "e1e2")]
    pub text: String,
    /// The state after it.
    pub state: String,
    /// The best move.
    pub best: BestMove,
    /// The move that was played.
    pub played: PlayedMove,
    /// The rank of the move: 1 plus the number of moves with a higher expected result. Moves of equal value
    /// share a rank.
    #[schema(minimum = 1, example = 3)]
    pub rank: usize,
    /// The number of legal moves with different results.
    #[schema(minimum = 1, example = 21)]
    pub of: usize,
    /// The depth to which all moves were searched for the rank, in plies. The values may come from a deeper
    /// search, of only the best and the played move.
    #[schema(example = 5)]
    pub rank_depth: u32,
    /// How much worse it is than the best move, 0 to 2: the difference of the expected results. If only one
    /// of the two has a proven result, that proof cannot make the difference larger.
    #[schema(minimum = 0, maximum = 2, example = 0.14)]
    pub loss: f64,
    /// How bad the move is; null for a good move.
    #[schema(required)]
    pub judgment: Option<Judgment>,
    /// Whether there was no other move.
    pub forced: bool,
    /// Whether only one move keeps the value: the second-best move is at least an inaccuracy.
    pub critical: bool,
    /// Why it is worse than the best move: facts about the lines after both. Empty for a good move.
    pub why: Vec<Explanation>,
    /// A report on the search. Its nodes include those that verified the verdict.
    pub search: SearchReport,
}

/// The best move, and what follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BestMove {
    /// The move.
    #[serde(rename = "move")]
    #[schema(example = "d1d2")]
    pub text: String,
    /// The principal variation, starting with this move.
    #[schema(min_items = 1, example = json!(["d1d2", "d7d6"]))]
    pub pv: Vec<String>,
    /// Its value for the player.
    pub value: MoveValue,
}

/// The move that was played, and what follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayedMove {
    /// The principal variation, starting with this move.
    #[schema(min_items = 1, example = json!(["e1e2", "d7d6"]))]
    pub pv: Vec<String>,
    /// Its value for the player; never above the best move's.
    pub value: MoveValue,
}

/// A roll of the dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnalysedRoll {
    /// The index in the list of moves, counted from 0.
    pub index: usize,
    /// Who rolled.
    pub player: Player,
    /// What the dice show, the larger number first.
    #[schema(value_type = cublino_rules::game::RollText)]
    pub roll: String,
    /// The state after it.
    pub state: String,
    /// The value after the roll, for the player who rolled.
    pub value: MoveValue,
    /// How lucky the roll was: its value minus the mean over all rolls, -2 to 2.
    #[schema(minimum = -2, maximum = 2, example = 0.08)]
    pub luck: f64,
    /// A report on the search.
    pub search: SearchReport,
}

/// A move or a roll to analyse.
pub(super) struct Unjudged<G: Playable> {
    /// The position that it was played in, with the history for repetition.
    pub root: RootPosition<G>,
    pub index: usize,
    pub player: Player,
    pub text: String,
    /// The state after it.
    pub state: String,
    pub limits: SearchLimits,
    pub tablebases: Tablebases,
}

impl<G: Notation + Playable> Unjudged<G> {
    /// Compares a move with the best one.
    pub fn judge_move(self, control: &Control, table: &mut TranspositionTable) -> Found<AnalysedPly> {
        let Self { root, index, player, text, state, limits, tablebases } = self;
        let position = root.position;
        let m = resolve(&position, &text).expect("the move has been played before");
        let found = Engine::built_in::<G>(tablebases).compare(root, m, &limits, control, table);
        let Comparison { best, played, loss, lead, rank, of, rank_depth, depth, nodes, time, stopped_by } =
            found;
        let judgment = Judgment::of_loss(loss);
        let best_pv = position.spell_line(&best.pv);
        let mut played_pv = position.spell_line(&played.pv);
        played_pv[0].clone_from(&text);
        let time_ms = time_ms(time, limits.time.is_none());
        let answer = AnalysedPly::Move(AnalysedMove {
            index,
            player,
            text,
            state,
            best: BestMove { text: best_pv[0].clone(), pv: best_pv, value: best.value },
            played: PlayedMove { pv: played_pv, value: played.value },
            rank,
            of,
            rank_depth,
            loss,
            judgment,
            forced: of == 1,
            critical: lead.and_then(Judgment::of_loss).is_some(),
            why: if judgment.is_some() { reasons(&position, &best, &played) } else { Vec::new() },
            search: SearchReport { depth, complete: true, nodes, time_ms, stopped_by },
        });
        Found { answer, nodes, time, stopped_by }
    }

    /// Evaluates all rolls, for the luck of the one that was rolled.
    pub fn judge_roll(self, control: &Control, table: &mut TranspositionTable) -> Found<AnalysedPly> {
        let Self { root, index, player, text, state, limits, tablebases } = self;
        let found = Engine::built_in::<G>(tablebases).evaluate(root, &limits, control, table);
        let Evaluated { value: mean, rolls, depth, complete, nodes, time, stopped_by } = found;
        let of_roll = rolls.iter().find(|of_roll| of_roll.roll.to_string() == text);
        let value = of_roll.expect("every roll has been evaluated").value;
        let time_ms = time_ms(time, limits.time.is_none());
        let answer = AnalysedPly::Roll(AnalysedRoll {
            index,
            player,
            roll: text,
            state,
            value,
            luck: value.more_than(&mean),
            search: SearchReport { depth, complete, nodes, time_ms, stopped_by },
        });
        Found { answer, nodes, time, stopped_by }
    }
}

/// How bad a move is, by its loss against the best move.
#[derive(
    Clone, Copy, Debug, strum::Display, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
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
    const FROM: [(Self, f64); 3] =
        [(Self::Blunder, 0.3), (Self::Mistake, DOUBTED_LOSS), (Self::Inaccuracy, 0.1)];

    /// The judgment on a move with this loss; `None` if the move is good.
    pub(super) fn of_loss(loss: f64) -> Option<Self> {
        Self::FROM.into_iter().find(|&(_, from)| loss >= from).map(|(judgment, _)| judgment)
    }
}

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
    /// How many moves the player made, including forced ones.
    pub moves: usize,
    /// The mean loss of the moves that were not forced; null if every move was forced.
    #[schema(required, minimum = 0, maximum = 2, example = 0.04)]
    pub mean_loss: Option<f64>,
    /// How close the player's free choices came to the best moves, 0 to 100; null if every move was forced.
    ///
    /// It is the mean of `103.1668 * exp(-0.04354 * d) - 3.1669`, kept within 0 and 100, where `d` is 50
    /// times the loss of a move. A move without loss counts 100. lichess.org uses the same formula for chess
    /// (<https://lichess.org/page/accuracy>).
    #[schema(required, minimum = 0, maximum = 100, example = 91.5)]
    pub accuracy: Option<f64>,
    /// How many moves there were of each judgment.
    pub judgments: JudgmentCounts,
    /// The sum of the luck of all rolls; null in a game without dice.
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

/// Adds up the statistics of both players, ply by ply.
#[derive(Clone, Copy, Debug)]
pub struct Tally([PlayerTally; 2]);

#[derive(Clone, Copy, Debug)]
struct PlayerTally {
    /// The statistics so far, with sums instead of means.
    sums: AnalysedPlayer,
    /// Moves that were not forced.
    free: u32,
}

impl Tally {
    /// An empty tally, for a game with or without dice.
    pub fn new(has_dice: bool) -> Self {
        let sums = AnalysedPlayer { luck: has_dice.then_some(0.0), ..AnalysedPlayer::default() };
        Self([PlayerTally { sums, free: 0 }; 2])
    }

    /// Adds a ply.
    pub fn add(&mut self, ply: &AnalysedPly) {
        match ply {
            AnalysedPly::Move(m) => self.0[m.player.index()].add_move(m.forced, m.loss, m.judgment),
            AnalysedPly::Roll(roll) => {
                *self.0[roll.player.index()].sums.luck.get_or_insert_default() += roll.luck;
            }
        }
    }

    /// The statistics of both players.
    pub fn players(&self) -> AnalysedPlayers {
        let [one, two] = self.0.map(|PlayerTally { sums, free }| {
            let mean = |sum| in_ten_thousandths(sum / f64::from(free));
            let (mean_loss, accuracy) = (sums.mean_loss.map(mean), sums.accuracy.map(mean));
            AnalysedPlayer { mean_loss, accuracy, luck: sums.luck.map(in_ten_thousandths), ..sums }
        });
        AnalysedPlayers { one, two }
    }
}

impl PlayerTally {
    fn add_move(&mut self, is_forced: bool, loss: f64, judgment: Option<Judgment>) {
        self.sums.moves += 1;
        if is_forced {
            return;
        }
        self.free += 1;
        *self.sums.mean_loss.get_or_insert_default() += loss;
        *self.sums.accuracy.get_or_insert_default() += accuracy(loss);
        let counts = &mut self.sums.judgments;
        match judgment {
            None => {}
            Some(Judgment::Inaccuracy) => counts.inaccuracy += 1,
            Some(Judgment::Mistake) => counts.mistake += 1,
            Some(Judgment::Blunder) => counts.blunder += 1,
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
            tally.0[0].add_move(false, 0.0, None);
        }
        assert_eq!(tally.players().one.accuracy, Some(100.0));
    }

    #[test]
    fn forced_moves_count_as_moves_and_for_nothing_else() {
        let mut tally = Tally::new(false);
        tally.0[0].add_move(true, 0.0, None);
        assert_eq!(
            tally.players().one,
            AnalysedPlayer { moves: 1, mean_loss: None, accuracy: None, ..AnalysedPlayer::default() }
        );
        tally.0[0].add_move(false, 0.5, Some(Judgment::Blunder));
        tally.0[0].add_move(false, 0.1, Some(Judgment::Inaccuracy));
        let one = tally.players().one;
        assert_eq!((one.moves, one.mean_loss, one.luck), (3, Some(0.3), None));
        assert_eq!(one.judgments, JudgmentCounts { inaccuracy: 1, mistake: 0, blunder: 1 });
        assert_eq!(tally.players().two, AnalysedPlayer::default());
    }
}
