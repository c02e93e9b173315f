//! Players against each other: the search has to beat those that do not look ahead, and to bring games to an
//! end.

use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    sync::{Condvar, Mutex},
    time::Duration,
};

use super::{Contestant, Match, Played, Report, in_order, result_for};
use cublino_engine::{
    Control, Engine, Options, Playable, SearchLimits, Tablebases, Techniques, TranspositionTable, Value,
};
use cublino_rules::{
    game::{Game, Notation, Player, Record},
    games::{Contra, GameId, Pur, Wari},
    with_game,
};

/// Games at a time: more than one, so that their order has to be kept.
const THREADS: NonZeroUsize = NonZeroUsize::new(3).unwrap();

fn config(one: &str, two: &str, games: u32) -> Match {
    let [one, two] = [one, two].map(|spec| spec.parse().expect("a contestant"));
    Match { one, two, games, seed: 1, threads: THREADS }
}

fn run<G: Playable + Notation>(
    config: &Match,
    mut on_game: impl FnMut(&Report, &Played) -> ControlFlow<()>,
) -> Report {
    super::run::<G>(config, &Tablebases::none(), &mut on_game).expect("there are no networks to read")
}

fn play(one: &str, two: &str, games: u32) -> Report {
    let report = run::<Pur>(&config(one, two, games), |_, _| ControlFlow::Continue(()));
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
    // Not Pur, where the greedy player knows how to hold a draw.
    let report = run::<Contra>(&config("nodes=1000", "greedy", 6), |_, _| ControlFlow::Continue(()));
    assert!(report.losses == 0 && report.score() >= 0.75, "{report}");
    let report = run::<Wari>(&config("depth=4", "greedy", 20), |_, _| ControlFlow::Continue(()));
    assert!(report.score() >= 0.8, "{report}");
}

/// The value of a position, by a search of this many nodes.
fn value_of<G: Playable>(position: G, nodes: u64) -> Value {
    let options = Options::new(SearchLimits { nodes: Some(nodes), ..SearchLimits::default() });
    let mut table = TranspositionTable::new(1 << 20);
    let engine = Engine::built_in::<G>(Tablebases::none());
    let found = engine.search(&position, &options, &Control::new(), &mut table, &mut |_| {});
    found.lines[0].value
}

#[test]
fn games_between_equals_end_or_are_known_to_be_drawn() {
    // If each player has a die that blocks the other, the first who moves it away loses. Such games are drawn
    // by repetition, or take long without one: see "Games without an end" in tools/measured/search.md.
    let mut unfinished = 0;
    let report = run::<Pur>(&config("nodes=1000", "nodes=1001", 16), |report, played| {
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
        let mut report = run::<Pur>(&config, |_, played| {
            games.push(played.clone());
            ControlFlow::Continue(())
        });
        report.time = Duration::ZERO;
        (report, games)
    };
    assert_eq!(play(NonZeroUsize::MIN), play(THREADS));
}

/// The games of a short match as they are recorded, each with whether it was finished.
fn written<G: Playable + Notation>() -> Vec<(Played, bool)> {
    let (mut games, mut without_end) = (Vec::new(), 0);
    run::<G>(&config("depth=1", "random", 4), |report, played| {
        games.push((played.clone(), report.unfinished + report.repeated == without_end));
        without_end = report.unfinished + report.repeated;
        ControlFlow::Continue(())
    });
    games
}

/// The recorded game, played again to its last position.
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
fn a_search_can_do_without_any_technique() {
    let off: Vec<_> = Techniques::names().map(|name| format!("{name}=off")).collect();
    let report = play(&format!("nodes=300,{},table=1", off.join(",")), "random", 4);
    assert_eq!((report.wins, report.games()), (4, 4));
}

#[test]
fn a_contestant_probes_the_tablebases_of_the_match_unless_it_is_to_have_those_of_the_program() {
    for (spec, marbles) in [("nodes=1", 0), ("nodes=1,tablebase=built-in", 12)] {
        let contestant = Contestant::new::<Wari>(&spec.parse().unwrap(), &Tablebases::none()).unwrap();
        assert_eq!(contestant.engine.tablebases.version(), marbles);
    }
}

#[test]
fn who_has_most_of_the_marbles_has_won_even_if_the_game_goes_on() {
    let result = |state: &str| {
        let game = Record::new(Wari::read(state).unwrap(), None);
        Player::ALL.map(|player| result_for(&game, player))
    };
    assert_eq!(result("w-4-4-4-4-4-0-0-1-0-0-0-0-27-0"), [1, -1]);
    assert_eq!(result("W-0-0-0-0-0-1-0-0-0-0-1-1-20-25"), [-1, 1]);
    assert_eq!(result("W-4-4-4-4-4-4-4-4-4-4-4-4-0-0"), [0, 0]);
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
