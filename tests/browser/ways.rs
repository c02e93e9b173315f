//! The ways to do something on the page.

use std::collections::HashSet;

use cublino::{config::Config, games::GameId};
use serde_json::json;

use crate::{
    driver::Screen,
    page::{Page, hit},
};

/// Keys of the protocol.
const UP: char = '\u{e013}';
const DOWN: char = '\u{e015}';
const ENTER: char = '\u{e007}';
const ESCAPE: char = '\u{e00c}';

/// Four plies of Contra, after which a die can be lost.
const CONTRA: &str = "game=cublino-contra&players=p.p&moves=e1e2.e7e6.e2e3.e6e5";

pub fn a_turn_is_one_request_and_its_answer_another() {
    let page = Page::open(Screen::DESK, "game=cublino-contra&players=p.3");
    page.is_clean();
    page.pick("e1");
    page.pick("e2");
    page.has_played(2);
    assert_eq!(page.asked(), ["POST apply", "POST suggestion", "POST apply"]);
}

pub fn what_a_move_does_is_shown_before_it_is_made() {
    let page = Page::open(Screen::DESK, CONTRA);
    page.pick("e3");
    page.browser.script(
        "document.querySelector('.hit[data-place=\"e4\"]').dispatchEvent(new PointerEvent('pointerenter', \
         {pointerType: 'mouse'}))",
    );
    let preview = page
        .browser
        .wait("document.querySelector('.mark.taken') && document.getElementById('preview').textContent");
    assert_eq!(preview, "e3e4: 4 up; e4 fights e5, 4 to 1: Black loses");
    // The die as it will lie, with all its faces.
    let faces = page.browser.script(
        "return [...document.querySelectorAll('.ghost.still text')].map((text) => text.textContent).join()",
    );
    assert_eq!(faces.as_str().unwrap().split(',').count(), 4, "{faces}");
    page.browser.screenshot("ghost");
    assert_eq!(page.moves().len(), 4, "nothing has been played");
    page.is_clean();
}

pub fn a_piece_is_dragged_and_what_is_not_legal_cannot_be_picked() {
    let page = Page::open(Screen::DESK, "game=cublino-pur&players=p.p");
    page.browser.drag(&hit("e1"), &hit("e2"), "mouse");
    // It might jump on from there.
    page.browser
        .wait("!document.getElementById('play').hidden || document.querySelector('#sheet [data-ply]')");
    if page.moves().is_empty() {
        page.browser.click("#play");
        page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length > 0");
    }
    assert_eq!(page.moves(), ["e1e2"]);
    page.waits();
    // A click on something impossible says why, in the words of the service.
    page.pick("a1");
    page.browser
        .wait("document.getElementById('preview').textContent.includes(\"White's, and Black is to move\")");
    page.browser.drag(&hit("e7"), &hit("e4"), "mouse");
    page.browser.wait("document.getElementById('preview').textContent.includes('not a step')");
    assert_eq!(page.moves(), ["e1e2"]);
    page.is_clean();
}

pub fn a_chain_is_built_step_by_step() {
    let link = "game=cublino-pur&players=p.p&moves=e1e2.b7b6";
    let page = Page::open(Screen::DESK, link);
    let picked = || page.browser.script("return document.querySelectorAll('.mark.from').length");
    for square in ["d1", "e1"] {
        page.pick(square);
        assert_eq!(picked(), 1, "{square}");
    }
    let play = page.browser.script("return document.getElementById('play').getAttribute('aria-label')");
    assert_eq!(play, "Play d1e1", "the tip alone is a move, too");
    page.browser.press(&[ESCAPE]);
    assert_eq!(picked(), 0);
    page.pick("d1");
    page.pick("e1");
    page.pick("e3");
    // It ends there: nothing can be jumped from e3.
    page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length === 3");
    assert_eq!(page.moves()[2], "d1e1e3");
    // A chain is dragged on, too, step by step.
    page.go(link);
    page.browser.drag(&hit("d1"), &hit("e1"), "mouse");
    page.browser.wait("!document.getElementById('play').hidden");
    page.browser.drag(&hit("e1"), &hit("e3"), "mouse");
    page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length === 3");
    assert_eq!(page.moves()[2], "d1e1e3");
    page.is_clean();
}

pub fn a_game_is_played_with_the_keyboard_alone() {
    let page = Page::open(Screen::DESK, "game=cublino-contra&players=p.1");
    page.browser.script("document.getElementById('board').focus()");
    // It begins at a die of the player, which goes north.
    page.browser.press(&[UP, DOWN]);
    let said = page.browser.text("#live");
    assert!(said.starts_with("a1, White's die, 6 up, can be picked"), "{said}");
    page.browser.press(&[ENTER, UP, ENTER]);
    page.has_played(2);
    assert_eq!(page.moves()[0], "a1a2");
    let said = page.browser.text("#live");
    assert!(said.contains("Black plays") && said.contains("White to move"), "{said}");
    // The list of moves is another way.
    page.browser.script("document.getElementById('legal-part').open = true");
    page.browser.script("document.querySelector('#legal button').focus()");
    page.browser.press(&[ENTER]);
    page.has_played(4);
    // It has the focus again, so that the next move is one key away.
    let focus = "document.getElementById('legal').contains(document.activeElement)";
    page.browser.wait(focus);
    page.browser.press(&[ENTER]);
    page.has_played(6);
    page.is_clean();
}

/// Leads the cursor of the board to a place by arrow keys, and picks it.
fn pick_by_keys(page: &Page, place: &str) {
    const LEFT: char = '\u{e012}';
    const RIGHT: char = '\u{e014}';
    for _ in 0..20 {
        let way = page.browser.script(&format!(
            "const at = (css) => document.querySelector(css).getBoundingClientRect();
             const [from, to] = [at('.hit.cursor'), at('{}')];
             const [x, y] = [to.x - from.x, to.y - from.y].map(Math.round);
             if (Math.abs(x) + Math.abs(y) < 2) return 'there';
             if (Math.abs(x) > Math.abs(y)) return x > 0 ? 'right' : 'left';
             return y > 0 ? 'down' : 'up';",
            hit(place)
        ));
        let key = match way.as_str().unwrap() {
            "left" => LEFT,
            "right" => RIGHT,
            "up" => UP,
            "down" => DOWN,
            _ => break,
        };
        page.browser.press(&[key]);
    }
    page.browser.press(&[ENTER]);
}

