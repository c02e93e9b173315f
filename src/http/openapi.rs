//! The OpenAPI document: made from the handlers, completed from their contracts and the examples of the
//! games.

mod examples;
mod links;
mod nullables;
mod older;
mod problems;
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

/// Why the document can be written.
const WRITABLE: &str = "a document has only texts, numbers and lists of them";

/// The document as the service sends it: compact.
pub fn text() -> Bytes {
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| document().to_json().expect(WRITABLE).into());
    TEXT.clone()
}

/// The document as a file: indented, with a line break at the end.
#[must_use]
pub fn pretty_text() -> String {
    document().to_pretty_json().expect(WRITABLE) + "\n"
}

/// The document in OpenAPI 3.0, compact.
pub fn older_text() -> Bytes {
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| {
        let document = serde_json::from_slice(&text()).expect("the document is JSON");
        convert(document).to_string().into()
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
                    description = "Rules, legal moves, scores and good moves of five two-player board games. \
                                   The API is stateless: everything under `/v1` is a pure function of the \
                                   request.\n\n\
                                   First step: open *List legal moves*, choose *Try it out*, pick an \
                                   example and execute it. You can also \
                                   [play on the page](/play/).\n\n\
                                   Errors are problems as in RFC 9457. Each has a code that never changes; \
                                   `/problems/{code}` explains it.\n\n\
                                   You may send `X-Request-Id` with every request: 1 to 128 letters, digits \
                                   and the characters `-_.:`. If it is missing or invalid, the service \
                                   generates one. Every answer repeats it, and has the version of the \
                                   service in `X-Engine-Version`.\n\n\
                                   An answer with an `ETag` may be cached. Send the tag in `If-None-Match` \
                                   to get 304 instead of the same answer again.\n\n\
                                   Every `POST` but `roll` and `random-positions` also works with the method \
                                   `QUERY` (RFC 10008), which is safe to retry. OpenAPI 3.1 cannot describe \
                                   it.\n\n\
                                   Some errors of HTTP itself have no body: 400 for a malformed head or a \
                                   target of more than 65,534 bytes, 408 for a head that does not arrive in \
                                   time, 431 for a head of more than 128 KiB. The service closes \
                                   connections that stay too slow after that.",
                    contact(name = "The authors of Cublino"),
                ),
                servers((url = "/", description = "The service that this document comes from.")),
                paths($(handlers::$operation::answer),+),
                components(schemas(ProblemBody<'static>)),
                tags(
                    (name = "games", description = "The games and their rules."),
                    (name = "states", description = "Ask about one state."),
                    (name = "many", description = "Ask about many positions, or about a whole game."),
                    (name = "play", description = "Play moves, roll dice, and find good moves."),
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
        .description(Some("The API key, if this service requires one."))
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
    describe_body(operation);
    describe_lines(operation);
}

/// Says what a body is.
fn describe_body(operation: &mut Operation) {
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        body.description = Some("The question, in JSON.".to_owned());
    }
}

/// Says how the lines of an answer are had, and what is described of them.
fn describe_lines(operation: &mut Operation) {
    let Some(RefOr::T(good)) = operation.responses.responses.get_mut("200") else { return };
    if good.content.contains_key(NDJSON) {
        good.description.push_str(
            " With `Accept: application/x-ndjson`, each value is one line, sent in order as soon as it is \
             known.",
        );
    }
}

fn add_tags(operation: &mut Operation) {
    let headers = || {
        let tag = text_header("The entity tag of this answer, for If-None-Match.");
        let cache = text_header("How long you may cache the answer.");
        [("ETag".to_owned(), tag), ("Cache-Control".to_owned(), cache)]
    };
    let responses = &mut operation.responses.responses;
    if let Some(RefOr::T(good)) = responses.get_mut("200") {
        good.headers.extend(headers());
    }
    let mut known = Response::new("You have this answer already: `If-None-Match` contains its tag.");
    known.headers.extend(headers());
    responses.insert("304".to_owned(), known.into());
}
