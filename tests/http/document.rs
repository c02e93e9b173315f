//! The OpenAPI document.

use std::collections::HashSet;

use cublino::{games::GameId, http::openapi};
use reqwest::Method;
use serde_json::Value;

use crate::service::{DOCUMENT, SHARED, closed, validator};

fn operations() -> Vec<(&'static str, Method, &'static Value)> {
    let mut operations = Vec::new();
    for (path, item) in DOCUMENT.value["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.push((path.as_str(), method.to_uppercase().parse().unwrap(), operation));
        }
    }
    operations
}

#[test]
fn the_document_in_the_repository_is_the_one_that_is_served() {
    let kept = include_str!("../../openapi/openapi.json");
    let text = openapi::text();
    assert!(
        kept.as_bytes() == text,
        "openapi/openapi.json is old; `cargo run -- openapi` prints the new one"
    );
}

#[actix_web::test]
async fn the_service_gives_the_document_with_its_own_version() {
    let document = SHARED.get("/openapi.json").await.json();
    assert_eq!(document, DOCUMENT.value);
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(document["servers"][0]["url"], "/");
}

#[test]
fn operations_have_a_name_of_their_own_a_summary_a_description_and_a_known_tag() {
    let tags: HashSet<_> =
        DOCUMENT.value["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    let mut names = HashSet::new();
    for (path, _, operation) in operations() {
        assert!(names.insert(operation["operationId"].as_str().unwrap()), "{path}");
        for text in ["summary", "description"] {
            assert!(operation[text].as_str().is_some_and(|text| !text.is_empty()), "{path} has no {text}");
        }
        assert!(operation["tags"].as_array().unwrap().iter().all(|tag| tags.contains(tag)), "{path}");
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_used() {
    fn references<'a>(value: &'a Value, found: &mut HashSet<&'a str>) {
        match value {
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str));
                members.values().for_each(|value| references(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let mut found = HashSet::new();
    references(&DOCUMENT.value, &mut found);
    let schemas = DOCUMENT.value["components"]["schemas"].as_object().unwrap();
    let names: HashSet<_> = schemas.keys().map(|name| format!("#/components/schemas/{name}")).collect();
    let found: HashSet<_> = found.into_iter().map(str::to_owned).collect();
    assert_eq!(found, names);
}

#[test]
fn links_lead_to_operations_and_give_all_that_they_need() {
    let mut count = 0;
    let operations = operations();
    for (_, _, operation) in &operations {
        for (name, link) in operation["responses"]["200"]["links"].as_object().into_iter().flatten() {
            let target =
                operations.iter().find(|(_, _, target)| target["operationId"] == link["operationId"]);
            let (_, _, target) = target.unwrap_or_else(|| panic!("{name} leads nowhere"));
            for parameter in target["parameters"].as_array().unwrap() {
                let given = link["parameters"].get(parameter["name"].as_str().unwrap()).is_some();
                assert!(given || parameter["required"] != true, "{name}: {parameter}");
            }
            assert_eq!(link["requestBody"].is_object(), target["requestBody"].is_object(), "{name}");
            count += 1;
        }
    }
    assert!(count > 10, "only {count} links");
}

#[test]
fn every_member_has_a_schema_that_says_something() {
    for (name, schema) in DOCUMENT.value["components"]["schemas"].as_object().unwrap() {
        for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
            let says = |key: &&str| schema.get(key).is_some();
            assert!(["type", "$ref", "oneOf", "allOf"].iter().any(says), "{name}.{member}: {schema}");
        }
    }
}

#[test]
fn examples_fit_their_schemas() {
    let components = closed(&DOCUMENT.value["components"]);
    let mut count = 0;
    for (path, method, operation) in operations() {
        let described = operation["parameters"].as_array().into_iter().flatten();
        let body =
            operation["requestBody"]["content"].as_object().into_iter().flatten().map(|(_, media)| media);
        let answers = operation["responses"].as_object().unwrap().values();
        let answers =
            answers.filter_map(|answer| answer["content"].as_object()).flatten().map(|(_, media)| media);
        for part in described.chain(body).chain(answers) {
            let schema = validator(&part["schema"], &components);
            for (name, example) in part["examples"].as_object().into_iter().flatten() {
                assert!(schema.is_valid(&example["value"]), "{method} {path}: {name}");
                count += 1;
            }
        }
    }
    assert!(count > 10, "only {count} examples");
}

/// The game that an example is of: its name begins with a number and the game's.
fn game_of(example: &str) -> GameId {
    let found = GameId::ALL.iter().find(|game| example[2..].starts_with(&format!("-{game}-")));
    *found.unwrap_or_else(|| panic!("{example} begins with a number and the name of a game"))
}

#[test]
fn forms_begin_with_a_game_and_a_state_of_it() {
    let mut forms = 0;
    for (path, _, operation) in operations() {
        let parameters = || operation["parameters"].as_array().into_iter().flatten();
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

#[actix_web::test]
async fn examples_of_states_can_be_sent_as_they_are() {
    for (path, _, operation) in operations() {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            for (name, example) in parameter["examples"].as_object().into_iter().flatten() {
                let (game, state) = (game_of(name).to_string(), example["value"].as_str().unwrap());
                let validation = SHARED.get(&format!("/v1/games/{game}/validation?state={state}")).await;
                let suggests = path.contains("/suggestion");
                let limit = if suggests { "&depth=1" } else { "" };
                let answer =
                    SHARED.get(&format!("{}?state={state}{limit}", path.replace("{game}", &game))).await;
                let has_no_moves = validation.json()["stage"] != "move";
                assert_eq!(answer.status, if suggests && has_no_moves { 422 } else { 200 }, "{path}: {name}");
            }
        }
    }
}

#[actix_web::test]
async fn examples_of_bodies_can_be_sent_as_they_are() {
    for (path, method, operation) in operations() {
        let examples = operation["requestBody"]["content"]["application/json"]["examples"].as_object();
        for (name, example) in examples.into_iter().flatten() {
            let path = path.replace("{game}", &game_of(name).to_string());
            let body = &example["value"];
            let answer = SHARED.send(SHARED.request(method.clone(), &path).json(body)).await;
            assert_eq!(answer.status, 200, "{path}: {name}");
        }
    }
}
