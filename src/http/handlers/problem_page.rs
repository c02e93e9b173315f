//! The pages that explain problems.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, Accept, ContentType, Header, HeaderValue},
};

use super::{Contract, Problem, Shown, json};
use crate::{
    http::{
        cache::{Tag, with_etag},
        extract::Path,
        problem,
    },
    service::{Code, ProblemPage, UnknownCode, paths},
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::get(true, &[Code::NotFound]).showing_one(|_| Shown::json(&page_of(SHOWN)));

/// The code that the document shows the explanation of.
const SHOWN: Code = Code::IllegalMove;

/// Explain a problem
///
/// Returns what a problem code means and what to do next, as JSON, or as HTML for browsers.
#[utoipa::path(
    get,
    path = paths::PROBLEM,
    operation_id = "explainProblem",
    tag = "operation",
    params(("code" = Code, Path, description = "The code of the problem.", example = json!(SHOWN))),
    responses((status = 200, description = "The explanation: a page for who names `text/html` first in \
        `Accept`, as browsers do, and JSON for everybody else.", content(
        (ProblemPage = "application/json"),
        (String = "text/html"),
    ))),
)]
pub async fn answer(request: HttpRequest, Path(code): Path<Code>) -> Result<HttpResponse, Problem> {
    let html = prefers_html(&request);
    let format = if html { "html" } else { "json" };
    let mut response = with_etag(&request, Tag::of("problem", &[&code, &format]), || {
        let page = page_of(code);
        Ok(if html {
            HttpResponse::Ok().content_type(ContentType::html()).body(to_html(&page))
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

/// The explanation of a code.
fn page_of(code: Code) -> ProblemPage {
    ProblemPage {
        code,
        title: code.title().into(),
        status: problem::status(code).as_u16(),
        explanation: code.explanation().into(),
    }
}

/// A page to read. Nothing in it comes from a request, and no text of ours has a character that HTML
/// reserves.
fn to_html(ProblemPage { code, title, status, explanation }: &ProblemPage) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>body {{ font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }}\
         </style>\n\
         <h1>{title}</h1>\n<p><code>{code}</code>, status {status}</p>\n<p>{explanation}</p>\n\
         <p>All operations are described at <a href=\"/docs/\">/docs/</a>.</p>\n</html>\n"
    )
}

impl From<UnknownCode> for Problem {
    fn from(_: UnknownCode) -> Self {
        let known: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        Self::new(Code::NotFound, format!("there is no such problem; there are {}", known.join(", ")))
    }
}
