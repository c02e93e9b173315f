//! The proof search: depth-first search for a forced win, with a table of what has been proven.

#![expect(
    clippy::cast_possible_truncation,
    reason = "plies are at most 200, and packed bits are cut to their fields"
)]

use cublino_rules::game::{Game, Player, Stage};

use super::WinBound;
use crate::{
    Control, LimitChecker, Playable, SearchLimits,
    history::{GameHistory, Recurrence},
    limits::Searched,
    ordering::{MoveHistory, ScoredMove, bring_best},
    transposition_table::key,
};

/// The greatest number of plies that can be probed.
pub const MAX_PLIES: u32 = 200;

/// Looks for forced wins, and keeps what it has proven.
#[derive(Debug)]
pub(crate) struct Solver<'a, G: Playable> {
    pub(crate) limits: LimitChecker<'a>,
    /// The history of the game before the position that is probed.
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
struct Branch<G: Playable> {
    scored: ScoredMove<G::Move>,
    /// The position after it, once that is computed.
    next: G,
    print: Fingerprint,
}

impl<'a, G: Playable> Solver<'a, G> {
    /// A solver that keeps its proofs in at most so many bytes, and gives up when the time or the nodes are
    /// used up.
    ///
    /// The game history has the positions that have occurred before. Returning to one that does not end the
    /// game cannot prevent a win: the positions of a shortest win are all different.
    pub(crate) fn new(
        limits: &SearchLimits,
        control: &'a Control,
        table_bytes: usize,
        game_history: &'a GameHistory,
    ) -> Self {
        Self {
            limits: LimitChecker::new(limits, control),
            game_history,
            proofs: Proofs::new(table_bytes),
            history: MoveHistory::new(),
            attacker: Player::One,
            generated: Vec::new(),
            branches: Vec::new(),
        }
    }

