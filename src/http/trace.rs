//! The trace that a request belongs to: the header `traceparent` of the W3C.

use std::fmt;

use actix_web::http::header::{HeaderMap, HeaderName};

/// The header that carries it.
pub const HEADER: HeaderName = HeaderName::from_static("traceparent");

/// The digits of a trace's name.
const TRACE_ID: usize = 32;

/// The digits of the name of the caller's part in it.
const PARENT_ID: usize = 16;

/// The trace that a request belongs to, by the name that all services involved call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceId([u8; TRACE_ID]);

impl TraceId {
    /// The trace of the request with these headers. A header that does not follow the standard to the letter
    /// counts as none.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(HEADER);
        let value = values.next()?;
        if values.next().is_some() { None } else { Self::parse(value.as_bytes()) }
    }

    /// `VERSION-TRACE-PARENT-FLAGS`, in lower-case hexadecimal digits. Versions to come may append to it.
    fn parse(value: &[u8]) -> Option<Self> {
        let (version, rest) = field::<2>(value)?;
        let (trace, rest) = field::<TRACE_ID>(rest.strip_prefix(b"-")?)?;
        let (parent, rest) = field::<PARENT_ID>(rest.strip_prefix(b"-")?)?;
        let (_flags, rest) = field::<2>(rest.strip_prefix(b"-")?)?;
        let ends = match version {
            b"00" => rest.is_empty(),
            b"ff" => false,
            _ => rest.is_empty() || rest.starts_with(b"-"),
        };
        let names = |digits: &[u8]| digits.iter().any(|&digit| digit != b'0');
        (ends && names(trace) && names(parent)).then_some(Self(*trace))
    }
}

/// So many lower-case hexadecimal digits, and what follows them.
fn field<const N: usize>(text: &[u8]) -> Option<(&[u8; N], &[u8])> {
    let (digits, rest) = text.split_first_chunk()?;
    digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')).then_some((digits, rest))
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.0).expect("the digits have been checked"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn parse(value: &str) -> Option<String> {
        TraceId::parse(value.as_bytes()).map(|id| id.to_string())
    }

    #[test]
    fn a_header_to_the_letter_names_its_trace() {
        for (before, after) in [("00", "01"), ("00", "ff"), ("01", "00"), ("cc", "00-what the future brings")]
        {
            assert_eq!(parse(&format!("{before}-{TRACE}-00f067aa0ba902b7-{after}")).as_deref(), Some(TRACE));
        }
    }

    #[test]
    fn any_other_counts_as_none() {
        let (parent, none) = ("00f067aa0ba902b7", "00000000000000000000000000000000");
        for wrong in [
            String::new(),
            "00".to_owned(),
            TRACE.to_owned(),
            format!("00-{TRACE}-{parent}"),
            format!("00-{TRACE}-{parent}-"),
            format!("00-{TRACE}-{parent}-1"),
            format!("00-{TRACE}-{parent}-01-more"),
            format!("00-{TRACE}-{parent}-01 "),
            format!("01-{TRACE}-{parent}-01more"),
            format!("ff-{TRACE}-{parent}-01"),
            format!("0g-{TRACE}-{parent}-01"),
            format!("00-{}-{parent}-01", TRACE.to_uppercase()),
            format!("00-{none}-{parent}-01"),
            format!("00-{TRACE}-{}-01", &none[..16]),
            format!("00-{}-{parent}-01", &TRACE[1..]),
            format!("00_{TRACE}_{parent}_01"),
            format!("00-{TRACE}-{parent}-0\u{e4}"),
        ] {
            assert_eq!(parse(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn two_headers_count_as_none() {
        let mut headers = HeaderMap::new();
        assert_eq!(TraceId::of(&headers), None);
        let value = format!("00-{TRACE}-00f067aa0ba902b7-01");
        headers.append(HEADER, value.parse().unwrap());
        assert!(TraceId::of(&headers).is_some());
        headers.append(HEADER, value.parse().unwrap());
        assert_eq!(TraceId::of(&headers), None);
    }
}
