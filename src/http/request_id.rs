//! The name of a request, in its answer and in the log.

use std::fmt;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

use super::hex::{self, Digits};

/// The header that carries it, in both directions.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The longest name that is taken over, in characters: enough for the usual identifiers, short enough for a
/// log line.
const MAX_CHARS: usize = 128;

/// The name of a request: the caller's own if it is sensible, else one made here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestId {
    /// The caller's own.
    Given(HeaderValue),
    /// One made here.
    Made(Digits),
}

impl RequestId {
    /// The name of the request with these headers.
    pub fn of(headers: &HeaderMap) -> Self {
        let given = headers.get(HEADER).filter(|value| is_sensible(value.as_bytes()));
        given.map_or_else(|| Self::Made(hex::digits(rand::random())), |given| Self::Given(given.clone()))
    }

    /// The value of the header.
    #[must_use]
    pub fn to_header(&self) -> HeaderValue {
        match self {
            Self::Given(value) => value.clone(),
            Self::Made(digits) => {
                HeaderValue::from_bytes(digits).expect("hexadecimal digits are a header value")
            }
        }
    }

    fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Given(value) => value.as_bytes(),
            Self::Made(digits) => digits,
        }
    }
}

/// A sensible name is one word that is safe in a log line and a shell.
fn is_sensible(name: &[u8]) -> bool {
    let safe = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    (1..=MAX_CHARS).contains(&name.len()) && name.iter().all(safe)
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(self.as_bytes()).expect("a request id is ASCII"))
    }
}