pub fn a_whole_game_is_played_with_the_keyboard_alone() {
    const TAB: char = '\u{e004}';
    let page = Page::open(Screen::DESK, "");
    page.browser.wait("document.getElementById('choose').open");
    // The game that runs most directly to its end is the second one.
    let chosen = || page.browser.script("return document.querySelector('#games input:checked').value");
    while page.browser.script("return document.activeElement.name") != "game" {
        page.browser.press(&[TAB]);
    }
    while chosen() != "cublino-contra" {
        page.browser.press(&[DOWN]);
    }
    page.browser.press(&[ENTER]);
    page.browser.wait("location.hash.includes('cublino-contra') && document.body.dataset.waits === 'move'");
    while page.browser.script("return document.activeElement.id") != "board" {
        page.browser.press(&[TAB]);
    }
    for _ in 0..60 {
        if page.waits() == "over" {
            break;
        }
        // The open place that is nearest to the goal, first of the dice and then of the squares.
        for _ in 0..2 {
            let place = page.browser.script(
                "const hits = [...document.querySelectorAll('.hit.open')];
                 hits.sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y);
                 return hits[0].dataset.place",
            );
            pick_by_keys(&page, place.as_str().unwrap());
        }
        page.browser.wait("!document.querySelector('.mark.from') && document.body.dataset.waits");
    }
    assert_eq!(page.waits(), "over", "{}", page.fragment());
    page.is_clean();
}

pub fn at_the_first_visit_a_game_is_chosen() {
    for screen in [Screen::DESK, Screen::PHONE] {
        let page = Page::open(screen, "");
        page.browser.wait("document.getElementById('choose').open");
        page.browser.wait("document.getElementById('player-two').value === '1'");
        // The names of levels are not cut.
        let is_cut = page.browser.script(
            "const select = document.getElementById('player-two');
             const pen = document.createElement('canvas').getContext('2d');
             pen.font = getComputedStyle(select).font;
             const widths = [...select.options].map(({ text }) => pen.measureText(text).width);
             return Math.max(...widths) > select.clientWidth - 36",
        );
        assert_eq!(is_cut, false, "{screen:?}");
        page.browser.wait("document.querySelectorAll('#games img').length === 5");
        page.is_ready();
        let is_of_service = |(_, url): &(String, String)| url.starts_with("http");
        let urls: HashSet<_> = page.requests().into_iter().filter(is_of_service).collect();
        assert!(urls.len() <= 30, "{} requests: {urls:?}", urls.len());
        page.browser.click("#new button.main");
        page.browser.wait("!document.getElementById('choose').open && document.body.dataset.waits");
        assert!(page.browser.text("#status").starts_with("Your turn"), "{screen:?}");
        page.is_clean();
    }
}

pub fn what_counts_and_is_still_possible_stands_beside_the_moves() {
    let page = Page::open(Screen::DESK, "game=wari");
    let rows = || {
        let script = "return [...document.querySelectorAll('#facts tr')].slice(1).map(
             (row) => [...row.children].map((cell) => cell.textContent).join(' | '))";
        serde_json::from_value::<Vec<String>>(page.browser.script(script)).unwrap()
    };
    for (link, expected) in [
        (
            "game=cublino-pur&start=PWa1Wb1Wg1vb3vd3vf3va5vb5vf5vg5Ic6De6Ta7Og7&players=p.p",
            "Pips on the far rank | 9 | 0; Dice still to come | 5 | 7; \
             Most pips possible | 39 | 42",
        ),
        (
            "game=cublino-contra&start=CWd2Mc4vd4va7&players=p.p",
            "Dice | 2 | 2; Ranks to go, nearest die | 3 | 3",
        ),
        (
            "game=cublino-ecke&start=EWd1vc5vd5Og6Oa7vf7&players=p.p",
            "Dice | 3 | 3; Corners held, of two | 1 | 0; Ranks to go, nearest die | 0 | 4",
        ),
        (
            "game=mahbusa&start=M52-n16Ap5N&players=p.p",
            "Checkers borne off, of 15 | 0 | 0; Pips to go | 354 | 343; \
             Checkers not yet home | 15 | 15; Pinned | 0 | 1",
        ),
        (
            "game=wari&start=W-2-3-0-0-1-4-0-0-0-0-0-0-20-18&players=p.p",
            "Prisoners | 20 | 18; Still needed of 25 | 5 | 7; Marbles in own cups | 10 | 0",
        ),
        (
            "game=wari&start=W-0-0-0-0-0-1-0-1-1-0-0-0-21-24&players=p.p",
            "Prisoners | 21 | 24; Still needed of 25 | out of reach | 1; Marbles in own cups | 1 | 2",
        ),
    ] {
        page.go(link);
        assert_eq!(rows().join("; "), expected, "{link}");
    }
    page.is_clean();
}

pub fn a_phone_shows_the_page_without_scrolling_sideways_and_is_tapped() {
    let page = Page::open(Screen::PHONE.dark(), "game=wari&players=p.p");
    for game in ["wari", "mahbusa", "cublino-pur", "cublino-ecke"] {
        page.go(&format!("game={game}&players=p.p"));
        let wide = page.browser.script("return document.documentElement.scrollWidth");
        assert!(wide.as_u64().unwrap() <= 360, "{game}: {wide}");
        page.browser.screenshot(&format!("{game}-phone-dark"));
    }
    // A finger drags, too, and the page stays where it is.
    page.browser.drag(&hit("e1"), &hit("e2"), "touch");
    page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length === 1");
    assert_eq!(page.moves(), ["e1e2"]);
    assert_eq!(page.browser.script("return scrollY"), 0);
    page.go("game=wari&players=p.p");
    // The first tap shows what the move does.
    page.browser.drag(&hit("5"), &hit("5"), "touch");
    let preview = page.browser.wait("document.getElementById('preview').textContent");
    assert!(preview.as_str().unwrap().contains("cup 9"), "{preview}");
    assert!(page.moves().is_empty());
    page.browser.drag(&hit("5"), &hit("5"), "touch");
    page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length === 1");
    assert_eq!(page.moves(), ["5"]);
    page.is_clean();
}

