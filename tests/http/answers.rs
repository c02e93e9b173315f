//! What each operation answers.

use std::collections::BTreeSet;

use cublino::games::GameId;
use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{DOCUMENT, SHARED, START};

/// Black has brought all dice across, and has won by 25 points to 18.
const FINISHED: &str = "Pga1mb1vc1id1se1cf1og1Aa4Na7Rb7Fc7Ad7Fe7Mg7";

#[actix_web::test]
async fn the_games_are_listed_with_links_that_can_be_followed() {
    let games = SHARED.get("/v1/games").await.json();
    let pur = &games["games"][0];
    assert_eq!(pur["id"], "cublino-pur");
    assert_eq!(pur["dice"], false);
    assert_eq!(pur["start"], START);
    assert_eq!(pur["links"]["roll"], json!(null));
    for (name, link) in pur["links"].as_object().unwrap() {
        let Some(link) = link.as_str() else { continue };
        let options = SHARED.send(SHARED.request(Method::OPTIONS, link)).await;
        if options.header("allow").contains("GET") {
            assert_eq!(SHARED.get(link).await.status, 200, "{name}");
        } else {
            assert!(options.header("allow").contains("POST"), "{name}");
        }
    }
}

#[actix_web::test]
async fn every_operation_of_a_game_is_linked() {
    let games = SHARED.get("/v1/games").await.json();
    for game in games["games"].as_array().unwrap() {
        let links = game["links"].as_object().unwrap().values().filter_map(Value::as_str);
        let linked: BTreeSet<_> = links.map(|link| link.split('?').next().unwrap().to_owned()).collect();
        let paths = DOCUMENT.value["paths"].as_object().unwrap().keys();
        let of_game = paths.filter(|path| path.starts_with("/v1/games/{game}"));
        let mut expected: BTreeSet<_> =
            of_game.map(|path| path.replace("{game}", game["id"].as_str().unwrap())).collect();
        expected.retain(|path| !path.ends_with("/roll") || game["dice"] == true);
        assert_eq!(linked, expected);
    }
}

#[actix_web::test]
async fn a_game_is_described_with_its_rules() {
    let game = SHARED.get("/v1/games/cublino-pur").await.json();
    assert_eq!(game["id"], "cublino-pur");
    assert!(game["rules"].as_str().unwrap().contains("### Notation"));
}

