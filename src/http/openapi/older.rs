//! The document in the words of OpenAPI 3.0, for programs that know no newer.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

type Object = Map<String, Value>;

/// The version that the older document is of.
const VERSION: &str = "3.0.3";

/// Says the same in the words of 3.0, where they can say it. What the events of a stream are they cannot say.
pub fn convert(mut document: Value) -> Value {
    document["openapi"] = VERSION.into();
    if let Some(Value::Object(license)) = document.pointer_mut("/info/license")
        && let Some(Value::String(identifier)) = license.remove("identifier")
    {
        license.insert("url".to_owned(), format!("https://spdx.org/licenses/{identifier}.html").into());
    }
    let mut conversion = Conversion { lists: names_of_lists(&document), nullable: BTreeSet::new() };
    conversion.convert_schemas_in(&mut document);
    if let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") {
        schemas.values_mut().for_each(|schema| conversion.convert_schema(schema));
        for name in conversion.nullable {
            let schema = or_null(&schemas[&name]);
            schemas.insert(format!("{NULLABLE}{name}"), schema);
        }
    }
    remove_links_with_bodies(&mut document);
    remove_unused(&mut document);
    document
}

/// Removes links that say the body of the request that they lead to: programs that know 3.0 alone take it for
/// a text, and refuse what is none.
fn remove_links_with_bodies(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(Value::Object(links)) = members.get_mut("links") {
                links.retain(|_, link| !link["requestBody"].is_object());
                if links.is_empty() {
                    members.remove("links");
                }
            }
            let members =
                members.iter_mut().filter(|(name, _)| !matches!(name.as_str(), "example" | "examples"));
            members.for_each(|(_, member)| remove_links_with_bodies(member));
        }
        Value::Array(entries) => entries.iter_mut().for_each(remove_links_with_bodies),
        _ => {}
    }
}

/// The names of schemas that are lists.
fn names_of_lists(document: &Value) -> BTreeSet<String> {
    let schemas = document.pointer("/components/schemas").and_then(Value::as_object);
    let lists = schemas.into_iter().flatten().filter(|(_, schema)| schema["type"] == "array");
    lists.map(|(name, _)| name.clone()).collect()
}

/// What is known while schemas are converted.
#[derive(Default)]
struct Conversion {
    /// The names of schemas that are lists.
    lists: BTreeSet<String>,
    /// The names of schemas that are also there as ones that may be null.
    nullable: BTreeSet<String>,
}

impl Conversion {
    /// Converts the schemas of parameters, headers and bodies. Examples are left alone: what they say is no
    /// schema.
    fn convert_schemas_in(&mut self, value: &mut Value) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    match name.as_str() {
                        "schema" => self.convert_schema(member),
                        "schemas" | "example" | "examples" => {}
                        _ => self.convert_schemas_in(member),
                    }
                }
            }
            Value::Array(entries) => entries.iter_mut().for_each(|entry| self.convert_schemas_in(entry)),
            _ => {}
        }
    }

    /// Converts a schema and those in it.
    fn convert_schema(&mut self, schema: &mut Value) {
        let Some(members) = schema.as_object_mut() else { return };
        for name in ["contentMediaType", "contentSchema"] {
            members.remove(name);
        }
        self.convert_nullable_choice(members);
        if let Some(Value::Object(properties)) = members.get_mut("properties") {
            properties.values_mut().for_each(|schema| self.convert_schema(schema));
        }
        for name in ["oneOf", "anyOf", "allOf"] {
            if let Some(Value::Array(choices)) = members.get_mut(name) {
                for schema in choices.iter_mut() {
                    self.convert_schema(schema);
                }
            }
        }
        for name in ["items", "additionalProperties", "not"] {
            if let Some(inner) = members.get_mut(name) {
                self.convert_schema(inner);
            }
        }
        convert_nullable_type(members);
        convert_bound(members, "exclusiveMinimum", "minimum");
        convert_bound(members, "exclusiveMaximum", "maximum");
        if let Some(Value::Array(examples)) = members.remove("examples")
            && let Some(first) = examples.into_iter().next()
        {
            members.insert("example".to_owned(), first);
        }
        self.convert_reference(members);
    }

    /// Beside a reference nothing counts, so that it becomes a part of a whole that is described besides.
    /// Programs that know 3.0 alone take such a whole for an object: what is said of a list is left out.
    fn convert_reference(&self, members: &mut Object) {
        if members.len() < 2 {
            return;
        }
        let Some(reference) = members.remove("$ref") else { return };
        let name = reference.as_str().map_or("", last_part);
        if self.lists.contains(name.strip_prefix(NULLABLE).unwrap_or(name)) {
            *members = Object::from_iter([("$ref".to_owned(), reference)]);
        } else {
            members.insert("allOf".to_owned(), json!([{ "$ref": reference }]));
        }
    }

    /// A choice between a schema and null becomes the schema, which may be null. In 3.0 only what has a type
    /// of its own can be, so that a reference becomes one to a schema that says so.
    fn convert_nullable_choice(&mut self, members: &mut Object) {
        let Some(Value::Array(choices)) = members.get("oneOf") else { return };
        let [Value::Object(value), null] = choices.as_slice() else { return };
        if null["type"] != "null" {
            return;
        }
        let mut value = value.clone();
        members.remove("oneOf");
        if let Some(Value::String(reference)) = value.get_mut("$ref") {
            let name = last_part(reference).to_owned();
            *reference = format!("{SCHEMAS}{NULLABLE}{name}");
            self.nullable.insert(name);
        } else {
            value.insert("nullable".to_owned(), true.into());
        }
        // What is said of the member stands before what is said of the value.
        value.append(members);
        *members = value;
    }
}

