//! Everything that the document names has a description.

use serde_json::Value;

use super::{each_value, operations, parameters, schemas};
use crate::service::DOCUMENT;

/// Text that says more than a word, in whole sentences.
fn is_sentence(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains(' ') && text.ends_with('.'))
}

fn assert_described(value: &Value, place: &str) {
    assert!(is_sentence(&value["description"]), "{place} is not described: {}", value["description"]);
}

#[test]
fn no_line_of_a_description_begins_like_a_list() {
    each_value(|place, value| {
        let Some(description) = value.get("description").and_then(Value::as_str) else { return };
        for line in description.lines() {
            let word = line.split_whitespace().next().unwrap_or_default();
            let is_number = word.strip_suffix(['.', ')']).is_some_and(|it| it.parse::<u64>().is_ok());
            assert!(!is_number && !["-", "+", "*", "#", ">"].contains(&word), "{place}: {line}");
        }
    });
}

#[test]
fn the_service_its_tags_and_its_keys_are_described() {
    let document = &DOCUMENT.value;
    assert_described(&document["info"], "info");
    for (list, name) in [("tags", "name"), ("servers", "url")] {
        for entry in document[list].as_array().unwrap() {
            assert_described(entry, &format!("{list} {}", entry[name]));
        }
    }
    for (name, scheme) in document["components"]["securitySchemes"].as_object().unwrap() {
        assert_described(scheme, name);
    }
}

#[test]
fn operations_with_all_that_belongs_to_them_are_described() {
    for (path, method, operation) in operations() {
        let place = format!("{method} {path}");
        assert_described(operation, &place);
        let summary = operation["summary"].as_str().unwrap();
        assert!(summary.contains(' ') && !summary.ends_with('.'), "{place}: {summary}");
        for parameter in parameters(operation) {
            assert_described(parameter, &format!("{place}: {}", parameter["name"]));
        }
        if let Some(body) = operation.get("requestBody") {
            assert_described(body, &place);
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            assert_described(response, &format!("{place}: {status}"));
            for kind in ["headers", "links"] {
                for (name, part) in response[kind].as_object().into_iter().flatten() {
                    assert_described(part, &format!("{place}: {status} {name}"));
                }
            }
        }
    }
}

#[test]
fn schemas_and_all_their_members_are_described() {
    fn assert_members(schema: &Value, place: &str) {
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            assert_described(member, &format!("{place}.{name}"));
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            assert_members(part, place);
        }
    }
    for (name, schema) in schemas() {
        assert_described(schema, name);
        assert_members(schema, name);
    }
}
