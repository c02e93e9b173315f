//! The routes: which handler answers which path and method. They follow from the list of operations.

use std::{
    future::{Ready, ready},
    sync::LazyLock,
};

use actix_web::{
    HttpRequest, HttpResponse, Resource, Route,
    guard::fn_guard,
    http::{Method, header},
    web::{self, Data, ServiceConfig},
};

use super::{mcp, operations, pages, permits::Pool, problem::Problem, request::Labels};
use crate::{
    api::{
        self, Code, Operation, Visitor,
        paths::{self, GAME, GAMES, of_game},
        visit,
    },
    games::{GameId, UnknownGame},
};

/// A path and a method, with their handler.
#[derive(Debug)]
pub struct Endpoint {
    /// The path; that of a game begins with [`GAME`].
    pub path: String,
    /// Its name in metrics and the log.
    label: String,
    /// The method, or methods, of its requests.
    pub method: api::Method,
    /// Whether the OpenAPI document describes it.
    pub is_described: bool,
    /// Where a large body takes its permit from.
    pool: Pool,
    route: fn() -> Route,
}

/// All endpoints of the service: first those of the OpenAPI document, in its order.
pub fn endpoints() -> &'static [Endpoint] {
    static ENDPOINTS: LazyLock<Vec<Endpoint>> = LazyLock::new(|| {
        let mut list = EndpointList::default();
        list.get(GAMES, "games", || web::to(pages::games));
        list.get(GAME, "game", || web::to(pages::game));
        visit(&mut list);
        list.get(paths::LIMITS, "limits", || web::to(pages::limits));
        list.get(paths::PROBLEM, "problem_page", || web::to(pages::problem));
        list.get(paths::HEALTHZ, "healthz", || web::to(pages::healthz));
        list.get(paths::READYZ, "readyz", || web::to(pages::readyz));
        list.get(paths::METRICS, "metrics", || web::to(pages::metrics));
        list.get(paths::OPENAPI, "openapi_json", || web::to(pages::openapi));
        let described = list.0.len();
        list.get("/docs", "docs", || web::to(|| redirect(pages::DOCS)));
        list.get("/docs/{file:.*}", "docs", || web::to(pages::docs));
        list.get("/play", "play", || web::to(|| redirect(pages::PLAY)));
        list.get("/play/{file:.*}", "play", || web::to(pages::play));
        list.get("/", "home", || web::to(pages::home));
        list.get(paths::LLMS, "llms", || web::to(pages::llms));
        list.get(paths::API_CATALOG, "api_catalog", || web::to(pages::api_catalog));
        list.push(paths::MCP.into(), "mcp".into(), api::Method::Post, Pool::Short, || web::to(mcp::post));
        for endpoint in &mut list.0[described..] {
            endpoint.is_described = false;
        }
        list.0
    });
    &ENDPOINTS
}

#[derive(Default)]
struct EndpointList(Vec<Endpoint>);

impl EndpointList {
    fn push(&mut self, path: String, label: String, method: api::Method, pool: Pool, route: fn() -> Route) {
        self.0.push(Endpoint { path, label, method, is_described: true, pool, route });
    }

    fn get(&mut self, path: &str, label: &str, route: fn() -> Route) {
        self.push(path.into(), label.into(), api::Method::Get, Pool::Short, route);
    }
}

impl Visitor for EndpointList {
    fn visit<O: Operation>(&mut self) {
        let (path, label) = (format!("{GAME}/{}", O::NAME), O::NAME.replace(['-', '/', '.'], "_"));
        let pool = if O::HAS_LINES { Pool::Long } else { Pool::Short };
        self.push(path.clone(), label.clone(), O::METHOD, pool, || web::to(operations::ask::<O>));
        if O::HAS_MANY {
            let (label, method) = (label + "_of_many", api::Method::PostOrQuery);
            self.push(path, label, method, Pool::Long, || web::to(operations::ask_about_many::<O>));
        }
    }
}

