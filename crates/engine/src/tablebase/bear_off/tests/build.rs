//! Computes the bear-off table, from the ways with fewer pips to those with more.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the table has far fewer entries, and its parts are whole numbers up to 65,535"
)]

use super::super::{CERTAIN, FEW, FEW_WAYS, HOME, Rolls, WAYS, number_of};
use crate::tablebase::numbering::things;
use cublino_rules::{
    game::{Game, Player},
    games::{
        Mahbusa,
        mahbusa::{Board, Mover, Point, Stack},
    },
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

/// Computes the content of `table.bin`. It takes about a second.
pub(super) fn build() -> Vec<u8> {
    // A roll leaves fewer pips, so those with fewer come first.
    let mut order: Vec<_> = (0..WAYS).collect();
    order.sort_by_key(|&number| pips(number));
    let mut ways = vec![Way::default(); WAYS];
    for number in order {
        ways[number] = way(number, &ways);
    }
    let mut bytes = to_bytes(&ways);
    bytes.extend(both_with_few().into_iter().flat_map(|chance| in_parts(chance).to_le_bytes()));
    bytes
}

/// The pips that all checkers have to go.
fn pips(number: usize) -> usize {
    (1..).zip(things::<HOME>(number)).map(|(pips, count)| pips * usize::from(count)).sum()
}

/// The chance of every roll, and the ways that it can lead to.
fn plays_of(number: usize) -> impl Iterator<Item = (f64, Vec<usize>)> {
    let mut board = Board::default();
    for (index, count) in (0..).zip(things::<HOME>(number)).filter(|&(_, count)| count > 0) {
        let point = Point::new(index).expect("there are more points than at home");
        board.put(point, Stack { owner: Player::One, count, pinned: false });
    }
    let mover = Mover::new(&board, Player::One);
    let rolls: u32 = Mahbusa::ROLLS.iter().map(|&(_, ways)| ways).sum();
    Mahbusa::ROLLS.iter().map(move |&(roll, ways_to_roll)| {
        let mut after = Vec::new();
        mover.plays(roll, |checkers, _| after.push(number_of(checkers)));
        (f64::from(ways_to_roll) / f64::from(rolls), after)
    })
}

/// Computes one way from those that a roll leads to.
fn way(number: usize, known: &[Way]) -> Way {
    if number == 0 {
        return Way { chances: vec![1.0], ..Way::default() };
    }
    let mut way = Way { fewest: u8::MAX, ..Way::default() };
    for (chance, after) in plays_of(number) {
        let after = || after.iter().map(|&number| &known[number]);
        let of_all = |rolls: fn(&Way) -> u8| after().map(rolls).min().expect("at home a die is played");
        way.fewest = way.fewest.min(1 + of_all(|way| way.fewest));
        way.most = way.most.max(1 + of_all(|way| way.most));

        let best = after().min_by(|a, b| a.mean.total_cmp(&b.mean)).expect("at home a die is played");
        way.chances.resize(way.chances.len().max(best.chances.len() + 1), 0.0);
        for (rolls, after) in (1..).zip(&best.chances) {
            way.chances[rolls] += chance * after;
        }
    }
    way.mean = Rolls::of_chances((0..).zip(way.chances.iter().copied())).mean;
    way
}

/// The winning chances of the player to roll where both have few checkers and play for the result, by the
/// number of their own way and then by the other's.
fn both_with_few() -> Vec<f64> {
    let plays: Vec<Vec<_>> = (0..FEW_WAYS).map(|own| plays_of(own).collect()).collect();
    let mut by_pips = vec![Vec::new(); FEW * HOME + 1];
    for way in 0..FEW_WAYS {
        by_pips[pips(way)].push(way);
    }
    // A roll leaves fewer pips in all. The player to roll has lost when the other has no checkers left.
    let mut chances = vec![0.0; FEW_WAYS * FEW_WAYS];
    for all in 2..2 * by_pips.len() - 1 {
        for pips in 1..all {
            let (Some(owns), Some(others)) = (by_pips.get(pips), by_pips.get(all - pips)) else { continue };
            for (&own, &other) in owns.iter().flat_map(|own| others.iter().map(move |other| (own, other))) {
                let best = |after: &Vec<usize>| {
                    let lost = after.iter().map(|after| chances[other * FEW_WAYS + after]);
                    1.0 - lost.fold(1.0, f64::min)
                };
                let chance = plays[own].iter().map(|(chance, after)| chance * best(after)).sum();
                chances[own * FEW_WAYS + other] = chance;
            }
        }
    }
    chances
}

/// A probability as it is stored.
fn in_parts(chance: f64) -> u16 {
    (chance * CERTAIN).round() as u16
}

/// The table as [`Table`](super::super::Table) reads it.
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

/// The stored probabilities of the fewest and more rolls: whole numbers that add up to [`CERTAIN`]; those
/// with the largest fractions are rounded up.
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
