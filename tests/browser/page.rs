//! The page to play on, in a browser, on a service of its own.

use std::{sync::mpsc, thread};

use cublino::{config::Config, http};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::Value;

use crate::driver::{Browser, Screen};

/// Clicks after which a game has taken too long.
const MOST_CLICKS: usize = 2_000;

/// A page that is open.
pub struct Page {
    pub browser: Browser,
    base: String,
}

impl Page {
    /// Opens the page at a fragment.
    pub fn open(screen: Screen, fragment: &str) -> Self {
        Self::of(&Config::default(), screen, fragment)
    }

    /// The same of a service with these settings; where it needs a key, the page asks for one first.
    pub fn of(config: &Config, screen: Screen, fragment: &str) -> Self {
        let page = Self { browser: Browser::start(screen), base: start(config) };
        page.follow(fragment);
        if config.api_keys.is_empty() {
            page.is_ready();
        }
        page
    }

    /// Opens another game, as a link does.
    #[track_caller]
    pub fn go(&self, fragment: &str) {
        self.follow(fragment);
        self.is_ready();
    }

    fn follow(&self, fragment: &str) {
        self.browser.open("about:blank");
        self.browser.open(&format!("{}/play/#{fragment}", self.base));
    }

    /// Opens another page of the service; without a path the start page.
    pub fn visit(&self, path: &str) {
        self.browser.open(&format!("{}{path}", self.base));
    }

    /// Waits until a game is to be seen.
    #[track_caller]
    pub fn is_ready(&self) {
        self.browser.wait("document.body.dataset.ready");
    }

    /// The fragment of the address, which is the whole game.
    pub fn fragment(&self) -> String {
        self.browser.script("return location.hash.slice(1)").as_str().unwrap().to_owned()
    }

    /// The moves that have been played.
    pub fn moves(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('#sheet [data-ply]')].map((e) => e.dataset.move)";
        serde_json::from_value(self.browser.script(script)).unwrap()
    }

    /// Waits until a person has to do something, and returns what: `move`, `roll`, or nothing as the game is
    /// `over`.
    #[track_caller]
    pub fn waits(&self) -> String {
        self.browser.wait("document.body.dataset.waits").as_str().unwrap().to_owned()
    }

    /// From now on, requests with some words in their URLs fail, except the first few.
    pub fn loses_requests(&self, words: &str, but: usize) {
        self.browser.script(&format!(
            "window.real = window.fetch; window.asked = 0;
             window.fetch = (url, options) => {{
               const isLost = String(url).includes('{words}') && (window.asked += 1) > {but};
               return isLost ? Promise.reject(new TypeError('lost')) : window.real(url, options);
             }};"
        ));
    }

    /// Requests reach the service again.
    pub fn finds_requests(&self) {
        self.browser.script("window.fetch = window.real");
    }

    /// Opens a tab beside the board.
    #[track_caller]
    pub fn tab(&self, name: &str) {
        self.browser.click(&format!("#tab-{name}"));
    }

    /// Waits until this many plies have been played and a person is to act.
    #[track_caller]
    pub fn has_played(&self, plies: usize) {
        self.browser.wait(&format!(
            "document.querySelectorAll('#sheet [data-ply]').length === {plies} && document.body.dataset.waits"
        ));
    }

    /// Clicks on a place of the board.
    #[track_caller]
    pub fn pick(&self, place: &str) {
        self.browser.click(&hit(place));
    }

    /// Plays to the end of the game by clicks, drawn by chance from all that can be clicked.
    pub fn play_to_the_end(&self, seed: u64) -> usize {
        /// What can be clicked now. A click on what is complete and can go on ends the move.
        const CLICKABLE: &str = "(() => {
            if (!document.body.dataset.waits) return null;
            if (document.body.dataset.waits === 'over') return ['over'];
            for (const id of ['play', 'pass', 'roll']) {
              if (!document.getElementById(id).hidden) return ['#' + id];
            }
            const open = [...document.querySelectorAll('.hit.open')];
            return open.length > 0 ? open.map((hit) => `.hit[data-place=\"${hit.dataset.place}\"]`) : null;
        })()";
        let rng = &mut Pcg64::seed_from_u64(seed);
        for clicks in 0..MOST_CLICKS {
            let clickable = self.browser.wait(CLICKABLE);
            let clickable = clickable.as_array().unwrap();
            let chosen = clickable[rng.random_range(0..clickable.len())].as_str().unwrap();
            if chosen == "over" {
                return clicks;
            }
            self.browser.click(chosen);
        }
        panic!("a game of more than {MOST_CLICKS} clicks: {}", self.fragment());
    }

    /// Checks that the page has logged no errors and has sent requests to the service alone.
    pub fn is_clean(&self) {
        for entry in self.browser.log("browser") {
            assert_ne!(entry["level"], "SEVERE", "{entry}");
        }
        for (_, url) in self.requests() {
            let is_own = url.starts_with(&self.base) || url.starts_with("data:") || url.starts_with("blob:");
            assert!(is_own || url == "about:blank", "{url}");
        }
    }

    /// The methods and addresses of the requests since this was asked last.
    pub fn requests(&self) -> Vec<(String, String)> {
        let text = |request: &Value, name: &str| request[name].as_str().unwrap_or_default().to_owned();
        self.sent().iter().map(|request| (text(request, "method"), text(request, "url"))).collect()
    }

    /// The paths to which the key has been sent since requests were asked for last.
    pub fn paths_with_key(&self) -> Vec<String> {
        let sent = self.sent();
        let with_key = sent.iter().filter(|request| request["headers"]["Authorization"].is_string());
        let url = |request: &Value| request["url"].as_str().unwrap().to_owned();
        with_key.map(url).map(|url| url.strip_prefix(&self.base).unwrap_or(&url).to_owned()).collect()
    }

    fn sent(&self) -> Vec<Value> {
        let sent = |entry: Value| {
            let mut message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &mut message["message"];
            let is_sent = message["method"] == "Network.requestWillBeSent";
            is_sent.then(|| message["params"]["request"].take())
        };
        self.browser.log("performance").into_iter().filter_map(sent).collect()
    }

    /// The paths under `/v1/games/{game}/` of these requests.
    pub fn asked(&self) -> Vec<String> {
        let path = |(method, url): (String, String)| {
            let path = url.split_once("/v1/games/")?.1;
            let operation = path.split_once('/')?.1;
            Some(format!("{method} {}", operation.split('?').next()?))
        };
        self.requests().into_iter().filter_map(path).collect()
    }
}

/// A place of the board as a selector.
pub fn hit(place: &str) -> String {
    format!(".hit[data-place=\"{place}\"]")
}

/// Starts a service on a free port; it lives as long as the test binary.
fn start(config: &Config) -> String {
    let config =
        Config { listen: "127.0.0.1:0".parse().unwrap(), workers: 1, max_wait_ms: 600_000, ..config.clone() };
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        actix_web::rt::System::new().block_on(async {
            let running = http::bind(&config).unwrap();
            send.send(running.address).unwrap();
            running.serve().await.unwrap();
        });
    });
    format!("http://{}", receive.recv().unwrap())
}
