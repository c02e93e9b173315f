//! What a request asks for, and about which game.

use std::{collections::HashMap, sync::LazyLock};

use actix_web::{HttpRequest, http::Method};
use utoipa::{Path as _, openapi::HttpMethod};

use super::{docs, handlers, metrics::Operation, play, query_method};
use crate::{games::GameId, service::paths};

/// What a request asks for, and about which game, if about one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What is to be done.
    pub operation: Operation,
    /// About which game.
    pub game: Option<GameId>,
}

impl Asked {
    /// What a request asks for: its route knows, or the pattern of its path, if it has been refused before it
    /// had a route or is about a game that there is not.
    pub fn of(request: &HttpRequest) -> Self {
        // The path as the router sees it, which has undone percent-encoding.
        let path = request.match_info().as_str();
        let of_game = path.strip_prefix(paths::GAMES).and_then(|rest| rest.strip_prefix('/'));
        let (id, rest) = of_game.map_or(("", ""), |rest| rest.split_at(rest.find('/').unwrap_or(rest.len())));
        let by_path = || match of_game {
            Some(_) => OF_GAME.get(rest).copied(),
            None => OPERATIONS.get(&request.resource_map().match_pattern(path)?).copied(),
        };
        match request.app_data::<Operations>().copied().or_else(by_path) {
            Some(operations) => Self { operation: operations.by(request.method()), game: id.parse().ok() },
            None => Self { operation: Operation::NONE, game: None },
        }
    }
}

/// The operations of a path. Its routes know them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// That which asks in the query.
    pub get: Option<Operation>,
    /// That which has a body.
    pub post: Option<Operation>,
}

impl Operations {
    /// Those of a path that only answers GET.
    pub const fn only(get: Operation) -> Self {
        Self { get: Some(get), post: None }
    }

    /// The operation that a method asks for; a method that the path does not answer counts for whichever
    /// there is.
    fn by(self, method: &Method) -> Operation {
        let has_body = *method == Method::POST || *method == *query_method::QUERY;
        let (first, second) = if has_body { (self.post, self.get) } else { (self.get, self.post) };
        first.or(second).unwrap_or(Operation::NONE)
    }
}

/// The operations by the patterns of their paths.
static OPERATIONS: LazyLock<HashMap<String, Operations>> = LazyLock::new(|| {
    let mut patterns: HashMap<String, Operations> = HashMap::new();
    patterns.insert(docs::FILES.to_owned(), Operations::only(Operation::DOCS));
    patterns.insert(play::FILES.to_owned(), Operations::only(Operation::PLAY));
    macro_rules! add {
        ($($operation:ident),+ $(,)?) => {
            $({
                use handlers::$operation::__path_answer as Documented;
                let operations = patterns.entry(Documented::path()).or_default();
                let has_body = Documented::methods() == [HttpMethod::Post];
                let operation = if has_body { &mut operations.post } else { &mut operations.get };
                *operation = Some(Operation(stringify!($operation)));
            })+
        };
    }
    handlers::operations!(add);
    patterns
});

/// Those of games, by what follows the game in the pattern.
static OF_GAME: LazyLock<HashMap<&str, Operations>> = LazyLock::new(|| {
    let of_game = |(pattern, &operations): (&'static String, _)| {
        pattern.strip_prefix(paths::GAME).map(|rest| (rest, operations))
    };
    OPERATIONS.iter().filter_map(of_game).collect()
});
