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
    let operations = operations();
    for &game in GameId::ALL {
        let mut scope = web::scope(&of_game(GAME, game)).app_data(game);
        for (path, resource) in &operations {
            if let Some(path) = path.strip_prefix(GAME) {
                scope = scope.service(resource(path));
            }
        }
        config.service(scope);
    }
    config.service(web::scope(GAME).default_service(web::to(unknown_game)));
    for (path, resource) in operations.iter().filter(|(path, _)| !path.starts_with(GAME)) {
        config.service(resource(path));
    }
    for path in ["/", "/docs"] {
        let redirect = || async {
            HttpResponse::TemporaryRedirect().insert_header((header::LOCATION, docs::PATH)).finish()
        };
        config.service(resource(path, Allowed::Get, redirect));
    }
    config.service(resource(docs::FILES, Allowed::Get, docs::answer).app_data(Operation::DOCS));
}

/// Makes the resource of an operation, under a path or what is left of it.
type MakeResource = fn(&str) -> Resource;

/// The documented operations with their paths.
fn operations() -> Vec<(String, MakeResource)> {
    let mut operations: Vec<(String, MakeResource)> = Vec::new();
    macro_rules! add {
        ($($operation:ident),+ $(,)?) => {
            $({
                use handlers::$operation::{__path_answer as Documented, answer};
                operations.push((Documented::path(), |path| {
                    let operation = Operation(stringify!($operation));
                    resource(path, Allowed::of(&Documented::methods()), answer).app_data(operation)
                }));
            })+
        };
    }
    handlers::operations!(add);
    operations
}

/// Answers for a game that there is not.
async fn unknown_game(request: HttpRequest) -> Result<HttpResponse, Problem> {
    Err(UnknownGame(request.match_info().query("game").to_owned()).into())
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
