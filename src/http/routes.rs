//! The routes: which handler answers which path and method.
//!
//! The paths and methods are those that the handlers are documented with.

use actix_web::{
    FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder,
    http::{Method, header},
    web::{self, ServiceConfig},
};
use utoipa::{Path as _, openapi::HttpMethod};

use super::{docs, handlers, metrics::Operation, problem::Problem};
use crate::service::{Code, paths::GAME};

/// Registers all operations and the documentation.
pub fn configure(config: &mut ServiceConfig) {
    // The router tries one pattern after the other, and one with a variable segment takes microseconds. The
    // operations of a game come first and have that segment in common.
    let mut game = web::scope(GAME);
    let mut others = Vec::new();
    macro_rules! register {
        ($($operation:ident),+ $(,)?) => {
            $({
                let (path, methods) =
                    (handlers::$operation::__path_answer::path(), handlers::$operation::__path_answer::methods());
                let handler = handlers::$operation::answer;
                let operation = Operation(stringify!($operation));
                match path.strip_prefix(GAME) {
                    Some(path) => game = game.service(resource(path, Allowed::of(&methods), handler).app_data(operation)),
                    None => others.push(resource(&path, Allowed::of(&methods), handler).app_data(operation)),
                }
            })+
        };
    }
    handlers::operations!(register);
    config.service(game);
    for resource in others {
        config.service(resource);
    }
    for path in ["/", "/docs"] {
        let redirect = || async {
            HttpResponse::TemporaryRedirect().insert_header((header::LOCATION, docs::PATH)).finish()
        };
        config.service(resource(path, Allowed::Get, redirect));
    }
    config.service(resource(docs::FILES, Allowed::Get, docs::answer).app_data(Operation::DOCS));
}

/// The methods of a path.
#[derive(Clone, Copy)]
pub enum Allowed {
    /// What asks and changes nothing.
    Get,
    /// What has a body.
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

/// A path with its one handler: GET also answers HEAD, OPTIONS tells the methods, and all others are a
/// problem.
pub fn resource<F, Args>(path: &str, allowed: Allowed, handler: F) -> Resource
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
    let resource =
        web::resource(path).route(web::method(Method::OPTIONS).to(options)).default_service(web::to(others));
    match allowed {
        Allowed::Get => resource.route(web::get().to(handler.clone())).route(web::head().to(handler)),
        Allowed::Post => resource.route(web::post().to(handler)),
    }
}

/// Answers what no route leads to.
pub async fn not_found(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let detail = format!("there is no operation under {}; /docs/ shows all of them", request.path());
    Err(Problem::new(Code::NotFound, detail))
}
