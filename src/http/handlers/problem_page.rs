//! The pages that explain problems.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, Accept, ContentType, Header, HeaderValue},
};

use super::{Contract, Problem, json};
use crate::http::{
    api::ProblemPage,
    cache::{Tag, tagged},
    extract::Path,
    problem::{Code, UnknownCode},
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, &[Code::NotFound]);

/// Explain a problem
///
/// What a problem means and what to do about it, as JSON, or as a page to read in a browser.
#[utoipa::path(
    get,
    path = "/problems/{code}",
    operation_id = "explainProblem",
    tag = "operation",
    params(("code" = Code, Path, description = "The code of the problem.")),
    responses((status = 200, description = "The explanation.", content(
        (ProblemPage = "application/json"),
        (String = "text/html"),
    ))),
)]
pub async fn answer(request: HttpRequest, Path(code): Path<Code>) -> Result<HttpResponse, Problem> {
    let html = prefers_html(&request);
    let format = if html { "html" } else { "json" };
    let mut response = tagged(&request, Tag::of("problem", &[&code, &format]), || {
        let page = ProblemPage::of(code);
        Ok(if html {
            HttpResponse::Ok().content_type(ContentType::html()).body(page.to_html())
        } else {
            json(&page)
        })
    })?;
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept"));
    Ok(response)
}

/// Browsers name HTML first; everybody else gets JSON.
fn prefers_html(request: &HttpRequest) -> bool {
    let ranked = Accept::parse(request).map(|accept| accept.ranked()).unwrap_or_default();
    let decisive = |media: &String| media == "text/html" || media.starts_with("application/");
    ranked
        .iter()
        .map(|media| media.essence_str().to_owned())
        .find(decisive)
        .is_some_and(|media| media == "text/html")
}

impl From<UnknownCode> for Problem {
    fn from(_: UnknownCode) -> Self {
        let known: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        Self::new(Code::NotFound, format!("there is no such problem; there are {}", known.join(", ")))
    }
}
