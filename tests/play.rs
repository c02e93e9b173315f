//! Players against each other: the search has to beat those that do not look ahead, and to bring games to an end.

use std::{num::NonZeroUsize, ops::ControlFlow, time::Duration};

use cublino::{
    game::{Notation, Record},
    games::{GameId, Pur},
    search::{
        Playable, Tablebases,
        arena::{Match, Report, Written, run},
    },
    with_game,
};

/// Games at a time: more than one, so that their order has to be kept.
const THREADS: NonZeroUsize = NonZeroUsize::new(3).unwrap();

fn play(one: &str, two: &str, games: u32) -> Report {
    let config = Match {
        one: one.parse().expect("a contestant"),
        two: two.parse().expect("a contestant"),
        games,
        seed: 1,
        max_plies: Match::MAX_PLIES,
        threads: THREADS,
    };
    let report = run::<Pur>(&config, &Tablebases::none(), &mut |_, _| ControlFlow::Continue(()));
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
    assert!(report.losses <= 1 && report.wins >= 5, "{report}");
}

#[test]
fn games_between_equals_come_to_an_end() {
    // Where both have a die that keeps the other from finishing, who goes first loses; such games are drawn by repetition.
    let report = play("nodes=200", "nodes=201", 16);
    assert!(report.unfinished == 0 && report.wins + report.draws + report.losses >= 10, "{report}");
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
        let (one, two) = ("level=3".parse().unwrap(), "nodes=200".parse().unwrap());
        let config = Match { one, two, games: 7, seed: 1, max_plies: Match::MAX_PLIES, threads };
        let mut games = Vec::new();
        let report = run::<Pur>(&config, &Tablebases::none(), &mut |_, played| {
            games.push(played.written());
            ControlFlow::Continue(())
        });
        (Report { time: Duration::ZERO, ..report }, games)
    };
    assert_eq!(play(NonZeroUsize::MIN), play(THREADS));
}

/// The games of a short match as they are written down, each with whether it was finished.
fn written<G: Playable + Notation>() -> Vec<(Written, bool)> {
    let config = Match {
        one: "depth=1".parse().expect("a contestant"),
        two: "random".parse().expect("a contestant"),
        games: 4,
        seed: 1,
        max_plies: Match::MAX_PLIES,
        threads: THREADS,
    };
    let (mut games, mut without_end) = (Vec::new(), 0);
    run::<G>(&config, &Tablebases::none(), &mut |report, played| {
        games.push((played.written(), report.unfinished + report.repeated == without_end));
        without_end = report.unfinished + report.repeated;
        ControlFlow::Continue(())
    });
    games
}

fn replays<G: Playable + Notation>() {
    for (Written { state, moves }, finished) in written::<G>() {
        let Ok(setup) = state.parse::<G::Setup>() else { panic!("{state} is not well-formed") };
        let Ok(start) = G::try_from(setup) else { panic!("{state} is not valid") };
        let mut record = Record::new(start, None);
        for text in &moves {
            assert!(record.play(text).is_ok(), "{text} in {}", record.position());
        }
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
    let config = Match {
        one: "random".parse().expect("a contestant"),
        two: "random".parse().expect("a contestant"),
        games: 10,
        seed: 1,
        max_plies: Match::MAX_PLIES,
        threads: THREADS,
    };
    let mut stop_at_three = |report: &Report, _: &_| {
        if report.games() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert_eq!(run::<Pur>(&config, &Tablebases::none(), &mut stop_at_three).games(), 3);
}

#[test]
fn the_command_writes_the_games_and_ends_when_it_is_clear() {
    let file = std::env::temp_dir().join(format!("cublino-games-{}", std::process::id()));
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_cublino"))
        .args(["match", "wari", "--one", "depth=3", "--two", "random", "--games", "200", "--sprt", "-50,50"])
        .arg("--games-to")
        .arg(&file)
        .output()
        .expect("the command runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.contains("the first player is stronger"), "{printed}");
    let written = std::fs::read_to_string(&file).expect("the games are written");
    std::fs::remove_file(&file).expect("the file is there");
    assert!((2..200).contains(&written.lines().count()), "{written}");
    for line in written.lines() {
        let game: serde_json::Value = serde_json::from_str(line).expect("a body");
        assert!(game["state"].as_str().is_some_and(|state| state.to_uppercase().starts_with('W')), "{line}");
        assert!(game["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{line}");
    }
}
