//! Puzzles over HTTP.

use std::collections::HashSet;

use cublino::{game::Game, games::GameId, with_game};
use serde_json::Value;

use crate::service::SHARED;

/// The puzzles of a good answer.
async fn puzzles(game: GameId, query: &str) -> Vec<Value> {
    let answer = SHARED.get(&format!("/v1/games/{game}/puzzles{query}")).await;
    assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, "public, max-age=86400"));
    answer.json()["puzzles"].as_array().unwrap().clone()
}

#[actix_web::test]
async fn a_puzzle_has_a_state_a_task_and_a_solution_that_is_legal() {
    for &game in GameId::ALL {
        let drawn = puzzles(game, "?seed=3&count=100").await;
        let states: HashSet<_> = drawn.iter().map(|puzzle| puzzle["state"].as_str().unwrap()).collect();
        let ids: HashSet<_> = drawn.iter().map(|puzzle| puzzle["id"].as_str().unwrap()).collect();
        assert_eq!((drawn.len(), states.len(), ids.len()), (100, 100, 100), "{game}");
        for puzzle in &drawn {
            let body = serde_json::json!({"state": puzzle["state"], "moves": puzzle["solution"]});
            let answer = SHARED.post(&format!("/v1/games/{game}/apply"), &body).await;
            assert_eq!(answer.status, 200, "{puzzle}");
            assert_eq!(answer.json()["plies"][0]["player"], puzzle["turn"], "{puzzle}");
            let has_dice = with_game!(game, G => !G::ROLLS.is_empty());
            assert_eq!(puzzle["task"]["result"], if has_dice { "best" } else { "win" });
            assert_eq!(puzzle["task"]["plies"].as_u64().is_none(), has_dice, "{puzzle}");
        }
    }
}

#[actix_web::test]
async fn the_same_question_has_the_same_puzzles_and_another_seed_or_day_has_others() {
    let wari = GameId::Wari;
    assert_eq!(puzzles(wari, "").await, puzzles(wari, "?seed=0&count=1").await);
    let same = puzzles(wari, "?date=2026-11-24").await;
    assert_eq!((same.len(), &same), (1, &puzzles(wari, "?date=2026-11-24").await));
    let others = puzzles(wari, "?date=2026-11-24&seed=1&count=2").await;
    assert!(others.len() == 2 && others != same, "{others:?}");
    let mut ids = HashSet::new();
    let mut difficulties = HashSet::new();
    for day in 1..=28 {
        let puzzle = puzzles(wari, &format!("?date=2028-02-{day:02}")).await.remove(0);
        ids.insert(puzzle["id"].to_string());
        difficulties.insert(puzzle["difficulty"].to_string());
    }
    assert!(ids.len() > 20 && difficulties.len() > 3, "{ids:?} {difficulties:?}");
    assert_ne!(puzzles(wari, "?seed=1&count=9").await, puzzles(wari, "?seed=2&count=9").await);
    // A seed does not make one day another.
    assert_ne!(puzzles(wari, "?date=2026-11-24&seed=1").await, puzzles(wari, "?date=2026-11-25").await);
}

#[actix_web::test]
async fn all_puzzles_of_a_difficulty_come_once_if_there_are_fewer_than_asked() {
    for difficulty in 1..=8 {
        let drawn = puzzles(GameId::CublinoContra, &format!("?difficulty={difficulty}&count=100")).await;
        assert!(drawn.iter().all(|puzzle| puzzle["difficulty"] == difficulty));
        let ids: HashSet<_> = drawn.iter().map(|puzzle| puzzle["id"].as_str()).collect();
        assert!(!drawn.is_empty() && ids.len() == drawn.len(), "{difficulty}");
    }
}