/// What the references to schemas begin with.
const SCHEMAS: &str = "#/components/schemas/";

/// What the names of schemas that may be null begin with.
const NULLABLE: &str = "Nullable";

/// The name of the schema that a reference leads to.
fn last_part(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or_default()
}

/// A list of types of which one is null becomes the other, which may be null.
fn convert_nullable_type(members: &mut Object) {
    let Some(Value::Array(types)) = members.get("type") else { return };
    let (nulls, others): (Vec<_>, Vec<_>) = types.clone().into_iter().partition(|it| it == "null");
    let Ok([only]) = <[Value; 1]>::try_from(others) else {
        unreachable!("utoipa writes a type, and perhaps null");
    };
    members.insert("type".to_owned(), only);
    if !nulls.is_empty() {
        members.insert("nullable".to_owned(), true.into());
    }
}

/// A schema that has been converted, or null.
fn or_null(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let Some(members) = schema.as_object_mut() else { return schema };
    if let Some(Value::Array(variants)) = members.get_mut("oneOf") {
        variants.push(json!({"type": "string", "nullable": true, "enum": [null]}));
        // Null has no member that tells it from the others.
        members.remove("discriminator");
        return schema;
    }
    members.insert("nullable".to_owned(), true.into());
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.push(Value::Null);
    }
    schema
}

/// A bound that is excluded becomes one with a remark that it is.
fn convert_bound(members: &mut Object, excluded: &str, bound: &str) {
    if let Some(number) = members.get(excluded).filter(|number| number.is_number()).cloned() {
        members.insert(bound.to_owned(), number);
        members.insert(excluded.to_owned(), true.into());
    }
}

/// Removes schemas that nothing leads to any more.
fn remove_unused(document: &mut Value) {
    loop {
        let mut used = BTreeSet::new();
        collect_references(document, &mut used);
        let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") else { return };
        let count = schemas.len();
        schemas.retain(|name, _| used.contains(&format!("{SCHEMAS}{name}")));
        if schemas.len() == count {
            return;
        }
    }
}

