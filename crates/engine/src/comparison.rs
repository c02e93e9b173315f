//! A played move compared with the best one.

use std::time::Duration;

use crate::{
    Analysis, Control, Engine, Line, Options, Playable, RootPosition, SearchLimits, StoppedBy,
    TranspositionTable, Value, root::Purpose,
};

/// A played move compared with the best one.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison<M> {
    /// The line of the best move.
    pub best: Line<M>,
    /// The line of the played move; never worth more than the best.
    pub played: Line<M>,
    /// How much less the played move is worth, in expected result.
    pub loss: f64,
    /// How much less the second-best move is worth, if there are two.
    pub lead: Option<f64>,
    /// The rank of the played move: one more than the number of moves with a higher expected result, so moves
    /// of equal value share a rank. A search for all lines to `rank_depth` gives the same rank.
    pub rank: usize,
    /// The number of legal moves that lead to different positions.
    pub of: usize,
    /// The depth to which all moves were searched for the rank, in plies; 0 for static evaluations or a
    /// tablebase hit.
    pub rank_depth: u32,
    /// The depth to which the best and the played move were searched, unless their results are proven.
    pub depth: u32,
    /// How many nodes (positions) were visited.
    pub nodes: u64,
    /// How long it took, from its start.
    pub time: Duration,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

/// A loss of this much is verified before it counts.
pub const DOUBTED_LOSS: f64 = 0.2;
/// How many times the time of the search before that may take; for the nodes see
/// [`Tuning::verifying`](crate::Tuning::verifying).
const VERIFYING_TIME: u32 = 4;
/// How many plies deeper it looks, if the depth is limited.
const DEEPER: u32 = 2;
/// One part in this many of the nodes and the time is spent on the ranking of all moves.
const RANKING_SHARE: u32 = 2;

impl Engine {
    /// Compares a legal move with the best one, on the calling thread, in a position in
    /// [`Stage::Move`](cublino_rules::game::Stage::Move). Only values count: no move is preferred because it
    /// makes progress.
    ///
    /// A part of the limits goes into a search for all lines, which ranks the move. The rest goes into the
    /// best moves and the played one alone, which are searched more deeply.
    ///
    /// A large loss is verified: the best and the played move are searched again with
    /// [`verifying`](crate::Tuning::verifying) times the nodes, four times the time, or two plies deeper. If
    /// only one of them has a proven result, the other is searched again in the same way. If it stays
    /// unproven, the loss is at most that of the last ranking without a proof.
    ///
    /// Without a limit on time the answer is the same on every machine.
    ///
    /// ```
    /// use cublino_engine::{Control, Engine, SearchLimits, Tablebases, TranspositionTable};
    /// use cublino_rules::{game::Game, games::Wari};
    ///
    /// let (start, limits) = (Wari::default(), SearchLimits { depth: Some(3), ..SearchLimits::default() });
    /// let mut table = TranspositionTable::new(1 << 20);
    /// let m = start.legal_moves()[0];
    /// let engine = Engine::built_in::<Wari>(Tablebases::none());
    /// let found = engine.compare(&start, m, &limits, &Control::new(), &mut table);
    /// assert_eq!((found.of, found.rank_depth), (6, 3));
    /// assert!(found.best.value.expected >= found.played.value.expected);
    /// ```
    pub fn compare<G: Playable>(
        &self,
        root: impl Into<RootPosition<G>>,
        played: G::Move,
        limits: &SearchLimits,
        control: &Control,
        table: &mut TranspositionTable,
    ) -> Comparison<G::Move> {
        let root = RootPosition { moves: None, ..root.into() };
        let position = &root.position;

        // 1. Rank all moves.
        let after = position.after(played);
        let place_in = |lines: &[Line<G::Move>]| {
            let place = lines.iter().position(|line| position.after(line.pv[0]) == after);
            place.expect("the move is legal")
        };
        let options = Options::new(SearchLimits { depth: limits.depth, ..limits.part(RANKING_SHARE) });
        let options = Options { lines: usize::MAX, ..options };
        let mut unproven = [0.0; 2];
        let mut found = self.search_for(Purpose::Evaluate, &root, &options, control, table, &mut |depth| {
            let lines = &depth.lines;
            for (loss, place) in unproven.iter_mut().zip([place_in(lines), 1.min(lines.len() - 1)]) {
                if [&lines[0], &lines[place]].iter().all(|line| line.value.proven.is_none()) {
                    *loss = lines[0].value.more_than(&lines[place].value);
                }
            }
        });
        let of = found.lines.len();
        let rank_depth = found.depth;
        let place = place_in(&found.lines);
        let expected = found.lines[place].value.expected;
        let rank = 1 + found.lines.iter().filter(|line| line.value.expected > expected).count();
        // Another move may lead to the same position: report the one that the caller passed.
        found.lines[place].pv[0] = played;

        // 2. Search the best moves and the played one alone, more deeply.
        found.lines.swap(place, place.min(2));
        found.lines.truncate(3);
        if of > 1 && matches!(found.stopped_by, StoppedBy::Time | StoppedBy::Nodes) {
            let rest = limits.less(found.nodes);
            found = self.search_again(&root, found, played, rest, control, table);
        }
        let second = found.lines.get(1);
        let lead = second.map(|second| loss(&found.lines[0].value, &second.value, unproven[1]));

        // 3. Verify a large loss, and one against a proof.
        let best = found.lines[0].pv[0];
        found.lines.retain(|line| [best, played].contains(&line.pv[0]));
        let of_played = |lines: &[Line<G::Move>]| {
            let played = lines.iter().find(|line| line.pv[0] == played).expect("it is searched");
            (loss(&lines[0].value, &played.value, unproven[0]), played.clone())
        };
        let (measured, line) = of_played(&found.lines);
        let proofs = [&found.lines[0], &line].map(|line| line.value.proven.is_some());
        let is_verified = match proofs {
            [true, true] => true,
            [false, false] => measured < DOUBTED_LOSS,
            _ => false,
        };
        if !is_verified && found.stopped_by != StoppedBy::Database {
            let more = SearchLimits {
                time: limits.time.map(|time| control.elapsed() + VERIFYING_TIME * time),
                depth: limits.depth.map(|depth| depth + DEEPER),
                nodes: limits.nodes.map(|nodes| nodes.saturating_mul(G::TUNING.verifying)),
            };
            found = self.search_again(&root, found, played, more, control, table);
        }
        let (loss, played) = of_played(&found.lines);
        let Analysis { lines, depth, nodes, time, stopped_by, .. } = found;
        let lead = if is_verified { lead } else { lead.map(|lead| lead.min(loss)) };
        Comparison {
            best: lines[0].clone(),
            played,
            loss,
            lead,
            rank,
            of,
            rank_depth,
            depth,
            nodes,
            time,
            stopped_by,
        }
    }

