//! Players against each other: the search has to beat those that do not look ahead, and to bring games to an end.

use std::time::Duration;

use cublino::{
    games::Pur,
    search::{
        Knowledge,
        arena::{Match, Report, run},
    },
};

fn play(one: &str, two: &str, games: u32) -> Report {
    let config = Match {
        one: one.parse().expect("a contestant"),
        two: two.parse().expect("a contestant"),
        games,
        seed: 1,
        max_plies: Match::MAX_PLIES,
    };
    let report = run::<Pur>(&config, &Knowledge::none(), &mut |_| {});
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
    let report = play("nodes=200", "nodes=201", 16);
    assert!(report.unfinished <= 1, "{report}");
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
    let [first, second] = [0, 0].map(|_| Report { time: Duration::ZERO, ..play("level=3", "nodes=200", 4) });
    assert_eq!(first, second);
}
