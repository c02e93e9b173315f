//! The OpenAPI document: a file that a test generates from the types that serve the requests.

use std::sync::LazyLock;

use actix_web::web::Bytes;

#[cfg(test)]
mod tests;

/// The document as a file: indented, with a line break at the end.
pub const FILE: &str = include_str!("../../openapi/openapi.json");

/// The document as the service sends it: without whitespace between its parts.
pub fn text() -> Bytes {
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| {
        let mut is_in_string = in_strings();
        FILE.bytes().filter(|&byte| is_in_string(byte) || !byte.is_ascii_whitespace()).collect()
    });
    TEXT.clone()
}

/// A function that is called with each byte of a JSON text, and returns whether it is in a string.
fn in_strings() -> impl FnMut(u8) -> bool {
    let (mut is_string, mut is_escaped) = (false, false);
    move |byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_string = !is_string,
            _ => {}
        }
        is_string
    }
}
