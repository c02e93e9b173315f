//! The transposition table: results of the search by position.

#![expect(clippy::cast_possible_truncation, reason = "hashes and packed bits are cut on purpose")]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
use std::{
    hash::{Hash, Hasher},
    io,
};

use memmap2::MmapMut;

use crate::Score;

/// The kind of a stored score: exact, or a bound of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    Lower,
    Upper,
}

/// What the transposition table stores about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The score, as seen from the position itself.
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// The depth of its search, in plies.
    pub(super) depth: u8,
    /// Whether no heuristic score has gone into it: searching deeper would not change it.
    pub(super) is_exact: bool,
    /// The best move, or the one that caused a cutoff, by its place in the list of legal moves.
    pub(super) best: u16,
}

/// The transposition table: what a search knows about the positions it has seen.
///
/// One table serves searches of any game, one after another; each sees only its own entries, so what an
/// earlier one left behind changes nothing. Memory is taken when the first search begins; it can be
/// [reserved](Self::reserve) before.
///
/// ```
/// use cublino_engine::TranspositionTable;
///
/// let table = TranspositionTable::new(1 << 20);
/// assert_eq!(table.allocated_bytes(), 0);
/// ```
#[derive(Debug)]
pub struct TranspositionTable {
    /// The buckets, from the beginning of a page on.
    memory: Option<MmapMut>,
    /// How many bytes they take, or will: a power of two.
    bytes: usize,
    generation: u16,
}

/// The key of a position and the packed entry; both are zero where nothing has been written.
type Slot = [u8; 16];
/// Entries of a bucket: a cache line of 64 bytes.
const BUCKET: usize = 4;
const CACHE_LINE: usize = BUCKET * size_of::<Slot>();

impl TranspositionTable {
    /// A table that will take at most `bytes` bytes, but at least one bucket.
    pub fn new(bytes: usize) -> Self {
        // The largest power of two that fits, so that a key finds its bucket with a mask.
        Self { memory: None, bytes: 1 << bytes.max(CACHE_LINE).ilog2(), generation: 0 }
    }

    /// Reserves the memory, so that no search can fail for want of it.
    ///
    /// # Errors
    /// The system does not have that much memory.
    pub fn reserve(&mut self) -> io::Result<()> {
        let bytes = self.bytes;
        let memory = MmapMut::map_anon(bytes).map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("there is no memory for a transposition table of {bytes} bytes: {error}"),
            )
        })?;
        // With small pages a search takes an eighth longer, since nearly every position is on another page.
        // Large pages are not always available; then it uses small ones.
        #[cfg(target_os = "linux")]
        let _whether_there_are = memory.advise(memmap2::Advice::HugePage);
        self.memory = Some(memory);
        Ok(())
    }

    /// The memory that it has taken: nothing before the first search.
    pub const fn allocated_bytes(&self) -> usize {
        if self.generation == 0 { 0 } else { self.bytes }
    }

    /// Begins a new search: all entries so far count as empty.
    pub(super) fn begin(&mut self) -> &mut Self {
        match &mut self.memory {
            None => self.reserve().expect("the system has memory for the table"),
            Some(memory) if self.generation == u16::MAX => {
                memory.fill(0);
                self.generation = 0;
            }
            Some(_) => {}
        }
        self.generation += 1;
        self
    }

    /// Prefetches the bucket of a key into the cache, while the search does something else. Without this, it
    /// would wait for memory a third of the time.
    pub(super) fn fetch(&self, key: u64) {
        let Some(memory) = &self.memory else { return };
        let bucket = memory[self.place(key)..].as_ptr();
        #[cfg(not(target_arch = "x86_64"))]
        let _ = bucket;
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "measured: see above")]
        // SAFETY: the instruction is one of every such processor, and neither reads nor writes.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(bucket.cast());
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let memory = self.memory.as_ref()?;
        let (slots, _) = memory[self.place(key)..][..CACHE_LINE].as_chunks();
        slots.iter().map(words).find_map(|[of, packed]| {
            let is_found = of == key && generation(packed) == self.generation;
            is_found.then(|| unpack(packed))
        })
    }

    /// Stores an entry in place of the older one of the position, an unused one, or the shallowest.
    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        let first = self.place(key);
        let current = self.generation;
        let Some(memory) = &mut self.memory else { return };
        let (slots, _) = memory[first..][..CACHE_LINE].as_chunks_mut();
        let mut victim = (0, (u8::MAX, u8::MAX));
        for (place, [of, packed]) in slots.iter().map(words).enumerate() {
            let worth = if generation(packed) != current {
                (0, 0)
            } else if of == key {
                victim.0 = place;
                break;
            } else {
                (1, unpack(packed).depth)
            };
            if worth < victim.1 {
                victim = (place, worth);
            }
        }
        let (of, packed) = slots[victim.0].split_at_mut(size_of::<u64>());
        of.copy_from_slice(&key.to_ne_bytes());
        packed.copy_from_slice(&pack(entry, current).to_ne_bytes());
    }

    /// Where the bucket of a key begins.
    const fn place(&self, key: u64) -> usize {
        (key as usize).wrapping_mul(CACHE_LINE) & (self.bytes - 1)
    }
}

