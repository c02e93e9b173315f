//! What a request asks for, and about which game.

use std::{collections::HashMap, sync::LazyLock};

use actix_web::HttpRequest;
use utoipa::Path as _;

use super::{DOCS, GAME, extract::FixedSegment, handlers, metrics::Operation};
use crate::games::GameId;

/// What a request asks for, and about which game, if about one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What is to be done.
    pub operation: Operation,
    /// About which game.
    pub game: Option<GameId>,
}

impl Asked {
    /// What no handler answers.
    const NOTHING: Self = Self { operation: Operation::NONE, game: None };

    /// What a request asks for: its route knows, or the pattern of its path, if it has been refused before it had a route.
    pub fn of(request: &HttpRequest) -> Self {
        match request.app_data::<Operation>() {
            Some(&operation) => {
                let game = request.app_data().and_then(|FixedSegment(game)| game.parse().ok());
                Self { operation, game }
            }
            None => Self::by_path(request),
        }
    }

    fn by_path(request: &HttpRequest) -> Self {
        // The path as the router sees it, which has undone percent-encoding.
        let pattern = request.resource_map().match_pattern(request.match_info().as_str());
        pattern.and_then(|pattern| PATTERNS.get(&pattern).copied()).unwrap_or(Self::NOTHING)
    }
}

/// What is asked for by the paths of each pattern.
static PATTERNS: LazyLock<HashMap<String, Asked>> = LazyLock::new(|| {
    let mut patterns = HashMap::from([(DOCS.to_owned(), Asked { operation: Operation::DOCS, game: None })]);
    macro_rules! add {
        ($($operation:ident),+ $(,)?) => {
            $({
                let (path, operation) = (handlers::$operation::__path_answer::path(), Operation(stringify!($operation)));
                if let Some(rest) = path.strip_prefix(GAME) {
                    patterns.extend(GameId::ALL.iter().map(|&game| {
                        let of_game = format!("{}{rest}", GAME.replace("{game}", game.about().id));
                        (of_game, Asked { operation, game: Some(game) })
                    }));
                }
                patterns.insert(path, Asked { operation, game: None });
            })+
        };
    }
    handlers::operations!(add);
    patterns
});
