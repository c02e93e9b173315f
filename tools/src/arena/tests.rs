//! Players against each other: the search has to beat those that do not look ahead, and to bring games to an
//! end.

use std::{
    fs,
    io::Write as _,
    sync::{Condvar, Mutex},
};

use clap::Parser as _;
use cublino_engine::{SearchLimits, Techniques, Value, network::Network, search};
use cublino_rules::{
    game::Features,
    games::{GameId, Pur, Wari},
    with_game,
};
use tempfile::NamedTempFile;

use super::*;
use crate::Tools;

/// Games at a time: more than one, so that their order has to be kept.
const THREADS: NonZeroUsize = NonZeroUsize::new(3).unwrap();

fn config(one: &str, two: &str, games: u32) -> Match {
    let [one, two] = [one, two].map(|spec| spec.parse().expect("a contestant"));
    Match { one, two, games, seed: 1, threads: THREADS }
}

fn played<G: Playable + Notation>(
    config: &Match,
    mut on_game: impl FnMut(&Report, &Played) -> ControlFlow<()>,
) -> Report {
    run::<G>(config, &Tablebases::none(), &mut on_game).expect("there are no networks to read")
}

fn play(one: &str, two: &str, games: u32) -> Report {
    let report = played::<Pur>(&config(one, two, games), |_, _| ControlFlow::Continue(()));
    println!("{one} against {two}: {report}");
    report
}

#[test]
fn a_search_beats_a_random_player() {
    let report = play("nodes=300", "random", 8);
    assert_eq!((report.wins, report.games()), (8, 8));
}

#[test]
fn a_search_hardly_ever_loses_to_a_greedy_player() {
    let report = play("nodes=1000", "greedy", 6);
    // The greedy player knows what the search knows of draws, and holds some by going back and forth.
    assert!(report.losses == 0 && report.score() >= 0.75, "{report}");
}

/// What a search of so many positions expects, and how likely it takes a draw to be.
fn value_of<G: Playable>(position: G, nodes: u64) -> Value {
    let options = Options::new(SearchLimits { nodes: Some(nodes), ..SearchLimits::default() });
    let mut table = TranspositionTable::new(1 << 20);
    let found = search(&position, &options, &Tablebases::none(), &Control::new(), &mut table, &mut |_| {});
    found.lines[0].value
}

#[test]
fn games_between_equals_end_or_are_known_to_be_drawn() {
    // Where both have a die that keeps the other from finishing, who goes first loses; such games are drawn
    // by repetition, or go on for long without one: tools/measured/evaluation.md tells how many, under
    // "Pur".
    let mut unfinished = 0;
    let report = played::<Pur>(&config("nodes=200", "nodes=201", 16), |report, played| {
        if report.unfinished > unfinished {
            unfinished = report.unfinished;
            let value = value_of(*played_again::<Pur>(played).position(), 1_000);
            assert!(value.expected.abs() < 0.25 && value.chances.draw > 0.6, "{value:?}");
        }
        ControlFlow::Continue(())
    });
    assert!(report.unfinished <= 2 && report.wins + report.draws + report.losses >= 10, "{report}");
}

#[test]
fn a_higher_level_wins_more() {
    for (higher, lower) in [("level=2", "level=1"), ("level=4", "level=2")] {
        let report = play(higher, lower, 12);
        assert!(report.wins > report.losses, "{higher} against {lower}: {report}");
    }
}

#[test]
fn a_match_is_played_alike_with_the_same_seed() {
    let play = |threads| {
        let config = Match { threads, ..config("level=3", "nodes=200", 7) };
        let mut games = Vec::new();
        let mut report = played::<Pur>(&config, |_, played| {
            games.push(played.clone());
            ControlFlow::Continue(())
        });
        report.time = Duration::ZERO;
        (report, games)
    };
    assert_eq!(play(NonZeroUsize::MIN), play(THREADS));
}

/// The games of a short match as they are written down, each with whether it was finished.
fn written<G: Playable + Notation>() -> Vec<(Played, bool)> {
    let (mut games, mut without_end) = (Vec::new(), 0);
    played::<G>(&config("depth=1", "random", 4), |report, played| {
        games.push((played.clone(), report.unfinished + report.repeated == without_end));
        without_end = report.unfinished + report.repeated;
        ControlFlow::Continue(())
    });
    games
}

/// The game that was written down, played again to its last position.
fn played_again<G: Notation>(Played { state, moves }: &Played) -> Record<G> {
    let start = G::read(state).unwrap_or_else(|error| panic!("{state}: {error}"));
    let mut record = Record::new(start, None);
    for text in moves {
        assert!(record.play(text).is_ok(), "{text} in {}", record.position());
    }
    record
}

