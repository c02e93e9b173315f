//! Names for all variants of the unions, and what tells them apart: programs that make clients from the
//! document make a type of each schema that has a name.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::openapi::{
    OpenApi, Ref, RefOr,
    schema::{AllOf, Discriminator, Object, Schema},
};

type Schemas = BTreeMap<String, RefOr<Schema>>;

/// Writes every union as a choice between objects that have names: a variant that is written where it stands
/// gets one, and a variant that is a union itself is replaced by its own. Where a member tells the variants
/// apart, the union says which.
pub(super) fn name(document: &mut OpenApi) {
    let mut schemas = std::mem::take(&mut document.components.get_or_insert_default().schemas);
    let unions: Vec<_> =
        schemas.iter().filter(|(_, schema)| items(schema).is_some()).map(|(name, _)| name.clone()).collect();
    for union in &unions {
        name_items(union, &mut schemas);
    }
    let named = schemas.clone();
    for union in &unions {
        if let Some(RefOr::T(Schema::OneOf(choice))) = schemas.get_mut(union) {
            let variants = variants(union, &named);
            choice.discriminator = discriminator(&variants, &named);
            choice.items = variants.into_iter().map(|name| Ref::from_schema_name(name).into()).collect();
        }
    }
    document.components.get_or_insert_default().schemas = schemas;
    remove_replaced(document, &named);
}

/// The variants of a schema that is a union.
fn items(schema: &RefOr<Schema>) -> Option<&[RefOr<Schema>]> {
    match schema {
        RefOr::T(Schema::OneOf(choice)) => Some(&choice.items),
        _ => None,
    }
}

/// The name of the schema that a reference leads to.
fn name_of(reference: &Ref) -> &str {
    reference.ref_location.rsplit('/').next().expect("a split text has a last part")
}

/// Gives the variants of a union names: that of the union and that of the variant. One that holds a struct
/// and nothing else becomes the struct with the tag besides, under its name.
fn name_items(union: &str, schemas: &mut Schemas) {
    let Some(items) = schemas.get(union).and_then(items).map(<[_]>::to_vec) else { return };
    let named = items.into_iter().map(|item| {
        let (name, variant) = match item {
            RefOr::Ref(item) => return item.into(),
            RefOr::T(Schema::AllOf(parts)) => whole(&parts, schemas)
                .unwrap_or_else(|| panic!("a variant of {union} is more than a struct and a tag")),
            RefOr::T(Schema::Object(variant)) => {
                let (_, tag) = tags(&variant)
                    .next()
                    .unwrap_or_else(|| panic!("a variant of {union} has neither a tag nor a name"));
                (format!("{union}{}", pascal(tag)), variant)
            }
            RefOr::T(_) => panic!("a variant of {union} is no object"),
        };
        let reference = Ref::from_schema_name(&name).into();
        schemas.insert(name, Schema::Object(described(variant)).into());
        reference
    });
    let named = named.collect();
    if let Some(RefOr::T(Schema::OneOf(choice))) = schemas.get_mut(union) {
        choice.items = named;
    }
}

/// The object that a struct and the tag of its variant make together, and the name of the struct.
fn whole(parts: &AllOf, schemas: &Schemas) -> Option<(String, Object)> {
    let [RefOr::Ref(part), RefOr::T(Schema::Object(tag))] = parts.items.as_slice() else { return None };
    let name = name_of(part);
    let Some(RefOr::T(Schema::Object(part))) = schemas.get(name) else { return None };
    let mut whole = part.clone();
    whole.properties.extend(tag.properties.clone());
    whole.required.extend(tag.required.clone());
    whole.description = whole.description.or_else(|| parts.description.clone());
    Some((name.to_owned(), whole))
}

/// A variant whose tag says what it is for.
fn described(mut variant: Object) -> Object {
    let tags: Vec<_> = tags(&variant).map(|(name, tag)| (name.to_owned(), tag.to_owned())).collect();
    for (name, tag) in tags {
        if let Some(RefOr::T(Schema::Object(schema))) = variant.properties.get_mut(&name) {
            schema.description.get_or_insert_with(|| format!("What it is: always `{tag}`."));
        }
    }
    variant
}

/// The members of an object that can have one value only and must be there, each with its value.
fn tags(object: &Object) -> impl Iterator<Item = (&str, &str)> {
    object.properties.iter().filter_map(|(name, schema)| {
        let RefOr::T(Schema::Object(schema)) = schema else { return None };
        let [Value::String(only)] = schema.enum_values.as_deref()? else { return None };
        object.required.contains(name).then_some((name.as_str(), only.as_str()))
    })
}

/// A name in the style of types.
fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    name.split(['_', '-']).filter(|word| !word.is_empty()).map(capital).collect()
}

/// The names of the objects that a union is a choice between, those of the unions in it included.
fn variants<'a>(union: &'a str, schemas: &'a Schemas) -> Vec<&'a str> {
    let Some(items) = schemas.get(union).and_then(items) else { return vec![union] };
    let references = items.iter().filter_map(|item| match item {
        RefOr::Ref(item) => Some(name_of(item)),
        RefOr::T(_) => None,
    });
    references.flat_map(|item| variants(item, schemas)).collect()
}

/// The member that all variants have, each with a value of its own.
fn discriminator(variants: &[&str], schemas: &Schemas) -> Option<Discriminator> {
    let tags_of = |name: &&str| match schemas.get(*name) {
        Some(RefOr::T(Schema::Object(object))) => tags(object).collect(),
        _ => BTreeMap::new(),
    };
    let tags: Vec<_> = variants.iter().map(tags_of).collect();
    let mut names = tags.first()?.keys();
    names.find_map(|&name| {
        let mut found = Discriminator::new(name);
        for (variant, tags) in variants.iter().zip(&tags) {
            let location = Ref::from_schema_name(*variant).ref_location;
            if found.mapping.insert((*tags.get(name)?).to_owned(), location).is_some() {
                return None;
            }
        }
        Some(found)
    })
}

/// Removes the unions that were replaced by their variants wherever they stood.
fn remove_replaced(document: &mut OpenApi, named: &Schemas) {
    let text = document.to_json().expect("a document has only texts, numbers and lists of them");
    let is_unused = |name: &str| !text.contains(&format!("\"{}\"", Ref::from_schema_name(name).ref_location));
    let unions = named.iter().filter(|(_, schema)| items(schema).is_some());
    let schemas = &mut document.components.get_or_insert_default().schemas;
    for (name, _) in unions.filter(|(name, _)| is_unused(name)) {
        schemas.remove(name);
    }
}
