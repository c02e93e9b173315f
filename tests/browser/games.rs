//! Whole games, move by move.

use cublino::games::GameId;
use serde_json::Value;

use crate::{driver::Screen, page::Page};

/// Plays a game by clicks against level 1, and looks at how it ends, is taken back, and is opened elsewhere.
pub fn a_whole_game(game: GameId, seed: u64) {
    let page = Page::open(Screen::DESK, &format!("game={game}&players=p.1"));
    page.browser.screenshot(&format!("{game}-start"));
    let clicks = page.play_to_the_end(seed);
    let (status, moves, link) = (page.browser.text("#status"), page.moves(), page.fragment());
    assert!(status.contains("wins") || status.contains("Draw"), "{status}");
    assert!(moves.len() > 5 && clicks > 5, "{moves:?}");
    page.browser.screenshot(&format!("{game}-end"));

    // The link is the whole game.
    page.go(&link);
    assert_eq!((page.browser.text("#status"), page.moves()), (status.clone(), moves.clone()));

    // Back to before the last moves, and forth again; quick steps add up.
    page.browser.script("for (let i = 0; i < 3; i += 1) document.getElementById('previous').click()");
    page.browser.wait("!document.getElementById('next').disabled");
    assert_ne!(page.browser.text("#status"), status);
    assert!(page.fragment().contains(&format!("at={}", moves.len() - 3)), "{}", page.fragment());
    page.browser.script("for (let i = 0; i < 3; i += 1) document.getElementById('next').click()");
    page.browser.wait("document.getElementById('next').disabled");
    assert_eq!(page.browser.text("#status"), status);

    // In the middle it looks like a game, too.
    page.go(&format!("{link}&at={}", moves.len() / 2));
    assert!(page.browser.text("#todo").starts_with("After ply "), "{}", page.browser.text("#todo"));
    page.browser.screenshot(&format!("{game}-middle"));
    page.is_clean();
}

pub fn two_levels_play_each_other_and_can_be_stopped() {
    let page = Page::open(Screen::DESK, "game=cublino-contra&players=1.1");
    page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length > 2");
    page.browser.click("#pause");
    page.browser.wait("!document.getElementById('continue').hidden");
    let moves = page.moves().len();
    page.browser.click("#continue");
    page.browser.wait(&format!("document.querySelectorAll('#sheet [data-ply]').length > {}", moves + 1));
    page.is_clean();
}

/// `just pictures` puts them where they belong.
pub fn pictures_of_the_page_are_made_for_the_documents() {
    let readme = Screen { width: 1_200, height: 720, ..Screen::DESK };
    let page = Page::open(readme, "game=cublino-contra&players=p.2&moves=e1e2.e7e6.e2e3.e6e5.a1a2.a7a6");
    page.pick("e3");
    page.browser.wait("document.querySelectorAll('.ghost.offered').length === 3");
    assert_eq!(page.browser.script("return document.querySelector('.hit.cursor')"), Value::Null);
    page.browser.screenshot("readme");
    let page = Page::open(Screen { width: 800, height: 420, ..Screen::DESK }, "game=wari");
    page.visit("");
    page.browser.wait("document.querySelectorAll('.show .piece').length > 30");
    page.browser.script(
        "document.querySelector('fieldset').hidden = true;
         document.querySelector('main').style.cssText = 'height: 420px; overflow: hidden; padding-bottom: 0'",
    );
    page.browser.screenshot("share");
    page.is_clean();
}
