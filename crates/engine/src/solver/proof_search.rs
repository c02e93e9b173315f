//! The search for a forced win within a number of plies.

use super::{
    proofs::{Fingerprint, Proofs},
    win_bound::WinBound,
};
use crate::{
    control::Control,
    game_history::{GameHistory, Recurrence},
    history::MoveHistory,
    limits::{Interrupted, LimitChecker, SearchLimits},
    move_picker::{ScoredMove, bring_best},
    playable::{MoveOrdering, SolverBounds},
};
use cublino_rules::game::{Player, Stage};

/// The greatest number of plies that can be asked about.
pub const MAX_PLIES: u32 = 200;

/// Looks for forced wins, and keeps what it has proven.
#[derive(Debug)]
pub struct Solver<'a, G: MoveOrdering + SolverBounds> {
    limits: LimitChecker<'a>,
    /// What occurred before the position that is asked about.
    game_history: &'a GameHistory,
    proofs: Proofs,
    /// The moves that have caused cutoffs, by the plies that were left.
    history: MoveHistory<G>,
    attacker: Player,
    /// Legal moves of one position, as generated.
    generated: Vec<G::Move>,
    /// Moves of the positions on the path, one position after the other.
    branches: Vec<Branch<G>>,
}

/// A move that has to be searched.
#[derive(Clone, Copy, Debug)]
struct Branch<G: MoveOrdering> {
    scored: ScoredMove<G::Move>,
    /// The position after it, once that is looked at.
    next: G,
    print: Fingerprint,
}

impl<'a, G: MoveOrdering + SolverBounds> Solver<'a, G> {
    /// A solver that keeps its proofs in at most so many bytes, and gives up when the time or the nodes are
    /// used up.
    #[must_use]
    pub fn new(limits: &SearchLimits, control: &'a Control, table_bytes: usize) -> Self {
        Self {
            limits: LimitChecker::new(limits, control),
            game_history: GameHistory::EMPTY,
            proofs: Proofs::new(table_bytes),
            history: MoveHistory::new(),
            attacker: Player::One,
            generated: Vec::new(),
            branches: Vec::new(),
        }
    }

    /// The same for a game in which some positions have occurred before. Coming back to one that does not end
    /// the game takes nothing from a win: the positions of a shortest win are all different.
    #[must_use]
    pub fn in_game(self, game_history: &'a GameHistory) -> Self {
        Self { game_history, ..self }
    }

