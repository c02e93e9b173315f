//! Pages of other origins that may call.

use actix_cors::Cors;
use actix_web::http::{Method, header};

use super::{access, query_method, request_id, searching, trace, version};
use crate::config::Origin;

/// How long a browser may remember what is allowed, in seconds.
const MAX_AGE: usize = 3_600;

/// Lets pages of these origins call, and see all that callers elsewhere see.
pub fn cors(origins: &[Origin]) -> Cors {
    let cors = Cors::default()
        .allowed_methods([Method::GET, Method::HEAD, Method::POST, query_method::QUERY.clone()])
        .allowed_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_NONE_MATCH,
            request_id::HEADER,
            trace::HEADER,
        ])
        .expose_headers([
            header::ETAG,
            header::RETRY_AFTER,
            header::WWW_AUTHENTICATE,
            request_id::HEADER,
            version::HEADER,
            access::POLICY_HEADER,
            access::STATUS_HEADER,
            searching::TIMING_HEADER,
        ])
        .max_age(MAX_AGE)
        .block_on_origin_mismatch(false);
    origins.iter().fold(cors, |cors, origin| match origin {
        Origin::Any => cors.allow_any_origin(),
        Origin::Exactly(origin) => cors.allowed_origin(origin),
    })
}
