//! Properties of the search in every game.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::{
    depth, nodes, searched, searched_in_full, two_lines,
    yardstick::{root_scores, values_of},
};
use crate::{Level, Options, Playable, SearchLimits};
use cublino_rules::{
    game::{Game, Stage, playout},
    games::{GameId, Mahbusa},
    with_game,
};

/// Positions of random games in which a player is to move, early and late ones.
pub(super) fn positions<G: Playable>(count: u64) -> impl Iterator<Item = G> {
    (0..count).map(|seed| {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let passed = playout::positions(G::default(), 4 + 12 * seed as usize, &mut rng);
        let to_move: Vec<_> = passed.filter(|position| position.stage() == Stage::Move).collect();
        to_move.into_iter().next_back().expect("a game begins with a move")
    })
}

/// The greatest depth at which no move is reduced, in a position with so many moves.
fn exact_depth<G: Playable>(moves: usize) -> u32 {
    /// With dice, root moves from the sixth on are reduced.
    const ALL_SEARCHED: usize = 5;
    match (G::ROLLS.is_empty(), moves) {
        (true, _) => 3,
        (false, ..=ALL_SEARCHED) => 2,
        (false, _) => 1,
    }
}

fn agrees_with_plain_negamax<G: Playable>() {
    // With only one legal move the search stops early.
    for position in positions::<G>(24).filter(|position| position.count_moves() > 1) {
        for plies in 1..=exact_depth::<G>(position.count_moves()) {
            let best = root_scores(&position, plies, 2);
            let analysis = searched_in_full(&position, two_lines(depth(plies)));
            let (found, wanted) = (analysis.lines[0].value, values_of(&position, &best, analysis.nodes)[0]);
            assert!((found.expected - wanted.expected).abs() < 1e-9, "{position} depth {plies}");
            if best[0].1.is_win() || best[0].1.is_loss() {
                assert_eq!(found, wanted, "{position} depth {plies}");
            }
        }
    }
}

for_all_games!(the_best_value_is_that_of_plain_negamax_in_every_game: agrees_with_plain_negamax);

#[test]
fn the_node_limit_is_exact_also_where_a_roll_has_a_thousand_plays() {
    let position: Mahbusa = super::position("M11-o8AAAAAAAAAAAAAAA");
    assert!(position.count_moves() > 1_000, "{}", position.count_moves());
    for limit in [1, 100, 1_000, 5_001] {
        assert_eq!(searched(&position, nodes(limit)).nodes, limit);
    }
}

/// The nodes visited in searches of a few positions to a depth.
fn signature<G: Playable>(plies: u32) -> u64 {
    positions::<G>(6).map(|position| searched(&position, depth(plies)).nodes).sum()
}

#[test]
fn the_search_visits_as_many_positions_as_it_did() {
    // A change without functional effect keeps these numbers; any other puts the new ones here.
    let plies = |game| match game {
        GameId::CublinoPur | GameId::CublinoEcke => 5,
        GameId::CublinoContra => 8,
        GameId::Mahbusa => 2,
        GameId::Wari => 9,
    };
    let visited: Vec<_> =
        GameId::ALL.iter().map(|&game| (game, with_game!(game, G => signature::<G>(plies(game))))).collect();
    assert_eq!(
        visited,
        [
            (GameId::CublinoPur, 22_266),
            (GameId::CublinoContra, 40_868),
            (GameId::CublinoEcke, 42_314),
            (GameId::Mahbusa, 11_555),
            (GameId::Wari, 14_181),
        ]
    );
}

fn lowest_level_takes_a_win<G: Playable>(state: &str) {
    for seed in 0..10 {
        let position: G = super::position(state);
        let options = Options { level: Some(Level::LOWEST), seed, ..Options::new(SearchLimits::default()) };
        let after = position.after(searched(&position, options).best());
        let outcome = after.stage().outcome();
        assert_eq!(outcome.and_then(|outcome| outcome.winner), Some(position.turn()), "{state} {seed}");
    }
}

#[test]
fn the_lowest_level_takes_a_win_in_every_game() {
    lowest_level_takes_a_win::<cublino_rules::games::Pur>(super::WHITE_FINISHES);
    lowest_level_takes_a_win::<cublino_rules::games::Contra>("CWa6We1va3vg7");
    lowest_level_takes_a_win::<cublino_rules::games::Ecke>("EWa7Wf6Wd1vd4ve2vc3");
    lowest_level_takes_a_win::<Mahbusa>("M21-AA21o");
}