    /// Whether a player can force a win within so many plies, at most [`MAX_PLIES`].
    ///
    /// # Errors
    /// Fails when a limit is reached before that is known.
    pub(crate) fn probe(&mut self, position: &G, attacker: Player, plies: u32) -> Searched<WinBound> {
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
    /// Else the fingerprint under which the table keeps it.
    fn known(&self, position: &G, plies: u32) -> Result<WinBound, Fingerprint> {
        if let Stage::Over(outcome) = position.stage() {
            let won = outcome.winner == Some(self.attacker);
            return Ok(if won { WinBound::Within(0) } else { WinBound::NEVER });
        }
        if let Some(Recurrence::Ends(winner)) = self.game_history.recurrence(position, 0) {
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
    fn search(&mut self, position: &G, print: Fingerprint, plies: u32) -> Searched<WinBound> {
        let nodes = self.limits.nodes;
        if position.stage() == Stage::Roll {
            let answer = self.any_roll(position, plies)?;
            self.proofs.keep(print, answer, 0, self.limits.nodes - nodes);
            return Ok(answer);
        }
        let attacks = position.turn() == self.attacker;
        let mut answer = WinBound::without_moves(attacks);
        let mut best = self.proofs.get(print).map(|proof| proof.best);

        // 1. Score the legal moves, without those that cost the attacker too much time. The best one of an
        //    earlier search comes first.
        let first = self.branches.len();
        self.generated.clear();
        position.generate(&mut self.generated);
        let score = self.history.scores(position, plies);
        let scored = self.generated.iter().zip(0..).map(move |(&m, index)| {
            let score = if best == Some(index) { i32::MAX } else { score(m) };
            ScoredMove { m, index, score }
        });
        let in_time = attacks.then(|| position.in_time(plies));
        let kept = scored.filter(|scored| in_time.as_ref().is_none_or(|in_time| in_time(scored.m)));
        let print = Fingerprint::default();
        self.branches.extend(kept.map(|scored| Branch { scored, next: *position, print }));
        if self.branches.len() - first < self.generated.len() {
            answer = WinBound::NotWithin(plies);
        }

        // 2. Search the first move in the order. Many of the others have a known answer, and one of those may
        //    decide.
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

        // 3. Search the rest too, in the order of their scores.
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
        self.proofs.keep(print, answer, best.unwrap_or_default(), self.limits.nodes - nodes);
        Ok(answer)
    }

    /// The answer before a roll: a win is forced only if no roll prevents it. A roll is no ply.
    fn any_roll(&mut self, position: &G, plies: u32) -> Searched<WinBound> {
        let attacks = false;
        let mut answer = WinBound::without_moves(attacks);
        for &(roll, _) in G::ROLLS {
            let rolled = position.rolled(roll);
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
fn pick<G: Playable>(left: &mut [Branch<G>]) -> Branch<G> {
    bring_best(left, |branch| branch.scored.order());
    left[0]
}

/// The hash of a position and its attacker, 128 bits: the place in the table, and a check.
///
/// With 64 bits, a proof with billions of look-ups would meet a collision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fingerprint {
    place: u64,
    check: u64,
}

impl Fingerprint {
    pub(super) fn of(position: &impl Game, attacker: Player) -> Self {
        Self { place: key(&(attacker, 0_u8, position)), check: key(&(attacker, 1_u8, position)) }
    }
}

/// What has been proven about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof {
    /// The attacker can force a win within so many plies; more than [`MAX_PLIES`] if that is not known.
    within: u8,
    /// The attacker cannot force a win within so many plies.
    not_within: u8,
    /// The move that caused the cutoff, by its place in the list of legal moves.
    pub(super) best: u16,
    /// The bit length of the number of nodes that the search took.
    work: u8,
}

impl Proof {
    /// The answer for so many plies, if this proof has one.
    pub(super) fn answer(self, plies: u32) -> Option<WinBound> {
        let [within, not_within] = [self.within, self.not_within].map(u32::from);
        if within <= plies {
            Some(WinBound::Within(within))
        } else {
            (not_within >= plies).then_some(WinBound::NotWithin(not_within))
        }
    }
}

/// What has been proven, by position.
#[derive(Debug)]
pub(super) struct Proofs {
    buckets: Vec<Bucket>,
}

/// Proofs of a bucket: 64 bytes.
const BUCKET: usize = 4;

/// The slots of a bucket: a check and a packed proof, 0 where there is none.
type Bucket = [[u64; 2]; BUCKET];

impl Proofs {
    /// A table of at most so many bytes; at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        // The largest power of two that fits, so that a mask finds the bucket.
        Self { buckets: vec![[[0; 2]; BUCKET]; 1 << buckets.ilog2()] }
    }

    pub(super) fn get(&self, print: Fingerprint) -> Option<Proof> {
        let bucket = &self.buckets[self.place(print)];
        let slot = bucket.iter().find(|slot| slot[0] == print.check && slot[1] != 0)?;
        Some(unpack(slot[1]))
    }

    /// Adds an answer about a position. A new position replaces the proof that took least work.
    pub(super) fn keep(&mut self, print: Fingerprint, answer: WinBound, best: u16, nodes: u64) {
        let place = self.place(print);
        let bucket = &mut self.buckets[place];
        let same = bucket.iter().position(|slot| slot[0] == print.check && slot[1] != 0);
        let least = || (0..BUCKET).min_by_key(|&i| unpack(bucket[i][1]).work).expect("a bucket has slots");
        let victim = same.unwrap_or_else(least);
        let before = same.map(|i| unpack(bucket[i][1]));
        let mut proof = before.unwrap_or(Proof { within: u8::MAX, not_within: 0, best, work: 0 });
        match answer {
            WinBound::Within(plies) => proof.within = plies as u8,
            WinBound::NotWithin(plies) => proof.not_within = proof.not_within.max(plies as u8),
        }
        proof.best = best;
        proof.work = proof.work.max(nodes.max(1).ilog2() as u8 + 1);
        bucket[victim] = [print.check, pack(proof)];
    }

    const fn place(&self, print: Fingerprint) -> usize {
        print.place as usize & (self.buckets.len() - 1)
    }
}

/// Work, best move, and the two numbers of plies: 8, 16, 8 and 8 bits. A proof took some work, so it is never
/// 0.
const fn pack(Proof { within, not_within, best, work }: Proof) -> u64 {
    let [low, high] = best.to_le_bytes();
    u64::from_le_bytes([work, low, high, within, not_within, 0, 0, 0])
}

const fn unpack(bits: u64) -> Proof {
    let [work, low, high, within, not_within, ..] = bits.to_le_bytes();
    Proof { within, not_within, best: u16::from_le_bytes([low, high]), work }
}