/// Collects where references lead; what distinguishes the variants of a union leads to them as well.
fn collect_references(value: &Value, used: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => members.values().for_each(|member| collect_references(member, used)),
        Value::Array(entries) => entries.iter().for_each(|entry| collect_references(entry, used)),
        Value::String(text) if text.starts_with("#/") => {
            used.insert(text.clone());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(mut schema: Value) -> Value {
        Conversion::default().convert_schema(&mut schema);
        schema
    }

    #[test]
    fn what_may_be_null_is_said_so() {
        let number = json!({"type": ["integer", "null"], "minimum": 1});
        assert_eq!(converted(number), json!({"type": "integer", "nullable": true, "minimum": 1}));
        let choice =
            json!({"oneOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "description": "A 1."});
        assert_eq!(
            converted(choice),
            json!({"type": "integer", "nullable": true, "minimum": 1, "description": "A 1."})
        );

        let reference =
            json!({"oneOf": [{"$ref": "#/components/schemas/A"}, {"type": "null"}], "description": "An A."});
        assert_eq!(
            converted(reference),
            json!({"allOf": [{"$ref": "#/components/schemas/NullableA"}], "description": "An A."})
        );
        for (schema, nullable) in [
            (json!({"type": "object"}), json!({"type": "object", "nullable": true})),
            (
                json!({"type": "string", "enum": ["a"]}),
                json!({"type": "string", "nullable": true, "enum": ["a", null]}),
            ),
            (
                json!({"oneOf": [{"$ref": "#/a"}], "discriminator": {"propertyName": "kind"}}),
                json!({"oneOf": [{"$ref": "#/a"}, {"type": "string", "nullable": true, "enum": [null]}]}),
            ),
        ] {
            assert_eq!(or_null(&schema), nullable);
        }
    }

    #[test]
    fn links_with_bodies_are_left_out() {
        let with_body = json!({"operationId": "a", "requestBody": {"state": "$response.body#/state"}});
        let without = json!({"operationId": "b"});
        let answer = |links: Value| json!({"paths": {"200": {"links": links}}});
        let mut document = answer(json!({"a": with_body, "b": without}));
        remove_links_with_bodies(&mut document);
        assert_eq!(document, answer(json!({"b": without})));
        let mut document = answer(json!({"a": with_body}));
        remove_links_with_bodies(&mut document);
        assert_eq!(document, json!({"paths": {"200": {}}}));
    }

    #[test]
    fn a_schema_that_may_be_null_is_there_beside_the_one_that_may_not() {
        let nullable = json!({"oneOf": [{"$ref": "#/components/schemas/A"}, {"type": "null"}]});
        let body = json!({"schema": {"type": "array", "items": nullable}});
        let schemas = json!({"A": {"type": "string"}});
        let converted = convert(json!({"info": {}, "paths": body, "components": {"schemas": schemas}}));
        assert_eq!(
            converted["paths"]["schema"],
            json!({"type": "array", "items": {"$ref": "#/components/schemas/NullableA"}})
        );
        assert_eq!(
            converted["components"]["schemas"],
            json!({"NullableA": {"type": "string", "nullable": true}}),
            "and nothing leads to the other"
        );
    }

    #[test]
    fn what_stands_beside_a_reference_counts() {
        let beside = json!({"$ref": "#/a", "description": "An a."});
        assert_eq!(converted(beside), json!({"allOf": [{"$ref": "#/a"}], "description": "An a."}));
        assert_eq!(converted(json!({"$ref": "#/a"})), json!({"$ref": "#/a"}));
        let lists = BTreeSet::from(["a".to_owned()]);
        let mut of_list = json!({"$ref": "#/a", "description": "An a."});
        Conversion { lists, ..Conversion::default() }.convert_schema(&mut of_list);
        assert_eq!(of_list, json!({"$ref": "#/a"}));
    }

    #[test]
    fn bounds_examples_and_contents_are_said_in_older_words() {
        let schema = json!({
            "type": "number", "exclusiveMinimum": 0, "maximum": 1, "examples": [0.5, 0.7],
            "contentMediaType": "text/plain", "contentSchema": {"$ref": "#/a"},
        });
        assert_eq!(
            converted(schema),
            json!({"type": "number", "minimum": 0, "exclusiveMinimum": true, "maximum": 1, "example": 0.5})
        );
    }

    #[test]
    fn members_are_schemas_whatever_they_are_called_and_examples_are_none() {
        let document = json!({
            "openapi": "3.1.0",
            "info": {"license": {"name": "MIT", "identifier": "MIT"}},
            "paths": {"/": {"get": {"responses": {"200": {"content": {"application/json": {
                "schema": {"$ref": "#/components/schemas/Used"},
                "examples": {"one": {"value": {"schema": {"type": ["string", "null"]}}}},
            }}}}}}},
            "components": {"schemas": {
                "Used": {"type": "object", "properties": {
                    "type": {"type": ["string", "null"]},
                    "examples": {"type": "array", "items": {"type": ["string", "null"]}},
                }},
                "Unused": {"$ref": "#/components/schemas/UnusedAsWell"},
                "UnusedAsWell": {},
            }},
        });
        let converted = convert(document.clone());
        let license = json!({"name": "MIT", "url": "https://spdx.org/licenses/MIT.html"});
        assert_eq!((&converted["openapi"], &converted["info"]["license"]), (&json!("3.0.3"), &license));
        assert_eq!(converted["paths"], document["paths"]);
        let text = json!({"type": "string", "nullable": true});
        let properties = json!({"type": text, "examples": {"type": "array", "items": text}});
        assert_eq!(
            converted["components"]["schemas"],
            json!({"Used": {"type": "object", "properties": properties}})
        );
    }
}
