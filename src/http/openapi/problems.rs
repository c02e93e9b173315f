//! The problems that an operation can have.

use std::collections::BTreeMap;

use utoipa::openapi::{Content, ContentBuilder, Ref, ResponseBuilder, path::Operation};

use super::text_header::text_header;
use crate::{http::problem, service::Code};

/// Problems that any operation can have.
const COMMON_PROBLEMS: [Code; 3] = [Code::UriTooLong, Code::Busy, Code::Internal];

/// One response for each status, which names its codes.
pub(super) fn add(operation: &mut Operation, problems: &[Code]) {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for &code in problems.iter().chain(&COMMON_PROBLEMS) {
        let codes = by_status.entry(problem::status(code).as_u16()).or_default();
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    for (status, codes) in by_status {
        let titles: Vec<_> = codes.iter().map(|code| format!("`{code}`: {}.", code.title())).collect();
        let content: Content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
        let mut response = ResponseBuilder::new()
            .description(titles.join(" "))
            .content(problem::MEDIA_TYPE, content)
            .build();
        let mut say = |name: &str, text| response.headers.insert(name.to_owned(), text_header(text));
        if codes.iter().any(|code| [Code::Busy, Code::TooManyRequests].contains(code)) {
            say("Retry-After", "After how many seconds to try again.");
        }
        if codes.contains(&Code::TooManyRequests) {
            say("RateLimit-Policy", "How many requests a caller has (q) in how many seconds (w).");
            say("RateLimit", "How many of them are left (r), and in how many seconds all will be (t).");
        }
        if codes.contains(&Code::Unauthorized) {
            say("WWW-Authenticate", "How a key is shown.");
        }
        operation.responses.responses.insert(status.to_string(), response.into());
    }
}
