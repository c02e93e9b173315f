//! The routes: which handler answers which path and method.
//!
//! The paths and methods are those that the handlers are documented with.

use std::collections::BTreeMap;

use actix_web::{
    FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, Route,
    http::{Method, header},
    web::{self, ServiceConfig},
};
use utoipa::{Path as _, openapi::HttpMethod};

use super::{asked::Operations, docs, handlers, metrics::Operation, play, problem::Problem, query_method};
use crate::{
    games::{GameId, UnknownGame},
    service::{
        Code,
        paths::{GAME, of_game},
    },
};

/// Registers all operations and the documentation.
///
/// Each game has a scope of its own, which knows the game: the router compares fixed text in no time, and for
/// a variable segment it asks a regular expression, which takes microseconds.
pub fn configure(config: &mut ServiceConfig) {
    let endpoints = endpoints();
    for &game in GameId::ALL {
        let mut scope = web::scope(&of_game(GAME, game)).app_data(game);
        for (path, endpoint) in &endpoints {
            if let Some(path) = path.strip_prefix(GAME) {
                scope = scope.service(endpoint.resource(path));
            }
        }
        config.service(scope);
    }
    config.service(web::scope(GAME).default_service(web::to(unknown_game)));
    for (path, endpoint) in endpoints.iter().filter(|(path, _)| !path.starts_with(GAME)) {
        config.service(endpoint.resource(path));
    }
    for (path, folder) in [("/docs", docs::PATH), ("/play", play::PATH)] {
        let redirect = move || async move {
            HttpResponse::TemporaryRedirect().insert_header((header::LOCATION, folder)).finish()
        };
        config.service(get_resource(path, redirect));
    }
    config.service(get_resource("/", play::home));
    config.service(get_resource(docs::FILES, docs::answer).app_data(Operations::only(Operation::DOCS)));
    config.service(get_resource(play::FILES, play::answer).app_data(Operations::only(Operation::PLAY)));
}

/// What a path answers.
#[derive(Default)]
struct Endpoint {
    allowed: Allowed,
    operations: Operations,
    /// One for each method that has a handler.
    routes: Vec<fn() -> Route>,
}

impl Endpoint {
    /// The resource, under a path or what is left of it.
    fn resource(&self, path: &str) -> Resource {
        let routes = self.routes.iter().map(|route| route());
        resource(path, self.allowed, routes).app_data(self.operations)
    }
}

/// The paths of the documented operations.
fn endpoints() -> BTreeMap<String, Endpoint> {
    let mut endpoints: BTreeMap<String, Endpoint> = BTreeMap::new();
    macro_rules! add {
        ($($operation:ident),+ $(,)?) => {
            $({
                use handlers::$operation::{CONTRACT, __path_answer as Documented, answer};
                let endpoint = endpoints.entry(Documented::path()).or_default();
                let operation = Some(Operation(stringify!($operation)));
                if Documented::methods() == [HttpMethod::Post] {
                    endpoint.allowed.post = true;
                    endpoint.operations.post = operation;
                    endpoint.routes.push(|| web::post().to(answer));
                    if CONTRACT.is_pure {
                        endpoint.allowed.query = true;
                        endpoint.routes.push(|| web::method(query_method::QUERY.clone()).to(answer));
                    }
                } else {
                    endpoint.allowed.get = true;
                    endpoint.operations.get = operation;
                    endpoint.routes.extend([|| web::get().to(answer), || web::head().to(answer)]);
                }
            })+
        };
    }
    handlers::operations!(add);
    endpoints
}

/// Answers for a game that there is not.
async fn unknown_game(request: HttpRequest) -> Result<HttpResponse, Problem> {
    Err(UnknownGame(request.match_info().query("game").to_owned()).into())
}

/// The methods of a path, besides OPTIONS.
#[derive(Clone, Copy, Default)]
struct Allowed {
    /// What asks in the query; also HEAD.
    get: bool,
    /// What has a body.
    post: bool,
    /// The same where it changes nothing.
    query: bool,
}

impl Allowed {
    /// The header `Allow`.
    const fn header(self) -> &'static str {
        match (self.get, self.post, self.query) {
            (true, true, true) => "GET, HEAD, POST, QUERY, OPTIONS",
            (true, true, false) => "GET, HEAD, POST, OPTIONS",
            (false, _, true) => "POST, QUERY, OPTIONS",
            (false, _, false) => "POST, OPTIONS",
            (true, false, _) => "GET, HEAD, OPTIONS",
        }
    }
}

/// A path with its handlers: OPTIONS tells the methods, and all others are a problem.
fn resource(path: &str, allowed: Allowed, routes: impl Iterator<Item = Route>) -> Resource {
    let allow = allowed.header();
    let options = move || async move {
        let mut response = HttpResponse::NoContent();
        response.insert_header((header::ALLOW, allow));
        if allowed.query {
            response.insert_header(query_method::accept_query());
        }
        response.finish()
    };
    let others = move |request: HttpRequest| async move {
        Err::<HttpResponse, _>(Problem::method_not_allowed(request.method().as_str(), allow))
    };
    let resource =
        web::resource(path).route(web::method(Method::OPTIONS).to(options)).default_service(web::to(others));
    routes.fold(resource, Resource::route)
}

/// A path with one handler, which answers GET and HEAD.
pub fn get_resource<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let routes = [web::get().to(handler.clone()), web::head().to(handler)];
    resource(path, Allowed { get: true, ..Allowed::default() }, routes.into_iter())
}

/// Answers what no route leads to.
pub async fn not_found(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let detail = format!("there is no operation under {}; /docs/ shows all of them", request.path());
    Err(Problem::new(Code::NotFound, detail))
}
