//! Questions about many positions at once.

use cublino::{
    game::{Game, Notation, Player, Record},
    games::{GameId, Wari},
};
use serde_json::{Value, json};

use crate::{
    random_games::{self, start, states},
    service::{Answer, SHARED, START},
};

const CHEAP: [&str; 3] = ["validation", "legal-moves", "score"];

fn path(game: GameId, operation: &str) -> String {
    format!("/v1/games/{game}/{operation}")
}

fn positions(states: &[String]) -> Value {
    json!({"positions": states.iter().map(|state| json!({"state": state})).collect::<Vec<_>>()})
}

async fn as_lines(method: &str, path: &str, body: &Value) -> Answer {
    let request = SHARED.request(method.parse().unwrap(), path).header("accept", "application/x-ndjson");
    SHARED.send(request.json(body)).await
}

fn lines(answer: &Answer) -> Vec<Value> {
    answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[actix_web::test]
async fn each_answer_is_that_about_the_position_alone() {
    for &game in GameId::ALL {
        let states: Vec<_> = states(game, 60, 4).into_iter().step_by(3).map(|(state, _)| state).collect();
        for (operation, limit) in [
            ("validation", None),
            ("legal-moves", None),
            ("score", None),
            ("evaluation", Some(("depth", 0))),
            ("evaluation", Some(("nodes", 400))),
            ("suggestion", Some(("nodes", 400))),
        ] {
            let path = path(game, operation);
            let mut body = positions(&states);
            let mut query = String::new();
            if let Some((name, limit)) = limit {
                body[name] = json!(limit);
                query = format!("&{name}={limit}");
            }
            let mut expected = Vec::new();
            for state in &states {
                let alone = SHARED.get(&format!("{path}?state={state}{query}")).await;
                let name = if alone.status == 200 { "answer" } else { "problem" };
                expected.push(json!({name: alone.json()}));
            }
            let answer = SHARED.post(&path, &body).await;
            assert_eq!(answer.json(), json!({"results": expected}), "{path}");
            assert_eq!(answer.vary(), ["accept", "accept-encoding"]);
            for method in ["POST", "QUERY"] {
                let answer = as_lines(method, &path, &body).await;
                assert_eq!(answer.header("content-type"), "application/x-ndjson");
                assert_eq!(lines(&answer), expected, "{method} {path}");
            }
        }
    }
}

#[actix_web::test]
async fn the_position_is_the_one_after_the_moves() {
    for &game in GameId::ALL {
        let moves = json!({"state": start(game), "moves": random_games::moves(game, 12, 2)});
        let reached = SHARED.post(&path(game, "apply"), &moves).await.json()["state"].take();
        let reached = reached.as_str().unwrap();
        for operation in CHEAP {
            let path = path(game, operation);
            let body = json!({"positions": [moves]});
            let mut answer = SHARED.post(&path, &body).await.json()["results"][0]["answer"].take();
            let mut alone = SHARED.get(&format!("{path}?state={reached}")).await.json();
            if operation == "validation" {
                assert_eq!(answer["state"].take(), moves["state"]);
                alone["state"].take();
            }
            assert_eq!(answer, alone, "{path}");
        }
    }
}

#[actix_web::test]
async fn what_has_been_repeated_counts() {
    // Two dice that go to and fro.
    let state = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
    let there_and_back = ["a1a2", "a7a6", "a2b2", "a6b6", "b2a2", "b6a6"];
    let mut moves = there_and_back[..2].to_vec();
    for _ in 0..2 {
        moves.extend(&there_and_back[2..]);
    }
    let ask =
        |limit: Value| json!({"positions": [{"state": state, "moves": moves, "repetition_limit": limit}]});
    for (limit, stage, count) in [(json!(3), "over", 0), (json!(4), "move", 12), (Value::Null, "move", 12)] {
        let answer = SHARED.post("/v1/games/cublino-pur/legal-moves", &ask(limit)).await;
        let answer = &answer.json()["results"][0]["answer"];
        assert_eq!(answer["stage"], stage);
        let listed = answer["moves"].as_array().unwrap().len();
        assert_eq!(listed == 0, count == 0, "{answer}");
        let reason = if count == 0 { json!("repetition") } else { Value::Null };
        assert_eq!(answer["outcome"]["reason"], reason);
    }
}

#[actix_web::test]
async fn in_wari_the_score_of_a_repeated_position_counts_what_each_player_takes() {
    // The two marbles run round behind each other.
    let state = "W-0-0-0-0-0-1-0-1-1-0-0-0-22-23";
    let mut record: Record<Wari> = Record::new(Wari::read(state).unwrap(), None);
    let mut moves = Vec::new();
    while record.stage().outcome().is_none() {
        let spellings = record.position().spellings();
        moves.push(record.play(&spellings[0].to_string()).unwrap().text);
    }
    let body = json!({"positions": [{"state": state, "moves": moves}]});
    let score = SHARED.post("/v1/games/wari/score", &body).await.json()["results"][0]["answer"].take();
    assert_ne!(score["outcome"]["status"], "in_progress");
    for (player, name) in [(Player::One, "one"), (Player::Two, "two")] {
        let counts =
            score["counted"][name].as_array().unwrap().iter().map(|it| it["count"].as_u64().unwrap());
        assert_eq!(score["outcome"]["points"][name], counts.sum::<u64>(), "{player:?}");
    }
}

#[actix_web::test]
async fn the_request_fails_only_if_it_cannot_be_read() {
    let path = "/v1/games/cublino-pur/score";
    let empty = SHARED.post(path, &json!({"positions": []})).await;
    assert_eq!(empty.json(), json!({"results": []}));
    assert_eq!(as_lines("POST", path, &json!({"positions": []})).await.text(), "");

    SHARED.post(path, &json!({"positions": {}})).await.problem("invalid-parameter");
    SHARED.post(path, &json!({"positions": [], "depth": 1})).await.problem("invalid-parameter");
    SHARED.post(path, &json!({})).await.problem("invalid-parameter");
}

#[actix_web::test]
async fn what_one_position_gets_wrong_is_told_in_its_place() {
    let wari = json!({"state": "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0"});
    let not_a_place = Value::Null;
    // The last column is the parameter that is wrong; a fault of the entry as a whole names none.
    let entries = [
        (json!({"state": "PZa1"}), "malformed-state", json!(1), None),
        (wari, "wrong-game", json!(0), None),
        (json!({"state": START, "moves": ["e1e2", "b7b5"]}), "illegal-move", json!(1), None),
        (json!("x"), "invalid-parameter", not_a_place.clone(), None),
        (json!({"state": 7}), "invalid-parameter", not_a_place.clone(), Some("state")),
        (json!({"moves": []}), "invalid-parameter", not_a_place.clone(), Some("state")),
        (json!({"state": START, "moves": ["e1e2", 7]}), "invalid-parameter", json!(1), Some("moves")),
        (json!({"state": START, "nonsense": 1}), "invalid-parameter", not_a_place.clone(), Some("nonsense")),
        (
            json!({"state": START, "repetition_limit": 1}),
            "invalid-parameter",
            not_a_place,
            Some("repetition_limit"),
        ),
    ];
    let good = json!({"state": START});
    for operation in CHEAP.iter().chain(&["evaluation", "suggestion"]) {
        // Validation accepts any text, also one that is not a state of the game.
        let entries = &entries[if *operation == "validation" { 2 } else { 0 }..];
        let asked = entries.iter().map(|(entry, ..)| entry).chain([&good]);
        let mut body = json!({"positions": asked.collect::<Vec<_>>()});
        if !CHEAP.contains(operation) {
            body["nodes"] = json!(1);
        }
        let results = SHARED.post(&path(GameId::CublinoPur, operation), &body).await.json()["results"].take();
        for ((entry, code, at, parameter), result) in entries.iter().zip(results.as_array().unwrap()) {
            let problem = &result["problem"];
            let told = (&problem["code"], &problem["at"], problem["parameter"].as_str());
            assert_eq!(told, (&json!(code), at, *parameter), "{operation} {entry}: {problem}");
        }
        assert!(results[entries.len()]["answer"].is_object(), "{operation}: {results}");
    }
}
