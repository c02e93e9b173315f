//! Every problem that can occur.

use cublino::{api::Code, config::Config, http::problem};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    command_line::assert_generated,
    service::{DOCUMENT, SHARED, START, Service},
};

const APPLY: &str = "/v1/games/cublino-pur/apply";

#[actix_web::test]
async fn a_problem_has_a_code_reasons_and_a_place_that_says_what_it_is_in() {
    const OVER: &str = "Pga1mb1vc1id1se1cf1og1Aa4Na7Rb7Fc7Ad7Fe7Mg7";
    let game = "/v1/games/cublino-pur";
    let get = |operation: &str, state: &str| {
        SHARED.request(Method::GET, &format!("{game}/{operation}?state={state}"))
    };
    let post = |path: &str, body: Value| SHARED.request(Method::POST, path).json(&body);
    let apply = |moves: [&str; 2]| post(APPLY, json!({"state": START, "moves": moves}));
    let cut = SHARED.request(Method::POST, APPLY).header("content-type", "application/json");
    let twice = START.replacen("b1", "a1", 1);
    let resigned = json!({"state": OVER, "moves": [], "resign": "one"});
    // Faults of the moves are reported first.
    let played = json!({"state": OVER, "moves": ["a4a5"], "resign": "one"});
    let won = json!({"state": "CWd6vg3", "moves": ["d6d7"], "resign": "two"});
    let roll = |state: &str| post("/v1/games/mahbusa/roll", json!({"state": state}));
    let unrolled = json!({"state": "M-o22O", "moves": ["XU-UT"]});
    let two = json!([1, "state", ["not-an-orientation", 1], ["not-a-rank", 6]]);
    let nowhere = json!([null, null]);
    // The last column is the place, what it is in, and each reason with its own place.
    for (request, code, expected) in [
        (get("legal-moves", "PZa1Wb9"), "malformed-state", &two),
        (get("score", "PZa1Wb9"), "malformed-state", &two),
        (get("suggestion", "PZa1Wb9"), "malformed-state", &two),
        (get("score", ""), "malformed-state", &json!([null, null, ["empty-state", null]])),
        (get("score", "W"), "wrong-game", &json!([0, "state"])),
        (get("score", &twice), "invalid-state", &json!([5, "state", ["square-taken", 5]])),
        (cut.body("{\"state\""), "malformed-json", &json!([8, "body"])),
        (apply(["e1e2", "b7?6"]), "malformed-move", &json!([1, "moves", ["not-a-square", 2]])),
        (apply(["e1e2", "b7b5"]), "illegal-move", &json!([1, "moves", ["nothing-to-jump", null]])),
        (post(APPLY, json!({"state": START, "moves": [7]})), "invalid-parameter", &json!([0, "parameter"])),
        (post(APPLY, json!({"state": START})), "invalid-parameter", &nowhere),
        (post(APPLY, played), "game-over", &json!([0, "moves"])),
        (post(APPLY, resigned), "game-over", &nowhere),
        // The moves have ended the game.
        (post("/v1/games/cublino-contra/apply", won), "game-over", &nowhere),
        (get("suggestion", OVER), "game-over", &nowhere),
        (post(&format!("{game}/roll"), json!({"state": START})), "no-dice", &nowhere),
        // The dice show something; or all checkers are borne off; or each player is pinned for ever.
        (roll("M63-o22O"), "illegal-move", &nowhere),
        (roll("m-22bh"), "game-over", &nowhere),
        (roll("M-Ap9M1la9ap"), "game-over", &nowhere),
        (post("/v1/games/mahbusa/apply", unrolled), "roll-first", &json!([0, "moves", ["not-a-roll", null]])),
    ] {
        let problem = SHARED.send(request).await.problem(code);
        assert_eq!(problem.get("at_in").is_none(), problem["at"].is_null(), "{problem}");
        let mut told = vec![problem["at"].clone(), problem["at_in"].clone()];
        let reasons = problem["problems"].as_array().into_iter().flatten();
        told.extend(reasons.map(|reason| json!([reason["code"], reason["at"]])));
        assert_eq!(json!(told), *expected, "{problem}");
    }
}

