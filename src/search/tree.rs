//! The search below the first move.

use std::{thread, time::Instant};

use super::{
    Control, Evaluate, Knowledge, Limits, Score, StoppedBy, Table,
    order::{Candidate, Refutations, pick},
    root_moves::static_score,
    selective::reduction,
    table::{Bound, Entry, key},
};
use crate::game::Stage;

/// The search has to end before it has an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interrupted;

/// Positions between two looks at clock and stop flag: about 50 µs, so that a search thread makes way for
/// the calls that must not wait.
const LOOK_UP_EVERY: u64 = 128;

/// The deepest search. With it a table entry's depth fits into a byte and the recursion onto any stack.
pub(super) const MAX_DEPTH: u32 = 100;

/// What a search keeps while it goes through the positions.
pub(super) struct Tree<'a, G: Evaluate> {
    control: &'a Control,
    knowledge: &'a Knowledge,
    table: &'a mut Table,
    deadline: Option<Instant>,
    node_limit: u64,
    nodes: u64,
    /// The number of nodes at which to look up next.
    look_up_at: u64,
    /// What interrupted the search.
    pub(super) interrupted_by: Option<StoppedBy>,
    /// Whether a judgement has gone into the scores since this was last reset.
    pub(super) judged: bool,
    /// The positions from the root to the present one.
    path: Vec<u64>,
    pub(super) refutations: Refutations<G::Move>,
    /// Legal moves of one position, as generated.
    pub(super) listed: Vec<G::Move>,
    /// Ranked moves of the positions on the path, one after the other.
    pub(super) candidates: Vec<Candidate<G::Move>>,
    /// Rolls on the path: no line leads past them.
    pub(super) rolls: u32,
    /// The best lines found below each ply.
    pub(super) lines: Vec<Vec<G::Move>>,
}

impl<'a, G: Evaluate> Tree<'a, G> {
    pub(super) fn new(
        limits: &Limits,
        knowledge: &'a Knowledge,
        control: &'a Control,
        table: &'a mut Table,
    ) -> Self {
        table.begin();
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        Self {
            control,
            knowledge,
            table,
            deadline: limits.deadline(control.started()),
            node_limit,
            nodes: 0,
            look_up_at: 0,
            interrupted_by: None,
            judged: false,
            path: Vec::new(),
            refutations: Refutations::new(),
            listed: Vec::new(),
            candidates: Vec::new(),
            rolls: 0,
            lines: vec![Vec::new(); MAX_DEPTH as usize + 3],
        }
    }

    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The score of a root move for the side that plays it, and whether it is exact; its line is [`Self::pv`].
    pub(super) fn root_move(
        &mut self,
        root: &G,
        m: G::Move,
        (alpha, beta): (Score, Score),
        depth: u32,
    ) -> Result<(Score, bool), Interrupted> {
        self.judged = false;
        self.path.clear();
        self.path.push(key(root));
        self.candidates.clear();
        self.rolls = 0;
        let score = self.after(root, m, (alpha, beta), depth, 0)?;
        Ok((score, !self.judged))
    }

    /// The best play after the root move that was searched last.
    pub(super) fn pv(&self) -> &[G::Move] {
        &self.lines[1]
    }

