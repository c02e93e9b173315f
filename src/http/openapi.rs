//! The OpenAPI document: made from the handlers, completed from their contracts and the examples of the
//! games.

mod examples;
mod links;
mod variants;

use std::{collections::BTreeMap, sync::LazyLock};

use actix_web::web::Bytes;
use serde_json::json;
use utoipa::{
    OpenApi as _, Path as _,
    openapi::{
        Content, ContentBuilder, Header, HttpMethod, OpenApi, Ref, RefOr, Response, ResponseBuilder,
        example::{Example, ExampleBuilder},
        header::HeaderBuilder,
        path::Operation,
        schema::{ObjectBuilder, SchemaType, Type},
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};

use super::{
    access,
    contract::Contract,
    handlers::{self, operations},
    problem::{self, Problem},
};
use crate::service::Code;

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
                components(schemas(problem::ProblemBody<'static>)),
                tags(
                    (name = "games", description = "What can be played, and how."),
                    (name = "states", description = "Questions about one state."),
                    (name = "many", description = "Questions about many positions at once, or about one with the \
                                                   moves before it."),
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
            variants::name(&mut document);
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
    if contract.tagged {
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
    add_problems(operation, &problems);
    for response in operation.responses.responses.values_mut() {
        let RefOr::T(response) = response else { continue };
        let id =
            text_header("The name of the request: the caller's own if it was sensible, else one made here.");
        response.headers.insert("X-Request-Id".to_owned(), id);
        let engine = text_header("The version of the service, and the commit that it was built from.");
        response.headers.insert("X-Engine-Version".to_owned(), engine);
    }
}

fn text_header(description: &str) -> RefOr<Header> {
    let text = ObjectBuilder::new().schema_type(SchemaType::Type(Type::String));
    HeaderBuilder::new().schema(Some(text)).description(Some(description)).build().into()
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

/// Problems that any operation can have.
const COMMON_PROBLEMS: [Code; 3] = [Code::UriTooLong, Code::Busy, Code::Internal];

/// One response for each status, with an example for each code.
fn add_problems(operation: &mut Operation, problems: &[Code]) {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for &code in problems.iter().chain(&COMMON_PROBLEMS) {
        let codes = by_status.entry(problem::status(code).as_u16()).or_default();
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    for (status, codes) in by_status {
        let names: Vec<_> = codes.iter().map(|code| format!("`{code}`")).collect();
        let examples = codes.iter().map(|&code| (code.name(), problem_example(code)));
        let content: Content = ContentBuilder::new()
            .schema(Some(Ref::from_schema_name("Problem")))
            .examples_from_iter(examples)
            .build();
        let mut response = ResponseBuilder::new()
            .description(names.join(", "))
            .content(problem::MEDIA_TYPE, content)
            .build();
        let mut say = |name: &str, text| response.headers.insert(name.to_owned(), text_header(text));
        if codes.iter().any(|code| [Code::Busy, Code::TooManyRequests].contains(code)) {
            say("Retry-After", "After how many seconds to try again.");
        }
        if codes.contains(&Code::TooManyRequests) {
            say("RateLimit-Policy", "How many requests a caller has (q) in how many seconds (w).");
            say("RateLimit", "How many of them are left (r), and in how many seconds there are more (t).");
        }
        if codes.contains(&Code::Unauthorized) {
            say("WWW-Authenticate", "How a key is shown.");
        }
        operation.responses.responses.insert(status.to_string(), response.into());
    }
}

fn problem_example(code: Code) -> Example {
    let body = json!(Problem::new(code, code.title()).body());
    ExampleBuilder::new().summary(code.title()).value(Some(body)).build()
}
