//! What each operation answers.

use std::collections::BTreeSet;

use cublino::games::GameId;
use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{DOCUMENT, SHARED, START, resolved};

/// Black has brought all dice across, and has won by 25 points to 18.
const FINISHED: &str = "Pga1mb1vc1id1se1cf1og1Aa4Na7Rb7Fc7Ad7Fe7Mg7";

#[actix_web::test]
async fn every_operation_of_a_game_is_linked_and_links_can_be_followed() {
    let games = SHARED.get("/v1/games").await.json();
    let pur = &games["games"][0];
    assert_eq!(
        (&pur["id"], &pur["dice"], &pur["start"]),
        (&json!("cublino-pur"), &json!(false), &json!(START))
    );
    for game in games["games"].as_array().unwrap() {
        let mut linked = BTreeSet::new();
        for link in game["links"].as_object().unwrap().values().filter_map(Value::as_str) {
            let link = resolved("/v1/games", link);
            let options = SHARED.send(SHARED.request(Method::OPTIONS, &link)).await;
            if options.header("allow").contains("GET") {
                // With dice, there is nothing to suggest at the start.
                let answer = SHARED.get(&link).await;
                assert!(answer.status == 200 || answer.json()["code"] == "roll-first", "{link}");
            } else {
                assert!(options.header("allow").contains("POST"), "{link}");
            }
            linked.insert(link.split('?').next().unwrap().to_owned());
        }
        let paths = DOCUMENT.value["paths"].as_object().unwrap().keys();
        let of_game = paths.filter(|path| path.starts_with("/v1/games/{game}"));
        let mut expected: BTreeSet<_> =
            of_game.map(|path| path.replace("{game}", game["id"].as_str().unwrap())).collect();
        expected.retain(|path| !path.ends_with("/roll") || game["dice"] == true);
        assert_eq!(linked, expected);
    }
}

#[actix_web::test]
async fn games_with_dice_that_tip_have_the_table_of_orientations_and_others_have_none() {
    for &game in GameId::ALL {
        let about = SHARED.get(&format!("/v1/games/{game}")).await.json();
        let Some(table) = about["orientations"].as_array() else {
            assert!(about["orientations"].is_null() && !game.about().id.starts_with("cublino"), "{game}");
            continue;
        };
        let letters: String = table.iter().map(|row| row["orientation"].as_str().unwrap()).collect();
        assert_eq!(letters, "abcdefghijklmnopqrstuvwx", "{game}");
        // The dice of White at the start.
        let faces = json!({"top": 6, "bottom": 1, "north": 4, "south": 3, "east": 2, "west": 5});
        assert_eq!((&table[22]["faces"], &table[22]["tipped"]["north"]), (&faces, &json!("l")), "{game}");
    }
}

#[actix_web::test]
async fn everything_that_is_wrong_with_a_state_is_said() {
    let malformed = SHARED.ask("validation", "PZa1Wz9").await.json();
    assert_eq!((&malformed["well_formed"], &malformed["valid"]), (&json!(false), &json!(false)));
    let codes: Vec<_> =
        malformed["problems"].as_array().unwrap().iter().map(|p| (&p["code"], &p["at"])).collect();
    assert_eq!(
        codes,
        [
            (&json!("not-an-orientation"), &json!(1)),
            (&json!("not-a-file"), &json!(5)),
            (&json!("not-a-rank"), &json!(6))
        ]
    );
    for null in ["canonical", "turn", "stage", "outcome", "position"] {
        assert_eq!(malformed[null], json!(null), "{null}");
    }
    let invalid = SHARED.ask("validation", "P").await.json();
    assert_eq!((&invalid["well_formed"], &invalid["valid"]), (&json!(true), &json!(false)));
    assert_eq!(invalid["problems"].as_array().unwrap().len(), 2);
}

#[actix_web::test]
async fn any_text_can_be_validated() {
    for text in ["", " ", "ä", "P\n", "W-4", "\u{0}", &"P".repeat(600)] {
        let answer = SHARED.ask("validation", text).await;
        assert_eq!(answer.status, 200, "{text:?}");
        assert_eq!(answer.json()["state"], text);
        assert_eq!(answer.json()["valid"], false);
    }
}

#[actix_web::test]
async fn an_empty_list_of_moves_tells_how_the_game_stands() {
    let body = json!({"state": START, "moves": []});
    let answer = SHARED.post("/v1/games/cublino-pur/apply", &body).await.json();
    assert_eq!((&answer["state"], &answer["plies"]), (&json!(START), &json!([])));
    assert_eq!((&answer["turn"], &answer["stage"]), (&json!("one"), &json!("move")));
    let body = json!({"state": FINISHED, "moves": []});
    let answer = SHARED.post("/v1/games/cublino-pur/apply", &body).await.json();
    assert_eq!((&answer["stage"], &answer["outcome"]["winner"]), (&json!("over"), &json!("two")));
}

