//! Schemas that are a choice: clients made from the document need a type for each variant.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{each_value, schemas};

/// The name and the schema that a reference leads to.
fn named(reference: &'static Value) -> Option<(&'static str, &'static Value)> {
    let name = reference["$ref"].as_str()?.strip_prefix("#/components/schemas/")?;
    Some((name, &schemas()[name]))
}

/// The members of an object that can have one value only and must be there, with the value.
fn tags(schema: &'static Value) -> BTreeMap<&'static str, &'static str> {
    let required = schema["required"].as_array().unwrap();
    let members = schema["properties"].as_object().unwrap().iter();
    let tags = members.filter_map(|(name, member)| match member["enum"].as_array()?.as_slice() {
        [only] if required.contains(&json!(name)) => Some((name.as_str(), only.as_str()?)),
        _ => None,
    });
    tags.collect()
}

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
            let (_, schema) = named(variant).unwrap_or_else(|| panic!("{place}: {variant} has no name"));
            assert_eq!(schema["type"], "object", "{place}: {variant}");
        }
        unions += 1;
    });
    assert!(unions > 8, "only {unions} unions");
}

#[test]
fn what_tells_the_variants_of_a_union_apart_is_named() {
    let mut told_apart = Vec::new();
    for (union, schema) in schemas() {
        let Some(variants) = schema.get("oneOf") else { continue };
        let variants: Vec<_> = variants.as_array().unwrap().iter().map(|it| named(it).unwrap()).collect();
        let (_, first) = variants[0];
        let shared =
            tags(first).into_keys().find(|&tag| variants.iter().all(|(_, it)| tags(it).contains_key(tag)));
        let said = &schema["discriminator"];
        let Some(tag) = shared else {
            assert!(said.is_null(), "{union}");
            continue;
        };
        let mapping: serde_json::Map<_, _> = variants
            .iter()
            .map(|(name, it)| (tags(it)[tag].to_owned(), json!(format!("#/components/schemas/{name}"))))
            .collect();
        assert_eq!(mapping.len(), variants.len(), "{union}: two variants have the same {tag}");
        assert_eq!(said, &json!({"propertyName": tag, "mapping": mapping}), "{union}");
        told_apart.push(union.as_str());
    }
    assert_eq!(told_apart, ["Counted", "Event", "Position", "Step", "SuggestionEvent"]);
}
