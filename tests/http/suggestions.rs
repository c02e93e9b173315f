//! Suggestions, also under overload and after the caller has left.

use std::{fs, thread::yield_now, time::Duration};

use actix_web::rt::{spawn, task::yield_now as let_others};
use cublino::{
    config::Config,
    engine::tablebase::wari::Endgames,
    queue::{Class, Ended, Stats},
};
use futures_util::future::join;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::service::{Answer, SHARED, START, Service};

/// Settings with which no search and no wait times out, however busy the machine is.
pub fn patient() -> Config {
    Config { max_time_ms: 600_000, max_wait_ms: 600_000, ..Config::default() }
}

async fn suggestion(service: &Service, query: &str) -> Answer {
    service.get(&format!("/v1/games/cublino-pur/suggestion?state={START}&{query}")).await
}

/// A suggestion limited by time. On a busy machine its thread may get no time at all; the service then
/// answers `busy`, and this retries.
async fn timed_suggestion(service: &Service, query: &str) -> Answer {
    loop {
        let answer = suggestion(service, query).await;
        if answer.status != 503 {
            return answer;
        }
    }
}

/// How many single searches have been answered.
pub fn answered(service: &Service) -> u64 {
    service.state.queue.stats(Class::Interactive).ended[Ended::Answered as usize]
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
async fn all_plays_of_a_double_can_be_asked_for() {
    for lines in [1_547, 10_000] {
        let path = "/v1/games/mahbusa/suggestion?state=M11-1AAAAAAAAAAAAAAA7o&nodes=1";
        let answer = SHARED.get(&format!("{path}&lines={lines}")).await;
        assert_eq!(answer.json()["lines"].as_array().map(Vec::len), Some(1_547), "{lines}");
    }
}

#[actix_web::test]
async fn with_depth_or_nodes_and_no_time_the_answer_is_the_same_everywhere_and_can_be_kept() {
    let [first, other] = [2, 1].map(|search_threads| Service::start(&Config { search_threads, ..patient() }));
    for query in ["depth=4", "nodes=20000", "depth=3&lines=2&level=3&seed=7", "level=4"] {
        let (one, two) = (suggestion(&first, query).await, suggestion(&other, query).await);
        assert_eq!(one.text(), two.text(), "{query}");
        assert_eq!(one.header("etag"), two.header("etag"));
        assert_eq!(one.header("cache-control"), "public, max-age=86400");
        assert_eq!(one.json()["search"]["time_ms"], json!(null));
        let path = format!("/v1/games/cublino-pur/suggestion?state={START}&{query}");
        until(&other, |stats| stats.running == 0).await;
        let searches = answered(&other);
        let request = other.request(Method::GET, &path).header("if-none-match", one.header("etag"));
        assert_eq!(other.send(request).await.status, 304, "{query}");
        assert_eq!(answered(&other), searches, "a 304 took a search");
    }
    let tags = [suggestion(&other, "depth=1").await, suggestion(&other, "depth=2").await];
    assert_ne!(tags[0].header("etag"), tags[1].header("etag"));
}

#[actix_web::test]
async fn a_suggestion_that_depends_on_time_is_not_kept() {
    // One thread for it, and one for the search before, which may not have ended yet.
    let service = Service::start(&Config { search_threads: 2, ..Config::default() });
    for query in ["", "time_ms=20", "time_ms=20&depth=3", "time_ms=20&level=1"] {
        let answer = timed_suggestion(&service, query).await;
        assert_eq!(answer.status, 200);
        assert_eq!((answer.header("cache-control"), answer.header("etag")), ("no-store", ""), "{query}");
        assert!(answer.json()["search"]["time_ms"].is_u64(), "{query}");
    }
}

#[actix_web::test]
async fn a_question_that_should_need_no_time_is_answered_in_full_or_busy() {
    let hurried = Service::start(&Config { max_time_ms: 1, max_nodes: 1_000_000_000, ..Config::default() });
    for query in ["nodes=1000000000", "depth=64"] {
        let answer = suggestion(&hurried, query).await;
        answer.problem("busy");
        assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (503, "no-store"), "{query}");
        assert_eq!(answer.header("etag"), "");
        answer.header("retry-after").parse::<u64>().unwrap();
    }
    let stats = hurried.state.queue.stats(Class::Interactive);
    assert_eq!((stats.ended[Ended::Overdue as usize], stats.ended[Ended::Refused as usize]), (2, 0));
}

