//! Requests with many searches, beside others.

use std::time::Duration;

use actix_web::rt::time::timeout;
use cublino::config::Config;
use reqwest::Method;
use serde_json::json;

use crate::service::{START, Service};

const PATH: &str = "/v1/games/cublino-pur/suggestion";

#[actix_web::test]
async fn a_caller_has_only_so_many_requests_with_many_searches_and_single_ones_go_before_them() {
    let config =
        Config { search_threads: 1, max_batches_per_caller: 1, max_wait_ms: 60_000, ..Config::default() };
    let service = Service::start(&config);
    let positions = vec![json!({"state": START}); 20];
    let long = service
        .request(Method::POST, PATH)
        .header("accept", "application/x-ndjson")
        .json(&json!({"positions": positions, "time_ms": 10_000}))
        .send()
        .await
        .unwrap();
    assert_eq!(long.status(), 200, "it has begun, and takes minutes");

    let short = json!({"positions": [{"state": START}], "depth": 1});
    let refused = service.post(PATH, &short).await;
    refused.problem("too-many-requests");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 0);
    let single = service.get(&format!("{PATH}?state={START}&depth=3")).await;
    assert_eq!(single.status, 200, "it does not wait for the others");

    drop(long);
    let free = async { while service.post(PATH, &short).await.status != 200 {} };
    timeout(Duration::from_secs(60), free).await.expect("who leaves makes room");
}
