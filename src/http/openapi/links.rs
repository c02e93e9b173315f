//! Links of the document: what can be asked with what an answer says.

use serde_json::json;
use utoipa::openapi::{
    OpenApi, RefOr, Response,
    link::{Link, LinkBuilder},
    path::Operation,
};

/// An answer that says a state.
struct Said {
    /// The operation that answers.
    operation: &'static str,
    /// Where its answer or its request says the game.
    game: &'static str,
    /// Where its answer says the state.
    state: &'static str,
}

/// The answers that say a state which can always be asked about.
const SAID: [Said; 7] = [
    Said {
        operation: "listGames",
        game: "$response.body#/games/0/id",
        state: "$response.body#/games/0/start",
    },
    Said { operation: "describeGame", game: "$response.body#/id", state: "$response.body#/start" },
    Said { operation: "listLegalMoves", game: "$request.path.game", state: "$response.body#/state" },
    Said { operation: "getScore", game: "$request.path.game", state: "$response.body#/state" },
    Said { operation: "suggestMove", game: "$request.path.game", state: "$response.body#/state" },
    Said { operation: "applyMoves", game: "$request.path.game", state: "$response.body#/state" },
    Said { operation: "rollDice", game: "$request.path.game", state: "$response.body#/state" },
];

/// The operations that answer about any state, each with what it is then asked for.
const ASKED: [(&str, &str); 4] = [
    ("validateState", "The state, taken apart."),
    ("listLegalMoves", "What can be played in the state."),
    ("getScore", "Who has won, and by how much."),
    ("drawState", "A picture of the state."),
];

/// Adds the links to the good answers.
pub(super) fn add(document: &mut OpenApi) {
    let operations =
        document.paths.paths.values_mut().flat_map(|item| [&mut item.get, &mut item.post]).flatten();
    for operation in operations {
        let Some(said) = SAID.iter().find(|said| operation.operation_id.as_deref() == Some(said.operation))
        else {
            continue;
        };
        let answer = good_answer(operation);
        for (asked, description) in ASKED {
            let link = to(asked, said.game).parameter("state", json!(said.state));
            answer.links.insert(asked.to_owned(), described(link, description));
        }
        if said.operation == "suggestMove" {
            let body = json!({ "state": said.state, "moves": ["$response.body#/move"] });
            let link = to("applyMoves", said.game).request_body(Some(body));
            answer.links.insert("applyMoves".to_owned(), described(link, "Play the best move."));
        }
    }
}

fn good_answer(operation: &mut Operation) -> &mut Response {
    match operation.responses.responses.get_mut("200") {
        Some(RefOr::T(response)) => response,
        _ => panic!("every operation describes its good answer"),
    }
}

fn to(operation: &str, game: &str) -> LinkBuilder {
    LinkBuilder::new().operation_id(operation).parameter("game", json!(game))
}

fn described(link: LinkBuilder, description: &str) -> RefOr<Link> {
    link.description(description).build().into()
}