/// The key and the packed entry in a slot.
fn words(slot: &Slot) -> [u64; 2] {
    let words = slot.as_chunks().0;
    [words[0], words[1]].map(u64::from_ne_bytes)
}

/// Score, best move, depth, flags, generation: 16, 16, 8, 8 and 16 bits.
const fn pack(entry: Entry, generation: u16) -> u64 {
    let flags = entry.bound as u64 | (entry.is_exact as u64) << 2;
    entry.score.0.cast_unsigned() as u64
        | (entry.best as u64) << 16
        | (entry.depth as u64) << 32
        | flags << 40
        | (generation as u64) << 48
}

const fn unpack(bits: u64) -> Entry {
    let bound = match bits >> 40 & 3 {
        0 => Bound::Exact,
        1 => Bound::Lower,
        _ => Bound::Upper,
    };
    Entry {
        score: Score(bits as i16),
        best: (bits >> 16) as u16,
        depth: (bits >> 32) as u8,
        is_exact: bits >> 42 & 1 != 0,
        bound,
    }
}

const fn generation(bits: u64) -> u16 {
    (bits >> 48) as u16
}

/// The key of a position, or of a move.
pub(super) fn key(value: &impl Hash) -> u64 {
    let mut mixer = Mixer(SEED);
    value.hash(&mut mixer);
    mixer.finish()
}

/// The fractional parts of the golden ratio and of the square root of two: odd numbers without a pattern.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const SEED: u64 = 0x6a09_e667_f3bc_c909;

/// Hashes word by word: a multiplication to 128 bits, folded. Positions are a few words, and no adversary
/// picks them to collide.
struct Mixer(u64);

impl Mixer {
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(FACTOR);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        let product = u128::from(self.0) * u128::from(SEED | 1);
        (product >> 64) as u64 ^ product as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use cublino_rules::{game::playout, games::Pur};

    const ENTRY: Entry =
        Entry { score: Score::over(-1, 123), bound: Bound::Upper, depth: 7, is_exact: true, best: 321 };

    #[test]
    fn an_entry_comes_back_as_it_was_put() {
        let mut table = TranspositionTable::new(1 << 12);
        table.begin();
        assert_eq!(table.get(5), None);
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for is_exact in [false, true] {
                let entry = Entry { bound, is_exact, ..ENTRY };
                table.put(5, entry);
                assert_eq!(table.get(5), Some(entry));
            }
        }
    }

    #[test]
    fn a_new_search_sees_nothing_of_those_before() {
        let mut table = TranspositionTable::new(0);
        for _ in 0..=2 * u32::from(u16::MAX) {
            table.begin();
            assert_eq!(table.get(5), None);
            table.put(5, ENTRY);
        }
    }

    #[test]
    fn the_shallowest_entry_of_a_full_bucket_makes_room() {
        let mut table = TranspositionTable::new(0);
        table.begin();
        for depth in [4, 2, 3, 5, 6] {
            table.put(depth.into(), Entry { depth, ..ENTRY });
        }
        let kept: Vec<_> = (0..8).filter(|&key| table.get(key).is_some()).collect();
        assert_eq!(kept, [3, 4, 5, 6]);
    }

    #[test]
    fn memory_is_taken_when_the_first_search_begins() {
        let mut table = TranspositionTable::new(1 << 20);
        assert_eq!(table.allocated_bytes(), 0);
        table.begin();
        assert_eq!(table.allocated_bytes(), 1 << 20);
        let memory = table.memory.as_ref().unwrap();
        assert_eq!(memory.as_ptr().addr() % CACHE_LINE, 0);
        assert_eq!(memory[table.place(u64::MAX)..].len(), CACHE_LINE);
    }

    #[test]
    fn more_memory_than_any_system_has_is_refused_with_a_sentence() {
        let refused = TranspositionTable::new(usize::MAX).reserve().unwrap_err().to_string();
        assert!(refused.starts_with("there is no memory for a transposition table of "), "{refused}");
    }

    #[test]
    fn a_table_keeps_its_memory_through_any_number_of_searches() {
        let mut table = TranspositionTable::new(0);
        table.begin();
        let memory = |table: &TranspositionTable| table.memory.as_ref().unwrap().as_ptr();
        let first = memory(&table);
        for _ in 0..=u16::MAX {
            table.begin();
            assert_eq!(memory(&table), first);
        }
    }

    #[test]
    fn different_positions_have_different_keys() {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let positions: HashSet<_> = (0..100)
            .flat_map(|_| playout::positions(Pur::default(), 100, &mut rng).collect::<Vec<_>>())
            .collect();
        let keys: HashSet<_> = positions.iter().map(key).collect();
        assert_eq!(keys.len(), positions.len());
    }
}
