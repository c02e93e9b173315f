//! The two ways in which answers tell what two dice show, as the document describes them.

use serde_json::json;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema, Type,
        schema::{ArrayBuilder, ObjectBuilder},
    },
};

/// A roll as text, as it stands in a list of moves: the larger number first.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(value_type = String, pattern = "^[1-6]{2}$", examples("31"))]
pub struct RollText(());

/// The numbers of a roll, as dice are shown.
#[derive(Clone, Copy, Debug)]
pub struct RollNumbers;

impl PartialSchema for RollNumbers {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(6));
        ArrayBuilder::new()
            .description(Some("A roll as the numbers of two dice, the larger first."))
            .items(number)
            .min_items(Some(2))
            .max_items(Some(2))
            .examples([json!([6, 3])])
            .into()
    }
}

impl ToSchema for RollNumbers {}
