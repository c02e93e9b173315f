//! Suggestions, and what becomes of them when there is too much to do or nobody waits for them.

use std::{thread::yield_now, time::Duration};

use actix_web::rt::{spawn, task::yield_now as let_others};
use cublino::{config::Config, search::knowledge::wari::Endgames};
use reqwest::Method;
use serde_json::json;

use crate::service::{Answer, SHARED, START, Service};

/// Settings with which time ends no search, however busy the machine is.
pub fn patient() -> Config {
    Config { max_time_ms: 600_000, ..Config::default() }
}

async fn suggestion(service: &Service, query: &str) -> Answer {
    service.get(&format!("/v1/games/cublino-pur/suggestion?state={START}&{query}")).await
}

#[actix_web::test]
async fn a_suggestion_is_a_legal_move_with_the_line_that_follows() {
    let answer = suggestion(&Service::start(&patient()), "depth=4&lines=3").await.json();
    assert_eq!((&answer["state"], &answer["turn"]), (&json!(START), &json!("one")));
    let lines = answer["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    assert_eq!(answer["move"], lines[0]["move"]);
    assert_eq!(answer["search"]["stopped_by"], "depth");
    for line in lines {
        assert_eq!(line["move"], line["pv"][0]);
        let body = json!({"state": START, "moves": line["pv"]});
        assert_eq!(SHARED.post("/v1/games/cublino-pur/apply", &body).await.status, 200, "{line}");
    }
}

#[actix_web::test]
async fn with_depth_or_nodes_and_no_time_the_answer_is_the_same_everywhere_and_can_be_kept() {
    let [first, other] = [2, 1].map(|search_threads| Service::start(&Config { search_threads, ..patient() }));
    for query in ["depth=4", "nodes=20000", "depth=3&lines=2&level=3&seed=7"] {
        let (one, two) = (suggestion(&first, query).await, suggestion(&other, query).await);
        assert_eq!(one.text(), two.text(), "{query}");
        assert_eq!(one.header("etag"), two.header("etag"));
        assert_eq!(one.header("cache-control"), "public, max-age=86400");
        assert_eq!(one.json()["search"]["time_ms"], json!(null));
        let path = format!("/v1/games/cublino-pur/suggestion?state={START}&{query}");
        until(&other, |stats| stats.running == 0).await;
        let searches = other.state.pool.stats().finished;
        let request = other.request(Method::GET, &path).header("if-none-match", one.header("etag"));
        assert_eq!(other.send(request).await.status, 304, "{query}");
        assert_eq!(other.state.pool.stats().finished, searches, "a 304 took a search");
    }
    let tags = [suggestion(&other, "depth=1").await, suggestion(&other, "depth=2").await];
    assert_ne!(tags[0].header("etag"), tags[1].header("etag"));
}

#[actix_web::test]
async fn a_suggestion_that_depends_on_time_is_not_kept() {
    // A thread of its own, and one for the search before, which may not have cleared up yet.
    let service = Service::start(&Config { search_threads: 2, ..Config::default() });
    for query in ["", "time_ms=20", "time_ms=20&depth=3", "level=1"] {
        let answer = suggestion(&service, query).await;
        assert_eq!(answer.status, 200);
        assert_eq!((answer.header("cache-control"), answer.header("etag")), ("no-store", ""), "{query}");
        assert!(answer.json()["search"]["time_ms"].is_u64(), "{query}");
    }
    // Here the longest time that the service allows ends a search that should have needed none.
    let hurried = Service::start(&Config { max_time_ms: 1, max_nodes: 1_000_000_000, ..Config::default() });
    let answer = suggestion(&hurried, "nodes=1000000000").await;
    assert_eq!(answer.json()["search"]["stopped_by"], "time");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[actix_web::test]
async fn a_search_that_looks_too_deep_is_ended_by_its_nodes_on_every_machine_alike() {
    let small = Service::start(&Config { max_nodes: 2_000, ..patient() });
    let answer = suggestion(&small, "depth=64").await;
    assert_eq!(answer.json()["search"]["stopped_by"], "nodes");
    assert_eq!(answer.header("cache-control"), "public, max-age=86400");
}

#[actix_web::test]
async fn what_is_more_than_the_service_allows_is_refused_by_name() {
    let limits =
        Config { max_time_ms: 100, max_depth: 5, max_nodes: 1_000, max_lines: 2, ..Config::default() };
    let service = Service::start(&limits);
    for (name, max) in [("time_ms", 100), ("depth", 5), ("nodes", 1_000), ("lines", 2)] {
        let answer = suggestion(&service, &format!("{name}={}", max + 1)).await;
        assert_eq!(answer.status, 400, "{name}");
        assert_eq!(answer.json()["code"], "invalid-parameter", "{name}");
        let detail = format!(
            "the parameter '{name}' is wrong: {} is more than {max}, the limit of this service",
            max + 1
        );
        assert_eq!(answer.json()["detail"], detail);
        assert_eq!(suggestion(&service, &format!("{name}={max}&level=1")).await.status, 200, "{name}");
    }
}

/// A service with one search thread, whose searches last as long as this test lets them.
pub fn endless(queue: usize) -> Service {
    Service::start(&Config { search_threads: 1, search_queue: queue, max_nodes: 1_000_000_000, ..patient() })
}

/// Lets everything else go on until the pool is in a state.
pub async fn until(service: &Service, reached: impl Fn(cublino::search::pool::PoolStats) -> bool) {
    while !reached(service.state.pool.stats()) {
        let_others().await;
        yield_now();
    }
}

#[actix_web::test]
async fn a_search_stops_when_its_caller_leaves() {
    let service = endless(0);
    let path = format!("/v1/games/cublino-pur/suggestion?state={START}&time_ms=600000");
    let caller = spawn(service.request(Method::GET, &path).send());
    until(&service, |stats| stats.running == 1).await;
    caller.abort();
    until(&service, |stats| stats.running == 0 && stats.finished == 1).await;
}

#[actix_web::test]
async fn when_all_threads_are_taken_and_the_queue_is_full_the_service_is_busy() {
    let service = endless(1);
    let path = format!("/v1/games/cublino-pur/suggestion?state={START}&time_ms=600000");
    let callers = [0, 1].map(|_| spawn(service.request(Method::GET, &path).send()));
    until(&service, |stats| stats.running == 1 && stats.waiting == 1).await;
    for query in ["time_ms=600000", "time_ms=100", "depth=1"] {
        let answer = suggestion(&service, query).await;
        answer.problem("busy");
        assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1);
    }
    // What needs no search is answered as ever.
    assert_eq!(service.ask("legal-moves", START).await.status, 200);
    for caller in callers {
        caller.abort();
    }
    until(&service, |stats| stats.running == 0).await;
    assert_eq!(suggestion(&service, "depth=1").await.status, 200);
}

#[actix_web::test]
async fn a_service_that_stops_is_not_ready() {
    let service = Service::start(&Config::default());
    service.state.drain();
    let answer = service.get("/readyz").await;
    answer.problem("busy");
    assert_eq!(answer.header("retry-after"), Duration::from_secs(5).as_secs().to_string());
    assert_eq!(service.get("/healthz").await.status, 200);
}

#[actix_web::test]
async fn what_is_known_is_part_of_the_name_of_an_answer() {
    const STATE: &str = "W-0-0-0-0-0-1-0-1-1-1-0-0-22-22";
    let path = format!("/v1/games/wari/suggestion?state={STATE}&depth=9");
    let file = std::env::temp_dir().join(format!("cublino-{}-two-marbles", std::process::id()));
    Endgames::build(2, 1, &mut |_| {}).save(&file).unwrap();
    let ignorant =
        Service::start(&Config { wari_database: Some(file.clone()), ..patient() }).get(&path).await;
    let knowing = Service::start(&patient()).get(&path).await;
    std::fs::remove_file(file).unwrap();
    assert_eq!(knowing.json()["search"]["stopped_by"], "database");
    assert_ne!(ignorant.json()["search"]["stopped_by"], "database");
    assert_ne!(ignorant.header("etag"), knowing.header("etag"));
}
