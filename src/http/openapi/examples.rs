//! Examples of every operation: questions about every game, and what they are answered with.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utoipa::openapi::{
    OpenApi, RefOr, Response,
    example::{Example, ExampleBuilder},
    extensions::Extensions,
    path::{Operation, Parameter},
};

use crate::{
    game,
    games::GameId,
    http::contract::{Asked, Contract, Shown, Shows},
    service,
};

/// A question that an example of a game makes.
struct Question {
    /// A number, the game and the example: forms offer the first by name first, and the start of the first
    /// game comes first.
    name: String,
    /// What is to be seen.
    summary: String,
    game: GameId,
    example: &'static game::Example,
    asked: Asked,
}

/// Adds questions about every game to an operation, and the answer to the first that has one.
pub(super) fn add(operation: &mut Operation, path: &str, contract: Contract, document: &OpenApi) {
    let questions = questions(operation, contract);
    add_questions(operation, &questions);
    match contract.shows {
        Shows::Nothing => {}
        Shows::One(answer) => {
            let summary = operation.summary.clone().unwrap_or_default();
            let asked = format!("`GET {}`", filled(path, operation, None));
            add_answer(operation, "answer", &summary, &asked, answer(document));
        }
        Shows::EachGame(answer) => {
            let answered = questions.iter().find_map(|it| Some((it, answer(it.game, &it.asked)?)));
            if let Some((question, answer)) = answered {
                let asked = question.in_words(&filled(path, operation, Some(question.game)));
                add_answer(operation, &question.name, &question.summary, &asked, answer);
            }
        }
    }
}

/// The questions that the examples of all games make. An operation that asks about a game and nothing else
/// has one question about each.
fn questions(operation: &Operation, contract: Contract) -> Vec<Question> {
    let (asks_state, asks_game) =
        (parameter(operation, "state").is_some(), parameter(operation, "game").is_some());
    let asked = |id, example: &game::Example| {
        if asks_state {
            let and = if contract.query.is_empty() { "" } else { "&" };
            Some(Asked::Query(format!("state={}{and}{}", example.state, contract.query)))
        } else {
            (contract.body_example)(id, example).map(Asked::Body)
        }
    };
    let has_body = operation.request_body.is_some();
    let mut questions = Vec::new();
    for &game in GameId::ALL {
        let about = game.about();
        if asks_game && !asks_state && !has_body {
            let (name, asked) = (format!("{:02}-{game}", questions.len() + 1), Asked::Query(String::new()));
            let (summary, example) = (about.name.to_owned(), &about.examples[0]);
            questions.push(Question { name, summary, game, example, asked });
            continue;
        }
        for example in about.examples {
            if let Some(asked) = asked(game, example) {
                let name = format!("{:02}-{game}-{}", questions.len() + 1, example.name);
                let summary = format!("{}: {}", about.name, example.summary);
                questions.push(Question { name, summary, game, example, asked });
            }
        }
    }
    questions
}

impl Question {
    /// The question in words, under a path.
    fn in_words(&self, path: &str) -> String {
        match &self.asked {
            Asked::Query(query) if query.is_empty() => format!("`GET {path}`"),
            Asked::Query(query) => format!("`GET {path}?{query}`"),
            Asked::Body(_) => format!("`POST {path}` with the body of the same name"),
        }
    }
}

fn parameter<'a>(operation: &'a Operation, name: &str) -> Option<&'a Parameter> {
    operation.parameters.iter().flatten().find_map(|parameter| match parameter {
        RefOr::T(parameter) if parameter.name == name => Some(parameter),
        _ => None,
    })
}

/// A path with a game, and with the examples of its other parameters.
fn filled(path: &str, operation: &Operation, game: Option<GameId>) -> String {
    let mut path = game.map_or_else(|| path.to_owned(), |game| service::paths::of_game(path, game));
    for parameter in operation.parameters.iter().flatten() {
        // utoipa lets nobody read the example of a parameter, but writes it.
        let parameter = json!(parameter);
        if let (Some(name), Some(example)) = (parameter["name"].as_str(), parameter["example"].as_str()) {
            path = path.replace(&format!("{{{name}}}"), example);
        }
    }
    path
}

/// Adds the questions to what an operation is asked with. A form begins with the game of the first.
fn add_questions(operation: &mut Operation, questions: &[Question]) {
    let Some(first) = questions.first() else { return };
    let examples = |value: fn(&Question) -> Value| -> BTreeMap<String, RefOr<Example>> {
        let named = questions.iter().map(|question| {
            let example = ExampleBuilder::new().summary(&question.summary).value(Some(value(question)));
            (question.name.clone(), example.build().into())
        });
        named.collect()
    };
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else { continue };
        // utoipa lets nobody set the examples of a parameter, but writes extensions as they are.
        parameter.extensions = match parameter.name.as_str() {
            "state" => {
                let states = examples(|question| json!(question.example.state));
                Some(Extensions::from_iter([("examples", json!(states))]))
            }
            "game" => Some(Extensions::from_iter([("example", json!(first.game))])),
            _ => continue,
        };
    }
    let Some(RefOr::T(body)) = &mut operation.request_body else { return };
    let Some(RefOr::T(content)) = body.content.get_mut("application/json") else { return };
    content.examples = examples(|question| match &question.asked {
        Asked::Body(body) => body.clone(),
        Asked::Query(query) => json!(query),
    });
}

fn add_answer(operation: &mut Operation, name: &str, summary: &str, asked: &str, answer: Shown) {
    let Shown(media_type, value) = answer;
    let Some(RefOr::T(content)) = good(operation).content.get_mut(media_type) else {
        panic!("{asked} is answered with {media_type}, which is not described");
    };
    let description = format!("The answer to {asked}.");
    let example = ExampleBuilder::new().summary(summary).description(description).value(Some(value));
    content.examples.insert(name.to_owned(), example.build().into());
}

fn good(operation: &mut Operation) -> &mut Response {
    match operation.responses.responses.get_mut("200") {
        Some(RefOr::T(response)) => response,
        _ => panic!("every operation describes its good answer"),
    }
}
