//! What does the service allow?

use actix_web::{HttpRequest, HttpResponse, web::Data};

use super::{Code, Contract, Problem, Shown, json_text};
use crate::{
    config::Config,
    http::{
        cache::{Tag, with_etag},
        extract::{NoParameters, Query},
        state::AppState,
    },
    service::{limits::ServiceLimits, paths, to_json},
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, &[Code::InvalidParameter]).showing_one(|_| {
    // The same document on every machine, however many threads it has.
    let config = Config { search_threads: 2, ..Config::default() };
    Shown::json(&ServiceLimits::from(&config))
});

/// Get limits
///
/// Returns what this service allows: limits of a request and of a search, how many searches run and wait,
/// and the price of a request.
#[utoipa::path(
    get,
    path = paths::LIMITS,
    operation_id = "getLimits",
    tag = "operation",
    responses((status = 200, description = "The limits.", body = ServiceLimits)),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<AppState>,
    _: Query<NoParameters>,
) -> Result<HttpResponse, Problem> {
    let text = to_json(&state.allows);
    // The settings may change with a restart that changes nothing else: the answer is what names it, and who
    // keeps it asks whether it still holds.
    let tag = Tag::of("limits", &[&text]).revalidated();
    with_etag(&request, tag, || Ok(json_text(text.into_bytes())))
}