#[actix_web::test]
async fn a_pass_is_told_as_an_event() {
    for (game, state, player) in [("cublino-contra", "cLd4Ac5", "two"), ("mahbusa", "M43-EGB18dpdf", "one")] {
        let path = format!("/v1/games/{game}/apply");
        let answer = SHARED.post(&path, &json!({"state": state, "moves": ["pass"]})).await.json();
        let events = json!([{"kind": "pass", "player": player}]);
        assert_eq!(answer["plies"][0]["events"], events, "{game}: {answer}");
    }
}

#[actix_web::test]
async fn what_each_player_takes_at_the_end_of_wari_is_told_before_the_end() {
    let going_round = ["5", "10", "6", "11", "2", "12", "3", "7", "4", "8", "1", "9"];
    // The last column is the cups of each player, with a marble each.
    for (state, moves, expected) in [
        // A has no marbles left.
        ("W-0-0-0-0-0-1-0-1-1-0-0-0-22-23", &["6"][..], &[("two", &[7, 8, 9][..])][..]),
        // Two marbles chase one another.
        ("W-0-1-0-0-0-1-1-1-0-0-0-0-22-22", &["6"], &[("one", &[2]), ("two", &[8])]),
        // A position occurs again.
        ("W-0-1-0-0-1-0-0-0-0-1-0-0-23-22", &going_round, &[("one", &[2, 5]), ("two", &[10])]),
    ] {
        let answer =
            SHARED.post("/v1/games/wari/apply", &json!({"state": state, "moves": moves})).await.json();
        let events = answer["plies"].as_array().unwrap().last().unwrap()["events"].as_array().unwrap();
        let [before @ .., ended] = &events[..] else { panic!("{answer}") };
        assert_eq!((&before[0]["kind"], &ended["kind"]), (&json!("sown"), &json!("ended")));
        let swept = expected.iter().map(|(player, cups)| {
            let taken: Vec<_> = cups.iter().map(|cup| json!({"cup": cup, "count": 1})).collect();
            json!({"kind": "swept", "player": player, "cups": taken, "total": cups.len()})
        });
        assert!(before.ends_with(&swept.collect::<Vec<_>>()), "{state}: {before:?}");
    }
    // Nobody takes marbles when a player resigns.
    let body = json!({"state": "W-0-0-0-0-0-1-0-1-1-0-0-0-22-23", "moves": [], "resign": "one"});
    let answer = SHARED.post("/v1/games/wari/apply", &body).await.json();
    assert_eq!(answer["outcome"]["points"], json!({"one": 22, "two": 23}));
}

#[actix_web::test]
async fn a_whole_number_may_be_written_with_a_point() {
    let whole = br#"{"state": "M-o22O", "seed": 3}"#.to_vec();
    let with_point = br#"{"state": "M-o22O", "seed": 3.0}"#.to_vec();
    let path = "/v1/games/mahbusa/roll";
    assert_eq!(SHARED.post_bytes(path, with_point).await.json(), SHARED.post_bytes(path, whole).await.json());
    for other in ["3.5", "-3.0", "1e17", "1e999"] {
        let body = format!(r#"{{"state": "M-o22O", "seed": {other}}}"#);
        assert_eq!(SHARED.post_bytes(path, body.into_bytes()).await.status, 400, "{other}");
    }
}

#[actix_web::test]
async fn the_documentation_is_where_people_look() {
    let answer = SHARED.get("/docs").await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (307, "docs/"));
    assert!(SHARED.get("/docs/").await.text().contains("swagger-ui"));
    let initializer = SHARED.get("/docs/swagger-initializer.js").await;
    assert_eq!(initializer.header("content-type"), "text/javascript; charset=utf-8");
    assert!(initializer.text().contains(r#"url: "../openapi.json""#));
    let style = SHARED.get("/docs/index.css").await;
    assert_eq!(style.header("content-type"), "text/css; charset=utf-8");
    assert!(style.text().contains(r#"input[placeholder="state"]"#));
    assert_eq!(
        SHARED.get("/docs/swagger-ui-bundle.js").await.header("content-type"),
        "text/javascript; charset=utf-8"
    );
    // Its guide is beside it.
    assert!(SHARED.get("/docs/").await.text().contains(r#"href="guide.md""#));
    assert!(SHARED.get("/docs/guide.md").await.text().starts_with("# Guide"));
    SHARED.get("/docs/nothing.js").await.problem("not-found");
}
