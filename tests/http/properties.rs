//! Whatever a caller sends, the answer is never a server error.

use actix_web::rt::System;
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngSeed, TestRunner},
};
use reqwest::Method;

use crate::service::{SHARED, START, encoded};

/// Any seed will do; a fixed one makes failures repeatable.
const SEED: u64 = 0xC0B1;

fn runner() -> TestRunner {
    TestRunner::new(Config {
        cases: 256,
        rng_seed: RngSeed::Fixed(SEED),
        failure_persistence: None,
        ..Config::default()
    })
}

#[test]
fn no_bytes_in_a_state_make_the_service_fail() {
    let system = System::new();
    let operations =
        prop::sample::select(vec!["validation", "legal-moves", "score", "suggestion", "board.svg"]);
    let near_misses = (0..START.len(), any::<char>()).prop_map(|(at, other)| {
        let mut state: Vec<char> = START.chars().collect();
        state[at] = other;
        state.into_iter().collect::<String>().into_bytes()
    });
    let states = prop_oneof![vec(any::<u8>(), 0..600), near_misses];
    let run = runner().run(&(operations, states), |(operation, state)| {
        let path = format!("/v1/games/cublino-pur/{operation}?depth=1&state={}", encoded(&state));
        let path = if operation == "suggestion" { path } else { path.replace("depth=1&", "") };
        let answer = system.block_on(SHARED.get(&path));
        prop_assert!(answer.status.as_u16() < 500, "{path}");
        Ok(())
    });
    run.unwrap();
}

#[test]
fn no_body_makes_the_service_fail() {
    let system = System::new();
    let key = "state|moves|seed|repetition_limit|plies_from|legal_moves";
    let value = r#""[Pa-g1-7]{0,9}"|\[("[a-g1-7]{0,6}",?){0,3}\]|-?[0-9]{1,25}(\.5|e9)?|null|true"#;
    let member = format!(r#""({key})":({value}),?"#);
    let json = proptest::string::string_regex(&format!(r"\{{({member}){{0,4}}\}}")).unwrap();
    let bodies = prop_oneof![vec(any::<u8>(), 0..300), json.prop_map(String::into_bytes)];
    let operations = prop::sample::select(vec!["apply", "roll"]);
    let run = runner().run(&(operations, bodies), |(operation, body)| {
        let path = format!("/v1/games/cublino-pur/{operation}");
        let answer = system.block_on(SHARED.post_bytes(&path, body));
        prop_assert!((400..500).contains(&answer.status.as_u16()));
        Ok(())
    });
    run.unwrap();
}

#[test]
fn no_path_makes_the_service_fail() {
    let system = System::new();
    let paths = proptest::string::string_regex("(/[a-z0-9.%~-]{0,12}){1,5}(\\?[a-z=&%+]{0,12})?").unwrap();
    let run = runner().run(&paths, |path| {
        let answer = system.block_on(SHARED.send(SHARED.request(Method::GET, &path)));
        prop_assert!(answer.status.as_u16() < 500, "{path}");
        Ok(())
    });
    run.unwrap();
}