    /// Searches those of some lines again whose results are not proven, and returns all of them, the best
    /// first.
    ///
    /// If the limit on time or nodes ends the search, they are those of the last finished depth or the one
    /// before it, whichever shows the smaller loss: longer searches rarely confirm a loss that only one of
    /// them shows.
    fn search_again<G: Playable>(
        &self,
        root: &RootPosition<G>,
        known: Analysis<G::Move>,
        played: G::Move,
        limits: SearchLimits,
        control: &Control,
        table: &mut TranspositionTable,
    ) -> Analysis<G::Move> {
        let (proven, open): (Vec<_>, Vec<_>) =
            known.lines.iter().cloned().partition(|line| line.value.proven.is_some());
        if open.is_empty() {
            return known;
        }
        let root = root.clone().with_moves(open.iter().map(|line| line.pv[0]).collect());
        let options = Options { lines: usize::MAX, ..Options::new(limits) };
        let (mut last, mut before) = (None, None);
        let end = self.search_for(Purpose::Evaluate, &root, &options, control, table, &mut |finished| {
            before = last.replace(finished.clone());
        });
        let nodes = known.nodes + end.nodes;
        let time = end.time;
        let stopped_by = end.stopped_by;
        if end.depth < known.depth && stopped_by != StoppedBy::Proven {
            return Analysis { nodes, time, stopped_by, ..known };
        }
        let with_proven = |found: Analysis<G::Move>| {
            let mut lines = [&found.lines[..], &proven].concat();
            lines.sort_by(|a, b| b.value.total_cmp(&a.value));
            let played = lines.iter().find(|line| line.pv[0] == played).expect("it is searched");
            let [best, played] = [lines[0].value, played.value];
            let is_proven = best.proven.or(played.proven).is_some();
            (best.more_than(&played), is_proven, Analysis { lines, nodes, time, stopped_by, ..found })
        };
        let (loss, is_proven, found) = with_proven(end);
        let may_be_earlier = !is_proven && matches!(stopped_by, StoppedBy::Time | StoppedBy::Nodes);
        let before = before.filter(|before: &Analysis<_>| may_be_earlier && before.depth >= known.depth);
        before.map(with_proven).filter(|(lesser, ..)| *lesser < loss).map_or(found, |(.., before)| before)
    }
}

/// How much less one move is worth than the best. If only one of them has a proven result, it is at most the
/// loss that was found without that proof.
fn loss(best: &Value, other: &Value, unproven: f64) -> f64 {
    let loss = best.more_than(other);
    if best.proven.is_some() == other.proven.is_some() { loss } else { loss.min(unproven) }
}
