//! Games played through the tools alone, by a client that reads nothing but the text of the answers, and
//! half of whose calls are wrong on purpose.

use std::sync::LazyLock;

use cublino::{config::Config, games::GameId};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::Caller;
use crate::service::{SHARED, Service};

/// A second replica: each call may go to either.
static OTHER: LazyLock<Service> =
    LazyLock::new(|| Service::start(&Config { max_wait_ms: 600_000, ..Config::default() }));

/// The results of some games.
#[derive(Debug, Default)]
struct Count {
    finished: usize,
    right: usize,
    wrong: usize,
    refused: usize,
    bytes: usize,
    longest: usize,
}

struct Scripted {
    replicas: [Caller; 2],
    random: Pcg64,
    count: Count,
}

impl Scripted {
    async fn call(&mut self, name: &str, arguments: Value) -> (bool, String) {
        let replica = self.random.random_range(0..2);
        let (is_refused, text, bytes) = self.replicas[replica].call(name, arguments).await;
        self.count.bytes += bytes;
        self.count.longest = self.count.longest.max(bytes);
        (is_refused, text)
    }

    /// Plays a game of at most `turns` turns.
    async fn play(&mut self, game: GameId, turns: usize) {
        let (_, mut text) = self.call("look", json!({"state": game.about().id})).await;
        for _ in 0..turns {
            if text.contains("The game is over") {
                self.count.finished += 1;
                return;
            }
            let state = state(&text).expect("every position has a state").to_owned();
            if self.random.random_bool(0.5) {
                text = self.err(text, &state).await;
            }
            let moves = self.choose(&text);
            let (is_refused, answer) = self.call("play", json!({"state": state, "moves": moves})).await;
            self.count.right += 1;
            assert!(!is_refused, "{game}: {moves:?} in {state}\n{text}\n{answer}");
            text = answer;
        }
    }

    /// Makes a mistake, and returns the text to go on from.
    async fn err(&mut self, before: String, state: &str) -> String {
        self.count.wrong += 1;
        let notations = ["5", "e1e2", "XU-UT", "a1b2", "Nf3", "0000", "pass", "roll it", ""];
        let kind = self.random.random_range(0..4);
        let arguments = match kind {
            0 => json!({"state": state, "moves": [notations.choose(&mut self.random).unwrap()]}),
            1 => json!({"state": invented(state, &mut self.random), "moves": ["a1a2"]}),
            2 => {
                // The dice, or what stands first on the board, are missing.
                let short: String =
                    state.chars().enumerate().filter(|(i, _)| !(1..4).contains(i)).map(|(_, c)| c).collect();
                json!({"state": short, "moves": ["b1b2"]})
            }
            _ => json!({"state": state, "move": "b1b2"}),
        };
        let (is_refused, text) = self.call("play", arguments).await;
        self.count.refused += usize::from(is_refused);
        if !is_refused {
            // The mistake was legal by chance, and has led to another game.
            return before;
        }
        assert!(text.starts_with("Refused ("), "{text}");
        match self::state(&text) {
            // The answer says what is legal, and everything from before is forgotten.
            Some(told) if told == state => return text,
            // The invented state is valid, but the move is not.
            Some(_) => return before,
            None => {}
        }
        // What is wrong is the state, or else the name of an argument.
        let is_told = text.contains("Use the state of an answer, unchanged") || text.contains("no argument");
        assert!(is_told, "{text}");
        before
    }

    /// A legal move, or a roll, that a text names.
    fn choose(&mut self, text: &str) -> Vec<String> {
        if text.contains(" to roll, ") {
            return vec!["roll".to_owned()];
        }
        let (_, moves) = text.rsplit_once("): ").unwrap_or_else(|| panic!("no moves: {text}"));
        let moves: Vec<_> = moves.lines().next().unwrap().split(' ').collect();
        vec![(*moves.choose(&mut self.random).unwrap()).to_owned()]
    }
}

/// The state that a text ends with.
fn state(text: &str) -> Option<&str> {
    text.lines().rev().find_map(|line| line.strip_prefix("state: "))
}

/// A state with another letter or digit somewhere.
fn invented(state: &str, random: &mut Pcg64) -> String {
    let mut chars: Vec<_> = state.chars().collect();
    let at = random.random_range(0..chars.len());
    chars[at] = *['a', 'Q', '9', '0', '-', 'x', '!'].choose(random).unwrap();
    chars.into_iter().collect()
}

async fn play_all(games: usize, turns: usize) {
    for &game in GameId::ALL {
        let replicas = [Caller::new(&SHARED), Caller::new(&OTHER)];
        let mut scripted = Scripted { replicas, random: Pcg64::seed_from_u64(38), count: Count::default() };
        for _ in 0..games {
            scripted.play(game, turns).await;
        }
        let Count { right, wrong, refused, bytes, .. } = scripted.count;
        println!("{game}: {:?}, {} bytes a call", scripted.count, bytes / (right + wrong));
        assert!(refused * 10 > wrong * 8, "{game}: {:?}", scripted.count);
    }
}

#[actix_web::test]
async fn a_client_that_errs_every_other_time_gets_back_on_track_from_the_answers() {
    play_all(1, 40).await;
}

#[actix_web::test]
#[ignore = "takes minutes: 200 whole games of each kind"]
async fn a_client_that_errs_every_other_time_plays_games_to_their_end() {
    play_all(200, 1_000).await;
}