pub fn the_board_fills_the_screen_and_nothing_shifts() {
    const SHIFT: &str = "const done = arguments[0]; let sum = 0;
        new PerformanceObserver((list) => {
          for (const { hadRecentInput, value } of list.getEntries()) sum += hadRecentInput ? 0 : value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => done(sum), 300);";
    let lying = Screen { width: 740, height: 360, ..Screen::PHONE };
    for screen in [Screen::DESK, Screen::PHONE, lying] {
        let page = Page::open(screen, "game=cublino-pur&players=p.p&moves=e1e2");
        for link in [
            "game=cublino-pur&players=p.p&moves=e1e2",
            "game=wari&players=p.p&moves=5",
            "game=mahbusa&learn=1",
        ] {
            page.go(link);
            let shift = page.browser.asynchronous(SHIFT).as_f64().unwrap();
            assert!(shift < 0.02, "{link} {screen:?}: {shift}");
        }
        page.go("game=cublino-pur&players=p.p&moves=e1e2");
        // The board takes the width of a phone and the height of a desk, and the moves are in sight.
        let part = page.browser.script(
            "const box = (css) => document.querySelector(css).getBoundingClientRect();
             const wood = box('.picture .wood');
             const isSeen = box('#sheet button').bottom <= innerHeight;
             return [wood.width / innerWidth, wood.height / innerHeight, isSeen]",
        );
        let [width, height] = [0, 1].map(|index| part[index].as_f64().unwrap());
        let is_upright = screen.height > screen.width;
        assert!(if is_upright { width > 0.9 } else { height > 0.8 }, "{screen:?}: {part}");
        assert_eq!(part[2], true, "the moves are in sight: {screen:?}");
        for link in ["game=mahbusa&players=p.p&moves=63", "game=cublino-pur&puzzle=7"] {
            page.go(link);
            let small = page.browser.script(
                "return [...document.querySelectorAll('button, a, summary, .hit')].filter((target) => {
                   const { width, height } = target.getBoundingClientRect();
                   return width > 0 && (width < 24 || height < 24);
                 }).map((target) => target.outerHTML)",
            );
            assert_eq!(small, json!([]), "{link} {screen:?}");
        }
        // Wari stands upright on a phone.
        page.go("game=wari&players=p.p");
        let stands = page.browser.script(
            "const x = (cup) => document.querySelector(`.hit[data-place='${cup}']`).getBoundingClientRect().x;
             return Math.abs(x(1) - x(6)) < 1",
        );
        assert_eq!(stands, is_upright, "{screen:?}");
        page.is_clean();
    }
}

pub fn dice_tip_and_marbles_are_sown_where_motion_is_wanted() {
    let moving = Screen { still: false, ..Screen::DESK };
    for (game, from, to) in [("cublino-contra", "e1", Some("e2")), ("wari", "3", None)] {
        let page = Page::open(moving, &format!("game={game}&players=p.p"));
        page.browser.script(
            "window.moved = 0; new MutationObserver(() => { window.moved += 1; }).observe(\
             document.querySelector('.layer-moving'), {subtree: true, attributes: true, childList: true})",
        );
        page.pick(from);
        if let Some(to) = to {
            page.pick(to);
        }
        page.has_played(1);
        let moved = page.browser.script("return window.moved");
        // Once without motion; how many pictures a second there are is a matter of the machine.
        assert!(moved.as_u64().unwrap() > 2, "{game}: {moved} changes");
        page.is_clean();
    }
}

/// Analyses the game that is shown.
fn analyse(page: &Page) {
    page.tab("analysis");
    page.browser.script("document.getElementById('nodes').value = '2000'");
    page.browser.click("#analyse");
    page.browser.wait("document.getElementById('analyse').textContent === 'Analyse again'");
}

pub fn a_finished_game_is_analysed() {
    let link = format!("{}&resigned=two", CONTRA.replace("e6e5", "e6e5.a1a2.a7a6"));
    let page = Page::open(Screen::DESK, &link);
    assert!(page.browser.text("#status").contains("White wins: Black resigned"));
    analyse(&page);
    let points = page.browser.script("return document.querySelector('.curve-line').points.length");
    assert_eq!(points, 7, "the start and six plies");
    assert!(page.browser.text("#analysis-progress").starts_with("Accuracy, of 100: White"));
    // A ply is told in words, and its best line can be clicked through.
    page.browser.script("document.querySelector('#sheet [data-ply=\"3\"]').click()");
    page.browser.wait("document.getElementById('analysis-ply').textContent.includes('White played e2e3')");
    page.browser.click("#analysis-ply .line button");
    page.browser.wait("document.querySelector('.pointer-best')");
    page.browser.screenshot("analysis");
    page.browser.click("#cancel");
    page.browser.wait("!document.querySelector('.pointer-best')");
    page.is_clean();
}

pub fn mistakes_are_stepped_through_and_done_better() {
    let link = "game=cublino-contra&players=p.p&moves=e1e2.e7e6.e2e3.e6e5.a1a2.a7a6&resigned=two";
    let page = Page::open(Screen::DESK, link);
    page.browser.script("document.getElementById('nodes').value = '2000'");
    page.browser.click("#analyse-now");
    page.browser.wait("document.getElementById('analyse').textContent === 'Analyse again'");
    page.browser.click("#mistake-next");
    // What was played and what was best, in the position where it was played, with the reason in words.
    page.browser.wait("document.querySelector('.pointer-played') && document.querySelector('.pointer-best')");
    let said = page.browser.text("#analysis-ply");
    assert!(said.contains("of the winning chances") && said.contains("White wins"), "{said}");
    let played =
        page.browser.script("return document.querySelector('#analysis-ply p').textContent.split(' ')[2]");
    let played = played.as_str().unwrap().trim_end_matches(',').to_owned();
    page.browser.click("#mistake-learn");
    page.browser.wait("document.getElementById('preview').textContent.endsWith('Find a better move.')");
    page.pick(&played[..2]);
    page.pick(&played[2..]);
    page.browser.wait("document.getElementById('preview').textContent.endsWith('Try again.')");
    assert_eq!(page.moves().len(), 6, "the game stays as it was");
    page.browser.click("#cancel");
    page.browser.wait("document.getElementById('cancel').hidden");
    page.is_clean();
}

