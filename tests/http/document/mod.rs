//! The OpenAPI document.

mod descriptions;
mod examples;
mod formats;
mod rolls_and_places;

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{DOCUMENT, SHARED};

/// The schemas that have names.
fn schemas() -> &'static serde_json::Map<String, Value> {
    DOCUMENT.value["components"]["schemas"].as_object().unwrap()
}

/// The target of a reference; any other value unchanged.
fn resolved(value: &'static Value) -> &'static Value {
    match value["$ref"].as_str() {
        Some(place) => DOCUMENT.value.pointer(place.strip_prefix('#').unwrap()).unwrap(),
        None => value,
    }
}

/// The parameters of an operation.
fn parameters(operation: &'static Value) -> impl Iterator<Item = &'static Value> {
    operation["parameters"].as_array().into_iter().flatten().map(resolved)
}

/// Calls a function with every value of the document, and where it is.
fn each_value(mut tell: impl FnMut(&str, &'static Value)) {
    fn walk(place: &str, value: &'static Value, tell: &mut impl FnMut(&str, &'static Value)) {
        tell(place, value);
        match value {
            Value::Object(members) => {
                members.iter().for_each(|(name, value)| walk(&format!("{place}/{name}"), value, tell));
            }
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(i, value)| walk(&format!("{place}/{i}"), value, tell));
            }
            _ => {}
        }
    }
    walk("", &DOCUMENT.value, &mut tell);
}

fn operations() -> Vec<(&'static str, Method, &'static Value)> {
    let mut operations = Vec::new();
    for (path, item) in DOCUMENT.value["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.push((path.as_str(), method.to_uppercase().parse().unwrap(), operation));
        }
    }
    operations
}

#[actix_web::test]
async fn the_service_gives_the_document_with_its_own_version() {
    let document = SHARED.get("/openapi.json").await.json();
    assert_eq!(document, DOCUMENT.value);
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(document["servers"][0]["url"], ".");
}

#[test]
fn headers_of_every_operation_are_described_once() {
    let about = DOCUMENT.value["info"]["description"].as_str().unwrap();
    for header in ["X-Request-Id", "If-None-Match", "X-Engine-Version", "ETag"] {
        assert!(about.contains(header), "{header}");
    }
    for (path, _, operation) in operations() {
        let names: Vec<_> = parameters(operation).map(|parameter| &parameter["name"]).collect();
        assert!(names.iter().all(|&name| name != "X-Request-Id" && name != "If-None-Match"), "{path}");
        let answers = &operation["responses"];
        assert_eq!(answers["304"].is_object(), answers["200"]["headers"]["ETag"].is_object(), "{path}");
    }
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
            for parameter in parameters(target) {
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
    for (name, schema) in schemas() {
        for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
            let says = |key: &&str| schema.get(key).is_some();
            assert!(["type", "$ref", "oneOf", "allOf"].iter().any(says), "{name}.{member}: {schema}");
        }
    }
}

/// Clients made from the document need a type for each variant.
#[test]
fn every_variant_of_a_union_is_an_object_with_a_name() {
    let mut unions = 0;
    each_value(|place, value| {
        assert!(value.get("anyOf").is_none(), "{place}");
        let Some(variants) = value.get("oneOf") else { return };
        let variants = variants.as_array().unwrap();
        if variants.len() == 2 && variants[1] == json!({"type": "null"}) {
            return;
        }
        for variant in variants {
            assert!(variant["$ref"].is_string(), "{place}: {variant} has no name");
            assert_eq!(resolved(variant)["type"], "object", "{place}: {variant}");
        }
        unions += 1;
    });
    assert!(unions > 8, "only {unions} unions");
}
