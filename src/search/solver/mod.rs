//! Whether a player can force a win within a number of plies: yes or no, and never a judgement.
//!
//! There are two answers only, so the search is a boolean alpha-beta: the attacker needs one move that keeps the win in
//! time, the defender one that does not. What makes it go deep is what a game knows for certain without looking ahead
//! ([`Solve`]): that a win takes more plies than are left, or that nobody can stop one any more.
//!
//! Repetition needs no rule here: on the way of a shortest win no position occurs twice, and an attacker who goes round
//! in circles runs out of plies.

mod answer;
mod clock;
mod contra;
mod ecke;
mod mahbusa;
mod order;
mod proofs;
mod pur;
#[cfg(test)]
mod tests;
mod verdict;
mod waiting;
mod wari;

pub use self::{
    answer::Answer,
    clock::Interrupted,
    verdict::{ForcedWin, Verdict, solve},
};
pub(super) use self::{
    clock::Clock,
    verdict::{TABLE_BYTES, find_forced_win},
};
use self::{
    order::{Branch, list, pick},
    proofs::{Fingerprint, Proofs},
};
use super::{Control, Evaluate, Limits, order::Refutations};
use crate::game::{Game, Player, Stage};

/// What a game knows for certain about forced wins without looking ahead. A game that knows nothing is solved by trying.
pub trait Solve: Game {
    /// A number of plies in fewer of which the player cannot *force* a win: a lower bound, for which it is enough that
    /// the opponent has one way to defend; `u32::MAX` if they never can. Only called where the game goes on.
    fn fewest_plies(&self, _player: Player) -> u32 {
        1
    }

    /// Whether a search should look for a forced win first. Only called where the game goes on.
    fn is_win_near(&self) -> bool {
        false
    }

    /// Which moves of the side to move may keep a win that they can force within so many plies; after any other it is
    /// lost. Only called where the game goes on.
    fn in_time(&self, _plies: u32) -> impl Fn(Self::Move) -> bool {
        |_| true
    }

    /// A player who wins for certain, and a number of plies within which they can force it; `None` if that cannot be
    /// told without looking ahead. Only called where the game goes on.
    fn sure_win(&self) -> Option<(Player, u32)> {
        None
    }
}

/// Whether one of the players may be so near a forced win that a search should look for one first: further ahead there hardly ever is one
/// that is found.
fn is_near(position: &impl Solve) -> bool {
    const NEAR: u32 = 9;
    Player::ALL.into_iter().any(|player| position.fewest_plies(player) <= NEAR)
}

/// The greatest number of plies that can be asked about.
pub const MAX_PLIES: u32 = 200;

/// Looks for forced wins, and keeps what it has proven.
#[derive(Debug)]
pub struct Solver<'a, G: Evaluate> {
    clock: Clock<'a>,
    proofs: Proofs,
    /// What has settled positions, by the plies that were left.
    refutations: Refutations<G::Move>,
    attacker: Player,
    /// Legal moves of one position, as generated.
    listed: Vec<G::Move>,
    /// Moves of the positions on the path, one position after the other.
    branches: Vec<Branch<G>>,
}

impl<'a, G: Evaluate> Solver<'a, G> {
    /// A solver that keeps its proofs in about so many bytes, and gives up when the time or the nodes are used up.
    #[must_use]
    pub fn new(limits: &Limits, control: &'a Control, table_bytes: usize) -> Self {
        Self {
            clock: Clock::new(limits, control),
            proofs: Proofs::new(table_bytes),
            refutations: Refutations::new(),
            attacker: Player::One,
            listed: Vec::new(),
            branches: Vec::new(),
        }
    }