pub fn the_page_says_so_when_the_service_is_away_and_opens_without_it() {
    let page = Page::open(Screen::DESK, "game=wari&players=p.p");
    let kept = page.browser.asynchronous(
        "const done = arguments[0];
         const { ready } = navigator.serviceWorker;
         ready.then(() => caches.match('./')).then((kept) => done(Boolean(kept)), done)",
    );
    assert_eq!(kept, true);
    page.browser.devtools("Network.enable", &json!({}));
    let away = json!({"offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0});
    page.browser.devtools("Network.emulateNetworkConditions", &away);
    page.browser.click("#hint");
    page.browser
        .wait("document.getElementById('preview').textContent.startsWith('The service does not answer')");
}

pub fn a_list_of_moves_is_loaded_or_refused_with_its_reason() {
    let page = Page::open(Screen::DESK, "game=cublino-pur&players=p.p");
    let load = |text: &str| {
        page.tab("share");
        page.browser.script(&format!("document.getElementById('pasted').value = {text:?}"));
        page.browser.click("#paste button");
    };
    load("e1e2, a7c7");
    let problem = page.browser.wait("document.getElementById('paste-problem').textContent");
    assert!(problem.as_str().unwrap().starts_with("Move 2: the square behind b7"), "{problem}");
    // The browser notes the status of the refusal, as it should.
    assert_eq!(page.browser.log("browser").len(), 1);
    load("1. e1e2 b7b6\n2.d1e1e3");
    page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length === 3");
    assert_eq!(page.moves(), ["e1e2", "b7b6", "d1e1e3"]);
    page.is_clean();
}

pub fn a_game_can_be_taken_away() {
    let page = Page::open(Screen::DESK, CONTRA);
    page.tab("share");
    let shared = |button: &str| {
        page.browser.click(button);
        page.browser.wait("document.getElementById('shared').value").as_str().unwrap().to_owned()
    };
    assert!(shared("#copy-state").starts_with('C'));
    assert_eq!(shared("#copy-moves"), "e1e2 e7e6 e2e3 e6e5");
    assert!(shared("#copy-link").ends_with(&page.fragment()));
    page.asked();
    page.browser.click("#download");
    page.browser
        .wait("performance.getEntriesByType('resource').some(({name}) => name.includes('last=e6e5'))");
    assert_eq!(page.asked(), ["GET board.svg"]);
    page.is_clean();
}

pub fn advice_is_given_on_request_and_hint_and_evaluation_bar_say_the_same() {
    let page = Page::open(Screen::DESK, CONTRA);
    page.tab("more");
    page.browser.click("#show-evaluation");
    let bar = page.browser.wait("document.getElementById('evaluation').title");
    let bar = bar.as_str().unwrap();
    assert!(bar.starts_with("Evaluation: White wins"), "{bar}");
    page.browser.click("#hint");
    page.browser.wait("document.querySelector('.pointer-hint')");
    let hint = page.browser.text("#preview");
    assert!(hint.contains(bar.trim_start_matches("Evaluation: ")), "{bar}: {hint}");
    page.browser.click("#threats");
    page.browser.wait("document.getElementById('preview').textContent.startsWith('Black threatens')");
    page.browser.click("#flip");
    page.browser.wait("location.hash.includes('flip=1')");
    page.is_clean();
}

pub fn a_coach_says_what_is_wrong_with_a_move() {
    let page = Page::open(Screen::DESK, &CONTRA.replace("p.p", "p.1"));
    page.tab("more");
    page.browser.click("#coach");
    page.tab("moves");
    page.pick("a1");
    page.pick("a2");
    let said = page.browser.wait("document.getElementById('coach-words').textContent");
    assert!(said.as_str().unwrap().starts_with("Coach: a1a2 is a"), "{said}");
    page.has_played(6);
    page.is_clean();
}

pub fn a_position_is_set_up_with_the_reasons_of_the_rules() {
    let page = Page::open(Screen::DESK, "game=cublino-contra&players=p.p");
    page.tab("more");
    page.browser.script("document.getElementById('setup-part').open = true");
    page.browser.wait("!document.getElementById('setup-start').disabled");
    page.browser.click("#setup-clear");
    page.browser.wait("document.getElementById('setup-state').value === 'C'");
    page.pick("d6");
    page.browser.wait("document.getElementById('setup-state').value === 'CWd6'");
    page.pick("e7");
    page.browser.script("document.querySelector('#setup-tools input[value=two]').click()");
    page.pick("a1");
    // Both have a die on their far rank.
    page.browser.wait("document.querySelector('#setup-problems li:not(.good)')");
    assert_eq!(page.browser.script("return document.getElementById('setup-start').disabled"), true);
    page.browser.script("document.querySelector('#setup-tools input[value=remove]').click()");
    page.pick("e7");
    page.pick("a1");
    page.browser.wait("!document.getElementById('setup-start').disabled");
    page.browser.click("#setup-start");
    page.browser.wait("location.hash.includes('start=CWd6')");
    page.is_clean();
}

/// Clicks on Undo in the toast, and waits for the game as it was.
fn undo(page: &Page, fragment: &str) {
    page.browser.wait("!document.getElementById('toast').hidden");
    page.browser.click("#toast-action");
    page.browser.wait(&format!("location.hash === '#{fragment}' && document.body.dataset.waits"));
}

pub fn every_destructive_action_is_undone() {
    let page = Page::open(Screen::DESK, "game=wari&players=p.1");
    page.pick("5");
    page.has_played(2);
    let game = page.fragment();
    // Taking back leads to where the person last decided.
    page.browser.click("#take-back");
    page.browser.wait("location.hash === '#game=wari&players=p.1'");
    undo(&page, &game);
    // Giving up asks first.
    page.browser.click("#resign");
    page.browser.click("#toast-close");
    assert_eq!(page.fragment(), game);
    page.browser.click("#resign");
    page.browser.click("#toast-action");
    page.browser.wait("document.getElementById('status').textContent.startsWith('B wins: You resigned')");
    undo(&page, &game);
    page.tab("more");
    page.browser.click("#restart");
    page.browser.wait("location.hash === '#game=wari&players=p.1'");
    undo(&page, &game);
    page.browser.click("#new-game");
    page.browser.wait("document.getElementById('choose').open");
    page.browser.script("document.querySelector('#games [value=mahbusa]').click()");
    page.browser.click("#new button.main");
    page.browser.wait("location.hash.startsWith('#game=mahbusa') && document.body.dataset.waits === 'roll'");
    undo(&page, &game);
    // Playing on from the past begins another line.
    page.tab("moves");
    page.browser.click("#first");
    page.browser.wait("location.hash.includes('at=0')");
    page.pick("1");
    page.browser.wait("location.hash.includes('moves=1') && !document.getElementById('toast').hidden");
    page.browser.click("#toast-action");
    page.browser.wait("location.hash.includes('moves=5.')");
    // The Back button is a way, too; and so is the list of recent games, which can be erased.
    page.browser.click("#new-game");
    page.browser.wait("document.querySelectorAll('#recent li').length > 0");
    page.browser.click("#recent-erase");
    assert_eq!(page.browser.script("return localStorage.getItem('cublino-recent')"), "[]");
    page.browser.wait("!document.getElementById('toast').hidden");
    page.browser.click("#toast-action");
    assert_ne!(page.browser.script("return localStorage.getItem('cublino-recent')"), "[]");
    page.is_clean();
}

pub fn a_game_is_lost_and_rematched() {
    let link = "game=cublino-contra&players=p.3&start=cWa1vd2vf6&moves=d2d1";
    let page = Page::open(Screen::DESK, link);
    let end = || page.browser.wait("!document.getElementById('end').hidden");
    // The end card goes with the game, so that the next wait for one does not see that of the game before.
    let new_game = |players: &str| {
        page.browser.wait(&format!(
            "document.getElementById('end').hidden && location.hash.includes('players={players}')"
        ));
    };
    end();
    page.browser.screenshot("end-card");
    assert_eq!(page.browser.text("#end-title"), "Black wins");
    assert!(page.browser.text("#end-reason").contains("Far rank reached"));
    page.browser.click("#next-level");
    new_game("p.4");
    page.browser.script("history.back()");
    end();
    page.browser.click("#swap");
    new_game("3.p");
    page.browser.script("history.back()");
    end();
    page.browser.click("#rematch");
    new_game("p.3");
    page.is_clean();
}

pub fn who_plays_black_sees_the_board_from_that_side() {
    let page = Page::open(Screen::DESK, "game=cublino-contra&players=1.p");
    page.has_played(1);
    let is_below =
        "const y = (place) => document.querySelector(`.hit[data-place=${place}]`).getBoundingClientRect().y;
                    return y('a7') > y('a1');";
    assert_eq!(page.browser.script(is_below), true);
    assert!(page.browser.text("#bar-near").starts_with("Black (you)"));
    page.pick("e7");
    page.pick("e6");
    page.has_played(3);
    page.is_clean();
}

pub fn a_round_of_mahbusa_is_four_requests() {
    let page = Page::open(Screen::DESK, "game=mahbusa&players=p.3");
    page.asked();
    page.browser.click("#roll");
    page.browser.wait("document.body.dataset.waits === 'move'");
    for _ in 0..8 {
        let open = page
            .browser
            .script("const hit = document.querySelector('.hit.open'); return hit && hit.dataset.place");
        let Some(open) = open.as_str().map(str::to_owned) else { break };
        page.pick(&open);
        if page.moves().len() > 1 {
            break;
        }
    }
    page.has_played(4);
    assert_eq!(page.asked(), ["POST legal-moves", "POST apply", "POST suggestion", "POST apply"]);
    page.is_clean();
}

/// The first steps of a lesson: the places to click, and whether the move can go on and is to be ended.
const fn lesson(game: GameId) -> &'static [&'static [&'static str]] {
    match game {
        GameId::CublinoPur => &[&["e1", "e2"], &["d3", "e3"], &["d1", "d3"]],
        GameId::CublinoContra => &[&["d2", "d3"], &["d3", "e3"], &["d3", "d4"]],
        GameId::CublinoEcke => &[&["d2", "d3"], &["d2", "e3"], &["d2", "d4"]],
        GameId::Mahbusa => &[&["X", "R", "X", "U"], &["X", "R", "R", "O"], &["X", "T", "X", "V"]],
        GameId::Wari => &[&["1"], &["5"], &["6"]],
    }
}

pub fn a_lesson_of_each_game_is_done_by_clicks() {
    let page = Page::open(Screen::DESK, "game=wari&learn=1");
    for &game in GameId::ALL {
        page.go(&format!("game={game}&learn=1"));
        for (index, places) in lesson(game).iter().enumerate() {
            page.browser.wait(&format!("location.hash.endsWith('learn={}')", index + 1));
            page.browser.wait("document.querySelector('.hit.open')");
            for place in *places {
                page.pick(place);
            }
            finish(&page);
            page.browser.click("#next-step");
        }
        page.browser.screenshot(&format!("{game}-learn"));
    }
    // What is legal and not the task is said so, and can be tried again.
    page.go("game=wari&learn=2");
    page.pick("1");
    page.browser.wait("document.getElementById('task').textContent.includes('not the task')");
    page.browser.click("#try-again");
    page.browser.wait("document.getElementById('task').textContent.startsWith('Point at your cups')");
    page.browser.click("#hint");
    assert_eq!(page.browser.text("#preview"), "The move is 5.");
    page.is_clean();
}

/// Ends a move that could go on, and waits until the step is done.
fn finish(page: &Page) {
    page.browser
        .wait("!document.getElementById('play').hidden || !document.getElementById('next-step').hidden");
    page.browser.script("const play = document.getElementById('play'); if (!play.hidden) play.click()");
    page.browser.wait("!document.getElementById('next-step').hidden");
    assert!(page.browser.text("#task").starts_with("Right!"), "{}", page.browser.text("#task"));
}

pub fn a_lesson_of_each_game_is_done_with_the_keyboard() {
    let page = Page::open(Screen::DESK, "game=wari&learn=1");
    for &game in GameId::ALL {
        page.go(&format!("game={game}&learn=1"));
        page.browser.wait("document.querySelector('.hit.open')");
        page.browser.script("document.getElementById('board').focus()");
        page.browser.press(&[UP]);
        for place in lesson(game)[0] {
            pick_by_keys(&page, place);
        }
        finish(&page);
    }
    page.is_clean();
}

pub fn where_keys_are_needed_the_page_asks_for_one() {
    const KEY: &str = "a-key-for-the-page-to-play-on";
    let config = Config { api_keys: vec![KEY.parse().unwrap()], ..Config::default() };
    let page = Page::of(&config, Screen::DESK, "game=wari");
    page.browser.wait("document.getElementById('key').open");
    page.browser.script(&format!("document.getElementById('key-text').value = {KEY:?}"));
    page.browser.click("#key button[value=use]");
    page.is_ready();
    assert_eq!(page.browser.script("return sessionStorage.getItem('cublino-key')"), KEY);
    assert_eq!(page.browser.script("return document.querySelectorAll('.marble').length"), 48);
}

pub fn the_key_is_sent_to_the_api_alone_whatever_the_address_says() {
    const KEY: &str = "a-key-for-the-page-to-play-on";
    let config = Config { api_keys: vec![KEY.parse().unwrap()], ..Config::default() };
    let page = Page::of(&config, Screen::DESK, "game=wari");
    page.browser.wait("document.getElementById('key').open");
    page.browser.script(&format!("sessionStorage.setItem('cublino-key', {KEY:?})"));
    page.requests();
    for game in ["../../metrics", "..%2F..%2Fmetrics", "..%2F..", "%2F%2Flocalhost%2Fv1", "no-game", ""] {
        page.go(&format!("game={game}&start=..%2F..%2Fmetrics&moves=..%2F..&players=..%2F.1"));
        // It says why, and shows a game that there is.
        assert!(page.fragment().starts_with("game=cublino-pur&"), "{game}: {}", page.fragment());
        let paths = page.paths_with_key();
        let allowed = |path: &String| path == "/v1/games" || path.starts_with("/v1/games/cublino-pur");
        assert!(!paths.is_empty() && paths.iter().all(allowed), "{game}: {paths:?}");
    }
    // Nor does the module that asks lead anywhere else.
    let asked = page.browser.asynchronous(
        "const done = arguments[0];
         const names = performance.getEntriesByType('resource').map(({ name }) => name);
         import(names.find((name) => name.endsWith('api.js'))).then(async (api) => {
           const ids = ['../../metrics', '..', '//localhost/v1', '?', '#'];
           await Promise.allSettled(ids.flatMap((id) => [api.game(id), api.apply(id, {})]));
           await Promise.allSettled([api.evaluation('..', {}, {}), api.picture('..', {})]);
           done(true);
         }, done);",
    );
    assert_eq!(asked, true);
    for path in page.paths_with_key() {
        assert!(path.starts_with("/v1/"), "{path}");
    }
}

pub fn the_points_of_mahbusa_are_clicked_where_they_are_drawn() {
    /// Where things are on the screen.
    const AT: &str = "const box = (css) => document.querySelector(css).getBoundingClientRect();
        const place = (name) => box(`.hit[data-place=\"${name}\"]`);
        const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];";
    let page = Page::open(Screen::DESK, "game=mahbusa&players=p.p&moves=63");
    for (flip, rows) in
        [("", ["XWVUTSRQPONM", "ABCDEFGHIJKL"]), ("&flip=1", ["LKJIHGFEDCBA", "MNOPQRSTUVWX"])]
    {
        page.go(&format!("game=mahbusa&players=p.p&moves=63{flip}"));
        let script = format!(
            "{AT} const rows = {rows:?}.map((row) => [...row].map((name) => middle(place(name))));
             const goesRight = (row) => row.every(([x], i) => i === 0 || x > row[i - 1][0]);
             const isLevel = (row) => row.every(([, y]) => Math.abs(y - row[0][1]) < 1);
             return rows.every((row) => goesRight(row) && isLevel(row)) && rows[0][0][1] < rows[1][0][1];"
        );
        assert_eq!(page.browser.script(&script), true, "{flip}: the places are ordered as in {rows:?}");
        // The picture of the board and what lies above it agree, also after a move.
        page.browser.drag(&hit("X"), &hit("R"), "mouse");
        page.browser.wait("document.querySelector('.piece[data-point=\"R\"]')");
        page.pick("X");
        page.pick("U");
        page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length === 2");
        assert_eq!(page.moves(), ["63", "XR-XU"], "{flip}");
        let script = format!(
            "{AT} return ['A', 'R', 'U', 'X'].every((name) => {{
               const [x, y] = middle(box(`.piece[data-point=\"${{name}}\"] circle`));
               const {{ left, right, top, bottom }} = place(name);
               return left < x && x < right && top < y && y < bottom;
             }});"
        );
        assert_eq!(page.browser.script(&script), true, "{flip}: the checkers stand on their points");
    }
    page.is_clean();
}

