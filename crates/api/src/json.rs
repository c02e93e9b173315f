//! Values as JSON.

use serde::Serialize;

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
