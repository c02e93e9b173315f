//! The routes: which handler answers which path and method. They follow from the list of operations.

use std::sync::LazyLock;

use actix_web::{
    FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, Route,
    http::{
        Method,
        header::{self, HeaderName, HeaderValue},
    },
    web::{self, ServiceConfig},
};

use super::{
    about_game, about_state, catalog, events, mcp,
    metrics::Operation as Label,
    openapi::{self, Described},
    pages, play,
    problem::Problem,
};
use crate::{
    games::{GameId, UnknownGame},
    service::{
        AboutGame, AboutState, Code, Operation, Streamed, Visitor,
        paths::{self, GAME, GAMES, of_game},
        suggestion::SuggestionEvent,
        visit,
    },
};

/// What a path answers to a method.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// The path; that of a game begins with [`GAME`].
    pub path: String,
    /// What metrics and the log call it.
    label: String,
    /// Its methods.
    pub asked: How,
    route: fn(Route) -> Route,
    /// What the document says about it.
    pub describe: fn() -> Described,
}

/// How an operation is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// In the query: GET and HEAD.
    Get,
    /// In a body: POST.
    Post,
    /// In a body, and the answer depends on nothing else: POST and QUERY.
    PostOrQuery,
}

/// All endpoints that the document describes, in its order.
pub(super) fn endpoints() -> &'static [Endpoint] {
    static ENDPOINTS: LazyLock<Vec<Endpoint>> = LazyLock::new(|| {
        let get = |path: &str, label: &str, route, describe| Endpoint {
            path: path.to_owned(),
            label: label.to_owned(),
            asked: How::Get,
            route,
            describe,
        };
        let mut list = List(vec![
            get(GAMES, "games", |route| route.to(pages::games), openapi::games),
            get(GAME, "game", |route| route.to(pages::game), openapi::game),
        ]);
        visit(&mut list);
        list.0.extend([
            get(paths::LIMITS, "limits", |route| route.to(pages::limits), openapi::limits),
            get(paths::PROBLEM, "problem_page", |route| route.to(pages::problem), openapi::problem),
            get(paths::HEALTHZ, "healthz", |route| route.to(pages::healthz), openapi::healthz),
            get(paths::READYZ, "readyz", |route| route.to(pages::readyz), openapi::readyz),
            get(paths::METRICS, "metrics", |route| route.to(pages::metrics), openapi::metrics),
            get(paths::OPENAPI, "openapi_json", |route| route.to(pages::openapi), openapi::openapi),
        ]);
        list.0
    });
    &ENDPOINTS
}

struct List(Vec<Endpoint>);

impl List {
    fn add<O: Operation>(
        &mut self,
        more: &str,
        asked: How,
        route: fn(Route) -> Route,
        describe: fn() -> Described,
    ) {
        let path = format!("{GAME}/{}", O::NAME);
        let label = O::NAME.replace(['-', '/', '.'], "_") + more;
        self.0.push(Endpoint { path, label, asked, route, describe });
    }
}

impl Visitor for List {
    fn about_state<O: AboutState>(&mut self) {
        self.add::<O>("", How::Get, |route| route.to(about_state::get::<O>), openapi::about_state::<O>);
        if O::MANY.is_some() {
            let route = |route: Route| route.to(about_state::post::<O>);
            self.add::<O>("_of_many", How::PostOrQuery, route, openapi::about_many::<O>);
        }
    }

    fn about_game<O: AboutGame>(&mut self) {
        let asked = if O::IS_PURE { How::PostOrQuery } else { How::Post };
        self.add::<O>("", asked, |route| route.to(about_game::post::<O>), openapi::about_game::<O>);
    }

    fn streamed<O: Streamed>(&mut self) {
        let asked = if O::IS_PURE { How::PostOrQuery } else { How::Post };
        self.add::<O>("", asked, |route| route.to(about_game::stream::<O>), openapi::streamed::<O>);
    }

    fn events(&mut self) {
        let route = |route: Route| route.to(events::get);
        self.add::<SuggestionEvent>("", How::Get, route, openapi::events);
    }
}

