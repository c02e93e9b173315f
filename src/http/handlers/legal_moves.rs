//! What can be played?

use actix_web::{HttpRequest, HttpResponse, web::Data};

use super::{Code, Contract, GameParameter, Problem, Shown, gathered, json_pieces, state_problems};
use crate::{
    game::Record,
    http::{
        cache::Tag,
        extract::{GameOfPath, Query},
        state::AppState,
    },
    service::{
        self,
        legal_moves::{self, LegalMoves, LegalMovesQuestion, Spellings},
        limits::PRICES,
        paths,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, state_problems![]).showing(|game, asked| {
    let LegalMovesQuestion { state, spellings } = asked.question();
    with_game!(game, G => {
        let record = Record::from(service::read::<G>(&state).ok()?);
        Some(Shown::json(&legal_moves::answer(&record, spellings)))
    })
});

/// List legal moves
///
/// Returns each legal move with its steps and the state after it. Before a roll, it returns the distinct
/// rolls with their probabilities.
///
/// In Mahbusa, `spellings=all` lists every order in which a play can be written; there may be tens of
/// thousands.
#[utoipa::path(
    get,
    path = paths::LEGAL_MOVES,
    operation_id = "listLegalMoves",
    tag = "states",
    params(GameParameter, LegalMovesQuestion),
    responses((status = 200, description = "The legal moves.", body = LegalMoves)),
)]
pub async fn answer(
    request: HttpRequest,
    app: Data<AppState>,
    GameOfPath(game): GameOfPath,
    Query(LegalMovesQuestion { state, spellings }): Query<LegalMovesQuestion>,
) -> Result<HttpResponse, Problem> {
    with_game!(game, G => {
        let position: G = service::read(&state)?;
        let tag = Tag::of("legal-moves", &[&position, &(spellings == Spellings::All)]);
        if let Some(response) = tag.not_modified(&request) {
            return Ok(response);
        }
        let pieces = legal_moves::pieces(position.into(), spellings);
        Ok(tag.attach(match spellings {
            Spellings::Usual => gathered(&app, pieces).await?,
            Spellings::All => {
                app.access.charge(&request, PRICES.all_spellings)?;
                json_pieces(pieces)
            }
        }))
    })
}
