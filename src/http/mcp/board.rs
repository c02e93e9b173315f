//! The board in the conversation, as the extension MCP Apps describes it: an HTML document that shows the
//! position of an answer, and on which people move. Hosts allow it no requests and no external scripts, so it
//! contains all that it needs, and calls the tools through its host.

use serde_json::json;

use crate::{
    api::{games, to_json},
    game::Notation as _,
    games::GameId,
    render::View,
    with_game,
};

pub const URI: &str = "ui://cublino/board";

/// Its modules, all but its own shared with the page `/play/`, each after those that it imports.
const MODULES: [(&str, &str); 9] = [
    ("dom", include_str!("../play/dom.js")),
    ("page", include_str!("../play/page.js")),
    ("words", include_str!("../play/words.js")),
    ("picker", include_str!("../play/picker.js")),
    ("dice", include_str!("../play/dice.js")),
    ("board", include_str!("../play/board.js")),
    ("cublino", include_str!("../play/cublino.js")),
    ("mahbusa", include_str!("../play/mahbusa.js")),
    ("wari", include_str!("../play/wari.js")),
];

/// The HTML document.
pub fn document() -> String {
    let games = GameId::ALL.iter().map(|&id| {
        let board = with_game!(id, G => G::default().picture(&View { header: false, ..View::default() }));
        json!({"info": games::details(id), "board": board})
    });
    // A `<` in the JSON must not end the script.
    let games = to_json(&games.collect::<Vec<_>>()).replace('<', "\\u003c");
    let modules: String = MODULES.iter().map(|(name, source)| module(name, source)).collect();
    include_str!("board.html")
        .replace("{style}", include_str!("../play/style.css"))
        .replace("{games}", &games)
        .replace("{modules}", &(modules + &module("main", include_str!("board.js"))))
}

/// A module as a part of one script: a function that returns what the module exports.
fn module(name: &str, source: &str) -> String {
    let (mut body, mut exports) = (String::new(), String::new());
    for line in source.lines() {
        let exported = line.strip_prefix("export ");
        let words = exported.into_iter().flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
        let is_name = |word: &&str| !["async", "class", "const", "function"].contains(word);
        exports.extend(words.filter(is_name).take(1).flat_map(|name| [name, ", "]));
        let imported = line.strip_prefix("import ").and_then(|line| line.split_once(" from "));
        body += &imported.map_or_else(
            || format!("{}\n", exported.unwrap_or(line)),
            |(names, from)| {
                let (names, from) = (names.trim_start_matches("* as "), from.trim_end_matches(';'));
                format!("const {names} = modules[{from}];\n")
            },
        );
    }
    format!("modules[\"./{name}.js\"] = (() => {{\n{body}return {{ {exports} }};\n}})();\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_knows_the_family_of_every_game() {
        let (_, families) = include_str!("board.js").split_once("const FAMILIES = {").unwrap();
        let (families, _) = families.split_once("\n};").unwrap();
        for game in GameId::ALL {
            let family = game.about().id.split('-').next().unwrap();
            assert!(families.contains(&format!("\n  {family}: ")), "{family} is missing in `FAMILIES`");
            assert!(MODULES.iter().any(|(name, _)| *name == family), "{family} is missing in `MODULES`");
        }
    }
}
