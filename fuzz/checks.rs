//! Properties that hold for any bytes: one function for each part that parses input of callers.
//!
//! Shared by the targets of cargo-fuzz beside this file and by `tests/http/fuzz.rs`.

use actix_web::{
    body::MessageBody,
    dev::{Service, ServiceResponse},
    http::Method,
    rt::{System, SystemRunner},
    test::{TestRequest, init_service},
};
use cublino::{
    config::Config,
    game::{Notation, Record, Stage},
    games::GameId,
    http, with_game,
};
use serde_json::Value;

/// The most moves that are played before a move is read: enough to leave the opening.
const OPENING: usize = 40;

/// A text is a state that its notation reproduces, or it is refused with faults whose places lie within it.
pub fn states(data: &[u8]) {
    fn check<G: Notation>(text: &str) {
        match G::read(text) {
            Err(error) => {
                assert!(!error.faults().is_empty(), "{text:?}");
                for fault in error.faults() {
                    assert!(!fault.message.is_empty() && !fault.code.is_empty(), "{text:?}");
                    assert!(fault.at.is_none_or(|at| at <= text.chars().count()), "{text:?}: {fault}");
                }
            }
            Ok(position) => {
                let canonical = position.to_string();
                assert_eq!(G::read(&canonical).ok(), Some(position), "{text:?} is not {canonical}");
            }
        }
    }
    let Some((game, rest)) = game(data) else { return };
    let Ok(text) = str::from_utf8(rest) else { return };
    with_game!(game, G => check::<G>(text));
    // Without the letter of the game, most texts would be refused at once.
    let lettered = format!("{}{text}", game.about().letter);
    with_game!(game, G => check::<G>(&lettered));
}

/// A text is resolved to a generated move, or it is refused with a reason.
pub fn moves(data: &[u8]) {
    fn check<G: Notation>(choices: &[u8], text: &str) {
        let position = wander::<G>(choices);
        if position.stage() != Stage::Move {
            return;
        }
        let Ok(spelling) = text.parse::<G::Spelling>() else { return };
        match position.resolve(&spelling) {
            Ok(found) => {
                let mut moves = Vec::new();
                position.generate(&mut moves);
                let after = position.clone().after(found);
                assert!(
                    moves.iter().any(|&m| position.clone().after(m) == after),
                    "{text:?} in {position} is legal, but not generated"
                );
            }
            Err(reason) => assert!(!reason.to_string().is_empty() && !reason.code.is_empty()),
        }
    }
    let Some((game, rest)) = game(data) else { return };
    let (choices, text) = rest.split_at(rest.len().min(OPENING));
    let Ok(text) = str::from_utf8(text) else { return };
    with_game!(game, G => check::<G>(choices, text));
}

/// A text is a listed roll that its notation reproduces, or it is refused.
pub fn rolls(data: &[u8]) {
    fn check<G: Notation>(text: &str) {
        if let Ok(roll) = text.parse::<G::Roll>() {
            assert!(G::ROLLS.iter().any(|&(listed, _)| listed == roll), "{text:?} is not listed");
            assert_eq!(roll.to_string().parse::<G::Roll>().ok(), Some(roll), "{text:?}");
        }
    }
    let Some((game, rest)) = game(data) else { return };
    let Ok(text) = str::from_utf8(rest) else { return };
    with_game!(game, G => check::<G>(text));
}

/// No query causes a server error (status 500 or above).
pub fn queries(data: &[u8]) {
    const OPERATIONS: [&str; 4] = ["validation", "legal-moves", "score", "board.svg"];
    let Some((game, rest)) = game(data) else { return };
    let Some((&operation, query)) = rest.split_first() else { return };
    let operation = OPERATIONS[usize::from(operation) % OPERATIONS.len()];
    let query: String = query
        .iter()
        .map(
            |&byte| {
                if byte.is_ascii_graphic() { char::from(byte).to_string() } else { format!("%{byte:02x}") }
            },
        )
        .collect();
    let path = format!("/v1/games/{game}/{operation}?{query}");
    if path.parse::<actix_web::http::Uri>().is_ok() {
        ask(TestRequest::get().uri(&path));
    }
}

/// No body causes a server error (status 500 or above).
pub fn bodies(data: &[u8]) {
    let Some((game, rest)) = game(data) else { return };
    let Some((&operation, body)) = rest.split_first() else { return };
    let operation = if operation % 2 == 0 { "apply" } else { "roll" };
    post(&format!("/v1/games/{game}/{operation}"), body.to_vec());
}

