//! The limits that the service publishes.

use cublino::{config::Config, games::GameId};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    random_games,
    service::{Answer, SHARED, START, Service},
};

const PATH: &str = "/v1/limits";

/// Settings that all differ from the defaults.
fn config() -> Config {
    Config {
        uri_limit: 2_000,
        body_limit: 3_000,
        body_timeout_ms: 4_000,
        max_time_ms: 70,
        max_depth: 4,
        max_nodes: 900,
        search_threads: 3,
        search_queue: 11,
        max_searches_per_caller: 12,
        max_wait_ms: 60_000,
        permits: 14,
        max_work_ms: 15_000,
        rate_limit: 60_000,
        rate_burst: 1_000,
        think_ms_per_minute: 50_000,
        ..Config::default()
    }
}

/// The answer about the start, with some limit on the search.
async fn search(service: &Service, limits: &str) -> Answer {
    service.get(&format!("/v1/games/cublino-pur/suggestion?state={START}&{limits}")).await
}

/// A request at the limit is answered, and one beyond it has this problem.
#[track_caller]
fn holds(at: &Answer, beyond: &Answer, code: &str, parameter: &str) {
    assert_eq!(at.status, 200, "{}", at.text());
    let problem = beyond.problem(code);
    assert!(problem["parameter"] == parameter || parameter.is_empty(), "{problem}");
}

#[actix_web::test]
async fn the_limits_are_those_of_the_settings() {
    let mut limits = Service::start(&config()).get(PATH).await.json();
    // The costs of work are the same with all settings.
    let work = limits["batches"]["work"].take();
    assert_eq!(work, SHARED.get(PATH).await.json()["batches"]["work"]);
    let expected = json!({
        "time_ms": 70, "depth": 4, "nodes": 900, "lines": 10_000, "full_answer_ms": 210,
        "uri_bytes": 2_000, "body_bytes": 3_000, "body_ms": 4_000, "moves": 1_000, "positions": 1_000,
        "searches": {"at_a_time": 3, "waiting": 11, "per_caller": 12, "wait_ms": 60_000},
        "batches": {
            "searches_at_a_time": 3, "work_ms": 15_000, "work": null,
        },
        "permits": {
            "at_a_time": 14, "per_caller": 3, "body_bytes": 16_384, "lines": 100, "plies": 64, "moves": 250,
        },
        "caller": {
            "prices": {"all_spellings": 20, "moves": 100},
            "requests_per_minute": 60_000, "requests_at_once": 1_000, "search_ms_per_minute": 50_000,
        },
    });
    assert_eq!(limits, expected);
}

#[actix_web::test]
async fn callers_are_not_limited_unless_that_is_set_up() {
    let limits = SHARED.get(PATH).await.json();
    for limit in ["requests_per_minute", "requests_at_once", "search_ms_per_minute"] {
        assert!(limits["caller"][limit].is_null(), "{limit}");
    }
    assert_eq!((&limits["positions"], &limits["time_ms"]), (&json!(1_000), &json!(10_000)));
}

#[actix_web::test]
async fn what_the_limits_say_is_taken_and_one_more_is_refused() {
    let service = Service::start(&Config { body_limit: Config::default().body_limit, ..config() });
    let limits = service.get(PATH).await.json();
    let number = |name: &str| limits[name].as_u64().unwrap();

    for name in ["time_ms", "depth", "nodes", "lines"] {
        let limit = number(name);
        let at = search(&service, &format!("{name}={limit}")).await;
        let beyond = search(&service, &format!("{name}={}", limit + 1)).await;
        holds(&at, &beyond, "invalid-parameter", name);
    }

    // In Contra, dice may go to and fro.
    let moves = usize::try_from(number("moves")).unwrap();
    let apply = async |count: usize| {
        let moves: Vec<_> = ["a5b5", "g7f7", "b5a5", "f7g7"].into_iter().cycle().take(count).collect();
        service.post("/v1/games/cublino-contra/apply", &json!({"state": "CWa5vg7", "moves": moves})).await
    };
    holds(&apply(moves).await, &apply(moves + 1).await, "invalid-parameter", "moves");

    let positions = usize::try_from(number("positions")).unwrap();
    let ask = async |count: usize| {
        let body = json!({"positions": vec![json!({"state": START}); count]});
        service.post("/v1/games/cublino-pur/score", &body).await
    };
    holds(&ask(positions).await, &ask(positions + 1).await, "invalid-parameter", "positions");
}

/// The cost of some searches to a depth, in milliseconds, by the limits that the service publishes.
fn work_to_depth(limits: &Value, game: &str, depth: i32, searches: f64) -> f64 {
    let work = &limits["batches"]["work"];
    let number = |value: &Value| value.as_f64().unwrap();
    let growth = work["growth"].as_array().unwrap().iter().find(|growth| growth["game"] == game).unwrap();
    let nodes = number(&work["nodes_at_depth_0"]) * number(&growth["growth"]).powi(depth);
    searches * nodes.ceil() / number(&work["nodes_per_ms"])
}