#[actix_web::test]
async fn malformed_json() {
    let whole = json!({"state": START, "moves": ["e1e2"]}).to_string();
    let cut = whole.as_bytes()[..whole.len() - 1].to_vec();
    let doubled = whole.repeat(2).into_bytes();
    let mut not_utf8 = whole.clone().into_bytes();
    not_utf8[12] = 0xff;
    let bodies = [
        (cut, Some(whole.len() - 1)),
        (doubled, Some(whole.len())),
        (not_utf8, Some(12)),
        (Vec::new(), Some(0)),
        (b"{\"state\": \"\xc3\xa4\",\n  x}".to_vec(), Some(17)),
        (b"\xef\xbb\xbf{}".to_vec(), Some(0)),
        ("[".repeat(100_000).into_bytes(), None),
        (br#"{"state":"P","moves":[1e999999]}"#.to_vec(), None),
    ];
    for (body, at) in bodies {
        let text = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        let answer = SHARED.post_bytes(APPLY, body).await;
        let problem = answer.json();
        assert_eq!(answer.status, 400, "{text} {problem}");
        if let Some(at) = at {
            assert_eq!((&problem["code"], &problem["at"]), (&json!("malformed-json"), &json!(at)), "{text}");
        }
    }
}

#[actix_web::test]
async fn invalid_parameter_in_the_body() {
    let bodies = [
        json!(null),
        json!(3),
        json!([]),
        json!({}),
        json!({"state": START}),
        json!({"state": 1, "moves": ["e1e2"]}),
        json!({"state": START, "moves": "e1e2"}),
        json!({"state": START, "moves": [1]}),
        json!({"state": START, "moves": null}),
        json!({"state": START, "resign": "one"}),
        json!({"state": START, "moves": [], "resign": "One"}),
        json!({"state": START, "moves": [], "resign": 1}),
        json!({"state": START, "moves": [], "resign": true}),
        json!({"state": START, "moves": [], "resign": ["one"]}),
        json!({"state": START, "moves": [], "resign": {"one": null}}),
        json!({"state": START, "moves": ["e1e2"], "repetition_limit": 1}),
        json!({"state": START, "moves": ["e1e2"], "repetition_limit": 11}),
        json!({"state": START, "moves": ["e1e2"], "repetition_limit": 2.5}),
        json!({"state": START, "moves": ["e1e2"], "repetition_limit": -2}),
        json!({"state": START, "moves": ["e1e2"], "repetition_limit": "3"}),
    ];
    for body in bodies {
        let answer = SHARED.post(APPLY, &body).await;
        assert_eq!(answer.problem("invalid-parameter")["status"], 400, "{body}");
    }
    let twice = format!(r#"{{"state":"{START}","state":"{START}","moves":["e1e2"]}}"#);
    SHARED.post_bytes(APPLY, twice.into_bytes()).await.problem("invalid-parameter");
    let seed = json!({"state": "M-", "seed": 9_007_199_254_740_992_u64});
    SHARED.post("/v1/games/cublino-pur/roll", &seed).await.problem("invalid-parameter");
}

#[actix_web::test]
async fn a_body_is_an_object_and_never_a_list_of_its_members() {
    for (path, body) in [
        ("/v1/games/mahbusa/roll", json!(["M-o22O", 1])),
        ("/v1/games/mahbusa/score", json!([[{"state": "M-o22O"}]])),
        (APPLY, json!([START, ["e1e2"], null])),
        (APPLY, json!([START, ["e1e2"]])),
    ] {
        let problem = SHARED.post(path, &body).await.problem("invalid-parameter");
        assert_eq!(problem["detail"], "the body is wrong: invalid type: sequence, expected an object");
        assert!(problem.get("parameter").is_none(), "{problem}");
    }
    let body = json!({"positions": [["M-o22O", []]]});
    let results = SHARED.post("/v1/games/mahbusa/score", &body).await.json()["results"].take();
    let detail = "the entry is wrong: invalid type: sequence, expected an object";
    assert_eq!(results[0]["problem"]["detail"], detail);
    let body = json!({"plies": [4, 20]});
    let answer = SHARED.post("/v1/games/mahbusa/random-positions", &body).await;
    assert_eq!(answer.problem("invalid-parameter")["parameter"], "plies");
}

#[actix_web::test]
async fn what_is_wrong_with_a_long_text_does_not_repeat_it() {
    let long = "x".repeat(10_000);
    let moves = json!([]);
    for body in [
        json!({"state": START, "moves": long}),
        json!({"state": START, "moves": moves, "resign": long}),
        json!({"state": START, "moves": moves, "repetition_limit": long}),
        json!({"state": START, "moves": moves, (long.clone()): 1}),
    ] {
        let problem = SHARED.post(APPLY, &body).await.problem("invalid-parameter");
        assert!(problem.to_string().len() < 1_500, "{problem}");
    }
}

#[actix_web::test]
async fn what_is_wrong_with_a_body_is_said_in_the_words_of_the_interface() {
    for (body, detail, parameter, at) in [
        (
            json!({"state": START, "moves": 1}),
            "the member 'moves' is wrong: invalid type: integer `1`, expected a list",
            "moves",
            None,
        ),
        (
            json!({"state": START, "moves": ["e1e2", {}]}),
            "the member 'moves[1]' is wrong: invalid type: map, expected a string",
            "moves",
            Some(1),
        ),
        (json!({"moves": []}), "the member 'state' is wrong: missing field `state`", "state", None),
        (
            json!({"state": START, "moves": ["e1e2"], "limit": 3}),
            "the member 'limit' is wrong: unknown field `limit`, expected one of `state`, `moves`, ",
            "limit",
            None,
        ),
        (
            json!({"state": START, "moves": ["e1e2"], "repetition_limit": true}),
            "the member 'repetition_limit' is wrong: expected a whole number from 2 to 10",
            "repetition_limit",
            None,
        ),
        (
            json!({"state": START, "moves": [], "resign": "three"}),
            "the member 'resign' is wrong: unknown variant `three`, expected `one` or `two`",
            "resign",
            None,
        ),
        (
            json!({"state": START, "moves": vec!["e1e2"; 1001]}),
            "the member 'moves' is wrong: it has 1001 entries, but",
            "moves",
            None,
        ),
    ] {
        let problem = SHARED.post(APPLY, &body).await.problem("invalid-parameter");
        assert!(problem["detail"].as_str().unwrap().starts_with(detail), "{problem}");
        assert_eq!((&problem["parameter"], &problem["at"]), (&json!(parameter), &json!(at)), "{problem}");
    }
}

#[actix_web::test]
async fn a_body_that_cannot_be_decoded_says_nothing_about_the_decoder() {
    for coding in ["gzip", "deflate"] {
        let request = SHARED.request(Method::POST, APPLY).header("content-type", "application/json");
        let request = request.header("content-encoding", coding).body("not coded at all");
        let problem = SHARED.send(request).await.problem("malformed-json");
        let detail = problem["detail"].as_str().unwrap();
        assert!(!detail.contains("kind") && !detail.contains("Some("), "{detail}");
        assert!(detail.contains("Content-Encoding"), "{detail}");
    }
}

#[actix_web::test]
async fn invalid_parameter_in_the_query() {
    let queries = [
        ("legal-moves", ""),
        ("legal-moves", "states=P"),
        ("legal-moves", "state=P&state=P"),
        ("legal-moves", "state=P&depth=3"),
        ("legal-moves", "state=P&spellings="),
        ("legal-moves", "state=P&spellings=All"),
        ("legal-moves", "state=%"),
        ("legal-moves", "state=%f"),
        ("legal-moves", "state=%gg"),
        ("legal-moves", "state=%ff%fe"),
        ("suggestion", "state=P&time_ms=99999999999999999999"),
        ("suggestion", "state=P&lines="),
        ("suggestion", "state=P&level=0"),
        ("suggestion", "state=P&level=9"),
        ("suggestion", "state=P&seed=-1"),
        ("suggestion", "state=P&seed=1.5"),
        ("puzzles", "date=2026-02-29"),
        ("puzzles", "date=2100-02-29"),
        ("puzzles", "date=2026-13-01"),
        ("puzzles", "date=2026-04-31"),
        ("puzzles", "date=2026-11-00"),
        ("puzzles", "date=2026-1-01"),
        ("puzzles", "date=26-11-2401"),
        ("puzzles", "date=2026-11-2%C3%A4"),
        ("puzzles", "seed=-1"),
        ("puzzles", "difficulty=0"),
        ("puzzles", "difficulty=9"),
        ("puzzles", "count=0"),
        ("puzzles", "count=101"),
        ("puzzles", "level=3"),
    ];
    for (operation, query) in queries {
        let answer = SHARED.get(&format!("/v1/games/cublino-pur/{operation}?{query}")).await;
        let problem = answer.problem("invalid-parameter");
        // The last parameter is the one that is wrong.
        let name = query.rsplit('&').next().unwrap().split('=').next().unwrap();
        assert_eq!(problem["parameter"], if name.is_empty() { "state" } else { name }, "{query}");
    }
    SHARED.get("/v1/games?page=2").await.problem("invalid-parameter");
}

#[actix_web::test]
async fn unknown_game_and_not_found() {
    let problem = SHARED.get("/v1/games/chess/legal-moves?state=P").await.problem("unknown-game");
    assert!(problem["detail"].as_str().unwrap().contains("cublino-pur"));
    for path in ["/v1/games/%ff", "/v1/games/%zz", "/v1/games/a%2Fb/score?state=P", "/v1/games/Cublino-Pur"] {
        SHARED.get(path).await.problem("unknown-game");
    }
    for path in [
        "/v1",
        "/v1/games/",
        "/v2/games",
        "/v1/games/cublino-pur/legal-moves/",
        "/%zz",
        "/..%2f",
        "/problems/none",
    ] {
        SHARED.get(path).await.problem("not-found");
    }
    SHARED.send(SHARED.request(Method::DELETE, "/nothing")).await.problem("not-found");
}

#[actix_web::test]
async fn method_not_allowed() {
    for (path, allow, query, wrong) in [
        ("/v1/games", "GET, HEAD, OPTIONS", "", "POST"),
        ("/healthz", "GET, HEAD, OPTIONS", "", "DELETE"),
        ("/docs/", "GET, HEAD, OPTIONS", "", "PUT"),
        ("/", "GET, HEAD, OPTIONS", "", "PATCH"),
        (APPLY, "POST, QUERY, OPTIONS", "application/json", "GET"),
        (APPLY, "POST, QUERY, OPTIONS", "application/json", "BREW"),
        ("/v1/games/wari", "GET, HEAD, OPTIONS", "", "QUERY"),
        ("/v1/games/wari/score", "GET, HEAD, POST, QUERY, OPTIONS", "application/json", "PUT"),
        ("/v1/games/mahbusa/roll", "POST, OPTIONS", "", "QUERY"),
        ("/v1/games/wari/random-positions", "POST, OPTIONS", "", "QUERY"),
    ] {
        let answer = SHARED.send(SHARED.request(wrong.parse().unwrap(), path)).await;
        answer.problem("method-not-allowed");
        assert_eq!(answer.header("allow"), allow, "{path}");
        let answer = SHARED.send(SHARED.request(Method::OPTIONS, path)).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (204, allow), "{path}");
        assert_eq!(answer.header("accept-query"), query, "{path}");
    }
    let apply = SHARED.request("QUERY".parse().unwrap(), APPLY);
    let applied = SHARED.send(apply.json(&json!({"state": START, "moves": ["e1e2"]}))).await;
    assert_eq!(applied.json()["plies"][0]["move"], "e1e2");
}

#[actix_web::test]
async fn chunks_that_are_too_many_are_too_large() {
    let small = Service::start(&Config { body_limit: 1024, ..Config::default() });
    let bytes = json!({"state": START, "moves": vec!["e1e2"; 200]}).to_string().into_bytes();
    let stream = futures_util::stream::iter([Ok::<_, std::io::Error>(bytes)]);
    let request = small.request(Method::POST, APPLY).header("content-type", "application/json");
    small.send(request.body(reqwest::Body::wrap_stream(stream))).await.problem("payload-too-large");
}

#[actix_web::test]
async fn a_small_body_that_unfolds_into_a_large_one_is_too_large() {
    let bomb = crate::attacks::gzip(vec![b' '; 10 << 20]);
    assert!(bomb.len() < 100_000);
    let request = SHARED.request(Method::POST, APPLY).header("content-type", "application/json");
    SHARED.send(request.header("content-encoding", "gzip").body(bomb)).await.problem("payload-too-large");
}

#[actix_web::test]
async fn unsupported_media_type() {
    let body = json!({"state": START, "moves": ["e1e2"]}).to_string();
    let post = || SHARED.request(Method::POST, APPLY).body(body.clone());
    for media in
        ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "?", "json"]
    {
        SHARED.send(post().header("content-type", media)).await.problem("unsupported-media-type");
    }
    SHARED.send(post()).await.problem("unsupported-media-type");
    let coded = post().header("content-type", "application/json").header("content-encoding", "zstd");
    SHARED.send(coded).await.problem("unsupported-media-type");
    let right = post().header("content-type", "application/json; charset=UTF-8");
    assert_eq!(SHARED.send(right).await.status, 200);
}