#[actix_web::test]
async fn the_limits_of_the_service_hold_for_searches_that_name_none() {
    let shallow = Service::start(&Config { max_depth: 3, ..patient() });
    let flat = Service::start(&Config { max_nodes: 1_000, ..patient() });
    for query in ["", "time_ms=60000", "nodes=1000", "lines=2"] {
        let depth = timed_suggestion(&shallow, query).await.json()["search"]["depth"].as_u64().unwrap();
        assert!(depth <= 3, "{query}: {depth}");
        let nodes = timed_suggestion(&flat, query).await.json()["search"]["nodes"].as_u64().unwrap();
        assert!(nodes <= 1_000, "{query}: {nodes}");
    }
    let wari = shallow.get("/v1/games/wari/suggestion?state=W-0-0-0-0-0-1-0-1-1-1-0-0-22-22&level=8").await;
    assert!(wari.json()["search"]["depth"].as_u64().unwrap() <= 3);
}

#[actix_web::test]
async fn head_tells_what_get_would_and_searches_nothing() {
    let service = Service::start(&patient());
    let stream = format!("/v1/games/cublino-pur/suggestion/stream?state={START}&time_ms=10000");
    let head = service.send(service.request(Method::HEAD, &stream)).await;
    assert_eq!((head.status.as_u16(), head.header("content-type")), (200, "text/event-stream"));
    for query in ["depth=3", "level=2", "time_ms=60000", ""] {
        let path = format!("/v1/games/cublino-pur/suggestion?state={START}&{query}");
        let head = service.send(service.request(Method::HEAD, &path)).await;
        assert_eq!(answered(&service), 0, "{query}");
        assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
        let reproducible = ["depth=3", "level=2"].contains(&query);
        assert_eq!(head.header("etag").is_empty(), !reproducible, "{query}");
        assert_eq!(head.header("cache-control") == "no-store", !reproducible, "{query}");
    }
    let path = format!("/v1/games/cublino-pur/suggestion?state={START}&depth=3");
    let head = service.send(service.request(Method::HEAD, &path)).await;
    let get = service.get(&path).await;
    for name in ["etag", "cache-control", "content-type", "vary", "content-encoding"] {
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
    let again = service.request(Method::HEAD, &path).header("if-none-match", get.header("etag"));
    assert_eq!(service.send(again).await.status, 304);
    let wrong = service.request(Method::HEAD, "/v1/games/cublino-pur/suggestion?state=P%3F");
    assert_eq!(service.send(wrong).await.status, 422);
}

/// The durations in the header `Server-Timing` of an answer, in milliseconds.
fn timing(answer: &Answer) -> (f64, Option<f64>) {
    let header = answer.header("server-timing");
    let mut durations = header.split(", ").map(|part| part.split_once(";dur=").unwrap());
    let (wait, waited) = durations.next().unwrap();
    assert_eq!(wait, "wait", "{header}");
    let searched = durations.next().map(|(search, searched)| {
        assert_eq!(search, "search", "{header}");
        searched.parse().unwrap()
    });
    (waited.parse().unwrap(), searched)
}

#[actix_web::test]
async fn an_answer_tells_how_long_it_waited_and_how_long_it_took() {
    let service = Service::start(&patient());
    let (waited, searched) = timing(&timed_suggestion(&service, "time_ms=50").await);
    assert!(waited >= 0.0 && searched.unwrap() >= 50.0);
    assert!(timing(&suggestion(&service, "depth=2").await).1.is_some());
    let path = format!("/v1/games/cublino-pur/suggestion/stream?state={START}&depth=2");
    assert_eq!(timing(&service.get(&path).await).1, None);

    let service = endless(1);
    let path = format!("/v1/games/cublino-pur/suggestion?state={START}&time_ms=600000");
    let first = spawn(service.request(Method::GET, &path).send());
    until(&service, |stats| stats.running == 1).await;
    let time = Duration::from_millis(50);
    let make_room = async {
        until(&service, |stats| stats.waiting == 1).await;
        sleep(time).await;
        first.abort();
    };
    let (second, ()) = join(suggestion(&service, "depth=2"), make_room).await;
    assert!(timing(&second).0 >= time.as_secs_f64() * 1_000.0);
}

/// A request from one of the addresses of this machine: each is a caller of its own.
fn from(address: u8, service: &Service, query: &str) -> reqwest::RequestBuilder {
    let local = std::net::IpAddr::from([127, 0, 0, address]);
    let client = reqwest::Client::builder().local_address(local).build().unwrap();
    client.get(format!("{}/v1/games/cublino-pur/suggestion?state={START}&{query}", service.base))
}

#[actix_web::test]
async fn two_callers_with_long_searches_do_not_keep_a_third_from_the_threads() {
    let config = Config { search_threads: 2, max_nodes: 1_000_000_000, ..patient() };
    let service = Service::start(&Config { max_wait_ms: 1_000, ..config });
    let long = spawn(from(2, &service, "time_ms=600000").send());
    until(&service, |stats| stats.running == 1).await;
    for query in ["time_ms=600000", "nodes=1000000000"] {
        assert_eq!(from(3, &service, query).send().await.unwrap().status(), 503, "{query}");
    }
    assert_eq!(from(4, &service, "nodes=2000").send().await.unwrap().status(), 200);
    let stats = service.state.queue.stats(Class::Interactive);
    assert_eq!((stats.running, stats.ended[Ended::Expired as usize]), (1, 2));
    long.abort();
}

#[actix_web::test]
async fn one_caller_has_only_so_many_searches() {
    let service = Service::start(&Config {
        search_threads: 1,
        max_nodes: 1_000_000_000,
        max_searches_per_caller: 1,
        max_wait_ms: 1_000,
        ..patient()
    });
    let first = spawn(from(2, &service, "nodes=1000000000").send());
    until(&service, |stats| stats.running == 1).await;
    let path = format!("/v1/games/cublino-pur/suggestion?state={START}&depth=1");
    let refused = from(2, &service, "depth=1").send().await.unwrap();
    assert_eq!(refused.status(), 429);
    assert!(refused.headers().contains_key("retry-after"));
    service.get(&path).await.problem("busy");
    first.abort();
}

#[actix_web::test]
async fn the_time_that_searches_think_can_be_limited() {
    let service = Service::start(&Config { think_ms_per_minute: 10, ..patient() });
    assert_eq!(timed_suggestion(&service, "time_ms=20").await.status, 200);
    let refused = suggestion(&service, "time_ms=20").await;
    refused.problem("too-many-requests");
    // Twice the share has been used, so a minute's is still to be paid for.
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 30);
    assert_eq!(from(2, &service, "depth=1").send().await.unwrap().status(), 200);
    assert_eq!(service.ask("legal-moves", START).await.status, 200);
}

