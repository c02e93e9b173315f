//! The table of what has been proven.

#![expect(
    clippy::cast_possible_truncation,
    reason = "plies are at most 200, and packed bits are cut to their fields"
)]

use super::win_bound::WinBound;
use crate::transposition_table::key;
use cublino_rules::game::{Game, Player};

/// Tells the questions about positions apart, by 128 bits: one place and one check.
///
/// With 64 bits a proof with billions of look-ups would meet another position that looks the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fingerprint {
    place: u64,
    check: u64,
}

impl Fingerprint {
    #[inline]
    pub(super) fn of(position: &impl Game, attacker: Player) -> Self {
        Self { place: key(&(attacker, 0_u8, position)), check: key(&(attacker, 1_u8, position)) }
    }
}

/// What has been proven about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof {
    /// The attacker can force a win within so many plies.
    within: Option<u8>,
    /// Not within so many.
    not_within: u8,
    /// The move that caused the cutoff, by its place in the list of legal moves.
    pub(super) best: u16,
    /// The bits of the number of positions that the search took.
    work: u8,
}

impl Proof {
    /// What this says about so many plies.
    pub(super) fn answer(self, plies: u32) -> Option<WinBound> {
        let not_within = u32::from(self.not_within);
        match self.within.map(u32::from) {
            Some(within) if within <= plies => Some(WinBound::Within(within)),
            _ if not_within >= plies => Some(WinBound::NotWithin(not_within)),
            _ => None,
        }
    }
}

/// What has been proven, by position.
#[derive(Debug)]
pub(super) struct Proofs {
    buckets: Vec<Bucket>,
}

/// Proofs that share a place: 64 bytes.
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

    #[inline]
    pub(super) fn get(&self, print: Fingerprint) -> Option<Proof> {
        let bucket = &self.buckets[self.place(print)];
        let slot = bucket.iter().find(|slot| slot[0] == print.check && slot[1] != 0)?;
        Some(unpack(slot[1]))
    }

    /// Adds an answer to what is known about a position, in the place of what took least work.
    pub(super) fn keep(&mut self, print: Fingerprint, answer: WinBound, best: u16, nodes: u64) {
        let place = self.place(print);
        let bucket = &mut self.buckets[place];
        let same = bucket.iter().position(|slot| slot[0] == print.check && slot[1] != 0);
        let least = || (0..BUCKET).min_by_key(|&i| work(bucket[i][1])).expect("a bucket has slots");
        let victim = same.unwrap_or_else(least);
        let before = same.map(|i| unpack(bucket[i][1]));
        let mut proof = before.unwrap_or(Proof { within: None, not_within: 0, best, work: 0 });
        match answer {
            WinBound::Within(plies) => proof.within = Some(plies as u8),
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
const fn pack(proof: Proof) -> u64 {
    let within = match proof.within {
        Some(within) => within,
        None => u8::MAX,
    };
    proof.work as u64 | (proof.best as u64) << 8 | (within as u64) << 24 | (proof.not_within as u64) << 32
}

const fn unpack(bits: u64) -> Proof {
    let within = (bits >> 24) as u8;
    Proof {
        within: if within == u8::MAX { None } else { Some(within) },
        not_within: (bits >> 32) as u8,
        best: (bits >> 8) as u16,
        work: bits as u8,
    }
}

const fn work(bits: u64) -> u8 {
    bits as u8
}
