//! Analysis of whole games.

use cublino::{config::Config, games::GameId};
use serde_json::{Value, json};

use crate::{
    random_games,
    service::{SHARED, START, Service},
};

fn path(game: GameId) -> String {
    format!("/v1/games/{game}/analysis")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[actix_web::test]
async fn what_is_said_of_each_ply_holds() {
    let mut reasons = 0;
    for &game in GameId::ALL {
        let moves = random_games::moves(game, 40, 5);
        let analysis = SHARED.post(&path(game), &json!({"moves": moves, "nodes": 600})).await.json();
        let plies = analysis["plies"].as_array().unwrap();
        assert_eq!(plies.len(), moves.len());
        for (i, ply) in plies.iter().enumerate() {
            assert_eq!(ply["index"], i);
            if ply["roll"].is_string() {
                assert!((-2.0..=2.0).contains(&number(&ply["luck"])));
            } else {
                assert_eq!(ply["move"], moves[i]);
                let loss = number(&ply["loss"]);
                assert!(ply["rank_depth"].is_u64(), "{ply}");
                let judgment = [(0.3, "blunder"), (0.2, "mistake"), (0.1, "inaccuracy")];
                let expected = judgment.into_iter().find(|&(from, _)| loss >= from).map(|(_, name)| name);
                assert_eq!(ply["judgment"].as_str(), expected, "{ply}");
                let (rank, of) = (ply["rank"].as_u64().unwrap(), ply["of"].as_u64().unwrap());
                assert!((1..=of).contains(&rank), "{ply}");
                assert_eq!(ply["forced"], of == 1);
                assert_eq!(ply["played"]["pv"][0], moves[i]);
                assert_eq!(ply["best"]["pv"][0], ply["best"]["move"]);
                let why = ply["why"].as_array().unwrap();
                assert!(expected.is_some() || why.is_empty(), "{ply}");
                reasons += why.len();
            }
        }
        assert_eq!(analysis["state"], plies.last().unwrap()["state"]);
        for player in ["one", "two"] {
            let of = |ply: &&Value| ply["player"] == player && ply["move"].is_string();
            let told = &analysis["players"][player];
            let count = plies.iter().filter(of).count();
            assert_eq!(told["moves"], count);
            let free: Vec<_> = plies.iter().filter(of).filter(|ply| ply["forced"] == false).collect();
            let mean = free.iter().map(|ply| number(&ply["loss"])).sum::<f64>()
                / f64::from(u16::try_from(free.len()).unwrap());
            assert!((number(&told["mean_loss"]) - mean).abs() < 1e-4);
            assert_eq!(told["luck"].is_null(), game != GameId::Mahbusa);
        }
    }
    assert!(reasons > 20, "only {reasons} reasons were given");
}

#[actix_web::test]
async fn the_lines_are_the_plies_and_then_the_players() {
    let moves = random_games::moves(GameId::Mahbusa, 10, 1);
    let body = json!({"moves": moves, "depth": 1, "resign": "two"});
    let whole = SHARED.post(&path(GameId::Mahbusa), &body).await.json();
    let request = SHARED.request("QUERY".parse().unwrap(), &path(GameId::Mahbusa));
    let lines = SHARED.send(request.header("accept", "application/x-ndjson").json(&body)).await;
    let lines: Vec<Value> = lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, plies) = lines.split_last().unwrap();
    assert_eq!(json!(plies), whole["plies"]);
    assert_eq!(*last, json!({"players": whole["players"], "outcome": whole["outcome"]}));
    assert_eq!(whole["outcome"]["reason"], "resigned");
    assert_eq!(whole["outcome"]["winner"], "one");
}

#[actix_web::test]
async fn the_detail_says_which_plies_are_told_and_nothing_else() {
    let (game, moves) = (GameId::Mahbusa, random_games::moves(GameId::Mahbusa, 40, 3));
    let body = |detail: Value| json!({"moves": moves, "nodes": 300, "detail": detail});
    let all = SHARED.post(&path(game), &json!({"moves": moves, "nodes": 300})).await.json();
    assert_eq!(SHARED.post(&path(game), &body(json!("all"))).await.json(), all);
    let is_wanted = |ply: &&Value| ply["judgment"].is_string() || ply["critical"] == true;
    let mut mistakes: Vec<Value> =
        all["plies"].as_array().unwrap().iter().filter(is_wanted).cloned().collect();
    assert!((1..moves.len()).contains(&mistakes.len()));
    for ply in &mut mistakes {
        for line in ["best", "played"] {
            ply[line]["pv"].as_array_mut().unwrap().truncate(1);
        }
    }
    for (detail, plies) in [("mistakes", mistakes), ("summary", vec![])] {
        let mut expected = all.clone();
        expected["plies"] = json!(plies);
        assert_eq!(SHARED.post(&path(game), &body(json!(detail))).await.json(), expected, "{detail}");
        let request = SHARED.request("POST".parse().unwrap(), &path(game));
        let lines = request.header("accept", "application/x-ndjson").json(&body(json!(detail)));
        let answer = SHARED.send(lines).await;
        let lines: Vec<Value> =
            answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (last, told) = lines.split_last().unwrap();
        assert_eq!(json!(told), json!(plies), "{detail}");
        assert_eq!(*last, json!({"players": all["players"], "outcome": all["outcome"]}));
    }
    let problem = SHARED.post(&path(game), &body(json!("some"))).await.problem("invalid-parameter");
    assert_eq!(problem["parameter"], "detail");
}

#[actix_web::test]
async fn a_game_that_cannot_be_read_is_a_problem_with_the_index_of_the_move() {
    let path = path(GameId::CublinoPur);
    let ask = |moves: Value| json!({"state": START, "moves": moves, "depth": 1});
    let problem = SHARED.post(&path, &ask(json!(["e1e2", "b7b5"]))).await.problem("illegal-move");
    assert_eq!(problem["at"], 1);
    SHARED.post(&path, &ask(json!(["e1e2", "?"]))).await.problem("malformed-move");
    SHARED.post(&path, &json!({"state": "Pz", "moves": []})).await.problem("malformed-state");
    SHARED.post(&path, &json!({"moves": [], "depth": 0})).await.problem("invalid-parameter");
    let none = SHARED.post(&path, &json!({"moves": []})).await.json();
    assert_eq!(none["players"]["one"]["moves"], 0);
    assert_eq!(none["players"]["one"]["accuracy"], Value::Null);
}

#[actix_web::test]
async fn too_much_work_is_told_before_anything_is_searched() {
    let service = Service::start(&Config { max_work_ms: 1_000, ..Config::default() });
    let moves = random_games::moves(GameId::Wari, 12, 1);
    let body = json!({"moves": moves, "time_ms": 100});
    service.post(&path(GameId::Wari), &body).await.problem("too-much-work");
    let positions: Vec<_> = (0..11).map(|_| json!({"state": START})).collect();
    for operation in ["suggestion", "evaluation"] {
        let body = json!({"positions": positions, "time_ms": 100});
        let path = format!("/v1/games/cublino-pur/{operation}");
        service.post(&path, &body).await.problem("too-much-work");
    }
    let metrics = service.get("/metrics").await;
    let searched = metrics.text().lines().filter(|line| line.starts_with("cublino_search_nodes_total"));
    let searched: Vec<_> = searched.collect();
    assert!(!searched.is_empty(), "{}", metrics.text());
    assert!(searched.iter().all(|line| line.ends_with(" 0")), "{searched:?}");
}
