//! The OpenAPI document. It is a file, which a test makes anew from what serves the requests.

use std::sync::LazyLock;

use actix_web::web::Bytes;

#[cfg(test)]
mod tests;

/// The document as a file: indented, with a line break at the end.
pub const FILE: &str = include_str!("../../openapi/openapi.json");

/// The document as the service sends it: without the blanks between its parts.
pub fn text() -> Bytes {
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| {
        let (mut is_string, mut is_escaped) = (false, false);
        let is_kept = |byte: &u8| {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => is_string = !is_string,
                _ => {}
            }
            is_string || !byte.is_ascii_whitespace()
        };
        FILE.bytes().filter(is_kept).collect()
    });
    TEXT.clone()
}
