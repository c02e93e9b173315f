//! The checks of the fuzz targets, with bytes from proptest: cargo-fuzz needs a nightly toolchain, and this
//! none.

#[path = "../../fuzz/checks.rs"]
mod checks;

use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngSeed, TestRunner},
};

use crate::service::SHARED;

/// Any seed will do; a fixed one makes failures repeatable.
const SEED: u64 = 0xF022;

fn run(cases: u32, input: impl Strategy<Value = Vec<u8>>, check: impl Fn(&[u8])) {
    let mut runner = TestRunner::new(Config {
        cases,
        rng_seed: RngSeed::Fixed(SEED),
        failure_persistence: None,
        ..Config::default()
    });
    let done = runner.run(&input, |data| {
        check(&data);
        Ok(())
    });
    done.unwrap_or_else(|failure| panic!("{failure}"));
}

/// Bytes of an alphabet, after some of any kind.
fn over(free: usize, alphabet: &'static [u8], length: usize) -> impl Strategy<Value = Vec<u8>> {
    (vec(any::<u8>(), free), vec(prop::sample::select(alphabet), 0..length)).prop_map(|(mut start, rest)| {
        start.extend(rest);
        start
    })
}

#[test]
fn any_text_is_a_state_or_is_refused_with_reasons() {
    run(2_000, vec(any::<u8>(), 0..600), checks::states);
    run(2_000, over(1, b"PpCcEeMmWwabcdefgxox1234567-0O", 60), checks::states);
}

#[test]
fn any_text_is_a_legal_move_or_is_refused_with_a_reason() {
    run(2_000, over(41, b"abcdefg1234567xyzABCDEFXU-0,()*", 12), checks::moves);
}

#[test]
fn any_text_is_a_roll_or_is_refused() {
    run(2_000, over(1, b"01234567 -", 4), checks::rolls);
}

#[test]
fn any_query_is_answered_and_its_faults_are_the_callers() {
    run(500, vec(any::<u8>(), 0..200), checks::queries);
    run(500, over(2, b"state=movflip&%+2PW-4a1", 60), checks::queries);
}

#[test]
fn any_body_is_answered_and_its_faults_are_the_callers() {
    run(500, vec(any::<u8>(), 0..200), checks::bodies);
    run(500, over(2, b"{}[]\":,statemovesd0123456789.eE-\\u ", 80), checks::bodies);
}

#[test]
fn no_path_makes_the_service_fail() {
    let system = actix_web::rt::System::new();
    let paths = proptest::string::string_regex("(/[a-z0-9.%~-]{0,12}){1,5}(\\?[a-z=&%+]{0,12})?").unwrap();
    run(250, paths.prop_map(String::into_bytes), |path| {
        let answer = system.block_on(SHARED.get(str::from_utf8(path).unwrap()));
        assert!(answer.status.as_u16() < 500, "{}", answer.text());
    });
}

#[test]
fn listed_moves_are_played_alike_by_the_service_and_the_library() {
    run(300, vec(any::<u8>(), 0..80), checks::apply);
}
