//! What is said of members that may be null.

use utoipa::openapi::{
    OpenApi, RefOr,
    schema::{AllOf, Schema},
};

/// Says of each member that may be null what is said of its value: utoipa writes it beside the reference to
/// the schema of the value, where it would be about that.
pub(super) fn describe(document: &mut OpenApi) {
    for schema in document.components.get_or_insert_default().schemas.values_mut() {
        match schema {
            RefOr::T(Schema::AllOf(AllOf { items, .. })) => items.iter_mut().for_each(describe_members),
            _ => describe_members(schema),
        }
    }
}

fn describe_members(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::Object(object)) = schema else { return };
    for member in object.properties.values_mut() {
        if let RefOr::T(Schema::OneOf(choice)) = member
            && let [RefOr::Ref(value), RefOr::T(_)] = choice.items.as_mut_slice()
            && !value.description.is_empty()
        {
            choice.description = Some(std::mem::take(&mut value.description));
        }
    }
}