    /// The score of a position for the side to move, within a window: at most alpha and at least beta are bounds.
    pub(super) fn node(
        &mut self,
        position: &G,
        (mut alpha, beta): (Score, Score),
        depth: u32,
        ply: usize,
    ) -> Result<Score, Interrupted> {
        // 1. Count the position, and look up now and then.
        self.visit()?;
        self.lines[ply].clear();

        // 2. The game may be over, known without a search, or the search at its horizon.
        let stage = position.stage();
        if let Some(score) = self.at_once(position, stage, ply) {
            return Ok(score);
        }
        if depth == 0 {
            return self.quiesce(position, (alpha, beta), ply);
        }

        // 3. Who comes back to a position gets nowhere: where the rules do not end the game then, it is as good as drawn,
        //    and so games come to an end. It depends on the moves before, so it proves nothing about the position, and
        //    not even a result that the rules give counts as decided.
        let key = key(position);
        if G::ROLLS.is_empty() && self.path.contains(&key) {
            self.judged = true;
            return Ok(Score::repeated(position));
        }

        // 4. The position may be known. Only an entry of the same depth stands for a search, so that the table
        //    saves work and changes nothing. Where the line is wanted it is searched in any case.
        let wants_line = self.wants_line(alpha, beta);
        let known = self.table.get(key);
        if let Some(entry) = known
            && !wants_line
            && (u32::from(entry.depth) == depth || entry.settled)
        {
            let score = entry.score.earlier(ply as u32);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if enough {
                self.judged |= !entry.settled;
                return Ok(score);
            }
        }

        // 5. Whether a judgement goes into the score is found out for this position alone.
        let judged_before = std::mem::take(&mut self.judged);
        self.path.push(key);

        let floor = alpha;
        let (score, best) = if stage == Stage::Roll {
            (self.chance(position, (alpha, beta), depth, ply)?, 0)
        } else {
            // 6. Rank the legal moves.
            let first = self.candidates.len();
            self.rank(position, known.map(|entry| entry.best), depth, ply)?;

            // 7. Try them, the best first; all but the first only have to show that they are no better, and those that
            //    are ranked low show it less deep.
            let mut best = (-Score::INFINITY, 0);
            for i in first..self.candidates.len() {
                let Candidate { m, index, .. } = pick(&mut self.candidates[i..], i - first);
                let mut score = Score::INFINITY;
                let reduced = reduction::<G>(depth, i - first);
                if reduced > 0 {
                    score = self.after(position, m, (alpha, alpha.next()), depth - reduced, ply)?;
                }
                if i > first && score > alpha {
                    score = self.after(position, m, (alpha, alpha.next()), depth, ply)?;
                }
                if i == first || score > alpha && score < beta {
                    score = self.after(position, m, (alpha, beta), depth, ply)?;
                }
                if score <= best.0 {
                    continue;
                }
                best = (score, index);
                if score <= alpha {
                    continue;
                }
                alpha = score;
                if wants_line {
                    self.extend_line(m, ply);
                }
                // 8. A move that is too good refutes the position: the opponent will not allow it.
                if score >= beta {
                    let player = position.turn();
                    self.refutations.add(player, m, depth, ply);
                    for failure in &self.candidates[first..i] {
                        self.refutations.add_failure(player, failure.m, depth);
                    }
                    break;
                }
            }
            self.candidates.truncate(first);
            best
        };

        // 9. Keep what was found. A bound that a finished game gives holds at any depth.
        self.path.pop();
        let bound = if score >= beta {
            Bound::Lower
        } else if score > floor {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let won = score.is_win() && bound != Bound::Upper;
        let lost = score.is_loss() && bound != Bound::Lower;
        let settled = !self.judged || won || lost;
        self.judged = judged_before || !settled;
        let entry = Entry { score: score.later(ply as u32), bound, depth: depth as u8, settled, best };
        self.table.put(key, entry);
        Ok(score)
    }

    /// The score of a position that needs no search.
    #[inline]
    pub(super) fn at_once(&mut self, position: &G, stage: Stage, ply: usize) -> Option<Score> {
        if let Stage::Over(outcome) = stage {
            return Some(Score::over(outcome.result_for(position.turn()), ply as u32));
        }
        if let Some(known) = position.known(self.knowledge) {
            self.judged |= known.result().is_none();
            return Some(known.score::<G>(ply as u32));
        }
        None
    }

    /// The score of a move for the side that plays it. The turn may stay with that side.
    pub(super) fn after(
        &mut self,
        position: &G,
        m: G::Move,
        (alpha, beta): (Score, Score),
        depth: u32,
        ply: usize,
    ) -> Result<Score, Interrupted> {
        let next = position.after(m);
        if next.turn() == position.turn() {
            self.node(&next, (alpha, beta), depth - 1, ply + 1)
        } else {
            Ok(-self.node(&next, (-beta, -alpha), depth - 1, ply + 1)?)
        }
    }

    /// Puts the legal moves on top of the candidates, ranked.
    ///
    /// With dice what a move leads to is looked at for that, where much depends on the order. Doubles have more than a
    /// thousand moves, so each counts as a position visited: the clock is looked at meanwhile.
    pub(super) fn rank(
        &mut self,
        position: &G,
        table_move: Option<u16>,
        depth: u32,
        ply: usize,
    ) -> Result<(), Interrupted> {
        self.listed.clear();
        position.generate(&mut self.listed);
        if G::ROLLS.is_empty() || depth == 1 {
            self.refutations.rank(position, &self.listed, table_move, ply, &mut self.candidates);
            return Ok(());
        }
        for index in 0..self.listed.len() {
            self.visit()?;
            let m = self.listed[index];
            let rank = static_score(position, m).units();
            self.candidates.push(Candidate { m, index: index as u16, rank });
        }
        Ok(())
    }

    /// Counts a position that is visited.
    #[inline]
    pub(super) fn visit(&mut self) -> Result<(), Interrupted> {
        if self.nodes >= self.look_up_at {
            self.look_up()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Lets other threads go first, and checks what may end the search.
    #[cold]
    fn look_up(&mut self) -> Result<(), Interrupted> {
        thread::yield_now();
        let time_is_up = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.interrupted_by = if self.nodes >= self.node_limit {
            Some(StoppedBy::Nodes)
        } else if self.control.is_stopped() || time_is_up() {
            Some(StoppedBy::Time)
        } else {
            None
        };
        self.look_up_at = self.node_limit.min(self.nodes + LOOK_UP_EVERY);
        if self.interrupted_by.is_some() { Err(Interrupted) } else { Ok(()) }
    }

    /// Whether more than a bound is asked for, so that the best line is of interest.
    #[inline]
    pub(super) fn wants_line(&self, alpha: Score, beta: Score) -> bool {
        alpha.next() < beta && self.rolls == 0
    }

    /// The best line from a ply is a move and the best line after it.
    pub(super) fn extend_line(&mut self, m: G::Move, ply: usize) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&below[0]);
    }
}
