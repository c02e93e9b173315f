//! What is told about the levels for people.

use cublino::games::GameId;
use serde_json::Value;

use crate::service::SHARED;

async fn levels(game: GameId) -> Vec<Value> {
    let answer = SHARED.get(&format!("/v1/games/{game}")).await.json();
    answer["levels"].as_array().unwrap().clone()
}

#[actix_web::test]
async fn every_game_has_eight_levels_and_each_takes_more_than_half_of_the_points_from_the_one_below() {
    for &game in GameId::ALL {
        let levels = levels(game).await;
        let numbers: Vec<_> = levels.iter().map(|level| level["level"].as_u64().unwrap()).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8], "{game}");
        for (i, level) in levels.iter().enumerate() {
            let score = &level["measured"]["score_against_below"];
            assert_eq!(score.is_null(), i == 0, "{game} {level}");
            assert!(i == 0 || score.as_f64().unwrap() > 0.5, "{game} {level}");
            assert!(level["measured"]["median_ms"].as_f64().unwrap() > 0.0, "{game} {level}");
        }
        let loss = |i: usize| levels[i]["measured"]["mean_loss"].as_f64().unwrap();
        assert!(loss(0) > loss(3) && loss(3) > loss(7), "{game}");
    }
}

#[actix_web::test]
async fn a_level_looks_no_further_than_is_told() {
    for &game in GameId::ALL {
        let about = SHARED.get(&format!("/v1/games/{game}")).await.json();
        let has_dice = about["dice"].as_bool().unwrap();
        let state = if has_dice { "M63-o22O" } else { about["start"].as_str().unwrap() };
        for level in about["levels"].as_array().unwrap() {
            let number = &level["level"];
            let path = format!("/v1/games/{game}/suggestion?state={state}&level={number}");
            let search = &SHARED.get(&path).await.json()["search"];
            let depth = level["depth"].as_u64().unwrap_or(u64::MAX);
            assert!(search["depth"].as_u64().unwrap() <= depth, "{path}: {search}");
            assert!(
                search["nodes"].as_u64().unwrap() <= level["nodes"].as_u64().unwrap(),
                "{path}: {search}"
            );
        }
    }
}
