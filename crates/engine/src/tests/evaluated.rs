//! Values of positions in every stage.

use super::{
    MEBIBYTE, ROUNDED,
    all_games::positions,
    depth, nodes, searched,
    yardstick::{root_scores, values_of},
};
use crate::{
    Control, Engine, Evaluated, GameResult, Learned, Options, Playable, Proven, RootPosition, SearchLimits,
    StoppedBy, Tablebases, Techniques, TranspositionTable, Value, playable::possible, techniques::Technique,
    testing::evaluate,
};
use cublino_rules::{
    game::{Game, Notation, Player, Record, Stage},
    games::{GameId, Mahbusa, Pur},
    with_game,
};

fn evaluated<G: Playable>(root: impl Into<RootPosition<G>>, limits: SearchLimits) -> Evaluated<G::Roll> {
    let mut table = TranspositionTable::new(MEBIBYTE);
    evaluate(root, &limits, &Tablebases::none(), &Control::new(), &mut table)
}

fn without_depth_it_is_the_static_evaluation<G: Playable>() {
    let evaluator = Learned::built_in::<G>();
    for position in positions::<G>(12) {
        let found = evaluated(&position, depth(0).limits);
        let draw_share = evaluator.draw_share(&position);
        let meaning = evaluator.meaning(draw_share, 0);
        let value = Value::of(evaluator.evaluate(&position), &meaning, draw_share, None);
        let value = value.within(&possible(&position, None));
        assert_eq!((found.value, found.depth, found.nodes), (value, 0, 0), "{position}");
    }
}

for_all_games!(
    a_depth_of_zero_is_the_static_evaluation_in_every_game: without_depth_it_is_the_static_evaluation
);

fn it_is_the_value_of_the_best_move<G: Playable>() {
    for position in positions::<G>(12) {
        let Evaluated { value: found, nodes, .. } = evaluated(&position, depth(1).limits);
        let best = values_of(&position, &root_scores(&position, 1, 1), nodes)[0];
        let best = best.within(&possible(&position, None));
        assert!((found.expected - best.expected).abs() < 1e-9, "{position}");
    }
}

for_all_games!(
    with_a_move_to_play_it_is_the_value_of_the_best_in_every_game: it_is_the_value_of_the_best_move
);

#[test]
fn a_position_with_a_single_move_is_searched_like_any_other() {
    let position: Pur = super::position("pva1vb1vc1vd1ve1vf1Wg1va2Wb2Wc2Wa5Wb5Wc5Wd5");
    assert_eq!(searched(&position, depth(3)).stopped_by, StoppedBy::OnlyMove);
    assert_eq!(evaluated(&position, depth(3).limits).depth, 3);
}

/// Positions in which the dice must be rolled.
fn before_rolls() -> impl Iterator<Item = Mahbusa> {
    positions::<Mahbusa>(8).filter_map(|position| {
        let after = position.after(searched(&position, depth(1)).best());
        (after.stage() == Stage::Roll).then_some(after)
    })
}

#[test]
fn before_a_roll_it_is_the_mean_of_all_rolls() {
    for limits in [depth(0).limits, depth(1).limits, nodes(4_000).limits] {
        for position in before_rolls() {
            let found = evaluated(&position, limits);
            assert_eq!(found.rolls.len(), 21, "{position}");
            let total: f64 = found.rolls.iter().map(|roll| roll.probability).sum();
            assert!((total - 1.0).abs() < 1e-9, "{position}: {total}");
            let mean: f64 = found.rolls.iter().map(|roll| roll.probability * roll.value.expected).sum();
            assert!((mean - found.value.expected).abs() < ROUNDED, "{position}: {mean}");
            assert!(limits.nodes.is_none_or(|nodes| found.nodes <= nodes), "{position}");
            for roll in &found.rolls {
                let rolled = position.rolled(roll.roll);
                let share = SearchLimits { nodes: limits.nodes.map(|nodes| nodes / 21), ..limits };
                if limits.nodes.is_none() {
                    assert_eq!(roll.value, evaluated(&rolled, share).value, "{rolled}");
                }
            }
            let again = evaluated(&position, limits);
            assert_eq!(Evaluated { time: found.time, ..again }, found, "{position}");
        }
    }
}

#[test]
fn a_result_is_proven_before_a_roll_if_it_is_after_all() {
    // White bears the last two checkers off with any roll; after another turn of Black's it takes one ply
    // more.
    let position: Mahbusa = super::position("M-AA21o");
    let value = evaluated(&position, nodes(100_000).limits).value;
    assert_eq!(value.proven, Some(Proven { result: GameResult::Win, plies: Some(1) }));
    let position: Mahbusa = super::position("M-1AA20o");
    let found = evaluated(&position, nodes(200_000).limits);
    let longest = found.rolls.iter().filter_map(|roll| roll.value.proven?.plies).max();
    assert!(found.value.proven.is_none_or(|proven| proven.plies == longest), "{found:?}");
}

fn at_the_end_it_is_the_result<G: Playable + Notation>() {
    for position in positions::<G>(6) {
        let mut record = Record::new(position, None);
        record.resign(Player::Two).unwrap();
        let found = evaluated(&record, nodes(1_000).limits);
        let result = if position.turn() == Player::One { GameResult::Win } else { GameResult::Loss };
        let proven = Some(Proven { result, plies: Some(0) });
        assert_eq!((found.value.proven, found.nodes), (proven, 0), "{position}");
        let outcome = record.stage().outcome().unwrap();
        assert_eq!(outcome.winner, Some(Player::One), "{position}");
    }
}

#[test]
fn when_the_game_is_over_it_is_the_result_in_every_game() {
    for &game in GameId::ALL {
        with_game!(game, G => at_the_end_it_is_the_result::<G>());
    }
    let position: Pur = super::position(super::WHITE_FINISHES);
    let lost = position.after(searched(&position, depth(1)).best());
    let found = evaluated(&lost, SearchLimits::default());
    let proven = Proven { result: GameResult::Loss, plies: Some(0) };
    assert_eq!((found.value.proven, found.stopped_by), (Some(proven), StoppedBy::Proven));
}

#[test]
fn a_search_for_a_value_prefers_no_move_for_its_progress() {
    let techniques = Techniques::default().without(Technique::Progress);
    let engine = Engine { techniques, ..Engine::built_in::<Pur>(Tablebases::none()) };
    for position in positions::<Pur>(12) {
        let mut table = TranspositionTable::new(MEBIBYTE);
        let calm = engine.search(&position, &depth(2), &Control::new(), &mut table, &mut |_| {}).lines;
        let found = evaluated(&position, depth(2).limits).value;
        assert!((found.expected - calm[0].value.expected).abs() < 1e-9, "{position}");
        // Lines are in the order of their values: the move with the best score may be worth a little less
        // than another, if a draw is more likely after it.
        let all = searched(&position, Options { lines: usize::MAX, ..depth(2) }).lines;
        assert!(all.iter().any(|line| (found.expected - line.value.expected).abs() < 1e-9), "{position}");
        assert!((found.expected - all[0].value.expected).abs() < 0.001, "{position}");
    }
}