    /// How many positions were visited so far.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.limits.nodes()
    }

    /// Whether a player can force a win within so many plies, at most [`MAX_PLIES`].
    ///
    /// # Errors
    /// Fails when a limit is reached before that is known.
    pub fn ask(&mut self, position: &G, attacker: Player, plies: u32) -> Result<WinBound, Interrupted> {
        self.attacker = attacker;
        self.branches.clear();
        self.limits.visit()?;
        let plies = plies.min(MAX_PLIES);
        match self.known(position, plies) {
            Ok(answer) => Ok(answer),
            Err(print) => self.search(position, print, plies),
        }
    }

    /// The answer for a position if no move needs to be tried: by the bounds of the game, or from the table.
    /// Else where the table will keep it.
    fn known(&self, position: &G, plies: u32) -> Result<WinBound, Fingerprint> {
        if let Stage::Over(outcome) = position.stage() {
            let won = outcome.winner == Some(self.attacker);
            return Ok(if won { WinBound::Within(0) } else { WinBound::NEVER });
        }
        if let Some(Recurrence::Ends(winner)) = self.game_history.recurrence(position) {
            let won = winner == Some(self.attacker);
            return Ok(if won { WinBound::Within(0) } else { WinBound::NEVER });
        }
        let fewest = position.fewest_plies(self.attacker);
        if fewest > plies {
            return Ok(WinBound::not_within(fewest - 1));
        }
        match position.sure_win() {
            Some((winner, _)) if winner != self.attacker => return Ok(WinBound::NEVER),
            Some((_, within)) if within <= plies => return Ok(WinBound::Within(within)),
            _ => {}
        }
        let print = Fingerprint::of(position, self.attacker);
        self.proofs.get(print).and_then(|proof| proof.answer(plies)).ok_or(print)
    }

    /// The answer for a position for which it is not [known](Self::known).
    fn search(&mut self, position: &G, print: Fingerprint, plies: u32) -> Result<WinBound, Interrupted> {
        let nodes = self.limits.nodes();
        if position.stage() == Stage::Roll {
            let answer = self.any_roll(position, plies)?;
            self.proofs.keep(print, answer, 0, self.limits.nodes() - nodes);
            return Ok(answer);
        }
        let attacks = position.turn() == self.attacker;
        let mut answer = WinBound::without_moves(attacks);
        let mut best = self.proofs.get(print).map(|proof| proof.best);

        // 1. Order the legal moves, without those that cost the attacker too much time.
        let first = self.branches.len();
        self.generated.clear();
        position.generate(&mut self.generated);
        let scored = self.history.scored(position, &self.generated, best, plies);
        self.branches.extend(scored.map(|scored| {
            let (next, print) = (*position, Fingerprint::default());
            Branch { scored, next, print }
        }));
        if attacks {
            let in_time = position.in_time(plies);
            let mut kept = first;
            for i in first..self.branches.len() {
                if in_time(self.branches[i].scored.m) {
                    self.branches.swap(kept, i);
                    kept += 1;
                }
            }
            if kept < self.branches.len() {
                answer = WinBound::NotWithin(plies);
            }
            self.branches.truncate(kept);
        }

        // 2. The first move in the order is searched. Of the others many have an answer that is known, and
        //    one may settle the matter.
        let mut open = first;
        for i in first..self.branches.len() {
            if i == first {
                pick(&mut self.branches[i..]);
            }
            let branch = self.branches[i];
            let next = position.after(branch.scored.m);
            self.limits.visit()?;
            let found = match self.known(&next, plies - 1) {
                Ok(known) => known,
                Err(print) if i == first => self.search(&next, print, plies - 1)?,
                Err(print) => {
                    self.branches[open] = Branch { next, print, ..branch };
                    open += 1;
                    continue;
                }
            };
            answer = answer.or(found.earlier(), attacks);
            if answer.suits(attacks) {
                self.history.add_cutoff(position.turn(), branch.scored.m, plies, plies);
                best = Some(branch.scored.index);
                open = first;
                break;
            }
        }
        self.branches.truncate(open);

        // 3. The rest is searched too, in the order of their scores.
        for i in first..open {
            let branch = pick(&mut self.branches[i..]);
            let found = self.search(&branch.next, branch.print, plies - 1)?;
            answer = answer.or(found.earlier(), attacks);
            if answer.suits(attacks) {
                self.history.add_cutoff(position.turn(), branch.scored.m, plies, plies);
                best = Some(branch.scored.index);
                break;
            }
        }

        // 4. Keep what was found.
        self.branches.truncate(first);
        self.proofs.keep(print, answer, best.unwrap_or_default(), self.limits.nodes() - nodes);
        Ok(answer)
    }

    /// The answer before a roll: a win is forced only if no roll prevents it. A roll is no ply.
    fn any_roll(&mut self, position: &G, plies: u32) -> Result<WinBound, Interrupted> {
        let attacks = false;
        let mut answer = WinBound::without_moves(attacks);
        for &(roll, _) in G::ROLLS {
            let mut rolled = *position;
            rolled.roll_unchecked(roll);
            self.limits.visit()?;
            let found = match self.known(&rolled, plies) {
                Ok(known) => known,
                Err(print) => self.search(&rolled, print, plies)?,
            };
            answer = answer.or(found, attacks);
            if answer.suits(attacks) {
                break;
            }
        }
        Ok(answer)
    }
}

/// Brings the best of the branches that are left to the front.
fn pick<G: MoveOrdering>(left: &mut [Branch<G>]) -> Branch<G> {
    bring_best(left, |branch| branch.scored.order());
    left[0]
}
