//! What can be played?

use actix_web::{HttpRequest, HttpResponse};

use super::{Code, Contract, GameParameter, Problem, Shown, json_pieces, json_text, state_problems};
use crate::{
    game::Record,
    http::{
        cache::{Tag, with_etag},
        extract::{GameOfPath, Query},
    },
    service::{
        self,
        legal_moves::{self, LegalMoves, LegalMovesQuestion, Spellings},
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
    GameOfPath(game): GameOfPath,
    Query(LegalMovesQuestion { state, spellings }): Query<LegalMovesQuestion>,
) -> Result<HttpResponse, Problem> {
    with_game!(game, G => {
        let position: G = service::read(&state)?;
        let (all, record) = (spellings == Spellings::All, Record::from(position));
        with_etag(&request, Tag::of("legal-moves", &[&position, &all]), || Ok(match spellings {
            Spellings::Usual => {
                let mut text = Vec::new();
                legal_moves::append(&record, spellings, &mut text);
                json_text(text)
            }
            Spellings::All => json_pieces(legal_moves::json_of_all_spellings(&record)),
        }))
    })
}
