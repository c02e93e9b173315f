//! The board in a conversation with a language model, in a small host of our own.

use cublino::games::GameId;
use serde_json::{Value, json};

use crate::{driver::Screen, page::Page};

/// What to click on next: a button that is not there to cancel, or a place.
const CLICKABLE: &str = "(() => {
    const button = document.querySelector('#buttons button');
    if (button && button.textContent !== 'Cancel') return '#buttons button';
    const hit = document.querySelector('.hit.open');
    if (hit) return `.hit[data-place=\"${hit.dataset.place}\"]`;
    return document.getElementById('preview').textContent.startsWith('I play') && 'told';
})()";

/// How many moves a person makes in each game.
const MOVES: usize = 3;

pub fn moves_are_clicked_and_handed_to_the_model() {
    let page = Page::open(Screen::DESK, "game=wari");
    let browser = &page.browser;
    let origin = browser.script("return location.origin").as_str().unwrap().to_owned();
    for game in GameId::ALL {
        browser.open(&format!("{origin}/healthz"));
        let first = json!({"name": "look", "arguments": {"state": game}});
        let host = include_str!("host.js");
        let failed =
            browser.asynchronous(&format!("(function () {{\n{host}\n}}).call(null, {first}, arguments[0])"));
        assert!(failed.is_null(), "{failed}");
        for i in 1..=MOVES {
            browser.enter(Some("iframe"));
            browser.wait("!document.getElementById('preview').textContent.startsWith('I play')");
            loop {
                let next = browser.wait(CLICKABLE);
                if next == "told" {
                    break;
                }
                browser.click(next.as_str().unwrap());
            }
            browser.enter(None);
            let message = browser.wait(&format!("window.messages.length === {i} && window.messages.at(-1)"));
            browser.screenshot(&format!("conversation-{game}-{i}"));
            let text = message["content"][0]["text"].as_str().unwrap();
            let said = text.strip_prefix("I play ").and_then(|text| text.strip_suffix('.')).unwrap();
            let (moves, state) = said.split_once(" in the state ").unwrap();
            let moves: Vec<_> = moves.split(' ').collect();
            // What a model does with it: the service plays the other side.
            let arguments = json!({"state": state, "moves": moves, "level": 1, "seed": i});
            let called = json!({"name": "play", "arguments": arguments});
            let told: Value = browser.asynchronous(&format!("window.tell({called}).then(arguments[0])"));
            assert!(told["isError"].is_null() && told["structuredContent"].is_object(), "{told}");
        }
    }
    // The browser looks for an icon of the host, which has none.
    let is_icon = |entry: &Value| entry["message"].as_str().unwrap().contains("/favicon.ico ");
    for entry in browser.log("browser").iter().filter(|entry| !is_icon(entry)) {
        assert_ne!(entry["level"], "SEVERE", "{entry}");
    }
    page.is_clean();
}
