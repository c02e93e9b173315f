//! Values as JSON.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{IntoDeserializer as _, MapAccess, Visitor, value::MapAccessDeserializer},
};

/// An answer in JSON.
///
/// # Panics
/// If the value has a map whose keys are no texts; no answer has one.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("answers have no maps with odd keys")
}

/// Appends an answer in JSON to a text.
///
/// # Panics
/// If the value has a map whose keys are no texts; no answer has one.
pub fn append_json(value: &impl Serialize, text: &mut Vec<u8>) {
    serde_json::to_writer(text, value).expect("answers have no maps with odd keys");
}

/// A `T` that is read from an object only: derived implementations also accept an array of its members.
#[derive(Clone, Copy, Debug)]
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

/// Reads a member that is an object, or null.
pub(super) fn optional_object<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(Option::deserialize(deserializer)?.map(|Object(value)| value))
}

/// Reads a member that is one of some words, or null: serde also accepts an object for a word.
pub(super) fn optional_word<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let word = Option::<String>::deserialize(deserializer)?;
    word.map(|word| T::deserialize(word.into_deserializer())).transpose()
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members)).map(Object)
    }
}
