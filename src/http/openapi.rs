//! The OpenAPI document: made from the handlers, completed from their contracts and the examples of the
//! games.

mod examples;
mod links;
mod nullables;
mod older;
mod problems;
mod request_headers;
mod text_header;
mod variants;

use std::sync::LazyLock;

use actix_web::web::Bytes;
use utoipa::{
    OpenApi as _, Path as _,
    openapi::{
        HttpMethod, OpenApi, RefOr, Response,
        path::Operation,
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};

pub use self::older::convert;
use self::text_header::text_header;
use super::{
    access,
    contract::Contract,
    extract::NDJSON,
    handlers::{self, operations},
};
use crate::service::{Code, ProblemBody};

/// The name of the key among the security schemes.
const KEY: &str = "key";

/// The document as text: indented, with a line break at the end.
pub fn text() -> Bytes {
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| {
        let text = document().to_pretty_json().expect("a document has only texts, numbers and lists of them");
        Bytes::from(text + "\n")
    });
    TEXT.clone()
}

/// The same in the words of OpenAPI 3.0.
pub fn older_text() -> Bytes {
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| {
        let document = serde_json::from_slice(&text()).expect("the document is JSON");
        Bytes::from(format!("{:#}\n", convert(document)))
    });
    TEXT.clone()
}

/// The document.
#[must_use]
pub fn document() -> OpenApi {
    macro_rules! complete_all {
        ($($operation:ident),+ $(,)?) => {{
            #[derive(utoipa::OpenApi)]
            #[openapi(
                info(
                    title = "Cublino",
                    description = "Rules, legal moves, scores and good moves of board games for two. The \
                                   service keeps nothing: everything under `/v1` is a pure function of the \
                                   request.\n\n\
                                   Failures are problems as in RFC 9457, and each has a code that never \
                                   changes; `/problems/{code}` explains it. What is not a request at all has \
                                   no body in its answer: 400 for a head that is not HTTP, or a path and \
                                   query of more than 65,534 bytes; 408 for a first head that does not \
                                   arrive in time; 431 for a head of more than 128 KiB. A connection on \
                                   which a later head, a body or its reader takes too long is closed \
                                   without an answer.",
                    contact(name = "The authors of Cublino"),
                ),
                servers((url = "/", description = "The service that this document comes from.")),
                paths($(handlers::$operation::answer),+),
                components(schemas(ProblemBody<'static>)),
                tags(
                    (name = "games", description = "What can be played, and how."),
                    (name = "states", description = "Questions about one state."),
                    (name = "many", description = "Questions about many positions at once, or about one with \
                                                   the moves before it."),
                    (name = "play", description = "Moves and dice."),
                    (name = "operation", description = "The service itself."),
                ),
            )]
            struct Document;

            let mut document = Document::openapi();
            let begun = document.clone();
            $({
                use handlers::$operation::{CONTRACT, __path_answer as Documented};
                let path = Documented::path();
                let guarded = path.starts_with(access::GUARDED);
                let methods = Documented::methods();
                complete(operation(&mut document, &path, &methods), CONTRACT, guarded);
                examples::add(operation(&mut document, &path, &methods), &path, CONTRACT, &begun);
            })+
            describe_keys(&mut document);
            request_headers::describe(&mut document);
            variants::name(&mut document);
            nullables::describe(&mut document);
            links::add(&mut document);
            document
        }};
    }
    operations!(complete_all)
}

fn operation<'a>(document: &'a mut OpenApi, path: &str, methods: &[HttpMethod]) -> &'a mut Operation {
    let item = document.paths.paths.get_mut(path).expect("the document has the paths of all operations");
    let operation = if methods == [HttpMethod::Post] { &mut item.post } else { &mut item.get };
    operation.as_mut().expect("the path has the operation")
}

/// Says how a key is shown.
fn describe_keys(document: &mut OpenApi) {
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A key, if the service has been set up to want one."))
        .build();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme(KEY, SecurityScheme::Http(key));
}

/// Adds to an operation what its contract says. One that is `guarded` may want a
/// key, and may be limited in how often it is called.
fn complete(operation: &mut Operation, contract: Contract, guarded: bool) {
    if contract.has_etag {
        add_tags(operation);
    }
    let mut problems = contract.problems.to_vec();
    if guarded {
        problems.extend([Code::Unauthorized, Code::TooManyRequests]);
        let optional = [SecurityRequirement::default(), SecurityRequirement::new(KEY, [""; 0])];
        operation.security = Some(optional.into());
    } else {
        operation.security = Some(Vec::new());
    }
    problems::add(operation, &problems);
    request_headers::add(operation, contract.has_etag);
    describe_body(operation, contract.is_pure);
    describe_lines(operation);
    for response in operation.responses.responses.values_mut() {
        let RefOr::T(response) = response else { continue };
        let id =
            text_header("The name of the request: the caller's own if it was sensible, else one made here.");
        response.headers.insert("X-Request-Id".to_owned(), id);
        let engine = text_header("The version of the service, and the commit that it was built from.");
        response.headers.insert("X-Engine-Version".to_owned(), engine);
    }
}

/// Says what a body is, and that it may come by QUERY: the document knows no such method.
fn describe_body(operation: &mut Operation, is_pure: bool) {
    let Some(RefOr::T(body)) = &mut operation.request_body else { return };
    body.description = Some("The question, in JSON.".to_owned());
    if is_pure {
        let description = operation.description.get_or_insert_default();
        description.push_str(
            "\n\nThe same can be asked by the method `QUERY` (RFC 10008), with the same body and the same \
             answers: it says that nothing is changed, so that the request may be sent again. OpenAPI 3.1 \
             has no word for it.",
        );
    }
}

/// Says how the lines of an answer are had, and what is described of them.
fn describe_lines(operation: &mut Operation) {
    let Some(RefOr::T(good)) = operation.responses.responses.get_mut("200") else { return };
    if good.content.contains_key(NDJSON) {
        good.description.push_str(
            " With `Accept: application/x-ndjson` it comes line by line: each line is one JSON value, sent \
             as soon as it is known, in order, and what is described under that media type is one line. \
             Everybody else gets one JSON value.",
        );
    }
}

fn add_tags(operation: &mut Operation) {
    let headers = || {
        let tag = text_header(
            "Names the bytes of this answer; given back in If-None-Match, it saves sending them again.",
        );
        let cache = text_header("How long the answer may be kept.");
        [("ETag".to_owned(), tag), ("Cache-Control".to_owned(), cache)]
    };
    let responses = &mut operation.responses.responses;
    if let Some(RefOr::T(good)) = responses.get_mut("200") {
        good.headers.extend(headers());
    }
    let mut known = Response::new("The caller has the answer already: If-None-Match names it.");
    known.headers.extend(headers());
    responses.insert("304".to_owned(), known.into());
}
