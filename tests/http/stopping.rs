//! How a service ends.

use actix_web::rt::task::JoinHandle;
use cublino::{
    api::suggestion::{Suggestion, SuggestionQuestion},
    config::Config,
    engine::StoppedBy,
    games::GameId,
};
use cublino_client::{Client, Error};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::{spawn_blocking, yield_now},
};

use crate::{
    command_line::{Process, cublino},
    service::{SHARED, START, Service},
};

/// A service in a process, with a search that would last for minutes; the answer to come.
async fn searching(arguments: &[&str]) -> (Process, JoinHandle<Result<Suggestion, Error>>) {
    let mut command =
        cublino(&["--listen", "127.0.0.1:0", "--search-threads", "1", "--max-time-ms", "600000"]);
    command.args(["--max-nodes", "1000000000", "--drain-seconds", "0"]).args(arguments);
    let process = spawn_blocking(move || Process::start(&mut command)).await.unwrap();
    let client = Client::new(&process.url).unwrap();
    let caller = actix_web::rt::spawn({
        let client = client.clone();
        let question =
            SuggestionQuestion { time_ms: 600_000.try_into().ok(), ..SuggestionQuestion::about(START) };
        async move { client.ask::<Suggestion>(GameId::CublinoPur, &question).await }
    });
    loop {
        let metrics = client.get_metrics().await.unwrap();
        if metrics.lines().any(|line| line == r#"cublino_searches_running{class="interactive"} 1"#) {
            return (process, caller);
        }
        yield_now().await;
    }
}

#[actix_web::test]
async fn a_service_that_stops_has_searches_answer_with_what_they_have() {
    // The last one is what is left of a terminal that is closed.
    for signal in ["TERM", "HUP"] {
        let (process, caller) = searching(&["--shutdown-seconds", "2"]).await;
        process.signal(signal);
        let found = caller.await.unwrap().unwrap();
        assert_eq!(found.search.stopped_by, StoppedBy::Time, "{found:?}");
        let log = spawn_blocking(|| process.end()).await.unwrap();
        assert!(log.contains("draining for") && log.contains("stopped"), "{log}");
    }
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
async fn a_service_that_is_about_to_stop_keeps_no_connection_open_and_is_not_ready() {
    let service = Service::start(&Config::default());
    assert_eq!(SHARED.get("/healthz").await.header("connection"), "");
    service.state.metrics.drain();
    assert_eq!(service.get("/healthz").await.header("connection"), "close");
    let ready = service.get("/readyz").await;
    ready.problem("busy");
    assert_eq!(ready.header("retry-after"), "5");
}

/// Whether a request on a connection of its own was answered. No answer is cut off in the middle.
async fn ask_once(address: &str) -> Result<bool, std::io::Error> {
    let mut stream = TcpStream::connect(address).await?;
    // Lets others open connections before this one is used.
    yield_now().await;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    assert!(answer.is_empty() || answer.ends_with(b"}"), "{answer:?}");
    Ok(answer.starts_with(b"HTTP/1.1 200"))
}

#[actix_web::test]
async fn a_service_that_stops_answers_whoever_has_a_connection_and_refuses_all_others() {
    let start = || Process::start(&mut cublino(&["--listen", "127.0.0.1:0", "--drain-seconds", "0"]));
    let process = spawn_blocking(start).await.unwrap();
    let address = process.url.strip_prefix("http://").unwrap().to_owned();
    let callers: Vec<_> = (0..32)
        .map(|_| {
            let address = address.clone();
            actix_web::rt::spawn(async move {
                let mut answered = 0;
                // A connection that opens as the port closes is refused or reset.
                while ask_once(&address).await.is_ok_and(|is_answered| is_answered) {
                    answered += 1;
                }
                answered
            })
        })
        .collect();
    // Connections that are opened now, and used only when the service is stopping.
    let mut early = Vec::new();
    for _ in 0..32 {
        early.push(TcpStream::connect(&address).await.unwrap());
    }
    process.signal("TERM");
    let process = spawn_blocking(move || process.after("stopping")).await.unwrap();
    for mut stream in early {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    for caller in callers {
        assert!(caller.await.unwrap() > 0);
    }
    spawn_blocking(|| process.end()).await.unwrap();
}