fn replays<G: Playable + Notation>() {
    for (written, finished) in written::<G>() {
        let record = played_again::<G>(&written);
        assert_eq!(record.stage().outcome().is_some(), finished, "{}", record.position());
    }
}

#[test]
fn a_written_game_can_be_played_again() {
    for &game in GameId::ALL {
        with_game!(game, G => replays::<G>());
    }
}

#[test]
fn a_match_ends_when_it_is_told_to() {
    let stop_at_three = |report: &Report, _: &_| {
        if report.games() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert_eq!(played::<Pur>(&config("random", "random", 10), stop_at_three).games(), 3);
}

/// A file with a network that knows so many features, and expects the same everywhere.
fn network(features: usize) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(&Network::untrained(features).to_bytes()).expect("the file is written");
    file
}

#[test]
fn two_evaluations_of_one_game_play_each_other() {
    let file = network(Wari::FEATURES);
    let blind = format!("depth=2,network={}", file.path().display());
    let report = played::<Wari>(&config("depth=2", &blind, 20), |_, _| ControlFlow::Continue(()));
    assert!(report.score() > 0.7, "{report}");
}

#[test]
fn a_network_of_another_game_is_refused() {
    let file = network(Wari::FEATURES);
    let spec = format!("greedy,network={}", file.path().display());
    let config = config(&spec, "random", 2);
    let refused =
        run::<Pur>(&config, &Tablebases::none(), &mut |_, _| ControlFlow::Continue(())).unwrap_err();
    assert!(refused.to_string().contains("does not hold a network of this game"), "{refused}");
}

#[test]
fn a_search_can_do_without_any_technique() {
    let off: Vec<_> = Techniques::names().map(|name| format!("{name}=off")).collect();
    let report = play(&format!("nodes=300,{},table=1", off.join(",")), "random", 4);
    assert_eq!((report.wins, report.games()), (4, 4));
}

#[test]
fn the_command_writes_the_games_and_ends_when_it_is_clear() {
    let file = NamedTempFile::new().expect("a temporary file");
    let players = ["tools", "match", "wari", "--one", "depth=3", "--two", "random"];
    let games = ["--games", "200", "--sprt", "-50,50", "--games-to", file.path().to_str().expect("text")];
    let Tools::Match(play_match) = Tools::parse_from([&players[..], &games].concat()) else { unreachable!() };
    play_match.run().expect("the match is played");
    let written = fs::read_to_string(file.path()).expect("the games are written");
    assert!((2..200).contains(&written.lines().count()), "{written}");
    for line in written.lines() {
        let game: serde_json::Value = serde_json::from_str(line).expect("a body");
        assert!(game["state"].as_str().is_some_and(|state| state.to_uppercase().starts_with('W')), "{line}");
        assert!(game["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{line}");
    }
    assert!(Tools::try_parse_from(["tools", "match", "wari", "--one", "clever", "--two", "random"]).is_err());
}

#[test]
fn looking_ahead_beats_greed() {
    let report = played::<Wari>(&config("depth=4", "greedy", 20), |_, _| ControlFlow::Continue(()));
    assert!(report.score() >= 0.8, "{report}");
}

#[test]
fn a_contestant_probes_the_tablebases_of_the_match_unless_it_is_to_have_those_of_the_program() {
    for (spec, marbles) in [("nodes=1", "0"), ("nodes=1,tablebase=built-in", "12")] {
        let contestant = Contestant::new::<Wari>(&spec.parse().unwrap(), &Tablebases::none()).unwrap();
        assert_eq!(contestant.engine.tablebases.to_string(), marbles);
    }
}

#[test]
fn results_come_in_order_whichever_is_ready_first() {
    // The first result is ready only after the others.
    let (done, changed) = (Mutex::new(0), Condvar::new());
    let mut results = Vec::new();
    in_order(
        [(), ()],
        10..15,
        |(), number, _| {
            let mut done = done.lock().unwrap();
            while number == 10 && *done < 4 {
                done = changed.wait(done).unwrap();
            }
            *done += 1;
            changed.notify_all();
            number
        },
        |number| {
            results.push(number);
            ControlFlow::Continue(())
        },
    );
    assert_eq!(results, [10, 11, 12, 13, 14]);
}

#[test]
fn nothing_comes_after_it_is_over() {
    let mut results = Vec::new();
    in_order(
        [(); 3],
        0..u64::MAX,
        |(), number, _| number,
        |number| {
            results.push(number);
            if number == 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    assert!(results.iter().copied().eq(0..=20));
}
