//! What is told about each move and each roll of a game, and how it is found out.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{explanation::Explanation, judgment::Judgment, why};
use crate::{Found, SearchPlan, searching::SearchReport};
use cublino_engine::{
    Comparison, Control, Evaluated, Playable, RootPosition, Tablebases, TranspositionTable,
    Value as MoveValue, compare, evaluate,
};
use cublino_rules::game::{Notation, Player};

/// A move or a roll that has been judged. A move has the member `move`, a roll has `roll`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum AnalysedPly {
    /// A move that was played.
    Move(AnalysedMove),
    /// A roll of the dice.
    Roll(AnalysedRoll),
}

/// A move that was played, beside the best one: both come from one search, and are of the same depth.
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
    /// The place of the move that was played: one more than the number of moves with a higher expected
    /// result, so moves of equal value share a place. A suggestion of all lines to this depth says the same.
    #[schema(minimum = 1, example = 3)]
    pub rank: usize,
    /// How many legal moves there were, with different results.
    #[schema(minimum = 1, example = 21)]
    pub of: usize,
    /// How much worse it is than the best move: the difference of the expected results, 0 to 2.
    #[schema(minimum = 0, maximum = 2, example = 0.14)]
    pub loss: f64,
    /// What that makes of it; null for a good move.
    #[schema(required)]
    pub judgment: Option<Judgment>,
    /// Whether there was no other move.
    pub forced: bool,
    /// Whether only one move keeps the value: the second-best is at least an inaccuracy.
    pub critical: bool,
    /// What makes it worse, if that can be said for certain: what happens in the line after it, and not in
    /// the best one. Empty for a good move.
    pub why: Vec<Explanation>,
    /// How the service came to it.
    pub search: SearchReport,
}

/// The best move, and what follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BestMove {
    /// The move.
    #[serde(rename = "move")]
    #[schema(example = "d1d2")]
    pub text: String,
    /// The moves that are expected, this one included.
    #[schema(min_items = 1, example = json!(["d1d2", "d7d6"]))]
    pub pv: Vec<String>,
    /// What it is worth to the player.
    pub value: MoveValue,
}

/// The move that was played, and what follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayedMove {
    /// The moves that are expected, this one included.
    #[schema(min_items = 1, example = json!(["e1e2", "d7d6"]))]
    pub pv: Vec<String>,
    /// What it is worth to the player; never more than the best move.
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
    /// What the position is worth after it, to the player who rolled.
    pub value: MoveValue,
    /// How lucky it is: that value less the mean over all rolls, -2 to 2.
    #[schema(minimum = -2, maximum = 2, example = 0.08)]
    pub luck: f64,
    /// How the service came to it.
    pub search: SearchReport,
}

/// A move or a roll that is to be judged.
#[derive(Clone, Debug)]
pub struct UnjudgedPly<G: Playable + Notation> {
    pub(super) before: RootPosition<G>,
    pub(super) task: Task<G>,
    pub(super) played: PlayedPly,
}

/// A move or a roll as it is told.
#[derive(Clone, Debug)]
pub(super) struct PlayedPly {
    pub index: usize,
    pub player: Player,
    pub text: String,
    /// The state after it.
    pub state: String,
}

/// What is to be searched for a ply.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task<G: Notation> {
    /// This move is to be compared with the best one.
    Compare(G::Move),
    /// All rolls are to be evaluated, for the luck of this one.
    Evaluate(G::Roll),
}

impl<G: Notation + Playable> UnjudgedPly<G> {
    /// Whether it is a roll.
    #[must_use]
    pub const fn is_roll(&self) -> bool {
        matches!(self.task, Task::Evaluate(_))
    }

    /// Judges it, on the calling thread.
    #[must_use]
    pub fn judge(
        self,
        plan: &SearchPlan,
        tablebases: &Tablebases,
        control: &Control,
        table: &mut TranspositionTable,
    ) -> Found<AnalysedPly> {
        let limits = &plan.limits;
        match self.task {
            Task::Compare(m) => {
                let position = *self.before.position();
                let found = compare(self.before, m, limits, tablebases, control, table);
                let answer = AnalysedPly::Move(analysed_move(&position, self.played, &found, plan));
                Found { answer, nodes: found.nodes, time: found.time, stopped_by: found.stopped_by }
            }
            Task::Evaluate(roll) => {
                let found = evaluate(self.before, limits, tablebases, control, table);
                let answer = AnalysedPly::Roll(analysed_roll(roll, self.played, &found, plan));
                Found { answer, nodes: found.nodes, time: found.time, stopped_by: found.stopped_by }
            }
        }
    }
}

fn analysed_move<G: Notation>(
    position: &G,
    PlayedPly { index, player, text, state }: PlayedPly,
    found: &Comparison<G::Move>,
    plan: &SearchPlan,
) -> AnalysedMove {
    let &Comparison { ref best, ref played, second, rank, of, depth, nodes, time, stopped_by } = found;
    let loss = best.value.more_than(&played.value).max(0.0);
    let judgment = Judgment::of_loss(loss);
    let why = if judgment.is_some() { why::reasons(position, best, played) } else { Vec::new() };
    let best_pv = position.spell_line(&best.pv);
    let mut played_pv = position.spell_line(&played.pv);
    played_pv[0].clone_from(&text);
    AnalysedMove {
        index,
        player,
        text,
        state,
        best: BestMove { text: best_pv[0].clone(), pv: best_pv, value: best.value },
        played: PlayedMove { pv: played_pv, value: played.value },
        rank,
        of,
        loss,
        judgment,
        forced: of == 1,
        critical: second.is_some_and(|second| Judgment::of_loss(best.value.more_than(&second)).is_some()),
        why,
        search: SearchReport::new(depth, true, nodes, plan.told(time), stopped_by),
    }
}

fn analysed_roll<R: Copy + PartialEq>(
    roll: R,
    PlayedPly { index, player, text, state }: PlayedPly,
    found: &Evaluated<R>,
    plan: &SearchPlan,
) -> AnalysedRoll {
    let &Evaluated { value: mean, ref rolls, depth, complete, nodes, time, stopped_by } = found;
    let of_roll = rolls.iter().find(|of_roll| of_roll.roll == roll);
    let value = of_roll.expect("every roll has been evaluated").value;
    AnalysedRoll {
        index,
        player,
        roll: text,
        state,
        value,
        luck: value.more_than(&mean),
        search: SearchReport::new(depth, complete, nodes, plan.told(time), stopped_by),
    }
}