/// Operations, each with the cost of a search and a function that makes a body with a number of searches.
type Requests = Vec<(&'static str, f64, Box<dyn Fn(usize) -> Value>)>;

#[actix_web::test]
async fn the_work_of_a_request_is_the_sum_that_a_caller_adds_up() {
    const PUR: &str = "cublino-pur";
    let settings = Config { max_work_ms: 20, max_nodes: 30_000, ..Config::default() };
    let service = Service::start(&settings);
    let limits = service.get(PATH).await.json();
    let per_ms = limits["batches"]["work"]["nodes_per_ms"].as_f64().unwrap();
    let several = limits["batches"]["work"]["several_lines"].as_f64().unwrap();
    let positions = |state: &'static str, wish: Value| -> Box<dyn Fn(usize) -> Value> {
        Box::new(move |count| {
            let mut body = wish.clone();
            body["positions"] = json!(vec![json!({"state": state}); count]);
            body
        })
    };
    let moves = random_games::moves(GameId::CublinoPur, 100, 1);
    let analysis = move |count: usize| json!({"moves": moves[..count], "depth": 4});
    let draw =
        |count: usize| json!({"count": count, "plies": {"from": 0, "to": 9}, "play": "good", "seed": 1});
    let level = &service.get("/v1/games/cublino-pur").await.json()["levels"][3];
    let level = i32::try_from(level["depth"].as_i64().unwrap()).unwrap();
    let of_pur = |depth| work_to_depth(&limits, PUR, depth, 1.0);
    let requests: Requests = vec![
        ("cublino-pur/suggestion", 2.0, positions(START, json!({"time_ms": 2}))),
        ("cublino-pur/suggestion", 1_000.0 / per_ms, positions(START, json!({"time_ms": 2, "nodes": 1_000}))),
        ("cublino-pur/evaluation", 300.0 / per_ms, positions(START, json!({"nodes": 300}))),
        ("cublino-pur/suggestion", several * of_pur(5), positions(START, json!({"depth": 5, "lines": 3}))),
        ("cublino-pur/suggestion", 30_000.0 / per_ms, positions(START, json!({"depth": 60}))),
        ("cublino-pur/suggestion", of_pur(level), positions(START, json!({"level": 4}))),
        (
            "wari/suggestion",
            work_to_depth(&limits, "wari", 6, 1.0),
            positions("W-4-4-4-4-4-4-4-4-4-4-4-4-0-0", json!({"depth": 6})),
        ),
        (
            "mahbusa/evaluation",
            work_to_depth(&limits, "mahbusa", 1, 21.0),
            positions("M-o22O", json!({"depth": 1})),
        ),
        ("cublino-pur/analysis", several * of_pur(4), Box::new(analysis)),
        ("cublino-pur/random-positions", 9.0 * of_pur(level), Box::new(draw)),
    ];
    // The result does not depend on how long earlier searches really took.
    for _ in 0..2 {
        for (operation, work, request) in &requests {
            let most = (1..1_000).take_while(|&count| f64::from(count) * work <= 20.0).last().unwrap();
            let most = usize::try_from(most).unwrap();
            let ask = async |count| service.post(&format!("/v1/games/{operation}"), &request(count)).await;
            holds(&ask(most).await, &ask(most + 1).await, "too-much-work", "");
        }
        search(&service, "depth=9").await;
        search(&service, "nodes=9000&lines=30").await;
    }
    let detail =
        service.post("/v1/games/cublino-pur/suggestion", &requests[0].2(11)).await.json()["detail"].take();
    let detail = detail.as_str().unwrap();
    assert!(detail.contains(" 22 ms ") && detail.ends_with(" 20 ms"), "{detail}");
}

#[actix_web::test]
async fn what_is_usual_is_not_too_much_work() {
    let moves = random_games::moves(GameId::CublinoPur, 60, 2);
    let deep = json!({"moves": moves, "depth": 6});
    assert_ne!(SHARED.post("/v1/games/cublino-pur/analysis", &deep).await.status, 422);
    let many = json!({"positions": vec![json!({"state": START}); 1_000], "depth": 3});
    assert_ne!(SHARED.post("/v1/games/cublino-pur/suggestion", &many).await.status, 422);
}

#[actix_web::test]
async fn bytes_are_counted_as_the_limits_say() {
    let service = Service::start(&config());
    let limits = service.get(PATH).await.json();
    let number = |name: &str| usize::try_from(limits[name].as_u64().unwrap()).unwrap();

    let uri_of = |bytes: usize| format!("{PATH}{}", "?".repeat(bytes - PATH.len()));
    let (at, beyond) = (number("uri_bytes"), number("uri_bytes") + 1);
    // It is read, and its parameter is unknown.
    service.get(&uri_of(at)).await.problem("invalid-parameter");
    service.get(&uri_of(beyond)).await.problem("uri-too-long");

    let body_of = |bytes: usize| {
        let body = json!({"positions": [{"state": START}]}).to_string();
        format!("{body:bytes$}").into_bytes()
    };
    let score = async |bytes: usize| service.post_bytes("/v1/games/cublino-pur/score", body_of(bytes)).await;
    let at = number("body_bytes");
    holds(&score(at).await, &score(at + 1).await, "payload-too-large", "");
}

#[actix_web::test]
async fn the_limits_are_named_by_what_they_are_and_asked_for_again() {
    let first = SHARED.get(PATH).await;
    assert_eq!(first.header("cache-control"), "no-cache");
    let tag = first.header("etag").to_owned();
    let held = async |service: &Service| {
        service.send(service.request(Method::GET, PATH).header("if-none-match", &tag)).await.status.as_u16()
    };
    assert_eq!(held(&SHARED).await, 304);
    // The ETag is the same for the same limits, and another for others.
    let same = Service::start(&Config { max_wait_ms: 600_000, ..Config::default() });
    assert_eq!(held(&same).await, 304);
    assert_eq!(held(&Service::start(&config())).await, 200);
    let problem: Value = SHARED.get("/v1/limits?depth=1").await.problem("invalid-parameter");
    assert_eq!(problem["parameter"], "depth");
}
