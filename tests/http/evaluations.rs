//! Evaluations of positions.

use cublino::games::GameId;
use serde_json::{Value, json};

use crate::{
    random_games::states,
    service::{SHARED, START},
};

fn expected(value: &Value) -> f64 {
    value["expected"].as_f64().unwrap()
}

#[actix_web::test]
async fn every_stage_has_a_value() {
    for &game in GameId::ALL {
        for (state, stage) in states(game, 400, 3).into_iter().step_by(7) {
            for limit in ["depth=0", "depth=1", "nodes=50"] {
                let answer = SHARED.get(&format!("/v1/games/{game}/evaluation?state={state}&{limit}")).await;
                assert!(!answer.header("etag").is_empty());
                let answer = answer.json();
                assert_eq!(answer["stage"], stage);
                let value = &answer["value"];
                assert!((-1.0..=1.0).contains(&expected(value)), "{answer}");
                match stage {
                    "roll" => assert_eq!(answer["rolls"].as_array().unwrap().len(), 21),
                    "over" => assert!(!value["proven"].is_null() && answer["search"]["nodes"] == 0),
                    _ => assert!(answer.get("rolls").is_none()),
                }
                if limit == "depth=0" {
                    assert_eq!(answer["search"]["nodes"], 0);
                }
            }
        }
    }
}

#[actix_web::test]
async fn only_the_moves_that_are_named_are_searched() {
    let path = format!("/v1/games/cublino-pur/suggestion?state={START}&depth=3");
    let all = SHARED.get(&format!("{path}&lines=1000")).await.json();
    assert_eq!(all["lines"].as_array().unwrap().len(), 7);
    for line in all["lines"].as_array().unwrap() {
        let body = json!({"state": START, "moves": [line["move"]]});
        let applied = SHARED.post("/v1/games/cublino-pur/apply", &body).await.json();
        assert_eq!(line["state"], applied["state"]);
    }
    let some = SHARED.get(&format!("{path}&lines=5&moves=a1a2,%20g1g2")).await.json();
    let mut moves: Vec<_> =
        some["lines"].as_array().unwrap().iter().map(|it| it["move"].as_str().unwrap()).collect();
    moves.sort_unstable();
    assert_eq!(moves, ["a1a2", "g1g2"]);
    let problem = SHARED.get(&format!("{path}&moves=a1a2,a1a3")).await.problem("illegal-move");
    assert_eq!(problem["at"], 1);
    SHARED.get(&format!("{path}&moves=")).await.problem("invalid-parameter");
    let body = json!({"positions": [{"state": START}], "moves": ["d1d2"], "depth": 2});
    let answer = SHARED.post("/v1/games/cublino-pur/suggestion", &body).await.json();
    assert_eq!(answer["results"][0]["answer"]["move"], "d1d2");
}

#[actix_web::test]
async fn the_search_knows_what_occurred_before() {
    // Two dice that go to and fro; the next time the position occurs, the game is drawn.
    let moves = ["a1a2", "a7a6", "a2b2", "a6b6", "b2a2", "b6a6", "a2b2", "a6b6", "b2a2"];
    let position = json!({"state": START, "moves": moves, "repetition_limit": 3});
    let body = json!({"positions": [position], "moves": ["b6a6"], "depth": 2});
    let answer = SHARED.post("/v1/games/cublino-pur/suggestion", &body).await.json();
    let line = &answer["results"][0]["answer"]["lines"][0];
    assert!(expected(&line["value"]).abs() < 1e-9, "{answer}");
    let last = [moves.as_slice(), &["b6a6"]].concat();
    let position = json!({"state": START, "moves": last, "repetition_limit": 3});
    let over = json!({"positions": [position], "depth": 2});
    let evaluated = SHARED.post("/v1/games/cublino-pur/evaluation", &over).await.json();
    assert_eq!(evaluated["results"][0]["answer"]["stage"], "over");
    assert_eq!(evaluated["results"][0]["answer"]["value"]["proven"]["result"], "draw");
    let suggested = SHARED.post("/v1/games/cublino-pur/suggestion", &over).await.json();
    assert_eq!(suggested["results"][0]["problem"]["code"], "game-over");
}
