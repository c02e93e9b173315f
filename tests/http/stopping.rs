//! How a service ends.

use reqwest::StatusCode;
use tokio::task::{spawn_blocking, yield_now};

use crate::{
    command_line::{Process, cublino},
    service::{SHARED, START, Service},
};

/// A service in a process, with a search that would last for minutes; the answer to come.
async fn searching(
    arguments: &[&str],
) -> (Process, actix_web::rt::task::JoinHandle<reqwest::Result<(StatusCode, String)>>) {
    let mut command =
        cublino(&["--listen", "127.0.0.1:0", "--search-threads", "1", "--max-time-ms", "600000"]);
    command.args(["--max-nodes", "1000000000", "--drain-seconds", "0"]).args(arguments);
    let process = spawn_blocking(move || Process::start(&mut command)).await.unwrap();
    let url = process.url.clone();
    let path = format!("{url}/v1/games/cublino-pur/suggestion?state={START}&time_ms=600000");
    let caller = actix_web::rt::spawn(async move {
        let answer = reqwest::get(path).await?;
        Ok((answer.status(), answer.text().await?))
    });
    loop {
        let metrics = reqwest::get(format!("{url}/metrics")).await.unwrap().text().await.unwrap();
        if metrics.lines().any(|line| line == r#"cublino_searches_running{class="interactive"} 1"#) {
            return (process, caller);
        }
        yield_now().await;
    }
}

#[actix_web::test]
async fn a_service_that_stops_has_searches_answer_with_what_they_have() {
    let (process, caller) = searching(&["--shutdown-seconds", "2"]).await;
    process.signal("TERM");
    let (status, body) = caller.await.unwrap().unwrap();
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status.as_u16(), &body["search"]["stopped_by"]), (200, &"time".into()), "{body}");
    let log = spawn_blocking(|| process.end()).await.unwrap();
    assert!(log.contains("stopped"), "{log}");
}

#[actix_web::test]
async fn a_second_signal_ends_the_service_at_once() {
    for signals in [["TERM", "TERM"], ["INT", "TERM"]] {
        let (process, caller) = searching(&["--shutdown-seconds", "3600"]).await;
        process.signal(signals[0]);
        let process = spawn_blocking(move || process.after("stopping")).await.unwrap();
        process.signal(signals[1]);
        assert!(caller.await.unwrap().is_err(), "the search was waited for");
        spawn_blocking(|| process.end()).await.unwrap();
    }
}

#[actix_web::test]
async fn a_service_that_is_about_to_stop_keeps_no_connection_open() {
    let service = Service::start(&cublino::config::Config::default());
    assert_eq!(SHARED.get("/healthz").await.header("connection"), "");
    service.state.drain();
    assert_eq!(service.get("/healthz").await.header("connection"), "close");
}
