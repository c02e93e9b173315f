//! The examples in the document: questions that can be asked, and what they are answered with.

use cublino::games::GameId;
use serde_json::{Value, json};

use super::{operations, parameters};
use crate::service::SHARED;

/// The game that an example is of: its name begins with a number and the game's.
fn game_of(example: &str) -> GameId {
    let found = GameId::ALL.iter().find(|game| example[2..].starts_with(&format!("-{game}")));
    *found.unwrap_or_else(|| panic!("{example} begins with a number and the name of a game"))
}

#[test]
fn forms_begin_with_a_game_and_a_state_of_it() {
    let mut forms = 0;
    for (path, _, operation) in operations() {
        let parameters = || parameters(operation);
        let body = &operation["requestBody"]["content"]["application/json"];
        let game = parameters().find(|parameter| parameter["name"] == "game");
        let examples = parameters().chain([body]).filter_map(|part| part["examples"].as_object());
        for first in examples.filter_map(|examples| examples.keys().min()) {
            assert_eq!(game.unwrap()["example"], game_of(first).to_string(), "{path}");
            forms += 1;
        }
    }
    assert!(forms >= 8, "{forms}");
}

/// The examples of the good answer in a media type.
fn answers<'a>(
    operation: &'a Value,
    media_type: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
    operation["responses"]["200"]["content"][media_type]["examples"].as_object().into_iter().flatten()
}

/// The media types of the good answer.
fn media_types(operation: &Value) -> impl Iterator<Item = &String> {
    operation["responses"]["200"]["content"].as_object().unwrap().keys()
}

#[test]
fn every_operation_shows_one_answer() {
    for (path, _, operation) in operations() {
        let count: usize =
            media_types(operation).map(|media_type| answers(operation, media_type).count()).sum();
        assert_eq!(count, 1, "{path}");
    }
}

/// The text of an answer whose searches have taken a millisecond each.
fn with_fixed_times(text: &str) -> String {
    let mut parts = text.split("\"time_ms\":");
    let mut fixed = parts.next().unwrap().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let time = if rest.len() < part.len() { "1" } else { "" };
        fixed += "\"time_ms\":";
        fixed += time;
        fixed += rest;
    }
    fixed
}

/// What the service answers to the question of an example.
async fn asked(operation: &Value, name: &str, example: &Value, media_type: &str) -> String {
    let told = example["description"].as_str().unwrap().strip_prefix("The answer to `").unwrap();
    let (method, rest) = told.split_once(' ').unwrap();
    let (path, _) = rest.split_once('`').unwrap();
    let mut request = SHARED.request(method.parse().unwrap(), path).header("accept", media_type);
    if method == "POST" {
        let questions = &operation["requestBody"]["content"]["application/json"]["examples"];
        request = request.json(&questions[name]["value"]);
    }
    let answer = SHARED.send(request).await;
    assert_eq!(answer.status, 200, "{told}");
    assert!(answer.header("content-type").starts_with(media_type), "{told}");
    with_fixed_times(answer.text())
}

#[actix_web::test]
async fn examples_of_answers_are_what_the_service_answers() {
    let mut count = 0;
    for (path, _, operation) in operations() {
        for media_type in media_types(operation) {
            for (name, example) in answers(operation, media_type) {
                let shown = &example["value"];
                let text = asked(operation, name, example, media_type).await;
                match path {
                    // `commit` and `sources` depend on the build.
                    "/healthz" | "/readyz" => {
                        let (mut shown, mut told) = (shown.clone(), parsed(&text));
                        for member in ["commit", "sources"] {
                            assert_ne!(
                                (shown[member].take(), told[member].take()),
                                (Value::Null, Value::Null)
                            );
                        }
                        assert_eq!(shown, told, "{path}");
                    }
                    "/metrics" => {
                        let is_help = |line: &&str| line.starts_with("# HELP") || line.starts_with("# TYPE");
                        for line in shown.as_str().unwrap().lines().filter(is_help) {
                            assert!(text.contains(line), "{line}");
                        }
                    }
                    // It lists the settings, which here are those of a service for tests.
                    "/v1/limits" => assert_eq!(members(shown), members(&parsed(&text))),
                    "/openapi.json" => {
                        let told = parsed(&text);
                        assert_eq!(shown, &json!({"openapi": told["openapi"], "info": told["info"]}));
                    }
                    // A depth that is finished before the one before it was sent replaces it.
                    "/v1/games/{game}/suggestion/stream" => {
                        let mut shown = shown.as_str().unwrap().split_inclusive("\n\n");
                        let is_shown = |event: &str| shown.any(|shown| shown == event);
                        assert!(text.split_inclusive("\n\n").all(is_shown), "{name}: {text}");
                        assert!(text.contains("event: done"), "{name}: {text}");
                    }
                    _ => match shown.as_str() {
                        Some(shown) => assert_eq!(shown, text, "{path}: {name}"),
                        None => assert_eq!(shown, &parsed(&text), "{path}: {name}"),
                    },
                }
                count += 1;
            }
        }
    }
    assert!(count >= 24, "only {count} answers");
}

/// The paths of all members of a value, those of objects within it included.
fn members(value: &Value) -> Vec<String> {
    let of_member = |(name, inner): (&String, &Value)| {
        let below = members(inner).into_iter().map(|member| format!("{name}/{member}"));
        below.chain([name.clone()]).collect::<Vec<_>>()
    };
    value.as_object().into_iter().flatten().flat_map(of_member).collect()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_document_is_small_enough_to_load_at_once() {
    /// Bytes, as the contract has it.
    const MOST: usize = 300_000;
    let size = cublino::http::document().len();
    assert!(size <= MOST, "{size}");
}
