//! Headers of answers, all of which are texts.

use utoipa::openapi::{
    Header, RefOr, Type,
    header::HeaderBuilder,
    schema::{ObjectBuilder, SchemaType},
};

/// A header of an answer, in words.
pub(super) fn text_header(description: &str) -> RefOr<Header> {
    let text = ObjectBuilder::new().schema_type(SchemaType::Type(Type::String));
    HeaderBuilder::new().schema(Some(text)).description(Some(description)).build().into()
}