#[actix_web::test]
async fn a_search_that_looks_too_deep_is_ended_by_its_nodes_on_every_machine_alike() {
    let small = Service::start(&Config { max_nodes: 2_000, ..patient() });
    let answer = suggestion(&small, "depth=64").await;
    assert_eq!(answer.json()["search"]["stopped_by"], "nodes");
    assert_eq!(answer.header("cache-control"), "public, max-age=86400");
}

#[actix_web::test]
async fn a_limit_that_the_service_does_not_allow_is_refused_with_the_one_that_it_does() {
    let limits = Config { max_time_ms: 100, max_depth: 5, max_nodes: 1_000, ..Config::default() };
    let service = Service::start(&limits);
    for (name, max) in [("time_ms", 100), ("depth", 5), ("nodes", 1_000)] {
        for asked in [0, max + 1, 1_000_000_001] {
            let detail = |least: u8| {
                format!(
                    "the parameter '{name}' is wrong: {asked} is not a number from {least} to {max}, the \
                     limit of this service"
                )
            };
            let pur = |operation: &str| format!("/v1/games/cublino-pur/{operation}");
            for operation in ["suggestion", "suggestion/stream", "evaluation"] {
                let is_static = (operation, name, asked) == ("evaluation", "depth", 0);
                let path = format!("{}?state={START}&{name}={asked}", pur(operation));
                let answer = service.get(&path).await;
                if is_static {
                    assert_eq!(answer.status, 200, "{path}");
                } else {
                    let least = u8::from((operation, name) != ("evaluation", "depth"));
                    assert_eq!(answer.problem("invalid-parameter")["detail"], detail(least), "{path}");
                }
            }
            for (operation, body) in [
                ("suggestion", json!({"positions": [{"state": START}], name: asked})),
                ("analysis", json!({"moves": ["e1e2"], name: asked})),
            ] {
                let answer = service.post(&pur(operation), &body).await;
                assert_eq!(answer.problem("invalid-parameter")["detail"], detail(1), "{operation} {body}");
            }
        }
        assert_eq!(suggestion(&service, &format!("{name}={max}&level=1")).await.status, 200, "{name}");
    }
}

/// A service with one search thread, whose searches last, and wait, as long as this test lets them.
pub fn endless(queue: usize) -> Service {
    Service::start(&Config { search_threads: 1, search_queue: queue, max_nodes: 1_000_000_000, ..patient() })
}

/// Yields until the queue of a class has reached a state.
async fn until_in(class: Class, service: &Service, reached: impl Fn(Stats) -> bool) {
    while !reached(service.state.queue.stats(class)) {
        let_others().await;
        yield_now();
    }
}

/// The same for single searches.
pub async fn until(service: &Service, reached: impl Fn(Stats) -> bool) {
    until_in(Class::Interactive, service, reached).await;
}

