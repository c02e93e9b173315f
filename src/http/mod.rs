//! The HTTP interface: routes, and the server that answers on them.
//!
//! Each operation is a module of `handlers`. Its path exists once, in the documentation of its handler, and the router
//! takes it from there.

mod access;
mod access_log;
mod admin;
mod answers;
mod asked;
mod cache;
mod coding;
pub mod connection;
mod context;
mod cors;
mod docs;
mod extract;
mod files;
pub(crate) mod handlers;
mod headers;
mod hex;
mod in_flight;
mod memory;
mod metrics;
mod observe;
pub mod openapi;
pub mod problem;
mod request_id;
mod searching;
mod server;
mod state;
mod trace;
mod version;

use actix_web::{
    App, Error, FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, Scope,
    body::MessageBody,
    dev::{ServiceFactory, ServiceRequest, ServiceResponse},
    http::header,
    middleware::{Compress, Condition, from_fn},
    web::{self, Data, ServiceConfig},
};
use utoipa::{Path as _, openapi::HttpMethod};

use self::{extract::FixedSegment, metrics::Operation, problem::Problem};
pub use self::{
    server::{Running, bind},
    state::{Limits, State},
};
use crate::{
    games::GameId,
    service::{Code, paths::GAME},
};

/// The application: what one worker of the server answers with.
pub fn app(
    state: Data<State>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    let guarded = state.access.is_limited();
    let (others_call, cors) = (!state.origins.is_empty(), cors::cors(&state.origins));
    App::new()
        .app_data(state)
        .wrap(from_fn(answers::bound))
        .wrap(Compress::default())
        .wrap(Condition::new(guarded, from_fn(access::guard)))
        .wrap(Condition::new(others_call, cors))
        .wrap(from_fn(observe::observe))
        .configure(routes)
        .default_service(web::to(not_found))
}

/// They are routed in two steps, and before all others, because the router tries one pattern after the other. For a
/// variable segment it asks a regular expression, which takes microseconds; comparing fixed text takes hardly
/// anything. So each game has a scope of its own, and the one with the variable is left to games that there are not.

fn routes(config: &mut ServiceConfig) {
    for game in GameId::ALL.iter().map(|id| id.about().id) {
        let scope = web::scope(&GAME.replace("{game}", game)).app_data(FixedSegment(game));
        config.service(game_operations().into_iter().fold(scope, Scope::service));
    }
    config.service(game_operations().into_iter().fold(web::scope(GAME), Scope::service));
    for resource in other_operations() {
        config.service(resource);
    }
    for (path, target) in [("/", docs::PATH), ("/docs", docs::PATH)] {
        let redirect = move || async move {
            HttpResponse::TemporaryRedirect().insert_header((header::LOCATION, target)).finish()
        };
        config.service(resource(path, Allowed::Get, redirect));
    }
    config.service(resource(DOCS, Allowed::Get, docs::answer).app_data(Operation::DOCS));
}

/// The path of the files of the documentation.
const DOCS: &str = "/docs/{file:.*}";

/// The operations of a game, with what is left of their paths.
fn game_operations() -> Vec<Resource> {
    operations(|path| path.strip_prefix(GAME))
}

/// The operations that are not of a game.
fn other_operations() -> Vec<Resource> {
    operations(|path| (!path.starts_with(GAME)).then_some(path))
}

/// Those of the documented operations that have a route, by their paths.
fn operations(route: impl Fn(&str) -> Option<&str>) -> Vec<Resource> {
    let mut resources = Vec::new();
    macro_rules! register {
        ($($operation:ident),+ $(,)?) => {
            $({
                let path = handlers::$operation::__path_answer::path();
                if let Some(route) = route(&path) {
                    let allowed = Allowed::of(&handlers::$operation::__path_answer::methods());
                    let resource = self::resource(route, allowed, handlers::$operation::answer);
                    resources.push(resource.app_data(Operation(stringify!($operation))));
                }
            })+
        };
    }
    handlers::operations!(register);
    resources
}

/// The methods of a path.
#[derive(Clone, Copy)]
enum Allowed {
    Get,
    Post,
}

impl Allowed {
    /// The methods of an operation, by those that the document gives it.
    fn of(documented: &[HttpMethod]) -> Self {
        if documented == [HttpMethod::Post] { Self::Post } else { Self::Get }
    }

    /// The header `Allow`.
    const fn header(self) -> &'static str {
        match self {
            Self::Get => "GET, HEAD, OPTIONS",
            Self::Post => "POST, OPTIONS",
        }
    }
}

/// A path with its one handler: GET also answers HEAD, OPTIONS tells the methods, and all others are a problem.
fn resource<F, Args>(path: &str, allowed: Allowed, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let allow = allowed.header();
    let options =
        move || async move { HttpResponse::NoContent().insert_header((header::ALLOW, allow)).finish() };
    let others = move |request: HttpRequest| async move {
        Err::<HttpResponse, _>(Problem::method_not_allowed(request.method().as_str(), allow))
    };
    let resource = web::resource(path)
        .route(web::method(actix_web::http::Method::OPTIONS).to(options))
        .default_service(web::to(others));
    match allowed {
        Allowed::Get => resource.route(web::get().to(handler.clone())).route(web::head().to(handler)),
        Allowed::Post => resource.route(web::post().to(handler)),
    }
}

async fn not_found(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let detail = format!("there is no operation under {}; /docs/ shows all of them", request.path());
    Err(Problem::new(Code::NotFound, detail))
}
