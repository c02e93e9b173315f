//! The answers of a search that is interrupted between two root moves.

use super::*;
use crate::{
    Control, Learned, LimitChecker, SearchLimits, Tablebases, Techniques, TranspositionTable,
    tests::{claims::positions, exhaustive::Exhaustive},
};
use cublino_rules::{
    games::{Contra, GameId, cublino},
    with_game,
};

/// Nodes of the search of each position.
const NODES: u64 = 6_000;
/// Plies to which claims are checked.
const MOST_PLIES: u32 = 7;

/// Checks the answer to an interruption after each root move; returns how many answers claimed a result.
fn interruptions_are_answered_truly<G: Playable>(
    position: &G,
    lines: usize,
    exhaustive: &mut Exhaustive<G>,
) -> usize {
    let limits = SearchLimits { nodes: Some(NODES), ..SearchLimits::default() };
    let options = Options { lines, ..Options::new(limits) };
    let (control, mut table) = (Control::new(), TranspositionTable::new(1 << 20));
    let (evaluator, tablebases) = (Learned::built_in::<G>(), Tablebases::built_in());
    let (techniques, tablebase) = (Techniques::default(), G::tablebase(&tablebases));
    let start = RootPosition::from(position);
    let mut root = RootMoves::new(&start, &evaluator, &options, true, tablebase);
    let limits = LimitChecker::new(&options.limits, &control);
    let mut tree = Tree::new(&start, &evaluator, tablebase, techniques, 0, limits, table.begin());
    let mut claimed = 0;
    for depth in 1..=12 {
        let before = root.moves.clone();
        for i in 0..root.moves.len() {
            if root.search_move(&mut tree, depth, i).is_err() {
                return claimed;
            }
            let moves = root.after_interruption(&before, i + 1).unwrap_or_else(|| root.moves.clone());
            let answer = RootMoves { moves, depth, is_exact: false, ..root };
            let line = &answer.best_lines(&evaluator, NODES)[0];
            let context = format!("after {} root moves at depth {depth}", i + 1);
            exhaustive.assert_true(position, line, true, MOST_PLIES, &context);
            claimed += usize::from(line.value.proven.is_some());
        }
        root.depth = depth;
        if root.is_proven() {
            break;
        }
    }
    claimed
}

fn all_interruptions_are_answered_truly<G: Playable>() {
    let mut exhaustive = Exhaustive::new();
    let claimed: usize = positions::<G>(200)
        .zip([1, 2].into_iter().cycle())
        .map(|(position, lines)| interruptions_are_answered_truly(&position, lines, &mut exhaustive))
        .sum();
    assert!(claimed > 20, "{}: {claimed}", G::ABOUT.id);
    assert!(exhaustive.answered > 4 * exhaustive.given_up, "{} {}", exhaustive.answered, exhaustive.given_up);
}

#[test]
fn an_interruption_after_any_root_move_is_answered_truly() {
    for &game in GameId::ALL {
        with_game!(game, G => all_interruptions_are_answered_truly::<G>());
    }
}

/// The best move after so many nodes; and when another move became the best for the last time, and which.
fn best_after(position: &Contra, nodes: u64) -> (cublino::Move, Option<(u64, cublino::Move)>) {
    let options = Options::new(SearchLimits { nodes: Some(nodes), ..SearchLimits::default() });
    let (control, mut table) = (Control::new(), TranspositionTable::new(1 << 20));
    let (evaluator, techniques) = (Learned::built_in::<Contra>(), Techniques::default());
    let start = RootPosition::from(position);
    let mut root = RootMoves::new(&start, &evaluator, &options, false, None);
    let limits = LimitChecker::new(&options.limits, &control);
    let mut tree = Tree::new(&start, &evaluator, None, techniques, 0, limits, table.begin());
    let mut changed = None;
    for depth in 1..=12 {
        for i in 0..root.moves.len() {
            let before = root.moves[0].m;
            if root.search_move(&mut tree, depth, i).is_err() {
                return (root.moves[0].m, changed);
            }
            if root.moves[0].m != before {
                changed = Some((tree.limits.nodes, root.moves[0].m));
            }
        }
    }
    (root.moves[0].m, changed)
}

#[test]
fn a_move_that_is_known_to_be_better_is_the_answer_before_its_value_is_known() {
    let mut changes = 0;
    for position in positions::<Contra>(20) {
        if let (_, Some((nodes, better))) = best_after(&position, NODES) {
            assert_eq!(best_after(&position, nodes - 1).0, better, "{position}");
            changes += 1;
        }
    }
    assert!(changes > 5, "{changes}");
}
