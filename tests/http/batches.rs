//! Requests with many searches, beside others.

use std::time::Duration;

use actix_web::rt::time::timeout;
use cublino::{
    api::{
        Code, Many, PositionQuestion,
        suggestion::{Suggestion, SuggestionQuestion},
    },
    config::Config,
    games::GameId,
    queue::{Class, Ended},
};
use cublino_client::Error;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::service::{START, Service};

const PUR: GameId = GameId::CublinoPur;

/// A question about the start, `count` times.
fn starts(count: usize, question: SuggestionQuestion) -> Many<SuggestionQuestion> {
    let start = || PositionQuestion { state: START.to_owned(), ..Default::default() };
    Many::new((0..count).map(|_| start()), question)
}

#[actix_web::test]
async fn a_caller_has_only_so_many_requests_with_many_searches_and_single_ones_go_before_them() {
    // A caller may have one of four.
    let config = Config { search_threads: 1, permits: 4, max_wait_ms: 60_000, ..Config::default() };
    let client = Service::start(&config).client();
    let long = starts(20, SuggestionQuestion { time_ms: 10_000.try_into().ok(), ..Default::default() });
    let long = client.stream_many::<Suggestion>(PUR, &long).await.expect("it begins, and takes minutes");

    let short = starts(2, SuggestionQuestion { depth: 1.try_into().ok(), ..Default::default() });
    let Err(Error::Refused { problem, retry_after, .. }) = client.ask_many::<Suggestion>(PUR, &short).await
    else {
        panic!("it is one too many")
    };
    assert_eq!(problem.code, Code::TooManyRequests);
    assert!(retry_after > Some(Duration::ZERO), "{problem:?}");
    let single = SuggestionQuestion { depth: 3.try_into().ok(), ..SuggestionQuestion::about(START) };
    client.ask::<Suggestion>(PUR, &single).await.expect("it does not wait for the others");

    drop(long);
    let free = async { while client.ask_many::<Suggestion>(PUR, &short).await.is_err() {} };
    timeout(Duration::from_secs(60), free).await.expect("a caller who leaves makes room");
}

#[actix_web::test]
async fn who_reads_slowly_keeps_nobody_from_searching_and_gets_everything_in_the_end() {
    const COUNT: usize = 1_000;
    // A position with so many moves that no buffer takes the answers about all of them.
    let state = "pWa1Wb1Lc2Le2Lg2Cf3He4cd5ib6ic6ie6ig6vc7vf7";
    let config = Config { permits: 8, read_timeout_ms: 600_000, ..Config::default() };
    let service = Service::start(&config);
    let positions = vec![json!({"state": state}); COUNT];
    let body = json!({"positions": positions, "nodes": 100, "lines": 1_000}).to_string();
    let mut slow = TcpStream::connect(service.address().trim_start_matches("http://")).await.unwrap();
    // In HTTP/1.0 a body is not cut into chunks.
    let head = format!(
        "POST /v1/games/cublino-pur/suggestion HTTP/1.0\r\nhost: x\r\n\
         accept: application/x-ndjson\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    slow.write_all(head.as_bytes()).await.unwrap();
    slow.write_all(body.as_bytes()).await.unwrap();
    let mut read = vec![0; 256];
    slow.read_exact(&mut read).await.unwrap();

    let client = service.client();
    let short = starts(2, SuggestionQuestion { depth: 1.try_into().ok(), ..Default::default() });
    let free = async { while client.ask_many::<Suggestion>(PUR, &short).await.is_err() {} };
    timeout(Duration::from_secs(60), free).await.expect("nothing is searched for the slow reader");
    let stats = service.state.queue.stats(Class::Background);
    assert!(stats.ended[Ended::Answered as usize] < COUNT as u64, "all of it has been sent");

    slow.read_to_end(&mut read).await.unwrap();
    let read = String::from_utf8(read).unwrap();
    let (head, body) = read.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.0 200"), "{head}");
    let answers: Vec<Value> = body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), COUNT);
    assert!(answers.iter().all(|answer| answer["answer"]["lines"].is_array()), "{}", answers[0]);
}
