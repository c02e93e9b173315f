//! What a request asks for, and about which game.

use std::{collections::HashMap, sync::LazyLock};

use actix_web::HttpRequest;
use utoipa::Path as _;

use super::{docs, handlers, metrics::Operation};
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
        let by_path = || {
            let pattern = match of_game {
                Some(_) => format!("{}{rest}", paths::GAME),
                None => request.resource_map().match_pattern(path)?,
            };
            OPERATIONS.get(&pattern).copied()
        };
        match request.app_data().copied().or_else(by_path) {
            Some(operation) => Self { operation, game: id.parse().ok() },
            None => Self { operation: Operation::NONE, game: None },
        }
    }
}

/// The operations by the patterns of their paths.
static OPERATIONS: LazyLock<HashMap<String, Operation>> = LazyLock::new(|| {
    let mut patterns = HashMap::from([(docs::FILES.to_owned(), Operation::DOCS)]);
    macro_rules! add {
        ($($operation:ident),+ $(,)?) => {
            patterns.extend([$((
                handlers::$operation::__path_answer::path(),
                Operation(stringify!($operation)),
            )),+])
        };
    }
    handlers::operations!(add);
    patterns
});