pub fn the_last_marbles_of_wari_are_swept_into_the_stores() {
    let link = "game=wari&players=p.p&start=W-0-0-0-0-0-1-0-1-1-0-0-0-22-23";
    let page = Page::open(Screen::DESK, link);
    page.pick("6");
    page.browser.wait("document.body.dataset.waits === 'over'");
    let said = page.browser.text("#live");
    assert!(said.contains("B takes 3 left on their own side"), "{said}");
    let marbles = |place: &str| {
        let script =
            format!("return document.querySelectorAll('.piece[data-cup=\"{place}\"] .marble').length");
        page.browser.script(&script).as_u64().unwrap()
    };
    assert_eq!(["7", "8", "9", "one", "two"].map(marbles), [0, 0, 0, 22, 26]);
    // A game that is given up leaves them where they are.
    page.go(&format!("{link}&resigned=one"));
    assert_eq!(["6", "8", "9", "one", "two"].map(marbles), [1, 1, 1, 22, 23]);
    page.is_clean();
}

pub fn a_pass_is_told() {
    let link = "game=cublino-contra&players=p.p&start=cLd4Ac5";
    let page = Page::open(Screen::DESK, link);
    page.browser.click("#pass");
    page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length === 1");
    let said = page.browser.text("#live");
    assert!(said.starts_with("Black plays pass, as no move is possible."), "{said}");
    page.is_clean();
}

