//! What a request asks for, and about which game.

use std::{collections::HashMap, sync::LazyLock};

use actix_web::HttpRequest;
use utoipa::Path as _;

use super::{docs, handlers, metrics::Operation};
use crate::{
    games::GameId,
    service::paths::{self, of_game},
};

/// What a request asks for, and about which game, if about one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What is to be done.
    pub operation: Operation,
    /// About which game.
    pub game: Option<GameId>,
}

impl Asked {
    /// What a request asks for: its route knows, or the pattern of its path, if it has been refused before it had a
    /// route.
    pub fn of(request: &HttpRequest) -> Self {
        // The path as the router sees it, which has undone percent-encoding.
        let path = request.match_info().as_str();
        let of_games = path.strip_prefix(paths::GAMES);
        let game: Option<GameId> = of_games.and_then(|rest| rest.split('/').nth(1)?.parse().ok());
        let by_pattern = || {
            let pattern = request.resource_map().match_pattern(path)?;
            let rest = game.and_then(|game| pattern.strip_prefix(&of_game(paths::GAME, game)));
            let documented = rest.map_or(pattern.clone(), |rest| format!("{}{rest}", paths::GAME));
            OPERATIONS.get(&documented).copied()
        };
        match request.app_data().copied().or_else(by_pattern) {
            Some(operation) => Self { operation, game },
            None => Self { operation: Operation::NONE, game: None },
        }
    }
}

/// The operations by the patterns of their paths.
static OPERATIONS: LazyLock<HashMap<String, Operation>> = LazyLock::new(|| {
    let mut patterns = HashMap::from([(docs::FILES.to_owned(), Operation::DOCS)]);
    macro_rules! add {
        ($($operation:ident),+ $(,)?) => {
            patterns.extend([$((handlers::$operation::__path_answer::path(), Operation(stringify!($operation)))),+])
        };
    }
    handlers::operations!(add);
    patterns
});
