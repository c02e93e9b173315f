//! Requests with many searches, beside others.

use std::time::Duration;

use actix_web::rt::time::timeout;
use cublino::{
    client::Error,
    config::Config,
    games::GameId,
    service::{
        Code, PositionQuestion,
        suggestion::{SuggestionQuestion, SuggestionsQuestion},
    },
};

use crate::service::{START, Service};

const PUR: GameId = GameId::CublinoPur;

/// The question about the start, so many times.
fn starts(count: usize) -> SuggestionsQuestion {
    SuggestionsQuestion::about(
        (0..count).map(|_| PositionQuestion { state: START.to_owned(), ..Default::default() }),
    )
}

#[actix_web::test]
async fn a_caller_has_only_so_many_requests_with_many_searches_and_single_ones_go_before_them() {
    let config =
        Config { search_threads: 1, max_batches_per_caller: 1, max_wait_ms: 60_000, ..Config::default() };
    let client = Service::start(&config).client();
    let long = SuggestionsQuestion { time_ms: 10_000.try_into().ok(), ..starts(20) };
    let long = client.stream_suggestions(PUR, &long).await.expect("it begins, and takes minutes");

    let short = SuggestionsQuestion { depth: 1.try_into().ok(), ..starts(1) };
    let Err(Error::Refused(refused)) = client.suggest_moves(PUR, &short).await else {
        panic!("it is one too many")
    };
    assert_eq!(refused.problem.code, Code::TooManyRequests);
    assert!(refused.retry_after > Some(Duration::ZERO), "{refused:?}");
    let single = SuggestionQuestion { depth: 3.try_into().ok(), ..SuggestionQuestion::about(START) };
    client.suggest_move(PUR, &single).await.expect("it does not wait for the others");

    drop(long);
    let free = async { while client.suggest_moves(PUR, &short).await.is_err() {} };
    timeout(Duration::from_secs(60), free).await.expect("who leaves makes room");
}
