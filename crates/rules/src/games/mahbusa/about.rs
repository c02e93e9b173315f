//! Mahbusa in words, with positions worth looking at.

use super::setup::LETTER;
use crate::game::{About, Example};

pub(super) const ABOUT: About = About {
    id: "mahbusa",
    name: "Mahbusa",
    letter: LETTER,
    goal: "Bring all fifteen checkers home and bear them off first; an opposing checker that stands alone \
        can be pinned.",
    notation: "M or m (whose turn), the roll, - and the 24 points in White's letters; moves are steps in the \
        mover's letters: XU-UT",
    rules: include_str!("rules.md"),
    examples: &[
        Example {
            name: "start",
            summary: "The start: White is to roll.",
            state: "M-o22O",
            moves: &["63", "XR-RO", "31", "XU-UT"],
        },
        Example {
            name: "rolled",
            summary: "The start after rolling six and three.",
            state: "M63-o22O",
            moves: &["XR-XU"],
        },
        Example {
            name: "pins",
            summary: "White can free the black checker on M by leaving it, and pin the one on I.",
            state: "M63-iab4aa2BAp4A5K",
            moves: &["MG-LI", "41", "LK-KG"],
        },
        Example {
            name: "bearing-off",
            summary: "All of Black's checkers are at home; the six takes one off Black's 5-point, the \
                highest held.",
            state: "m61-DCBE15cdape1",
            moves: &["E0-ED"],
        },
        Example {
            name: "finished",
            summary: "Black has borne off all fifteen, and White eleven.",
            state: "M-D23",
            moves: &[],
        },
    ],
};