#[actix_web::test]
async fn a_valid_state_is_taken_apart() {
    // The dice of the start, the last one first.
    let shuffled = format!("P{}{}", &START[40..43], &START[1..40]);
    let answer = SHARED.ask("validation", &shuffled).await.json();
    assert_eq!(answer["state"], shuffled);
    assert_eq!((&answer["well_formed"], &answer["valid"]), (&json!(true), &json!(true)));
    assert_eq!(answer["canonical"], START);
    assert_eq!(answer["turn"], "one");
    assert_eq!(answer["stage"], "move");
    assert_eq!(answer["outcome"]["status"], "in_progress");
    assert_eq!(answer["problems"], json!([]));
    assert_eq!(answer["position"]["kind"], "cublino");
    assert_eq!(
        answer["position"]["dice"][0],
        json!({
            "player": "one", "square": "a1", "orientation": "w", "home": false,
            "faces": {"top": 6, "bottom": 1, "north": 4, "south": 3, "east": 2, "west": 5},
        })
    );
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
async fn legal_moves_come_with_steps_and_the_state_after_them() {
    let answer = SHARED.ask("legal-moves", START).await.json();
    assert_eq!(answer["count"], 7);
    assert_eq!(answer["moves"].as_array().unwrap().len(), 7);
    assert_eq!(
        answer["moves"][4],
        json!({
            "move": "e1e2",
            "steps": [{"kind": "tip", "from": "e1", "to": "e2"}],
            "state": "pWa1Wb1Wc1Wd1Wf1Wg1Le2va7vb7vc7vd7ve7vf7vg7",
        })
    );
    assert!(answer.get("rolls").is_none());
}

#[actix_web::test]
async fn every_legal_move_can_be_applied_and_leads_where_it_says() {
    let state = "pWa1Wb1Lc2Le2Lg2Cf3He4cd5ib6ic6ie6ig6vc7vf7";
    let answer = SHARED.ask("legal-moves", state).await.json();
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(answer["count"], moves.len());
    assert!(moves.iter().any(|m| m["steps"].as_array().unwrap().len() > 2), "no chains");
    for m in moves {
        let body = json!({"state": state, "moves": [m["move"]]});
        let played = SHARED.post("/v1/games/cublino-pur/apply", &body).await.json();
        assert_eq!(played["state"], m["state"], "{}", m["move"]);
    }
}

#[actix_web::test]
async fn a_finished_game_has_no_moves_and_says_who_has_won() {
    let moves = SHARED.ask("legal-moves", FINISHED).await.json();
    assert_eq!((&moves["stage"], &moves["count"], &moves["moves"]), (&json!("over"), &json!(0), &json!([])));
    let score = SHARED.ask("score", FINISHED).await.json();
    let points = json!({"one": 18, "two": 25});
    let outcome = json!({"status": "won", "winner": "two", "reason": "all-dice-home", "points": points});
    assert_eq!(score["outcome"], outcome);
    assert_eq!(score["counted"]["one"][0], json!({"kind": "die", "square": "a7", "top": 4}));
    assert_eq!(score["counted"]["two"].as_array().unwrap().len(), 7);
}

#[actix_web::test]
async fn a_list_of_moves_is_played_with_its_events() {
    let body = json!({"state": START, "moves": ["e1e2", "b7b6", "d1e1e3"]});
    let answer = SHARED.post("/v1/games/cublino-pur/apply", &body).await.json();
    assert_eq!(answer["turn"], "two");
    assert_eq!(answer["plies"].as_array().unwrap().len(), 3);
    assert_eq!(answer["plies"][2]["player"], "one");
    assert_eq!(answer["plies"][2]["state"], answer["state"]);
    assert_eq!(
        answer["plies"][2]["events"],
        json!([
            {"kind": "tip", "from": "d1", "to": "e1", "orientation": "s", "top": 5},
            {"kind": "jump", "from": "e1", "over": "e2", "to": "e3", "orientation": "s"},
        ])
    );
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
async fn a_player_may_resign_after_the_moves() {
    let path = "/v1/games/cublino-pur/apply";
    let body = json!({"state": START, "moves": ["e1e2"], "resign": "one"});
    let answer = SHARED.post(path, &body).await.json();
    let points = json!({"one": 0, "two": 0});
    let outcome = json!({"status": "won", "winner": "two", "reason": "resigned", "points": points});
    assert_eq!((&answer["stage"], &answer["outcome"]), (&json!("over"), &outcome));
    // A state cannot show a resignation; its turn is that of the player who would have moved.
    assert_eq!(answer["state"], "pWa1Wb1Wc1Wd1Wf1Wg1Le2va7vb7vc7vd7ve7vf7vg7");
    assert_eq!(answer["turn"], "two");
    let ended = json!({"kind": "ended", "outcome": outcome});
    let tip = json!({"kind": "tip", "from": "e1", "to": "e2", "orientation": "l", "top": 3});
    assert_eq!(answer["plies"].as_array().unwrap().len(), 1);
    assert_eq!(answer["plies"][0]["events"], json!([tip, ended]));
    // Players may resign before the first move and out of turn; `null` means that nobody resigns.
    let body = json!({"state": START, "moves": [], "resign": "two"});
    let answer = SHARED.post(path, &body).await.json();
    assert_eq!((&answer["outcome"]["winner"], &answer["plies"]), (&json!("one"), &json!([])));
    assert_eq!((&answer["stage"], &answer["turn"]), (&json!("over"), &json!("one")));
    let body = json!({"state": START, "moves": [], "resign": null});
    assert_eq!(SHARED.post(path, &body).await.json()["stage"], "move");
    // Also when the dice are to be rolled.
    let body = json!({"state": "M-o22O", "moves": [], "resign": "one"});
    let answer = SHARED.post("/v1/games/mahbusa/apply", &body).await.json();
    assert_eq!((&answer["stage"], &answer["outcome"]["reason"]), (&json!("over"), &json!("resigned")));
}

#[actix_web::test]
async fn a_pass_has_one_step() {
    let stuck = "Pva1vb1vc1vd1Wa6vb6vc6va7Wb7Wc7Wd7We7Wf7Wg7";
    for (game, state, after) in [
        ("cublino-pur", stuck, stuck.replacen('P', "p", 1)),
        ("cublino-contra", "cLd4Ac5", "CLd4Ac5".to_owned()),
        ("mahbusa", "M43-EGB18dpdf", "m-EGB18dpdf".to_owned()),
    ] {
        let answer = SHARED.get(&format!("/v1/games/{game}/legal-moves?state={state}")).await.json();
        let pass = json!([{"move": "pass", "steps": [{"kind": "pass"}], "state": after}]);
        assert_eq!((&answer["count"], &answer["moves"]), (&json!(1), &pass), "{game}");
    }
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
    let cup = |cup: u8, count: u8| json!({"cup": cup, "count": count});
    let swept = |player: &str, cups: Value, total: u8| {
        let kind = "swept";
        json!({"kind": kind, "player": player, "cups": cups, "total": total})
    };
    let going_round = ["5", "10", "6", "11", "2", "12", "3", "7", "4", "8", "1", "9"];
    for (state, moves, expected) in [
        // A has no marbles left.
        (
            "W-0-0-0-0-0-1-0-1-1-0-0-0-22-23",
            &["6"][..],
            vec![swept("two", json!([cup(7, 1), cup(8, 1), cup(9, 1)]), 3)],
        ),
        // Two marbles chase one another.
        (
            "W-0-1-0-0-0-1-1-1-0-0-0-0-22-22",
            &["6"],
            vec![swept("one", json!([cup(2, 1)]), 1), swept("two", json!([cup(8, 1)]), 1)],
        ),
        // A position occurs again.
        (
            "W-0-1-0-0-1-0-0-0-0-1-0-0-23-22",
            &going_round,
            vec![swept("one", json!([cup(2, 1), cup(5, 1)]), 2), swept("two", json!([cup(10, 1)]), 1)],
        ),
    ] {
        let answer =
            SHARED.post("/v1/games/wari/apply", &json!({"state": state, "moves": moves})).await.json();
        let events = answer["plies"].as_array().unwrap().last().unwrap()["events"].as_array().unwrap();
        let [before @ .., ended] = &events[..] else { panic!("{answer}") };
        assert_eq!((&before[0]["kind"], &ended["kind"]), (&json!("sown"), &json!("ended")));
        assert!(before.ends_with(&expected), "{state}: {before:?}");
    }
    // Nobody takes marbles when a player resigns.
    let body = json!({"state": "W-0-0-0-0-0-1-0-1-1-0-0-0-22-23", "moves": [], "resign": "one"});
    let answer = SHARED.post("/v1/games/wari/apply", &body).await.json();
    assert_eq!(answer["outcome"]["points"], json!({"one": 22, "two": 23}));
}

#[actix_web::test]
async fn a_finished_game_keeps_the_letter_of_who_would_have_been_next() {
    // Black has no dice, and White would have moved again.
    let body = json!({"state": "CWd6", "moves": ["d6d7"]});
    let answer = SHARED.post("/v1/games/cublino-contra/apply", &body).await.json();
    assert_eq!((&answer["state"], &answer["turn"]), (&json!("CLd7"), &json!("one")));
    let kinds: Vec<_> =
        answer["plies"][0]["events"].as_array().unwrap().iter().map(|event| &event["kind"]).collect();
    assert_eq!(kinds, ["tip", "ended"]);
    let legal = SHARED.get("/v1/games/cublino-contra/legal-moves?state=CWd6").await.json();
    assert_eq!(legal["moves"][0]["state"], "CLd7");
    for state in ["CLd7", "cLd7"] {
        let answer = SHARED.get(&format!("/v1/games/cublino-contra/validation?state={state}")).await.json();
        assert_eq!(
            (&answer["valid"], &answer["canonical"], &answer["stage"]),
            (&json!(true), &json!(state), &json!("over"))
        );
    }
}

#[actix_web::test]
async fn the_last_checker_is_borne_off_with_dice_left() {
    let body = json!({"state": "M51-4A18i", "moves": ["E0"]});
    let answer = SHARED.post("/v1/games/mahbusa/apply", &body).await.json();
    assert_eq!((&answer["state"], &answer["outcome"]["reason"]), (&json!("m-23i"), &json!("borne-off")));
    assert_eq!(answer["plies"][0]["move"], "E0");
    let legal = SHARED.get("/v1/games/mahbusa/legal-moves?state=M51-4A18i").await.json();
    assert_eq!((&legal["count"], &legal["moves"][0]["move"]), (&json!(1), &json!("ED-D0")));
    assert_eq!(legal["moves"][0]["state"], "m-23i");
}

#[actix_web::test]
async fn a_limit_on_repetition_does_not_apply_to_mahbusa() {
    let moves = ["66", "pass", "66", "pass", "66", "pass", "66", "pass"];
    let body = json!({"state": "M-K4b5Bb5B4k", "moves": moves, "repetition_limit": 2});
    let answer = SHARED.post("/v1/games/mahbusa/apply", &body).await.json();
    assert_eq!((&answer["stage"], &answer["state"]), (&json!("roll"), &json!("M-K4b5Bb5B4k")));
}

#[actix_web::test]
async fn the_rules_say_who_begins_and_what_they_know_of_repetition() {
    for game in GameId::ALL {
        let rules = SHARED.get(&format!("/v1/games/{game}")).await.json();
        let rules = rules["rules"].as_str().unwrap();
        assert!(rules.contains("begins"), "{game}");
        assert!(rules.contains("repetition_limit"), "{game}");
    }
}

#[actix_web::test]
async fn repetition_draws_the_game_only_when_a_limit_is_given() {
    // Dice that tip to the side and back again.
    let state = "PWb1Wc1Wd1We1Wf1Wg1Wa3va5vb7vc7vd7ve7vf7vg7";
    let there_and_back = ["a3b3", "a5b5", "b3a3", "b5a5"];
    let path = "/v1/games/cublino-pur/apply";
    let free = SHARED.post(path, &json!({"state": state, "moves": there_and_back})).await.json();
    assert_eq!(free["stage"], "move");
    let body = json!({"state": state, "moves": there_and_back, "repetition_limit": 2});
    let limited = SHARED.post(path, &body).await.json();
    assert_eq!(limited["state"], state);
    assert_eq!((&limited["stage"], &limited["outcome"]["reason"]), (&json!("over"), &json!("repetition")));
    assert_eq!(limited["plies"][3]["events"][1]["kind"], "ended");
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
async fn the_service_says_that_it_is_alive_and_ready() {
    for path in ["/healthz", "/readyz"] {
        assert_eq!(SHARED.get(path).await.json()["status"], "ok");
    }
}

#[actix_web::test]
async fn the_documentation_is_where_people_look() {
    let answer = SHARED.get("/docs").await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (307, "/docs/"));
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
