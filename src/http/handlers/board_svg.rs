//! What does it look like?

use actix_web::{HttpRequest, HttpResponse};

use super::{Code, Contract, GameParameter, Problem, Shown, state_problems};
use crate::{
    http::{
        cache::{Tag, with_etag},
        extract::{GameOfPath, Query},
    },
    service::{
        paths,
        picture::{Picture, PictureQuestion},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::get(true, state_problems![MalformedMove, IllegalMove, GameOver, RollFirst]).showing(
        |game, asked| {
            let question: PictureQuestion = asked.question();
            let svg = with_game!(game, G => Picture::<G>::read(&question).ok()?.svg());
            Some(Shown(SVG, svg.into()))
        },
    );

/// The media type of pictures.
const SVG: &str = "image/svg+xml";

/// Draw a state
///
/// Returns a self-contained SVG of the board, with an arrow or the marks of the last move if you like.
///
/// Groups carry `data-square`, `data-point` or `data-cup`; pieces also have `data-player`, and dice
/// `data-orientation`. There are no ids, so you can paste several pictures into one page.
#[utoipa::path(
    get,
    path = paths::BOARD,
    operation_id = "drawState",
    tag = "states",
    params(GameParameter, PictureQuestion),
    responses((
        status = 200,
        description = "The picture.",
        body = String,
        content_type = "image/svg+xml",
    )),
)]
pub async fn answer(
    request: HttpRequest,
    GameOfPath(game): GameOfPath,
    Query(question): Query<PictureQuestion>,
) -> Result<HttpResponse, Problem> {
    with_game!(game, G => {
        let picture = Picture::<G>::read(&question)?;
        let Picture { position, view } = &picture;
        // All that is to be seen, on one line: two views that differ are written differently.
        let seen = format!("{view:?}");
        with_etag(&request, Tag::of("board.svg", &[position, &seen]), || {
            Ok(HttpResponse::Ok().content_type(SVG).body(picture.svg()))
        })
    })
}