/// Registers all operations and the documentation.
///
/// Each game has a scope of its own, which knows the game: the router compares fixed text in no time, but for
/// a variable segment it uses a regular expression, which takes microseconds.
pub fn configure(config: &mut ServiceConfig) {
    let mut paths: Vec<&str> = endpoints().iter().map(|endpoint| endpoint.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    for &game in GameId::ALL {
        let mut scope = web::scope(&of_game(GAME, game)).app_data(Data::new(game));
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
}

/// The resource of a path; `rest` is the path within its scope.
fn resource_of(path: &str, rest: &str) -> Resource {
    let mut routes = Vec::new();
    let mut bodies = Pool::Short;
    for Endpoint { method, pool, route, .. } in endpoints().iter().filter(|endpoint| endpoint.path == path) {
        if *pool == Pool::Long {
            bodies = Pool::Long;
        }
        let methods = match method {
            api::Method::Get => vec![Method::GET, Method::HEAD],
            api::Method::Post => vec![Method::POST],
            api::Method::PostOrQuery => vec![Method::POST, QUERY.clone()],
        };
        routes.extend(methods.into_iter().map(|method| (method, route())));
    }
    resource(rest, routes).app_data(bodies)
}

/// The labels of a request, even if it was refused before it was routed.
pub fn labels(request: &HttpRequest) -> Labels {
    // The path as the router sees it, which has undone percent-encoding.
    let path = request.match_info().as_str();
    let of_game = path.strip_prefix(GAMES).and_then(|rest| rest.strip_prefix('/'));
    let (game, rest) = of_game.map_or(("", path), |rest| rest.split_at(rest.find('/').unwrap_or(rest.len())));
    let is_asked = |Endpoint { path: known, .. }: &&Endpoint| match of_game {
        Some(_) => known.strip_prefix(GAME) == Some(rest),
        None => known.split_once('{').map_or(known == path, |(folder, _)| path.starts_with(folder)),
    };
    let has_body = *request.method() == Method::POST || *request.method() == *QUERY;
    let fits = |endpoint: &&Endpoint| (endpoint.method != api::Method::Get) == has_body;
    let mut known = endpoints().iter().filter(is_asked);
    // A method that the path does not support counts as the first one that it does.
    let found = known.clone().find(fits).or_else(|| known.next());
    found.map_or_else(Labels::default, |endpoint| Labels {
        operation: &endpoint.label,
        game: game.parse().ok(),
        code: None,
    })
}

/// Redirects to a folder from its name without the slash. The path is relative, because a proxy may have
/// stripped what came before it.
fn redirect(folder: &str) -> Ready<HttpResponse> {
    ready(HttpResponse::TemporaryRedirect().insert_header((header::LOCATION, &folder[1..])).finish())
}

/// Answers a request for an unknown game.
async fn unknown_game(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let unknown = UnknownGame(request.match_info().query("game").to_owned());
    Err(Problem::new(Code::UnknownGame, unknown.to_string()))
}

/// A resource with its handlers. OPTIONS lists the methods, and any other method is a problem.
fn resource(path: &str, routes: Vec<(Method, Route)>) -> Resource {
    let mut methods: Vec<_> = routes.iter().map(|(method, _)| method.as_str()).collect();
    let is_query = methods.contains(&QUERY.as_str());
    methods.push("OPTIONS");
    let allow = methods.join(", ");
    let allowed = allow.clone();
    let options = move || {
        let mut response = HttpResponse::NoContent();
        response.insert_header((header::ALLOW, &*allow));
        if is_query {
            response.insert_header(("Accept-Query", "application/json"));
        }
        ready(response.finish())
    };
    let others = move |request: HttpRequest| {
        let detail = format!("{} is not allowed here, only {allowed}", request.method());
        let problem = Problem::new(Code::MethodNotAllowed, detail).with(header::ALLOW, &*allowed);
        ready(Err::<HttpResponse, _>(problem))
    };
    let routes = routes.into_iter().chain([(Method::OPTIONS, web::to(options))]);
    routes.fold(web::resource(path).default_service(web::to(others)), |resource, (method, route)| {
        // The library's own guard also records, for each request, which methods were tried.
        resource.route(route.guard(fn_guard(move |context| context.head().method == method)))
    })
}

/// A resource with one handler, for GET and HEAD.
fn get_resource(path: &str, route: impl Fn() -> Route) -> Resource {
    resource(path, vec![(Method::GET, route()), (Method::HEAD, route())])
}

/// Answers a request without a route.
pub async fn not_found(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let detail = format!("no operation has the path {}; /docs/ lists all paths", request.path());
    Err(Problem::new(Code::NotFound, detail))
}

/// The HTTP method QUERY.
pub static QUERY: LazyLock<Method> =
    LazyLock::new(|| Method::from_bytes(b"QUERY").expect("letters are a method"));

/// Registers the routes of the admin port. Its answers need no permits, so metrics can be read even when
/// all are held.
pub fn configure_admin(config: &mut ServiceConfig) {
    config
        .service(get_resource(paths::HEALTHZ, || web::to(pages::healthz)))
        .service(get_resource(paths::READYZ, || web::to(pages::readyz)))
        .service(get_resource(paths::METRICS, || web::to(pages::metrics_anywhere)))
        .default_service(web::to(not_found));
}
