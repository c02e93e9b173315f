//! The document in the words of OpenAPI 3.0.

use std::collections::BTreeSet;

use cublino::http::openapi;
use serde_json::{Map, Value};

use crate::service::{DOCUMENT, SHARED};

fn older() -> Value {
    serde_json::from_slice(&openapi::older_text()).unwrap()
}

/// What a schema may say in OpenAPI 3.0.3.
const KNOWN: [&str; 36] = [
    "title",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxProperties",
    "minProperties",
    "required",
    "enum",
    "type",
    "allOf",
    "oneOf",
    "anyOf",
    "not",
    "items",
    "properties",
    "additionalProperties",
    "description",
    "format",
    "default",
    "nullable",
    "discriminator",
    "readOnly",
    "writeOnly",
    "xml",
    "externalDocs",
    "example",
    "deprecated",
    "$ref",
];

/// Calls a function with each schema.
fn each_schema(document: &Value, check: &mut impl FnMut(&Map<String, Value>)) {
    fn of_schema(schema: &Value, check: &mut impl FnMut(&Map<String, Value>)) {
        let Some(members) = schema.as_object() else { return };
        check(members);
        let named = members.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::values);
        let listed = ["oneOf", "anyOf", "allOf"]
            .into_iter()
            .filter_map(|name| members.get(name)?.as_array())
            .flatten();
        let single = ["items", "additionalProperties"].into_iter().filter_map(|name| members.get(name));
        named.chain(listed).chain(single).for_each(|schema| of_schema(schema, check));
    }
    fn walk(value: &Value, check: &mut impl FnMut(&Map<String, Value>)) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    match name.as_str() {
                        "schema" => of_schema(member, check),
                        "schemas" => member.as_object().unwrap().values().for_each(|it| of_schema(it, check)),
                        "example" | "examples" => {}
                        _ => walk(member, check),
                    }
                }
            }
            Value::Array(entries) => entries.iter().for_each(|entry| walk(entry, check)),
            _ => {}
        }
    }
    walk(document, check);
}

#[test]
fn it_says_nothing_that_older_programs_do_not_know() {
    let (document, mut count) = (older(), 0);
    assert_eq!(document["openapi"], "3.0.3");
    each_schema(&document, &mut |schema| {
        count += 1;
        for (name, value) in schema {
            assert!(KNOWN.contains(&name.as_str()), "{name}: {schema:?}");
            match name.as_str() {
                "type" => assert!(value.is_string() && value != "null", "{schema:?}"),
                "nullable" => assert!(value == true && schema.contains_key("type"), "{schema:?}"),
                "exclusiveMinimum" | "exclusiveMaximum" => {
                    assert!(value.is_boolean(), "{schema:?}");
                }
                "$ref" => assert_eq!(schema.len(), 1, "{schema:?}"),
                _ => {}
            }
        }
    });
    assert!(count > 500, "only {count} schemas");
}

#[test]
fn it_has_all_operations_and_all_schemas_but_those_of_events() {
    let (older, newer) = (older(), &DOCUMENT.value);
    let operations = |document: &Value| -> BTreeSet<String> {
        let paths = document["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|path| path.as_object().unwrap().values());
        operations.map(|operation| operation["operationId"].to_string()).collect()
    };
    assert_eq!(operations(&older), operations(newer));
    let schemas =
        |document: &Value| document["components"]["schemas"].as_object().unwrap().keys().cloned().collect();
    let (older, newer): (BTreeSet<String>, BTreeSet<String>) = (schemas(&older), schemas(newer));
    for name in older.difference(&newer) {
        assert!(name.strip_prefix("Nullable").is_some_and(|name| newer.contains(name)), "{name}");
    }
    for name in newer.difference(&older) {
        let is_nullable_everywhere = older.contains(&format!("Nullable{name}"));
        assert!(is_nullable_everywhere || name.starts_with("SuggestionEvent"), "{name}");
    }
}

#[actix_web::test]
async fn the_service_gives_it_beside_the_other() {
    let answer = SHARED.get("/openapi-3.0.json").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, older()));
    assert!(!answer.header("etag").is_empty());
}