#[actix_web::test]
async fn a_search_ends_when_its_caller_leaves_however_it_was_asked_for() {
    let service = endless(0);
    let get = |operation: &str| {
        let path = format!("/v1/games/cublino-pur/{operation}?state={START}&time_ms=10000");
        service.request(Method::GET, &path)
    };
    let post = |path: &str, body: Value| service.request(Method::POST, path).json(&body);
    let two = json!({"positions": [{"state": START}, {"state": START}], "time_ms": 10_000});
    let game = json!({"moves": ["e1e2", "e7e6"], "time_ms": 10_000});
    let call = |meta: Value| {
        let arguments = json!({"state": START, "time_ms": 10_000});
        let params = json!({"name": "suggest", "arguments": arguments, "_meta": meta});
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        post("/mcp", call).header("accept", "application/json, text/event-stream")
    };
    for (class, request) in [
        (Class::Interactive, get("suggestion")),
        (Class::Interactive, get("suggestion/stream")),
        (Class::Interactive, get("evaluation")),
        (Class::Interactive, call(json!({}))),
        (Class::Interactive, call(json!({"progressToken": 1}))),
        (Class::Background, post("/v1/games/cublino-pur/suggestion", two)),
        (Class::Background, post("/v1/games/cublino-pur/analysis", game)),
    ] {
        let cancelled = |stats: Stats| stats.ended[Ended::Cancelled as usize];
        let before = cancelled(service.state.queue.stats(class));
        let caller = spawn(async { request.send().await.unwrap().bytes().await });
        until_in(class, &service, |stats| stats.running == 1).await;
        caller.abort();
        until_in(class, &service, |stats| stats.running == 0 && cancelled(stats) > before).await;
    }
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
async fn a_database_that_changes_while_it_is_in_use_is_never_an_answer() {
    const STATES: [&str; 3] = [
        "W-0-0-0-0-0-1-0-1-1-1-0-0-22-22",
        "W-1-0-1-0-0-1-0-2-1-0-0-2-20-20",
        "w-0-1-0-0-1-0-0-0-0-1-0-0-23-22",
    ];
    let knowing = Service::start(&patient());
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("eight-marbles");
    Endgames::build_file(&file, 8, 1, u64::MAX, &mut |_| {}).unwrap();
    let service = Service::start(&Config { wari_database: Some(file.clone()), ..patient() });
    assert_eq!(service.get("/readyz").await.json()["wari_marbles"], 8);
    let length = fs::metadata(&file).unwrap().len();
    fs::write(&file, (0..length).map(|at| (at * 167 % 251) as u8).collect::<Vec<_>>()).unwrap();
    let path = |state: &str| format!("/v1/games/wari/suggestion?state={state}&depth=9");
    for (i, state) in STATES.iter().enumerate() {
        let [found, expected] = [service.get(&path(state)).await, knowing.get(&path(state)).await];
        assert_eq!(found.json()["lines"], expected.json()["lines"], "{state}");
        // The first answer finds the damage, and may not be cached.
        assert_eq!(found.header("etag").is_empty(), i == 0, "{state}");
    }
    // From now on it uses the table in the program, and so do the ETags of its answers.
    assert_eq!(service.get("/readyz").await.json()["wari_marbles"], 12);
    let [found, expected] = [service.get(&path(STATES[0])).await, knowing.get(&path(STATES[0])).await];
    assert_eq!(found.header("etag"), expected.header("etag"));
}

#[actix_web::test]
async fn what_is_known_is_part_of_the_name_of_an_answer() {
    const STATE: &str = "W-0-0-0-0-0-1-0-1-1-1-0-0-22-22";
    let path = format!("/v1/games/wari/suggestion?state={STATE}&depth=9");
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("two-marbles");
    Endgames::build_file(&file, 2, 1, u64::MAX, &mut |_| {}).unwrap();
    let ignorant_service = Service::start(&Config { wari_database: Some(file.clone()), ..patient() });
    let knowing_service = Service::start(&patient());
    let [ignorant, knowing] = [ignorant_service.get(&path).await, knowing_service.get(&path).await];
    assert_eq!(knowing.json()["search"]["stopped_by"], "database");
    assert_ne!(ignorant.json()["search"]["stopped_by"], "database");
    assert_ne!(ignorant.header("etag"), knowing.header("etag"));
    // A static evaluation asks the tablebases as well.
    let path = format!("/v1/games/wari/evaluation?state={STATE}&depth=0");
    let [ignorant, knowing] = [ignorant_service.get(&path).await, knowing_service.get(&path).await];
    assert_ne!(ignorant.header("etag"), knowing.header("etag"));
}
