//! Puzzles on the page.

use cublino::games::GameId;
use serde_json::Value;

use crate::{driver::Screen, page::Page};

/// The puzzle that the page has asked for.
fn puzzle(page: &Page) -> Value {
    page.browser.asynchronous(
        "const done = arguments[0];
         const asked = performance.getEntriesByType('resource').map(({ name }) => name);
         fetch(asked.findLast((url) => url.includes('/puzzles?'))).then((answer) => answer.json())
           .then(({ puzzles: [puzzle] }) => done(puzzle));",
    )
}

/// The moves of its solution.
fn solution(puzzle: &Value) -> Vec<&str> {
    puzzle["solution"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn task(page: &Page) -> String {
    page.browser.text("#task")
}

/// Plays a legal move, and waits until the page has said something about it.
#[track_caller]
fn play(page: &Page, text: &str) {
    page.browser.script(&format!("document.querySelector('#legal [data-move=\"{text}\"]').click()"));
    page.browser.wait(
        "document.body.dataset.waits
           || ['try-again', 'next-step'].some((id) => !document.getElementById(id).hidden)",
    );
}

/// Plays the solution from the first move on; the page answers for the opponent.
fn solve(page: &Page, puzzle: &Value) {
    let moves = solution(puzzle);
    for (index, text) in moves.iter().enumerate().step_by(2) {
        page.has_played(index);
        play(page, text);
    }
    page.browser.wait("!document.getElementById('next-step').hidden");
    assert!(page.browser.text("#status").starts_with("Solved: "), "{}", task(page));
}

pub fn a_puzzle_of_each_game_is_failed_and_then_solved() {
    let page = Page::open(Screen::DESK, "game=wari&puzzle=5.3");
    // Puzzles of Mahbusa ask for the best play: see below.
    for game in GameId::ALL.iter().filter(|&&game| game != GameId::Mahbusa) {
        page.go(&format!("game={game}&puzzle=3.5"));
        let puzzle = puzzle(&page);
        assert_eq!(puzzle["difficulty"], 3);
        page.browser.screenshot(&format!("{game}-puzzle"));
        // Two hints: the piece, and then the move.
        let first = solution(&puzzle)[0].to_owned();
        page.browser.click("#hint");
        let preview = || page.browser.text("#preview");
        assert!(preview().starts_with("Look at "), "{}", preview());
        page.browser.click("#hint");
        assert_eq!(preview(), format!("The move is {first}."));
        let wrong = page.browser.script(&format!(
            "return [...document.querySelectorAll('#legal [data-move]')].map((move) => move.dataset.move)
               .find((move) => move !== {first:?})"
        ));
        play(&page, wrong.as_str().unwrap());
        assert!(task(&page).starts_with(&format!("Not {}: ", wrong.as_str().unwrap())), "{}", task(&page));
        page.browser.click("#try-again");
        page.browser.wait("document.getElementById('task').textContent === 'Try again.'");
        solve(&page, &puzzle);
        assert!(task(&page).ends_with("No other first move does."), "{}", task(&page));
    }
    page.go("game=mahbusa&puzzle=5");
    let first = solution(&puzzle(&page))[0].to_owned();
    let script = "return document.querySelector('#legal [data-move]').dataset.move";
    let other = page.browser.script(script).as_str().unwrap().to_owned();
    play(&page, &other);
    assert_eq!(other != first, task(&page).ends_with(": another play is better."), "{}", task(&page));
    page.is_clean();
}

pub fn a_play_of_mahbusa_is_found_by_clicks() {
    let page = Page::open(Screen::DESK, "game=mahbusa&puzzle=7");
    let puzzle = puzzle(&page);
    assert_eq!(puzzle["turn"], "two");
    // Black names the points from the other end.
    for point in solution(&puzzle)[0].bytes().filter(u8::is_ascii_alphabetic) {
        page.pick(&char::from(b'A' + b'X' - point).to_string());
    }
    page.browser.wait("!document.getElementById('next-step').hidden");
    assert!(page.browser.text("#status").starts_with("Solved: "), "{}", task(&page));
    page.is_clean();
}

pub fn a_puzzle_of_the_day_goes_on_with_the_streak() {
    let page = Page::open(Screen::PHONE, "game=wari&players=p.p");
    page.browser.script(
        "const day = new Date();
         day.setDate(day.getDate() - 1);
         const two = (number) => String(number).padStart(2, '0');
         const last = `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
         localStorage.setItem('cublino-streak', JSON.stringify({ last, days: 4 }));",
    );
    page.tab("puzzle");
    page.browser.wait("document.getElementById('puzzle-today')");
    assert!(page.browser.text("#streak").ends_with("Streak: 4 days."));
    page.browser.click("#puzzle-today");
    page.browser.wait("location.hash.includes('puzzle=20') && document.querySelector('.hit.open')");
    let wide = page.browser.script("return document.documentElement.scrollWidth");
    assert!(wide.as_u64().unwrap() <= 360, "{wide}");
    let puzzle = puzzle(&page);
    solve(&page, &puzzle);
    page.browser.screenshot("puzzle-phone");
    page.browser.wait("document.getElementById('streak').textContent.endsWith('5 days.')");
    // It counts once a day.
    page.browser.script("document.getElementById('puzzle-today').click()");
    page.browser.wait("document.getElementById('next-step').hidden && document.querySelector('.hit.open')");
    solve(&page, &puzzle);
    assert!(page.browser.text("#streak").ends_with("Streak: 5 days."));
    page.browser.click("#next-step");
    page.browser.wait("/puzzle=[0-9]+$/.test(location.hash)");
    page.is_clean();
}

pub fn a_streak_is_kept_by_whoever_flies_west() {
    let page = Page::open(Screen::DESK, "game=wari&players=p.p");
    page.browser.script(
        "const day = new Date();
         day.setDate(day.getDate() + 1);
         const last = day.toLocaleDateString('sv');
         localStorage.setItem('cublino-streak', JSON.stringify({ last, days: 4 }));",
    );
    page.tab("puzzle");
    page.browser.wait("document.getElementById('streak')?.textContent.endsWith('Streak: 4 days.')");
    page.is_clean();
}

pub fn a_move_that_wins_as_well_later_on_is_right() {
    let page = Page::open(Screen::DESK, "game=cublino-contra&players=p.p");
    // A puzzle in which another last move wins, too.
    let found = page.browser.asynchronous(
        "const done = arguments[0];
         const game = `${location.origin}/v1/games/cublino-contra/`;
         const json = async (path, options) => (await fetch(game + path, options)).json();
         const after = (state, moves) => json('apply', {
           method: 'POST',
           headers: { 'Content-Type': 'application/json' },
           body: JSON.stringify({ state, moves, legal_moves: true }),
         });
         const find = async () => {
           for (let seed = 0; seed < 300; seed += 1) {
             const { puzzles: [{ state, turn, solution }] } = await json(`puzzles?seed=${seed}`);
             if (solution.length !== 3) continue;
             const [first, reply, last] = solution;
             for (const { move } of (await after(state, [first, reply])).moves) {
               if (move === last) continue;
               if ((await after(state, [first, reply, move])).outcome.winner === turn) return [seed, move];
             }
           }
           return null;
         };
         find().then(done);",
    );
    page.go(&format!("game=cublino-contra&puzzle={}", found[0]));
    let puzzle = puzzle(&page);
    play(&page, solution(&puzzle)[0]);
    page.has_played(2);
    play(&page, found[1].as_str().unwrap());
    assert!(page.browser.text("#status").starts_with("Solved: "), "{}", task(&page));
    page.is_clean();
}

pub fn a_puzzle_that_ends_with_a_reply_is_solved() {
    let page = Page::open(Screen::DESK, "game=wari&players=p.p");
    let seed = page.browser.asynchronous(
        "const done = arguments[0];
         const find = async () => {
           for (let seed = 0; ; seed += 1) {
             const answer = await fetch(`${location.origin}/v1/games/wari/puzzles?seed=${seed}`);
             const { puzzles: [{ task }] } = await answer.json();
             if (task.plies === 4) return seed;
           }
         };
         find().then(done);",
    );
    page.go(&format!("game=wari&puzzle={seed}"));
    solve(&page, &puzzle(&page));
    page.is_clean();
}

pub fn a_solution_is_shown_and_stepped_through() {
    let page = Page::open(Screen::DESK, "game=cublino-ecke&puzzle=4.2");
    let puzzle = puzzle(&page);
    let moves = solution(&puzzle);
    page.browser.click("#puzzle-reveal");
    page.browser.wait("document.getElementById('puzzle-line')");
    assert_eq!(page.moves(), moves);
    assert!(task(&page).starts_with("This is the solution."), "{}", task(&page));
    page.browser.click("#puzzle-line button:last-child");
    let last = format!("document.querySelector('#sheet [aria-current]')?.dataset.ply === '{}'", moves.len());
    page.browser.wait(&last);
    page.is_clean();
}

pub fn a_puzzle_goes_on_when_the_service_is_back() {
    let page = Page::open(Screen::DESK, "game=cublino-contra&puzzle=3.5");
    let puzzle = puzzle(&page);
    // The move is played; then the answer of the opponent is not.
    page.loses_requests("apply", 1);
    page.browser.script(&format!(
        "document.querySelector('#legal [data-move=\"{}\"]').click()",
        solution(&puzzle)[0]
    ));
    page.browser
        .wait("document.getElementById('toast-text').textContent.startsWith('The service does not answer')");
    page.browser.wait("document.getElementById('preview').textContent.startsWith('The service')");
    assert_eq!(page.browser.script("return window.asked"), 2, "nobody is asked again and again");
    page.finds_requests();
    page.browser.click("#toast-action");
    page.has_played(2);
}

pub fn puzzles_are_drawn_by_theme() {
    let page = Page::open(Screen::DESK, "game=cublino-pur&puzzle=3.5");
    page.browser.script("document.getElementById('puzzle-theme').value = '2'");
    page.browser.click("#puzzle-more");
    page.browser.wait("location.hash.endsWith('.in2')");
    page.is_ready();
    assert!(page.browser.text("#status").ends_with("to win in 2 moves"), "{}", page.browser.text("#status"));
    // The address names the same puzzle again, and the choice stays.
    let state = "return document.querySelectorAll('.layer-pieces .piece').length";
    let pieces = page.browser.script(state);
    page.go(&page.fragment());
    assert_eq!(page.browser.script(state), pieces);
    page.is_clean();
}
