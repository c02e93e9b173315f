//! What a newcomer needs to know about Wari.

use crate::game::{About, Example};

pub(super) const ABOUT: About = About {
    id: "wari",
    name: "Wari",
    letter: 'W',
    goal: "Capture more of the 48 marbles than the opponent.",
    notation: "W or w (whose turn), then the marbles in cups 1 to 12 and both players' prisoners, each after \
        a -; moves are cups: 5",
    rules: include_str!("rules.md"),
    examples: &[
        Example {
            name: "start",
            summary: "The start, and four moves of which the last captures two marbles from cup 5.",
            state: "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0",
            moves: &["5", "7", "2", "12"],
        },
        Example {
            name: "capture",
            summary: "Sowing from cup 4 captures from cups 9, 8 and 7.",
            state: "W-0-1-0-5-2-0-1-1-2-9-0-4-11-12",
            moves: &["4"],
        },
        Example {
            name: "laps",
            summary: "Sixteen marbles from cup 3 go round, pass over the cup they came from, and capture \
                from cups 8 and 7.",
            state: "W-1-0-16-0-2-1-1-0-1-3-0-2-10-11",
            moves: &["3"],
        },
        Example {
            name: "feeding",
            summary: "A has no marbles left, and only cup 12 gives A any.",
            state: "w-0-0-0-0-0-0-3-1-0-0-0-2-20-22",
            moves: &["12"],
        },
        Example {
            name: "finished",
            summary: "A has no marbles left and B cannot give A any: B takes the last four and wins by 26 to \
                22.",
            state: "w-0-0-0-0-0-0-1-1-1-1-0-0-22-22",
            moves: &[],
        },
        Example {
            name: "endless",
            summary: "Two marbles that would follow one another round the board for ever: each player takes \
                one.",
            state: "W-0-0-1-0-0-0-0-0-1-0-0-0-24-22",
            moves: &[],
        },
    ],
};