    /// How many positions were visited so far.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.clock.nodes()
    }

    /// Whether a player can force a win within so many plies, at most [`MAX_PLIES`].
    ///
    /// # Errors
    /// Fails when a limit is reached before that is known.
    pub fn ask(&mut self, position: &G, attacker: Player, plies: u32) -> Result<Answer, Interrupted> {
        self.attacker = attacker;
        self.branches.clear();
        self.clock.visit()?;
        let plies = plies.min(MAX_PLIES);
        match self.known(position, plies) {
            Ok(answer) => Ok(answer),
            Err(print) => self.search(position, print, plies),
        }
    }

    /// The answer for a position if no move needs to be tried: at a glance, or from the table. Else where the table
    /// will keep it.
    fn known(&self, position: &G, plies: u32) -> Result<Answer, Fingerprint> {
        if let Stage::Over(outcome) = position.stage() {
            let won = outcome.winner == Some(self.attacker);
            return Ok(if won { Answer::Within(0) } else { Answer::NEVER });
        }
        let fewest = position.fewest_plies(self.attacker);
        if fewest > plies {
            return Ok(Answer::not_within(fewest - 1));
        }
        match position.sure_win() {
            Some((winner, _)) if winner != self.attacker => return Ok(Answer::NEVER),
            Some((_, within)) if within <= plies => return Ok(Answer::Within(within)),
            _ => {}
        }
        let print = Fingerprint::of(position, self.attacker);
        self.proofs.get(print).and_then(|proof| proof.answer(plies)).ok_or(print)
    }

    /// The answer for a position for which it is not [known](Self::known).
    fn search(&mut self, position: &G, print: Fingerprint, plies: u32) -> Result<Answer, Interrupted> {
        let nodes = self.clock.nodes();
        if position.stage() == Stage::Roll {
            let answer = self.any_roll(position, plies)?;
            self.proofs.keep(print, answer, 0, self.clock.nodes() - nodes);
            return Ok(answer);
        }
        let attacks = position.turn() == self.attacker;
        let mut answer = Answer::without_moves(attacks);
        let mut best = self.proofs.get(print).map(|proof| proof.best);

        // 1. Rank the legal moves, without those that cost the attacker too much time.
        let first = self.branches.len();
        self.listed.clear();
        position.generate(&mut self.listed);
        list(&self.refutations, position, &self.listed, best, plies, &mut self.branches);
        if attacks {
            let in_time = position.in_time(plies);
            let mut kept = first;
            for i in first..self.branches.len() {
                if in_time(self.branches[i].m) {
                    self.branches.swap(kept, i);
                    kept += 1;
                }
            }
            if kept < self.branches.len() {
                answer = Answer::NotWithin(plies);
            }
            self.branches.truncate(kept);
        }

        // 2. The most promising move is searched. Of the others many have an answer that is known, and one may settle
        //    the matter.
        let mut open = first;
        for i in first..self.branches.len() {
            if i == first {
                pick(&mut self.branches[i..]);
            }
            let branch = self.branches[i];
            let next = position.after(branch.m);
            self.clock.visit()?;
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
                self.refutations.add(position.turn(), branch.m, plies, plies as usize);
                best = Some(branch.index);
                open = first;
                break;
            }
        }
        self.branches.truncate(open);

        // 3. The rest is searched too, the most promising first.
        for i in first..open {
            let branch = pick(&mut self.branches[i..]);
            let found = self.search(&branch.next, branch.print, plies - 1)?;
            answer = answer.or(found.earlier(), attacks);
            if answer.suits(attacks) {
                self.refutations.add(position.turn(), branch.m, plies, plies as usize);
                best = Some(branch.index);
                break;
            }
        }

        // 4. Keep what was found.
        self.branches.truncate(first);
        self.proofs.keep(print, answer, best.unwrap_or_default(), self.clock.nodes() - nodes);
        Ok(answer)
    }

    /// The answer before a roll: a win is forced only if no roll prevents it. A roll is no ply.
    fn any_roll(&mut self, position: &G, plies: u32) -> Result<Answer, Interrupted> {
        let attacks = false;
        let mut answer = Answer::without_moves(attacks);
        for &(roll, _) in G::ROLLS {
            let mut rolled = *position;
            rolled.roll_unchecked(roll);
            self.clock.visit()?;
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