/// `apply` plays all moves or refuses the request, and agrees with the library. After some lists of moves, a
/// player resigns and loses.
pub fn apply(data: &[u8]) {
    fn check<G: Notation>(game: GameId, data: &[u8]) {
        let mut position = G::default();
        let mut moves = Vec::new();
        for &choice in data {
            let Some(text) = choose(&position, choice) else { break };
            let mut record = Record::new(position, None);
            let played =
                record.play(&text).unwrap_or_else(|refusal| panic!("{text} in {position}: {refusal}"));
            position = played.position;
            moves.push(text);
        }
        let resigns = [None, Some(("one", "two")), Some(("two", "one"))][data.len() % 3];
        let mut body = serde_json::json!({ "state": G::default().to_string(), "moves": moves });
        if let Some((loser, _)) = resigns {
            body["resign"] = loser.into();
        }
        let (status, answer) = post(&format!("/v1/games/{game}/apply"), body.to_string().into_bytes());
        // A repeated position may end a game before its moves do, and a game that is over cannot be resigned.
        if status == 200 {
            assert_eq!(answer["state"], position.to_string(), "{moves:?}");
        } else {
            assert_eq!(answer["code"], "game-over", "{moves:?}");
        }
        if let Some((_, winner)) = resigns.filter(|_| status == 200) {
            let outcome = &answer["outcome"];
            assert_eq!(
                (&outcome["winner"], &outcome["reason"]),
                (&winner.into(), &"resigned".into()),
                "{moves:?}"
            );
            assert_eq!(answer["stage"], "over", "{moves:?}");
        }
    }
    let Some((game, rest)) = game(data) else { return };
    with_game!(game, G => check::<G>(game, &rest[..rest.len().min(2 * OPENING)]));
}

/// The game that the first byte picks, and the rest.
fn game(data: &[u8]) -> Option<(GameId, &[u8])> {
    let (&first, rest) = data.split_first()?;
    Some((GameId::ALL[usize::from(first) % GameId::ALL.len()], rest))
}

/// The position after a move or roll for each choice, or at the end of the game.
fn wander<G: Notation>(choices: &[u8]) -> G {
    let mut record = Record::new(G::default(), None);
    for &choice in choices {
        let Some(text) = choose(record.position(), choice) else { break };
        if record.play(&text).is_err() {
            break;
        }
    }
    *record.position()
}

/// The move or roll that a byte chooses; nothing at the end of a game.
fn choose<G: Notation>(position: &G, choice: u8) -> Option<String> {
    let choice = usize::from(choice);
    match position.stage() {
        Stage::Over(_) => None,
        Stage::Roll => Some(G::ROLLS[choice % G::ROLLS.len()].0.to_string()),
        Stage::Move => {
            let spellings = position.spellings();
            Some(spellings[choice % spellings.len()].to_string())
        }
    }
}

fn post(path: &str, body: Vec<u8>) -> (u16, Value) {
    ask(TestRequest::post().uri(path).insert_header(("content-type", "application/json")).set_payload(body))
}

/// Sends a request to a service in this thread, without a network. Returns the status and the body as JSON,
/// or null if it is not JSON.
fn ask(request: TestRequest) -> (u16, Value) {
    thread_local! {
        /// The runtime also hands out the searches of batches, so it lives as long as the service.
        static RUNNING: (SystemRunner, http::Service) = {
            let system = System::new();
            let config = Config { search_threads: 1, ..Config::default() };
            let service = system.block_on(async { http::Service::new(&config).expect("threads") });
            (system, service)
        };
    }
    RUNNING.with(|(system, service)| {
        system.block_on(async {
            let service = init_service(service.clone().app()).await;
            let answer: ServiceResponse<_> = service.call(request.to_request()).await.expect("an answer");
            let status = answer.status().as_u16();
            assert!(status < 500, "{status} for {} {}", answer.request().method(), answer.request().uri());
            assert_ne!(answer.request().method(), Method::HEAD);
            let Ok(bytes) = actix_web::body::to_bytes(answer.into_body().boxed()).await else {
                panic!("an answer breaks off");
            };
            (status, serde_json::from_slice(&bytes).unwrap_or_default())
        })
    })
}
