//! Computes how the last marbles are likely to be split.

use std::{env, fs, ops::Range};

use super::*;

/// The numbers of plies after which play stops.
const PLIES: Range<usize> = 150..300;

/// What `splits-12.bin` holds: the part of the marbles in the cups that the side to move is likely to get, in
/// sixteenths of a marble, for all positions with up to twelve marbles, by their numbers.
///
/// Where the bounds differ, play may go on for ever. The rules end it when a position occurs again, and then
/// each player takes the marbles on their own side. Which position that is depends on the moves before. The
/// split does not: it is what the side to move gets within its bounds if play stops after 150 plies, after
/// 151, and so on to 299, on average. It proves nothing.
fn splits() -> Vec<u8> {
    let mut splits = vec![0; positions_up_to(Endgames::BUILT_IN)];
    for marbles in 0..=Endgames::BUILT_IN {
        add_splits(marbles, &mut splits);
    }
    splits
}

/// A position whose bounds differ.
struct Open {
    number: usize,
    bounds: Share,
    /// The range of the list of all next positions that has those of this one.
    next: Range<usize>,
}

/// Computes the splits of the positions with so many marbles from those of the positions with fewer.
fn add_splits(marbles: u8, splits: &mut [u8]) {
    let endgames = Endgames::built_in();
    // 1. If play stops at once, each player takes their own marbles.
    let (mut open, mut next) = (Vec::new(), Vec::new());
    for number in positions_with(marbles) {
        let [mover, other] = rows(number);
        let bounds = endgames.share(mover, other).expect("endgames with as many marbles are built in");
        if bounds.is_exact() {
            splits[number] = PARTS * bounds.least;
            continue;
        }
        splits[number] = PARTS * mover.total();
        let first = next.len();
        let after = mover.occupied().filter_map(|place| mover.sow(other, place));
        next.extend(after.map(|(row, next_mover)| index(next_mover, row)));
        open.push(Open { number, bounds, next: first..next.len() });
    }
    // 2. With one ply more, the player gets the best of the splits after their moves.
    let mut sums = vec![0; open.len()];
    for plies in 1..PLIES.end {
        let best = |Open { bounds, next: after, .. }: &Open| {
            let opponents = next[after.clone()].iter().map(|&number| splits[number]).min();
            let own = PARTS * marbles - opponents.expect("where the bounds differ there is a move");
            own.clamp(PARTS * bounds.least, PARTS * bounds.most)
        };
        let longer: Vec<_> = open.iter().map(best).collect();
        for ((Open { number, .. }, sum), split) in open.iter().zip(&mut sums).zip(longer) {
            splits[*number] = split;
            *sum += if PLIES.contains(&plies) { usize::from(split) } else { 0 };
        }
    }
    for (Open { number, .. }, sum) in open.iter().zip(sums) {
        let mean = (sum + PLIES.len() / 2) / PLIES.len();
        splits[*number] = u8::try_from(mean).expect("it is a mean of bytes");
    }
}

#[test]
fn the_splits_in_the_program_are_those_that_are_worked_out() {
    let splits = splits();
    if splits != SPLITS {
        let file = env::current_exe().unwrap().with_file_name("splits-12.bin");
        fs::write(&file, splits).unwrap();
        panic!("the splits have changed: copy {} to crates/engine/src/tablebase/wari", file.display());
    }
}

#[test]
fn a_split_is_within_the_bounds() {
    for number in (0..SPLITS.len()).step_by(97) {
        let [mover, other] = rows(number);
        let Share { least, most } = Endgames::built_in().share(mover, other).unwrap();
        assert!((PARTS * least..=PARTS * most).contains(&SPLITS[number]), "{mover:?} {other:?}");
    }
}