/// Registers all operations and the documentation.
///
/// Each game has a scope of its own, which knows the game: the router compares fixed text in no time, and for
/// a variable segment it asks a regular expression, which takes microseconds.
pub fn configure(config: &mut ServiceConfig) {
    let mut paths: Vec<&str> = endpoints().iter().map(|endpoint| endpoint.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    for &game in GameId::ALL {
        let mut scope = web::scope(&of_game(GAME, game)).app_data(game);
        for path in &paths {
            if let Some(rest) = path.strip_prefix(GAME) {
                scope = scope.service(resource_of(path, rest));
            }
        }
        config.service(scope);
    }
    config.service(web::scope(GAME).default_service(web::to(unknown_game)));
    for path in paths.iter().filter(|path| !path.starts_with(GAME)) {
        config.service(resource_of(path, path));
    }
    for (path, folder) in [("/docs", pages::PATH), ("/play", play::PATH)] {
        let redirect = move || async move {
            HttpResponse::TemporaryRedirect().insert_header((header::LOCATION, folder)).finish()
        };
        config.service(get_resource(path, redirect));
    }
    let posted = Allowed { post: true, ..Allowed::default() };
    config.service(resource(paths::MCP, posted, [web::post().to(mcp::post)].into_iter()));
    config.service(get_resource(paths::LLMS, catalog::llms));
    config.service(get_resource(paths::API_CATALOG, catalog::api_catalog));
    config.service(get_resource("/", play::home));
    config.service(get_resource(pages::FILES, pages::answer));
    config.service(get_resource(play::FILES, play::answer));
}

/// The resource of a path, under what is left of it in its scope.
fn resource_of(path: &str, rest: &str) -> Resource {
    let (mut allowed, mut routes) = (Allowed::default(), Vec::new());
    for Endpoint { asked, route, .. } in endpoints().iter().filter(|endpoint| endpoint.path == path) {
        let methods = match asked {
            How::Get => vec![Method::GET, Method::HEAD],
            How::Post => vec![Method::POST],
            How::PostOrQuery => vec![Method::POST, QUERY.clone()],
        };
        allowed.get |= *asked == How::Get;
        allowed.post |= *asked != How::Get;
        allowed.query |= *asked == How::PostOrQuery;
        routes.extend(methods.into_iter().map(|method| route(web::method(method))));
    }
    resource(rest, allowed, routes.into_iter())
}

/// What a request asks for, and about which game, also where it was refused before it had a route.
pub fn asked(request: &HttpRequest) -> (Label, Option<GameId>) {
    // The path as the router sees it, which has undone percent-encoding.
    let path = request.match_info().as_str();
    for (folder, label) in [(pages::PATH, Label::DOCS), (play::PATH, Label::PLAY), (paths::MCP, Label::MCP)] {
        if path.starts_with(folder) {
            return (label, None);
        }
    }
    let of_game = path.strip_prefix(GAMES).and_then(|rest| rest.strip_prefix('/'));
    let (game, rest) = of_game.map_or(("", path), |rest| rest.split_at(rest.find('/').unwrap_or(rest.len())));
    let is_asked = |Endpoint { path: known, .. }: &&Endpoint| match of_game {
        Some(_) => known.len() == GAME.len() + rest.len() && known.starts_with(GAME) && known.ends_with(rest),
        None if *known == paths::PROBLEM => path.starts_with("/problems/"),
        None => known == path,
    };
    let has_body = *request.method() == Method::POST || *request.method() == *QUERY;
    let mut found = endpoints().iter().filter(is_asked);
    // A method that the path does not answer counts for whichever there is.
    let first = found.next();
    let fits = |endpoint: &&Endpoint| (endpoint.asked != How::Get) == has_body;
    match first.into_iter().chain(found).find(fits).or(first) {
        Some(endpoint) => (Label(&endpoint.label), game.parse().ok()),
        None => (Label::NONE, None),
    }
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
            response.insert_header(accept_query());
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

/// The method.
pub static QUERY: LazyLock<Method> =
    LazyLock::new(|| Method::from_bytes(b"QUERY").expect("letters are a method"));

/// The header that says that a path answers the method, and what the body may be.
pub fn accept_query() -> (HeaderName, HeaderValue) {
    (HeaderName::from_static("accept-query"), HeaderValue::from_static("application/json"))
}
