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
            Some(Shown::text(SVG, svg))
        },
    );

/// The media type of pictures.
const SVG: &str = "image/svg+xml";

/// Draw the state
///
/// A picture to look at: what stands where, whose turn it is or how the game ended, and a move as an arrow if
/// one is given, or what the last move did. It needs nothing from elsewhere, follows the reader's choice of
/// light or dark, and has a title and a description for those who do not see it.
///
/// It has no ids, so that several can stand in one page. Squares, points, cups and pieces are groups with
/// `data-square`, `data-point` or `data-cup`; pieces also have `data-player`, and dice `data-orientation`.
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
