//! What axe-core finds on the page.

use std::{fs, path::Path};

use crate::{driver::Screen, page::Page};

/// Where `.ci/run` has put it.
const AXE: &str = "target/ci/node/node_modules/axe-core/axe.min.js";

/// The script, if it is there.
fn axe() -> Option<String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(AXE)).ok()
}

/// A script that the test needs and that is not here.
pub fn missing() -> Option<&'static str> {
    axe().is_none().then_some("axe-core")
}

/// What axe-core has against the page as it is.
fn violations(page: &Page) -> serde_json::Value {
    page.browser.asynchronous(
        "const done = arguments[0];
         const messages = any => any.map(({message}) => message);
         const elements = nodes => nodes.map(({html, any}) => html + ' ' + messages(any)).join('; ');
         axe.run().then(({violations}) =>
           done(violations.map(({id, nodes}) => id + ': ' + elements(nodes))))",
    )
}

/// Nine positions, six tabs, light on a desk and dark on a phone.
pub fn axe_finds_no_violation_in_a_hundred_states() {
    let axe = axe().unwrap();
    for screen in [Screen::DESK, Screen::PHONE.dark()] {
        let page = Page::open(screen, "game=cublino-pur");
        for link in [
            "game=cublino-pur&players=p.p&moves=e1e2.b7b6&at=1",
            "game=cublino-contra&players=p.3&start=cWa1vd2vf6&moves=d2d1",
            "game=cublino-ecke&players=p.3",
            "game=cublino-ecke&learn=2",
            "game=mahbusa&players=p.3",
            "game=mahbusa&players=p.p&moves=63",
            "game=wari&players=p.p&moves=5&resigned=one",
            "game=wari&learn=3",
            "game=cublino-contra&puzzle=3",
        ] {
            page.go(link);
            page.browser.script(&axe);
            for tab in ["moves", "analysis", "learn", "puzzle", "share", "more"] {
                page.tab(tab);
                page.browser
                    .script("for (const part of document.querySelectorAll('details')) part.open = true");
                if tab == "analysis" {
                    page.browser.script("document.getElementById('nodes').value = '2000'");
                    page.browser.click("#analyse");
                    page.browser.wait("!document.getElementById('analyse').textContent.startsWith('Stop')");
                }
                assert_eq!(violations(&page), serde_json::json!([]), "{link} {tab} {screen:?}");
            }
        }
        page.go("game=wari&players=p.p");
        page.browser.script(&axe);
        page.browser.click("#new-game");
        page.browser.wait("document.querySelectorAll('#games img').length === 5");
        assert_eq!(violations(&page), serde_json::json!([]), "the choice of a game {screen:?}");
        page.browser.screenshot(if screen.dark { "choose-phone-dark" } else { "choose" });
    }
}

pub fn axe_finds_no_violation_on_the_start_page_and_in_the_documentation() {
    let axe = axe().unwrap();
    for screen in [Screen::DESK, Screen::PHONE.dark()] {
        let page = Page::open(screen, "game=wari");
        page.visit("");
        page.browser.wait("document.querySelector('.show svg')");
        page.browser.script(&axe);
        assert_eq!(violations(&page), serde_json::json!([]), "the start page {screen:?}");
        page.visit("/docs/");
        page.browser.wait("document.querySelectorAll('.opblock').length > 10");
        page.browser.script(&axe);
        assert_eq!(violations(&page), serde_json::json!([]), "the documentation {screen:?}");
        page.browser.script("document.querySelector('.opblock-summary-control').click()");
        page.browser.wait("document.querySelector('.opblock .execute')");
        assert_eq!(violations(&page), serde_json::json!([]), "an operation {screen:?}");
    }
}