pub fn after_an_analysis_the_game_goes_on() {
    let page = Page::open(Screen::DESK, CONTRA);
    let play_first = || {
        page.pick("a1");
        page.pick("a2");
        page.has_played(1);
    };
    analyse(&page);
    // What is analysed is gone, and so is the analysis.
    page.tab("moves");
    page.browser.click("#first");
    page.browser.wait("location.hash.includes('at=0') && document.body.dataset.waits");
    play_first();
    let shown = "return document.querySelector('.curve-line, #analysis-ply *') !== null";
    assert_eq!(page.browser.script(shown), false);
    page.go(CONTRA);
    analyse(&page);
    page.tab("more");
    page.browser.click("#restart");
    page.browser.wait("location.hash === '#game=cublino-contra&players=p.p' && document.body.dataset.waits");
    play_first();
    page.is_clean();
}

pub fn a_link_is_kept_until_the_service_is_back() {
    let page = Page::open(Screen::DESK, "game=wari&players=p.p");
    page.loses_requests("apply", 0);
    let link = "game=wari&moves=5.8&players=p.2";
    page.browser.script(&format!("location.hash = '{link}'"));
    page.browser.wait("!document.getElementById('toast').hidden");
    assert_eq!(page.fragment(), link);
    page.finds_requests();
    page.browser.click("#toast-action");
    page.has_played(2);
    assert_eq!(page.fragment(), link);
    page.is_clean();
}

