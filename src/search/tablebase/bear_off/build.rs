//! Working the table out, from the ways with fewer pips to those with more.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the table has far fewer entries, and its parts are whole numbers up to 65,535"
)]

use super::{
    estimate::Rolls,
    table::{CERTAIN, HOME, WAYS, number_of},
};
use crate::{
    game::{Game, Player},
    games::{
        Mahbusa,
        mahbusa::{Board, Mover, Point, Stack},
    },
    search::tablebase::numbering::things,
};

/// What is known about one way to have checkers at home.
#[derive(Clone, Debug, Default)]
struct Way {
    fewest: u8,
    most: u8,
    /// The expected number of rolls.
    mean: f64,
    /// The chances of 0, 1, 2 and so on rolls.
    chances: Vec<f64>,
}

/// Works the table out: what `table.bin` holds. It takes about half a second.
#[must_use]
pub fn build() -> Vec<u8> {
    // A roll leaves fewer pips, so those with fewer come first.
    let pips =
        |number: &usize| -> u32 { (1..).zip(things::<HOME>(*number)).map(|(p, n)| p * u32::from(n)).sum() };
    let mut order: Vec<_> = (0..WAYS).collect();
    order.sort_by_key(pips);
    let mut ways = vec![Way::default(); WAYS];
    for number in order {
        ways[number] = way(number, &ways);
    }
    to_bytes(&ways)
}

/// One way, from those that follow.
fn way(number: usize, known: &[Way]) -> Way {
    if number == 0 {
        return Way { chances: vec![1.0], ..Way::default() };
    }
    let mut board = Board::default();
    for (index, count) in (0..).zip(things::<HOME>(number)).filter(|&(_, count)| count > 0) {
        let point = Point::new(index).expect("there are more points than at home");
        board.put(point, Stack { owner: Player::One, count, pinned: false });
    }
    let mover = Mover::new(&board, Player::One);
    let rolls: u32 = Mahbusa::ROLLS.iter().map(|&(_, ways)| ways).sum();
    let mut way = Way { fewest: u8::MAX, ..Way::default() };
    for &(roll, ways_to_roll) in Mahbusa::ROLLS {
        let mut after = Vec::new();
        mover.plays(roll, |checkers, _| after.push(&known[number_of(checkers)]));
        let of_all = |rolls: fn(&Way) -> u8| {
            after.iter().map(|&way| rolls(way)).min().expect("at home a die is played")
        };
        way.fewest = way.fewest.min(1 + of_all(|way| way.fewest));
        way.most = way.most.max(1 + of_all(|way| way.most));

        let best = after.iter().min_by(|a, b| a.mean.total_cmp(&b.mean)).expect("at home a die is played");
        let chance = f64::from(ways_to_roll) / f64::from(rolls);
        way.chances.resize(way.chances.len().max(best.chances.len() + 1), 0.0);
        for (rolls, after) in (1..).zip(&best.chances) {
            way.chances[rolls] += chance * after;
        }
    }
    way.mean = Rolls::of_chances((0..).zip(way.chances.iter().copied())).mean;
    way
}

/// The table as [`Table`](super::table::Table) reads it.
fn to_bytes(ways: &[Way]) -> Vec<u8> {
    let parts: Vec<Vec<u16>> = ways.iter().map(parts).collect();
    let mut bytes: Vec<u8> = ways.iter().map(|way| way.fewest).collect();
    bytes.extend(ways.iter().map(|way| way.most));
    let mut begin = 0_u32;
    for parts in &parts {
        bytes.extend(begin.to_le_bytes());
        begin += parts.len() as u32;
    }
    bytes.extend(begin.to_le_bytes());
    bytes.extend(parts.into_iter().flatten().flat_map(u16::to_le_bytes));
    bytes
}

/// The chances of the fewest rolls and of those that follow, as parts that add up to certainty: whole
/// numbers, and the largest fractions are rounded up.
fn parts(way: &Way) -> Vec<u16> {
    let exact: Vec<f64> =
        way.chances[usize::from(way.fewest)..].iter().map(|chance| chance * CERTAIN).collect();
    let mut parts: Vec<u16> = exact.iter().map(|part| part.floor() as u16).collect();
    let missing = usize::from(u16::MAX) - parts.iter().copied().map(usize::from).sum::<usize>();
    let mut by_fraction: Vec<_> = (0..exact.len()).collect();
    by_fraction.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    for &index in by_fraction.iter().take(missing) {
        parts[index] += 1;
    }
    while parts.last() == Some(&0) {
        parts.pop();
    }
    parts
}
