//! The examples in the document: questions that can be asked, and what they are answered with.

use cublino::games::GameId;

use super::operations;
use crate::service::{DOCUMENT, SHARED, closed, validator};

#[test]
fn examples_fit_their_schemas() {
    let components = closed(&DOCUMENT.value["components"]);
    let mut count = 0;
    for (path, method, operation) in operations() {
        let described = operation["parameters"].as_array().into_iter().flatten();
        let body =
            operation["requestBody"]["content"].as_object().into_iter().flatten().map(|(_, media)| media);
        let answers = operation["responses"].as_object().unwrap().values();
        let answers =
            answers.filter_map(|answer| answer["content"].as_object()).flatten().map(|(_, media)| media);
        for part in described.chain(body).chain(answers) {
            let schema = validator(&part["schema"], &components);
            for (name, example) in part["examples"].as_object().into_iter().flatten() {
                assert!(schema.is_valid(&example["value"]), "{method} {path}: {name}");
                count += 1;
            }
        }
    }
    assert!(count > 10, "only {count} examples");
}

/// The game that an example is of: its name begins with a number and the game's.
fn game_of(example: &str) -> GameId {
    let found = GameId::ALL.iter().find(|game| example[2..].starts_with(&format!("-{game}-")));
    *found.unwrap_or_else(|| panic!("{example} begins with a number and the name of a game"))
}

#[test]
fn forms_begin_with_a_game_and_a_state_of_it() {
    let mut forms = 0;
    for (path, _, operation) in operations() {
        let parameters = || operation["parameters"].as_array().into_iter().flatten();
        let body = &operation["requestBody"]["content"]["application/json"];
        let game = parameters().find(|parameter| parameter["name"] == "game");
        let examples = parameters().chain([body]).filter_map(|part| part["examples"].as_object());
        for first in examples.filter_map(|examples| examples.keys().min()) {
            assert_eq!(game.unwrap()["example"], game_of(first).to_string(), "{path}");
            forms += 1;
        }
    }
    assert!(forms >= 8, "{forms}");
}

#[actix_web::test]
async fn examples_of_states_can_be_sent_as_they_are() {
    for (path, _, operation) in operations() {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            for (name, example) in parameter["examples"].as_object().into_iter().flatten() {
                let (game, state) = (game_of(name).to_string(), example["value"].as_str().unwrap());
                let validation = SHARED.get(&format!("/v1/games/{game}/validation?state={state}")).await;
                let suggests = path.contains("/suggestion");
                let limit = if suggests { "&depth=1" } else { "" };
                let answer =
                    SHARED.get(&format!("{}?state={state}{limit}", path.replace("{game}", &game))).await;
                let has_no_moves = validation.json()["stage"] != "move";
                assert_eq!(answer.status, if suggests && has_no_moves { 422 } else { 200 }, "{path}: {name}");
            }
        }
    }
}

#[actix_web::test]
async fn examples_of_bodies_can_be_sent_as_they_are() {
    for (path, method, operation) in operations() {
        let examples = operation["requestBody"]["content"]["application/json"]["examples"].as_object();
        for (name, example) in examples.into_iter().flatten() {
            let path = path.replace("{game}", &game_of(name).to_string());
            let body = &example["value"];
            let answer = SHARED.send(SHARED.request(method.clone(), &path).json(body)).await;
            assert_eq!(answer.status, 200, "{path}: {name}");
        }
    }
}