pub fn a_level_is_asked_again_when_the_service_is_back() {
    let page = Page::open(Screen::DESK, "game=wari&players=p.1");
    page.loses_requests("suggestion", 0);
    page.pick("5");
    page.browser.wait("!document.getElementById('continue').hidden");
    assert!(page.browser.text("#preview").starts_with("The service does not answer"));
    page.finds_requests();
    page.browser.click("#continue");
    page.has_played(2);
    page.is_clean();
}

pub fn a_picture_is_saved_while_levels_roll() {
    let page = Page::open(Screen::DESK, "game=mahbusa&players=1.1");
    page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length > 3");
    page.browser.click("#pause");
    page.tab("share");
    for _ in 0..2 {
        page.asked();
        page.browser.click("#download");
        page.browser
            .wait("performance.getEntriesByType('resource').some(({name}) => name.includes('board.svg'))");
        assert_eq!(page.asked(), ["GET board.svg"]);
        // A roll, or the move before it.
        page.browser.script("document.getElementById('previous').click()");
        page.browser.wait("location.hash.includes('at=')");
    }
    page.is_clean();
}

/// The places of the board on which something else lies.
const COVERED: &str = "const board = document.getElementById('board');
    return [...document.querySelectorAll('.hit')].filter((hit) => {
      const { left, right, top, bottom } = hit.getBoundingClientRect();
      const along = (from, to) => [0.1, 0.5, 0.9].map((part) => from + (to - from) * part);
      return along(left, right).some((x) => along(top, bottom).some((y) => {
        const isOut = y < 0 || y >= innerHeight || x < 0 || x >= innerWidth;
        return !isOut && !board.contains(document.elementFromPoint(x, y));
      }));
    }).map((hit) => hit.dataset.place)";

pub fn nothing_ever_lies_on_a_square() {
    let lying = Screen { width: 844, height: 390, ..Screen::PHONE };
    let tablet = Screen { width: 768, height: 1_024, ..Screen::PHONE };
    let small = Screen { width: 1_280, height: 720, ..Screen::DESK };
    let phone = Screen { width: 390, height: 844, ..Screen::PHONE };
    for screen in [Screen::DESK, small, tablet, phone, Screen::PHONE, lying] {
        let page = Page::open(screen, "game=wari&players=p.1&moves=5.8");
        let is_free = |state: &str| {
            assert_eq!(page.browser.script(COVERED), json!([]), "{state} {screen:?}");
        };
        for game in GameId::ALL {
            page.go(&format!("game={game}&players=p.p"));
            is_free(game.about().id);
            page.browser.script("document.getElementById('show-evaluation').click()");
            page.browser.script("document.getElementById('hint').click()");
            is_free("advice");
        }
        page.go("game=mahbusa&learn=1");
        is_free("a lesson");
        page.browser.script("document.querySelector('#legal button').click()");
        page.browser.wait("document.querySelector('#next-step:not([hidden]), #try-again:not([hidden])')");
        is_free("a lesson that is done, or not");
        page.go("game=cublino-contra&puzzle=3.5");
        is_free("a puzzle");
        page.go(CONTRA);
        page.pick("e3");
        is_free("picked");
        page.browser.script("document.getElementById('cancel').click()");
        analyse(&page);
        is_free("an analysis");
        page.browser.script("document.getElementById('mistake-learn').click()");
        page.browser.wait("document.body.classList.contains('trying')");
        is_free("a mistake to do better");
        page.go("game=cublino-contra&players=p.f&moves=e1e2");
        is_free("a link for a friend");
        page.go(CONTRA);
        page.tab("more");
        page.browser.script("document.getElementById('setup-part').open = true");
        page.browser.wait("document.body.classList.contains('setting-up')");
        is_free("a position that is set up");
        page.go("game=wari&players=p.1&moves=5.8");
        page.browser.script("document.getElementById('resign').click()");
        page.browser.wait("!document.getElementById('toast').hidden");
        is_free("a question");
        page.browser.script("document.getElementById('toast-action').click()");
        page.browser.wait("!document.getElementById('end').hidden");
        is_free("the end");
        page.go("game=wari&players=p.1&moves=5.8");
        page.browser.script("document.getElementById('restart').click()");
        page.browser.wait("!document.getElementById('toast').hidden && document.body.dataset.waits");
        is_free("a notice");
        page.is_clean();
    }
}