#[actix_web::test]
async fn every_code_has_a_page() {
    for &code in Code::ALL {
        let page = SHARED.get(&format!("/problems/{code}")).await;
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        let (text, status) = (page.text(), problem::status(code).as_u16());
        assert!(text.contains(code.title()) && text.contains(&format!("status {status}")), "{text}");
    }
}

#[test]
fn the_page_of_the_problems_is_what_the_program_says() {
    let rows = Code::ALL.iter().map(|&code| {
        let (status, explanation) =
            (problem::status(code).as_u16(), code.explanation().replace('\n', "<br>"));
        format!("| `{code}` | {status} | {explanation} |\n")
    });
    let head = "| code | status | what it means, and what to do |\n|---|---|---|\n";
    assert_generated("problems.md", &(head.to_owned() + &rows.collect::<String>()));
}

#[actix_web::test]
async fn a_parameter_that_an_operation_does_not_know_is_refused_in_the_query_of_every_method() {
    let paths = DOCUMENT.value["paths"].as_object().unwrap();
    for (path, item) in paths.iter().filter(|(path, _)| path.starts_with("/v1/")) {
        let path = path.replace("{game}", "mahbusa");
        for method in item.as_object().unwrap().keys() {
            let methods = if method == "post" { ["POST", "QUERY"] } else { ["GET", "HEAD"] };
            for method in methods {
                // Operations with random answers have no QUERY.
                if method == "QUERY" && (path.ends_with("/roll") || path.ends_with("/random-positions")) {
                    continue;
                }
                let request = SHARED.request(method.parse().unwrap(), &format!("{path}?nonsense=100"));
                let request = if methods[0] == "POST" { request.json(&json!({})) } else { request };
                let answer = SHARED.send(request).await;
                assert_eq!(answer.status, 400, "{method} {path}");
                if method != "HEAD" {
                    let problem = answer.problem("invalid-parameter");
                    assert_eq!(problem["parameter"], "nonsense", "{method} {path}: {problem}");
                }
            }
        }
    }
    // Pages are linked to from elsewhere, and probes are set up elsewhere, with whatever that adds.
    for page in
        ["/", "/docs/", "/play/", "/problems/busy", "/openapi.json", "/healthz", "/readyz", "/metrics"]
    {
        assert_eq!(SHARED.get(&format!("{page}?nonsense=100")).await.status, 200, "{page}");
    }
}
