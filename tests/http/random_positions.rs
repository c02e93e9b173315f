//! Random positions.

use std::collections::{BTreeSet, HashSet};

use cublino::{config::Config, games::GameId};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    random_games::start,
    service::{Answer, SHARED, Service},
};

fn path(game: GameId) -> String {
    format!("/v1/games/{game}/random-positions")
}

async fn draw(game: GameId, question: &Value) -> Answer {
    SHARED.post(&path(game), question).await
}

/// The positions of a good answer.
async fn positions(game: GameId, question: &Value) -> Vec<Value> {
    let answer = draw(game, question).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["positions"].as_array().unwrap().clone()
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[actix_web::test]
async fn every_position_is_another_one_in_progress_and_the_moves_lead_there() {
    for &game in GameId::ALL {
        for play in ["random", "good"] {
            let question = json!({"count": 12, "seed": 3, "plies": {"from": 3, "to": 9}, "play": play});
            let drawn = positions(game, &question).await;
            assert_eq!(drawn.len(), 12, "{game}");
            let states: HashSet<_> = drawn.iter().map(|position| position["state"].as_str()).collect();
            assert_eq!(states.len(), 12, "{game}");
            for position in &drawn {
                assert!((3..=9).contains(&texts(&position["moves"]).len()), "{game}: {position}");
                let body = json!({"state": start(game), "moves": position["moves"]});
                let applied = SHARED.post(&format!("/v1/games/{game}/apply"), &body).await.json();
                assert_eq!(applied["state"], position["state"], "{game}");
                assert_eq!(applied["outcome"]["status"], "in_progress", "{game}");
                let played: Vec<_> =
                    applied["plies"].as_array().unwrap().iter().map(|ply| &ply["move"]).collect();
                assert_eq!(json!(played), position["moves"], "{game}");
            }
        }
    }
}

#[actix_web::test]
async fn the_same_seed_gives_the_same_positions_on_every_service() {
    let other = Service::start(&Config {
        search_threads: 1,
        table_mib: 1,
        max_wait_ms: 600_000,
        ..Config::default()
    });
    for &game in GameId::ALL {
        for play in ["random", "good"] {
            let question =
                |seed: u64| json!({"count": 6, "seed": seed, "plies": {"from": 2, "to": 8}, "play": play});
            let first = draw(game, &question(5)).await;
            assert_eq!(first.json()["seed"], 5);
            assert_eq!(first.text(), other.post(&path(game), &question(5)).await.text(), "{game} {play}");
            assert_ne!(first.json()["positions"], draw(game, &question(6)).await.json()["positions"]);
        }
    }
}

#[actix_web::test]
async fn without_a_seed_chance_decides_and_the_seed_in_the_answer_gives_the_same_again() {
    let mut seeds = HashSet::new();
    for _ in 0..3 {
        let answer = draw(GameId::Mahbusa, &json!({"count": 4})).await;
        assert_eq!(answer.header("cache-control"), "no-store");
        let seed = answer.json()["seed"].as_u64().unwrap();
        assert_eq!(draw(GameId::Mahbusa, &json!({"count": 4, "seed": seed})).await.text(), answer.text());
        seeds.insert(seed);
    }
    assert_eq!(seeds.len(), 3);
}

#[actix_web::test]
async fn ten_positions_after_four_to_twenty_random_plies_are_drawn_if_nothing_is_said() {
    for &game in GameId::ALL {
        let drawn = draw(game, &json!({"seed": 1})).await.json();
        let said = json!({"seed": 1, "count": 10, "plies": {"from": 4, "to": 20}, "play": "random"});
        assert_eq!(drawn, draw(game, &said).await.json(), "{game}");
        let nothing = json!({"seed": 1, "count": null, "plies": null, "play": null});
        assert_eq!(drawn, draw(game, &nothing).await.json(), "{game}");
    }
}

#[actix_web::test]
async fn where_there_are_fewer_positions_than_are_asked_for_all_of_them_are_drawn() {
    for &game in GameId::ALL {
        for play in ["random", "good"] {
            let none = json!({"count": 1_000, "plies": {"from": 0, "to": 0}, "play": play});
            assert_eq!(positions(game, &none).await, [json!({"state": start(game), "moves": []})], "{game}");
        }
    }
    for game in [GameId::CublinoPur, GameId::CublinoContra, GameId::CublinoEcke, GameId::Wari] {
        let legal = SHARED.get(&format!("/v1/games/{game}/legal-moves?state={}", start(game))).await.json();
        let results: BTreeSet<_> =
            legal["moves"].as_array().unwrap().iter().map(|m| m["state"].as_str().unwrap()).collect();
        let drawn = positions(game, &json!({"count": 100, "seed": 2, "plies": {"from": 1, "to": 1}})).await;
        let drawn: BTreeSet<_> = drawn.iter().map(|position| position["state"].as_str().unwrap()).collect();
        assert_eq!(drawn, results, "{game}");
    }
}

#[actix_web::test]
async fn games_that_are_over_before_are_left_out() {
    let long = json!({"count": 5, "seed": 1, "plies": {"from": 990, "to": 1_000}});
    assert_eq!(positions(GameId::Mahbusa, &long).await, [] as [Value; 0]);
    // Random games of Wari take a few dozen plies, and some of them many.
    let some = json!({"count": 5, "seed": 1, "plies": {"from": 60, "to": 60}});
    let some = positions(GameId::Wari, &some).await;
    assert!(!some.is_empty(), "no game is that long");
    for position in some {
        assert_eq!(texts(&position["moves"]).len(), 60);
    }
}

/// The mean loss of both players' moves in some games, by analysis.
async fn mean_loss(game: GameId, play: &str) -> f64 {
    let question = json!({"count": 4, "seed": 11, "plies": {"from": 14, "to": 18}, "play": play});
    let (mut loss, mut count) = (0.0, 0.0);
    for position in positions(game, &question).await {
        let body = json!({"moves": position["moves"], "nodes": 1_500});
        let analysis = SHARED.post(&format!("/v1/games/{game}/analysis"), &body).await.json();
        for ply in analysis["plies"].as_array().unwrap().iter().filter(|ply| ply["loss"].is_number()) {
            loss += ply["loss"].as_f64().unwrap();
            count += 1.0;
        }
    }
    loss / count
}

#[actix_web::test]
async fn good_play_loses_much_less_than_random_play() {
    for &game in GameId::ALL {
        let (good, random) = (mean_loss(game, "good").await, mean_loss(game, "random").await);
        assert!(1.5 * good < random, "{game}: {good} and {random}");
    }
}

#[actix_web::test]
async fn line_by_line_the_seed_comes_first_and_then_the_same_positions() {
    let question = json!({"count": 7, "seed": 4, "play": "good"});
    let whole = draw(GameId::Wari, &question).await;
    assert_eq!(whole.header("content-type"), "application/json");
    let request = SHARED.request(Method::POST, &path(GameId::Wari)).header("accept", "application/x-ndjson");
    let answer = SHARED.send(request.json(&question)).await;
    assert_eq!(
        (answer.header("content-type"), answer.header("cache-control")),
        ("application/x-ndjson", "no-store")
    );
    let mut lines = answer.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert_eq!(lines.next().unwrap(), json!({"seed": 4}));
    assert_eq!(json!(lines.collect::<Vec<_>>()), whole.json()["positions"]);
}

#[actix_web::test]
async fn what_cannot_be_drawn_is_refused_by_the_name_of_the_member() {
    for (question, parameter) in [
        (json!({"count": 0}), "count"),
        (json!({"count": 1_001}), "count"),
        (json!({"seed": -1}), "seed"),
        (json!({"plies": {"from": 5, "to": 4}}), "plies"),
        (json!({"plies": {"from": 5}}), "plies"),
        (json!({"plies": {"from": 0, "to": 1_001}}), "plies"),
        (json!({"play": "bad"}), "play"),
        (json!({"positions": 3}), "positions"),
    ] {
        let problem = draw(GameId::CublinoPur, &question).await.problem("invalid-parameter");
        assert_eq!(problem["parameter"], parameter, "{question}");
    }
    let endless = draw(GameId::CublinoPur, &json!({"plies": {"from": 5}})).await;
    let detail = &endless.problem("invalid-parameter")["detail"];
    assert_eq!(detail, "the member 'plies' is wrong: missing field `to`");
    SHARED.post("/v1/games/chess/random-positions", &json!({})).await.problem("unknown-game");
}
