//! A number for every way to put things into a row of boxes.
//!
//! Stars and bars: the things are stones in a row, with a bar after each box. The places of the bars are a
//! combination, numbered in the combinatorial number system. So the ways with fewer things come first, and
//! the numbers have no gaps.

#![expect(clippy::cast_possible_truncation, reason = "numbers have 31 bits, and a box has at most 24 things")]

use std::ops::Range;

/// The most boxes: Wari has twelve cups.
const BOXES: usize = 12;
/// The most things: with twelve boxes the numbers fit into 31 bits.
pub(super) const THINGS: usize = 24;
/// The most stones and bars, and one more.
const PLACES: usize = THINGS + BOXES + 1;

/// Binomial coefficients: `WAYS[k - 1][n]` is the number of ways to choose `k` of `n`.
static WAYS: [[u32; PLACES]; BOXES] = ways();

const fn ways() -> [[u32; PLACES]; BOXES] {
    let mut ways = [[0; PLACES]; BOXES];
    let mut from = 1;
    while from < PLACES {
        ways[0][from] = from as u32;
        let mut more = 1;
        while more < BOXES {
            ways[more][from] = ways[more][from - 1] + ways[more - 1][from - 1];
            more += 1;
        }
        from += 1;
    }
    ways
}

/// The number of ways to put up to `things` things, [`THINGS`] at most, into `boxes` boxes.
pub(super) const fn ways_up_to(things: usize, boxes: usize) -> usize {
    WAYS[boxes - 1][things + boxes] as usize
}

/// The numbers of the ways to put exactly `things` things, [`THINGS`] at most, into `boxes` boxes.
pub(super) fn numbers_with(things: usize, boxes: usize) -> Range<usize> {
    let fewer = things.checked_sub(1).map_or(0, |fewer| ways_up_to(fewer, boxes));
    fewer..ways_up_to(things, boxes)
}

/// The number of a way, counted from 0, by the things in each box.
pub(super) fn number(things: impl IntoIterator<Item = u8>) -> usize {
    let mut stones = 0;
    let mut number = 0;
    for (bar, things) in things.into_iter().enumerate() {
        stones += usize::from(things);
        number += WAYS[bar][stones + bar];
    }
    number as usize
}

/// The way that a number stands for: the things in each box.
pub(super) fn things<const N: usize>(number: usize) -> [u8; N] {
    let mut rest = number as u32;
    let mut things = [0; N];
    let mut place = PLACES - 1;
    for bar in (0..N).rev() {
        while WAYS[bar][place] > rest {
            place -= 1;
        }
        rest -= WAYS[bar][place];
        // So far these are the stones before each bar.
        things[bar] = (place - bar) as u8;
    }
    for bar in (1..N).rev() {
        things[bar] -= things[bar - 1];
    }
    things
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_ways_as_the_games_need() {
        assert_eq!(
            [0, 1, 2, 12, 20, 24].map(|things| ways_up_to(things, 12)),
            [1, 13, 91, 2_704_156, 225_792_840, 1_251_677_700]
        );
        assert_eq!(ways_up_to(15, 6), 54_264);
    }

    #[test]
    fn every_way_has_a_number_of_its_own() {
        for expected in 0..ways_up_to(5, 12) {
            assert_eq!(number(things::<12>(expected)), expected);
        }
        for expected in 0..ways_up_to(15, 6) {
            assert_eq!(number(things::<6>(expected)), expected);
        }
        let last = ways_up_to(THINGS, 12) - 1;
        let last_things = things::<12>(last);
        assert_eq!((number(last_things), last_things), (last, [24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    }

    #[test]
    fn ways_with_fewer_things_come_first() {
        for fewer in 0..THINGS {
            let first: [u8; 12] = things(ways_up_to(fewer, 12));
            assert_eq!(usize::from(first.iter().sum::<u8>()), fewer + 1);
            assert_eq!(numbers_with(fewer + 1, 12).start, ways_up_to(fewer, 12));
        }
    }
}