pub fn another_line_is_kept_beside_the_first() {
    let page = Page::open(Screen::DESK, CONTRA);
    page.tab("moves");
    page.browser.script("document.querySelector('#sheet [data-ply=\"2\"]').click()");
    page.browser.wait("location.hash.includes('at=2') && document.body.dataset.waits");
    page.pick("d1");
    page.pick("d2");
    page.has_played(3);
    let fragment = page.fragment();
    assert!(fragment.contains("moves=e1e2.e7e6.d1d2&lines=2_e2e3.e6e5"), "{fragment}");
    // The address is the whole tree, and each of its lines can be gone on with.
    page.go(&fragment);
    page.browser.click("#sheet [data-line=\"4\"]");
    page.has_played(4);
    assert_eq!(page.moves(), ["e1e2", "e7e6", "e2e3", "e6e5"]);
    assert!(page.fragment().contains("lines=2_d1d2"), "{}", page.fragment());
    // What is played again is no other line.
    page.browser.script("document.querySelector('#sheet [data-ply=\"2\"]').click()");
    page.browser.wait("location.hash.includes('at=2') && document.body.dataset.waits");
    page.pick("e2");
    page.pick("e3");
    page.browser.wait("location.hash.includes('at=3')");
    assert_eq!(page.moves().len(), 4);
    page.is_clean();
}

pub fn a_friend_is_played_by_links() {
    let page = Page::open(Screen::DESK, "game=cublino-contra&players=p.f");
    page.pick("e1");
    page.pick("e2");
    page.browser.wait("!document.getElementById('send').hidden");
    let said = page.browser.text("#todo");
    assert!(said.contains("Send the link to Black") && said.contains("nothing is stored"), "{said}");
    page.browser.script("navigator.share = undefined");
    page.browser.click("#send");
    let link = page.browser.wait("document.getElementById('shared').value");
    let (_, fragment) = link.as_str().unwrap().split_once('#').unwrap();
    assert!(fragment.contains("moves=e1e2") && fragment.contains("players=f.p"), "{fragment}");
    // Whoever opens it is to move, and sees the board from that side.
    page.go(fragment);
    assert_eq!(page.browser.text("#status"), "Your turn, Black");
    page.pick("e7");
    page.pick("e6");
    page.browser.wait("!document.getElementById('send').hidden");
    page.is_clean();
}

pub fn a_bad_address_is_named() {
    let page = Page::open(Screen::DESK, "game=wari");
    for (link, words) in [
        ("game=chess", "There is no game “chess”"),
        ("game=wari&colour=red", "The address contains “colour”"),
        ("game=wari&puzzle=", "names no puzzle"),
        ("game=wari&learn=first", "names no step"),
        ("game=wari&state=W-1", "The link could not be opened"),
    ] {
        page.go(link);
        page.browser.wait(&format!("document.getElementById('preview').textContent.includes({words:?})"));
    }
    // Who writes an address may call the state so.
    page.go("game=cublino-contra&state=CWd2vd6&players=p.p");
    assert_eq!(page.browser.script("return document.querySelectorAll('.layer-pieces .piece').length"), 2);
}

pub fn keys_press_buttons_and_are_listed() {
    let page = Page::open(Screen::DESK, "game=cublino-contra&players=p.p&moves=e1e2.e7e6");
    page.browser.script("document.getElementById('board').focus()");
    let cursor = page.browser.wait("document.querySelector('.hit.cursor')?.classList.contains('open')");
    assert_eq!(cursor, true, "the cursor begins at a piece of the player");
    page.browser.press(&['h']);
    page.browser.wait("document.querySelector('.pointer-hint')");
    page.browser.press(&['f']);
    page.browser.wait("location.hash.includes('flip=1')");
    page.browser.press(&['\u{e011}']);
    page.browser.wait("location.hash.includes('at=0')");
    page.browser.press(&['\u{e010}']);
    page.browser.wait("!location.hash.includes('at=')");
    page.browser.press(&['u']);
    page.has_played(1);
    page.browser.press(&['?']);
    page.browser.wait("document.getElementById('keys').open");
    let keys = page.browser.script("return document.querySelectorAll('#keys-list dt').length");
    assert!(keys.as_u64().unwrap() > 8, "{keys}");
    page.is_clean();
}

pub fn the_dice_of_mahbusa_are_rolled_on_the_board_and_a_checker_goes_on() {
    let page = Page::open(Screen::DESK, "game=mahbusa&players=p.p");
    let dice = page.browser.script("return document.querySelectorAll('.die.rests text').length");
    assert_eq!(dice, 2, "the dice lie on the board from the start, and show nothing yet");
    page.pick("D");
    page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length === 1");
    // Both dice are played with one checker, which is picked once.
    page.go("game=mahbusa&players=p.p&moves=63");
    for point in ["X", "R", "O"] {
        page.pick(point);
    }
    page.browser.wait("document.querySelectorAll('#sheet [data-ply]').length === 2");
    assert_eq!(page.moves(), ["63", "XR-RO"]);
    page.is_clean();
}

pub fn a_long_game_goes_on_from_a_later_state() {
    let page = Page::open(Screen::DESK, "game=wari&players=p.p");
    let wrong = page.browser.asynchronous(
        "const done = arguments[0];
         const names = performance.getEntriesByType('resource').map(({ name }) => name);
         import(names.find((name) => name.endsWith('/game.js'))).then(({ Game }) => {
           const game = new Game({ id: 'wari', start: 'start' });
           const ply = (_, index) => ({ move: `${index}`, state: `after ${index + 1}` });
           game.plies = Array.from({ length: 3000 }, ply);
           const isRight = (at) => {
             const { state, moves } = game.record(at);
             const begins = moves.length === at ? 'start' : `after ${at - moves.length}`;
             return moves.length < 1000 && state === begins && (at === 0 || moves.at(-1) === `${at - 1}`);
           };
           done([...Array(3001).keys()].filter((at) => !isRight(at)));
         }, done);",
    );
    assert_eq!(wrong, json!([]));
    page.is_clean();
}

pub fn the_start_page_shows_the_games_and_asks() {
    let page = Page::open(Screen::DESK, "game=wari");
    page.visit("");
    page.browser.wait("document.querySelectorAll('.show svg').length === 5");
    let first = "document.querySelector('.board-link').getAttribute('href')";
    assert!(page.browser.wait(first).as_str().unwrap().ends_with("learn=1"), "new players learn");
    page.browser.click("[name=played][value=yes]");
    assert!(page.browser.wait(first).as_str().unwrap().ends_with("players=p.2"));
    page.browser.screenshot("home");
    page.is_clean();
}
