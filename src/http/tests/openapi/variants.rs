//! What utoipa does not write into schemas: names for all variants of unions, and discriminators. Generators
//! of clients make a type of each schema that has a name.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{location, reference};

type Schemas = Map<String, Value>;

/// Rewrites every union as a choice between named objects: an inline variant gets a name, and a variant that
/// is a union itself is replaced by its own variants. A member that distinguishes the variants becomes the
/// discriminator. Returns the names of the unions.
pub(super) fn name(schemas: &mut Schemas) -> Vec<String> {
    let is_union = |(_, schema): &(&String, &Value)| schema["oneOf"].is_array();
    let unions: Vec<_> = schemas.iter().filter(is_union).map(|(name, _)| name.clone()).collect();
    for union in &unions {
        let Value::Array(items) = schemas[union]["oneOf"].take() else { continue };
        let named: Vec<_> = items.into_iter().map(|item| name_item(union, item, schemas)).collect();
        schemas[union]["oneOf"] = json!(named);
    }
    let named = schemas.clone();
    for union in &unions {
        let variants = variants(union, &named);
        schemas[union]["oneOf"] = variants.iter().map(|name| reference(name)).collect();
        if let Some(discriminator) = discriminator(&variants, &named) {
            schemas[union]["discriminator"] = discriminator;
        }
    }
    unions
}

/// Names a variant of a union after the union and its tag. A variant that is a struct with a tag keeps the
/// name of the struct, whose schema gets the tag.
fn name_item(union: &str, item: Value, schemas: &mut Schemas) -> Value {
    if item["$ref"].is_string() {
        return item;
    }
    let (name, mut variant) = if let Some([part, tag]) = item["allOf"].as_array().map(Vec::as_slice) {
        let name = name_of(part);
        let mut whole = schemas[name].clone();
        for (name, schema) in tag["properties"].as_object().into_iter().flatten() {
            whole["properties"][name] = schema.clone();
        }
        let required = [&whole["required"], &tag["required"]].map(Value::as_array);
        whole["required"] = required.into_iter().flatten().flatten().cloned().collect();
        if whole["description"].is_null() && item["description"].is_string() {
            whole["description"] = item["description"].clone();
        }
        (name.to_owned(), whole)
    } else {
        let (_, tag) = tags(&item).pop_first().expect("a variant has a tag or a name");
        (format!("{union}{}", pascal(&tag)), item)
    };
    for (name, tag) in tags(&variant) {
        let schema = &mut variant["properties"][name];
        if schema["description"].is_null() {
            schema["description"] = json!(format!("What it is: always `{tag}`."));
        }
    }
    let reference = reference(&name);
    schemas.insert(name, variant);
    reference
}

/// The name of the schema that a reference leads to.
fn name_of(reference: &Value) -> &str {
    let location = reference["$ref"].as_str().and_then(|location| location.rsplit('/').next());
    location.expect("a variant is an object or a reference")
}

/// The required members of an object that have only one possible value, each with its value.
fn tags(object: &Value) -> BTreeMap<String, String> {
    let required = object["required"].as_array().map_or(&[][..], Vec::as_slice);
    let tag = |(name, schema): (&String, &Value)| {
        let [Value::String(only)] = schema["enum"].as_array()?.as_slice() else { return None };
        required.contains(&json!(name)).then(|| (name.clone(), only.clone()))
    };
    object["properties"].as_object().into_iter().flatten().filter_map(tag).collect()
}

/// A name in `PascalCase`.
fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    name.split(['_', '-']).filter(|word| !word.is_empty()).map(capital).collect()
}

/// The names of the objects that a union is a choice between, including those of nested unions.
fn variants<'a>(union: &'a str, schemas: &'a Schemas) -> Vec<&'a str> {
    match schemas[union]["oneOf"].as_array() {
        Some(items) => items.iter().flat_map(|item| variants(name_of(item), schemas)).collect(),
        None => vec![union],
    }
}

/// The discriminator: the member that all variants have, each with a value of its own.
fn discriminator(variants: &[&str], schemas: &Schemas) -> Option<Value> {
    let tags: Vec<_> = variants.iter().map(|&name| tags(&schemas[name])).collect();
    tags.first()?.keys().find_map(|name| {
        let mut mapping = BTreeMap::new();
        for (variant, tags) in variants.iter().zip(&tags) {
            if mapping.insert(tags.get(name)?, location(variant)).is_some() {
                return None;
            }
        }
        Some(json!({"propertyName": name, "mapping": mapping}))
    })
}
