//! Moves in every order in which they can be written.

use std::collections::BTreeSet;

use cublino::games::GameId;
use serde_json::{Value, json};

use crate::service::{Answer, SHARED, START};

/// Nine lone checkers of White and a stack, each with room to go one point at a time.
const MANY_ORDERS: &str = "M11-4A1A1A1A1A1A1A1A1A1Fo";

async fn listed(game: GameId, query: &str) -> Answer {
    SHARED.get(&format!("/v1/games/{game}/legal-moves?{query}")).await
}

/// The moves as they are written.
fn texts(answer: &Value) -> BTreeSet<String> {
    let moves = answer["moves"].as_array().unwrap();
    let texts: BTreeSet<_> = moves.iter().map(|m| m["move"].as_str().unwrap().to_owned()).collect();
    assert_eq!(answer["count"], moves.len());
    assert_eq!(texts.len(), moves.len(), "a spelling is listed twice");
    texts
}

#[actix_web::test]
async fn all_orders_of_a_play_are_listed_and_lead_to_the_same_states() {
    for state in ["M63-iab4aa2BAp4A5K", "M51-4A18i", "M22-AAB20i", "m41-iab3AaAp2Aa4A5K"] {
        let usual = listed(GameId::Mahbusa, &format!("state={state}")).await.json();
        let all = listed(GameId::Mahbusa, &format!("state={state}&spellings=all")).await.json();
        assert!(texts(&usual).is_subset(&texts(&all)), "{state}");
        assert!(texts(&usual).len() < texts(&all).len(), "{state}");
        let states = |answer: &Value| -> BTreeSet<_> {
            answer["moves"].as_array().unwrap().iter().map(|m| m["state"].to_string()).collect()
        };
        assert_eq!(states(&usual), states(&all), "{state}");
        for m in all["moves"].as_array().unwrap() {
            let body = json!({"state": state, "moves": [m["move"]]});
            let played = SHARED.post("/v1/games/mahbusa/apply", &body).await.json();
            assert_eq!(played["state"], m["state"], "{}", m["move"]);
            assert_eq!(played["plies"][0]["move"], m["move"]);
        }
    }
}

#[actix_web::test]
async fn thousands_of_orders_are_sent_in_full() {
    let all = listed(GameId::Mahbusa, &format!("state={MANY_ORDERS}&spellings=all")).await.json();
    assert!(texts(&all).len() > 5_000, "{}", all["count"]);
}

#[actix_web::test]
async fn all_spellings_have_a_tag_of_their_own() {
    let state = "state=M63-o22O";
    let usual = listed(GameId::Mahbusa, state).await;
    assert_eq!(listed(GameId::Mahbusa, &format!("{state}&spellings=usual")).await.bytes, usual.bytes);
    let all = listed(GameId::Mahbusa, &format!("{state}&spellings=all")).await;
    assert_ne!(all.header("etag"), usual.header("etag"));
    assert_eq!(all.header("cache-control"), usual.header("cache-control"));
    let path = format!("/v1/games/mahbusa/legal-moves?{state}&spellings=all");
    for (held, status) in [(&all, 304), (&usual, 200)] {
        let request =
            SHARED.request(reqwest::Method::GET, &path).header("if-none-match", held.header("etag"));
        assert_eq!(SHARED.send(request).await.status, status);
    }
}

#[actix_web::test]
async fn where_the_order_is_the_move_all_spellings_are_the_usual_ones() {
    for (game, state) in [
        (GameId::CublinoPur, START),
        (GameId::CublinoContra, "CWd3ac4id5"),
        (GameId::CublinoEcke, "EWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"),
        (GameId::Wari, "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0"),
        // Where there is nothing to play.
        (GameId::Mahbusa, "M-o22O"),
        (GameId::Mahbusa, "m-23i"),
    ] {
        let usual = listed(game, &format!("state={state}")).await.json();
        assert_eq!(listed(game, &format!("state={state}&spellings=all")).await.json(), usual, "{state}");
    }
}

#[actix_web::test]
async fn all_spellings_are_listed_of_many_positions_too() {
    let states = ["M63-iab4aa2BAp4A5K", "M-o22O", "nonsense", "M51-4A18i"];
    let path = "/v1/games/mahbusa/legal-moves";
    for spellings in ["usual", "all"] {
        let mut expected = Vec::new();
        for state in states {
            let answer = listed(GameId::Mahbusa, &format!("state={state}&spellings={spellings}")).await;
            let name = if answer.status == 200 { "answer" } else { "problem" };
            expected.push(json!({name: answer.json()}));
        }
        let body = json!({"positions": states.map(|state| json!({"state": state})), "spellings": spellings});
        for method in ["POST", "QUERY"] {
            let request = SHARED.request(method.parse().unwrap(), path).json(&body);
            assert_eq!(
                SHARED.send(request).await.json(),
                json!({"results": expected}),
                "{method} {spellings}"
            );
        }
    }
    let wrong = SHARED.post(path, &json!({"positions": [], "spellings": "every"})).await;
    assert_eq!(wrong.problem("invalid-parameter")["parameter"], "spellings");
}
