//! Streams of suggestions.

use actix_web::rt::spawn;
use cublino::{config::Config, queue::Class};
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::{
    service::{DOCUMENT, SHARED, START, Service, closed, validator},
    suggestions::{answered, endless, patient, until},
};

fn path(query: &str) -> String {
    format!("/v1/games/cublino-pur/suggestion/stream?state={START}&{query}")
}

async fn listen(service: &Service, query: &str) -> Response {
    service.request(Method::GET, &path(query)).send().await.unwrap()
}

/// The events of a stream that has ended, each with its name and data.
fn events(text: &str) -> Vec<(&str, Value)> {
    let event = |block: &str| -> Option<(String, Value)> {
        let (name, data) = block.strip_prefix("event: ")?.split_once("\ndata: ")?;
        Some((name.to_owned(), serde_json::from_str(data).unwrap()))
    };
    let blocks = text.split("\n\n").filter(|block| !block.is_empty() && !block.starts_with(':'));
    blocks
        .map(|block| {
            let (_, data) = event(block).unwrap_or_else(|| panic!("not an event: {block}"));
            (block.strip_prefix("event: ").unwrap().split('\n').next().unwrap(), data)
        })
        .collect()
}

#[actix_web::test]
async fn depths_are_told_in_order_and_the_end_is_what_a_suggestion_answers() {
    let service = Service::start(&patient());
    let answer = service.get(&path("depth=4&lines=2")).await;
    let events = events(answer.text());
    let (done, progress) = events.split_last().unwrap();
    let schema = validator(
        &json!({"$ref": "#/components/schemas/Suggestion"}),
        &closed(&DOCUMENT.value["components"]),
    );
    assert!(events.iter().all(|(_, body)| schema.is_valid(body)), "{}", answer.text());
    // A depth that is finished before the one before it was sent replaces it.
    let depths: Vec<_> =
        progress.iter().map(|(name, body)| (*name, body["search"]["depth"].as_u64().unwrap())).collect();
    assert!(depths.is_sorted_by(|a, b| a.0 == "progress" && a.1 < b.1), "{depths:?}");
    assert_eq!((depths.last(), done.0), (Some(&("progress", 4)), "done"));
    let suggestion = format!("/v1/games/cublino-pur/suggestion?state={START}&depth=4&lines=2");
    assert_eq!(done.1["lines"], service.get(&suggestion).await.json()["lines"]);
}

#[actix_web::test]
async fn who_comes_back_after_the_end_is_not_answered_again() {
    let service = Service::start(&patient());
    let text = service.get(&path("depth=2")).await.text().to_owned();
    let ids: Vec<_> = text.lines().filter(|line| line.starts_with("id:")).collect();
    assert_eq!(ids, ["id: done"], "{text}");
    assert!(text.rsplit("event: ").next().unwrap().starts_with("done\nid: done\n"), "{text}");
    let again = |id| service.send(service.request(Method::GET, &path("depth=2")).header("last-event-id", id));
    let searches = answered(&service);
    let end = again("done").await;
    assert_eq!((end.status.as_u16(), end.header("cache-control")), (204, "no-store"));
    assert_eq!(answered(&service), searches);
    assert_eq!(again("another").await.status, 200);
}

#[actix_web::test]
async fn what_is_wrong_is_said_before_the_stream_begins() {
    let stream =
        |state: &str, query: &str| format!("/v1/games/cublino-pur/suggestion/stream?state={state}{query}");
    SHARED.get(&stream("P%3F", "")).await.problem("malformed-state");
    SHARED.get(&stream(START, "&depth=0")).await.problem("invalid-parameter");
    let finished = "Pga1mb1vc1id1se1cf1og1Aa4Na7Rb7Fc7Ad7Fe7Mg7";
    SHARED.get(&stream(finished, "")).await.problem("game-over");
    SHARED.get("/v1/games/mahbusa/suggestion/stream?state=M-o22O").await.problem("roll-first");
    SHARED.send(SHARED.request(Method::POST, &path(""))).await.problem("method-not-allowed");
}

#[actix_web::test]
async fn a_stream_passes_proxies_at_once_and_is_not_kept() {
    let request = SHARED.request(Method::GET, &path("depth=1")).header("accept-encoding", "gzip, br");
    let get = SHARED.send(request).await;
    for (name, value) in [
        ("content-type", "text/event-stream"),
        ("cache-control", "no-store"),
        ("x-accel-buffering", "no"),
        ("content-encoding", ""),
        ("etag", ""),
    ] {
        assert_eq!(get.header(name), value, "{name}");
    }
}

#[actix_web::test]
async fn a_stream_that_has_nothing_to_tell_stays_open_by_comments() {
    let service = Service::start(&Config {
        search_threads: 1,
        max_nodes: 1_000_000_000,
        heartbeat_ms: 10,
        ..patient()
    });
    let mut stream = listen(&service, "time_ms=600000").await;
    // Each depth takes longer than the one before.
    let mut comments = 0;
    while comments < 3 {
        comments += usize::from(stream.chunk().await.unwrap().unwrap().starts_with(b": "));
    }
    assert_eq!(service.state.queue.stats(Class::Interactive).running, 1);
}

#[actix_web::test]
async fn a_stream_begins_when_its_search_does() {
    let config = Config { search_threads: 1, max_nodes: 1_000_000_000, ..patient() };
    let service = Service::start(&Config { max_wait_ms: 1_000, ..config });
    let _first = listen(&service, "time_ms=600000").await;
    service.get(&path("nodes=1000")).await.problem("busy");
}

#[actix_web::test]
async fn in_a_hurry_a_stream_ends_with_what_is_known() {
    let service = endless(1);
    let mut running = listen(&service, "time_ms=600000").await;
    assert!(running.chunk().await.unwrap().is_some());
    let waiting = spawn(service.request(Method::GET, &path("nodes=1000")).send());
    until(&service, |stats| stats.waiting == 1).await;
    service.state.metrics.drain();
    service.state.queue.close();
    let text = running.text().await.unwrap();
    assert_eq!(events(&text).last().unwrap().0, "done");
    let waiting = waiting.await.unwrap().unwrap();
    assert_eq!(waiting.status(), 503);
    let problem: Value = waiting.json().await.unwrap();
    assert_eq!(problem["code"], "busy");
}

#[actix_web::test]
async fn what_cannot_be_answered_in_full_ends_with_a_problem() {
    let hurried = Service::start(&Config { max_time_ms: 1, max_nodes: 1_000_000_000, ..Config::default() });
    let text = hurried.get(&path("nodes=1000000000")).await.text().to_owned();
    let (name, problem) = events(&text).pop().unwrap();
    assert_eq!((name, &problem["code"]), ("problem", &json!("busy")), "{text}");
}
