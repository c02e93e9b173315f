//! OpenAPI schemas of lists of numbers, and of the two forms of a roll: text and numbers.

use serde_json::{Value, json};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema, Type,
        schema::{Array, ArrayBuilder, ObjectBuilder},
    },
};

/// The schema of `count` numbers from a range. Written out, because the schema of a fixed-size array has
/// neither its length nor the range of its numbers.
pub fn numbers(description: &str, count: usize, [least, most]: [u8; 2], example: Value) -> Array {
    let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(least)).maximum(Some(most));
    ArrayBuilder::new()
        .description(Some(description))
        .items(number)
        .min_items(Some(count))
        .max_items(Some(count))
        .examples([example])
        .build()
}

/// A roll as text, as it stands in a list of moves: the larger number first.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(value_type = String, pattern = "^[1-6]{2}$", examples("31"))]
pub struct RollText(());

/// The numbers of a roll, as dice are shown.
#[derive(Clone, Copy, Debug)]
pub struct RollNumbers;

impl PartialSchema for RollNumbers {
    fn schema() -> RefOr<Schema> {
        numbers("A roll as the numbers of two dice, the larger first.", 2, [1, 6], json!([6, 3])).into()
    }
}

impl ToSchema for RollNumbers {}
