//! Says in simpler words what utoipa makes of enums: programs that make clients from the document stumble
//! over the long way.

use std::collections::BTreeMap;

use utoipa::openapi::{
    OpenApi, RefOr,
    schema::{AllOf, Object, Schema},
};

type Schemas = BTreeMap<String, RefOr<Schema>>;

/// Simplifies the schemas of the components.
pub(super) fn simplify(document: &mut OpenApi) {
    let schemas = &mut document.components.get_or_insert_default().schemas;
    name_only_choices(schemas);
    let merged = merge_parts(schemas);
    let text = document.to_json().expect("a document has only texts, numbers and lists of them");
    let is_unused = |name: &String| !text.contains(&format!("\"{}\"", reference(name)));
    let schemas = &mut document.components.get_or_insert_default().schemas;
    for name in merged.into_iter().filter(is_unused) {
        schemas.remove(&name);
    }
}

fn reference(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// Says of a schema with one choice what that is: an enum may have one variant, and a choice of one is none.
fn name_only_choices(schemas: &mut Schemas) {
    for schema in schemas.values_mut() {
        let RefOr::T(Schema::OneOf(choice)) = schema else { continue };
        let [RefOr::T(Schema::Object(only))] = choice.items.as_slice() else { continue };
        let mut only = only.clone();
        only.description = only.description.or_else(|| choice.description.take());
        *schema = Schema::Object(only).into();
    }
}

/// Writes a variant that holds a struct as one object, and returns the names of the structs.
fn merge_parts(schemas: &mut Schemas) -> Vec<String> {
    let described = schemas.clone();
    let mut merged = Vec::new();
    for schema in schemas.values_mut() {
        let RefOr::T(Schema::OneOf(choice)) = schema else { continue };
        for item in &mut choice.items {
            let RefOr::T(Schema::AllOf(parts)) = item else { continue };
            if let Some((name, whole)) = whole(parts, &described) {
                *item = Schema::Object(whole).into();
                merged.push(name);
            }
        }
    }
    merged
}

/// The object that a struct and the tag of its variant make together, and the name of the struct.
fn whole(parts: &AllOf, described: &Schemas) -> Option<(String, Object)> {
    let [RefOr::Ref(part), RefOr::T(Schema::Object(tag))] = parts.items.as_slice() else { return None };
    let name = part.ref_location.rsplit('/').next()?;
    let Some(RefOr::T(Schema::Object(part))) = described.get(name) else { return None };
    let mut whole = part.clone();
    whole.description.clone_from(&parts.description);
    whole.properties.extend(tag.properties.clone());
    whole.required.extend(tag.required.clone());
    Some((name.to_owned(), whole))
}
