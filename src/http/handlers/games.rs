//! The list of games.

use actix_web::{HttpRequest, HttpResponse};
use utoipa::Path;

use super::{Code, Contract, Problem, json};
use crate::{
    game::Game,
    games::GameId,
    http::{
        api::{GameBody, Games, Links},
        cache::{Tag, tagged},
        extract::Query,
        handlers,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, &[Code::InvalidParameter]);

/// List the games
///
/// All games that the service knows, each with its start, its goal and notation in a line each, and links to what can be asked about it.
#[utoipa::path(
    get,
    path = "/v1/games",
    operation_id = "listGames",
    tag = "games",
    responses((status = 200, description = "The games.", body = Games)),
)]
pub async fn answer(request: HttpRequest, _: Query<super::NoParameters>) -> Result<HttpResponse, Problem> {
    tagged(&request, Tag::of("games", &[]), || {
        let games = GameId::ALL.iter().map(|&id| with_game!(id, G => game::<G>(id))).collect();
        Ok(json(&Games { games }))
    })
}

/// A game in a few lines.
pub(super) fn game<G: Game>(id: GameId) -> GameBody {
    let dice = !G::ROLLS.is_empty();
    let start = G::default();
    let path = |path: String| path.replace("{game}", G::ABOUT.id);
    let question = |route: String| format!("{}?state={start}", path(route));
    GameBody {
        id,
        name: G::ABOUT.name,
        dice,
        start: start.to_string(),
        goal: G::ABOUT.goal,
        notation: G::ABOUT.notation,
        links: Links {
            itself: path(handlers::game::__path_answer::path()),
            validation: question(handlers::validation::__path_answer::path()),
            legal_moves: question(handlers::legal_moves::__path_answer::path()),
            score: question(handlers::score::__path_answer::path()),
            suggestion: question(handlers::suggestion::__path_answer::path()),
            board: question(handlers::board_svg::__path_answer::path()),
            apply: path(handlers::apply::__path_answer::path()),
            roll: dice.then(|| path(handlers::roll::__path_answer::path())),
        },
    }
}
