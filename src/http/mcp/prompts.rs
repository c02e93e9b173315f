//! Prompts: what people pick from a menu, and what a model is told then.

use std::collections::HashMap;

use serde_json::{Value, json, value::RawValue};

use super::Fault;
use crate::games::GameId;

/// A prompt: its name, its title, its arguments with what each is, and what the model is told.
struct Prompt {
    name: &'static str,
    title: &'static str,
    arguments: &'static [(&'static str, &'static str)],
    text: &'static str,
}

const GAME: (&str, &str) = ("game", "cublino-pur, cublino-contra, cublino-ecke, mahbusa or wari");

const PROMPTS: [Prompt; 3] = [
    Prompt {
        name: "teach",
        title: "Teach me a game",
        arguments: &[GAME],
        text: "Teach me {game}. Call `rules` for it and explain the goal and the moves in your own words, \
            step by step, with boards from `look` and `play`. Then let me try moves and say what each one \
            did. Show me every board as the tool draws it.",
    },
    Prompt {
        name: "review",
        title: "Review my game",
        arguments: &[GAME, ("moves", "The moves in order, separated by blanks; in Mahbusa also the rolls")],
        text: "Review my game of {game}: {moves}. Call `analyse` with these moves and `state` \"{game}\". \
            Then explain the two or three mistakes that mattered: show the board before each, what was \
            better, and why. End with one thing to practise.",
    },
    Prompt {
        name: "play",
        title: "Play against me",
        arguments: &[GAME, ("level", "How well you play: 1, a beginner, to 8")],
        text: "Play {game} against me at level {level}. Call `rules` if I ask. I begin: show me the start \
            with `look`. For each of my moves call `play` with the last state, my move, and `reply` {level}, \
            which plays your answer. Show me the board and what happened, and ask for my move. If my move is \
            refused, tell me why and what I may play. Never change a state yourself.",
    },
];

/// The prompts as clients list them.
pub fn list() -> Value {
    let prompts = PROMPTS.iter().map(|Prompt { name, title, arguments, .. }| {
        let argument = |(name, about): &(_, _)| json!({"name": name, "description": about, "required": true});
        let arguments: Vec<_> = arguments.iter().map(argument).collect();
        json!({"name": name, "title": title, "description": title, "arguments": arguments})
    });
    prompts.collect()
}

/// What a model is told.
pub fn get(name: &str, arguments: Option<&RawValue>) -> Result<Value, Fault> {
    let unknown = || Fault::invalid_params("there is no such prompt; there are teach, review and play");
    let prompt = PROMPTS.iter().find(|prompt| prompt.name == name).ok_or_else(unknown)?;
    let given: HashMap<String, String> = match arguments {
        None => HashMap::new(),
        Some(arguments) => serde_json::from_str(arguments.get())
            .map_err(|_| Fault::invalid_params("'arguments' of a prompt is an object of texts"))?,
    };
    let mut text = prompt.text.to_owned();
    for (name, _) in prompt.arguments {
        let missing = || Fault::invalid_params(format!("the argument '{name}' is missing"));
        let value = given.get(*name).ok_or_else(missing)?;
        if *name == GAME.0 {
            value.parse::<GameId>().map_err(|unknown| Fault::invalid_params(unknown.to_string()))?;
        }
        text = text.replace(&format!("{{{name}}}"), value);
    }
    let content = json!({"type": "text", "text": text});
    Ok(json!({"description": prompt.title, "messages": [{"role": "user", "content": content}]}))
}
