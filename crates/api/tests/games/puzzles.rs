//! Checks the claims of puzzles by exhaustive search: slow, obvious, and by the rules alone.

use std::{
    collections::{HashMap, HashSet},
    thread,
};

use cublino_engine::{Learned, Playable};
use cublino_rules::{
    game::{Game, Notation, Player, Record, Stage},
    games::{GameId, Mahbusa, Wari},
    with_game,
};

/// The columns of a line of a file.
struct Line<'a> {
    text: &'a str,
    state: &'a str,
    plies: Option<u32>,
    difficulty: usize,
    solution: Vec<&'a str>,
}

/// The puzzles of a game, each with a number, an id and a state of its own, and none of them trivial.
fn lines<G: Playable + Notation>() -> Vec<Line<'static>> {
    let (mut ids, mut states) = (HashSet::new(), HashSet::new());
    let mut lines = Vec::new();
    for text in G::FILES.puzzles.lines() {
        let columns: Vec<&str> = text.split(' ').collect();
        let [id, state, plies, difficulty, ref solution @ ..] = columns[..] else { panic!("{text}") };
        assert!(id.parse::<u64>().is_ok() && ids.insert(id) && states.insert(state), "{text}");
        let difficulty = difficulty.parse().unwrap();
        assert!((1..=8).contains(&difficulty), "{text}");
        assert!(plies == "-" || plies.parse::<u32>().is_ok(), "{text}");
        let position = G::read(state).unwrap();
        assert_eq!((position.to_string().as_str(), position.stage()), (state, Stage::Move), "{text}");
        assert!(position.legal_moves().len() > 2, "{text}");
        let (plies, solution) = (plies.parse().ok(), solution.to_vec());
        lines.push(Line { text, state, plies, difficulty, solution });
    }
    assert!(lines.len() >= 1_000, "{} has {} puzzles", G::ABOUT.id, lines.len());
    for difficulty in 1..=8 {
        let alike = lines.iter().filter(|line| line.difficulty == difficulty).count();
        assert!(alike >= 30, "{} has {alike} puzzles of difficulty {difficulty}", G::ABOUT.id);
    }
    lines
}

/// An exhaustive search for a forced win within a number of plies.
struct Exhaustive<G> {
    attacker: Player,
    /// Who has won already, even if the game goes on.
    decided_for: fn(&G) -> Option<Player>,
    known: HashMap<(G, u32), bool>,
}

impl<G: Game> Exhaustive<G> {
    fn forces(&mut self, position: &G, plies: u32) -> bool {
        let outcome = position.stage().outcome();
        let winner = outcome.map_or_else(|| (self.decided_for)(position), |outcome| outcome.winner);
        if winner.is_some() || outcome.is_some() || plies == 0 {
            return winner == Some(self.attacker);
        }
        if let Some(&known) = self.known.get(&(*position, plies)) {
            return known;
        }
        let mut moves = position.legal_moves().into_iter();
        let attacks = position.turn() == self.attacker;
        let mut wins = |m| self.forces(&position.after(m), plies - 1);
        let forced = if attacks { moves.any(&mut wins) } else { moves.all(&mut wins) };
        if plies > 1 {
            self.known.insert((*position, plies), forced);
        }
        forced
    }
}

/// Checks every puzzle of a game.
fn check<G: Playable + Notation>(decided_for: fn(&G) -> Option<Player>) {
    for Line { text, state, plies, solution, .. } in lines::<G>() {
        let (position, plies) = (G::read(state).unwrap(), plies.unwrap());
        let attacker = position.turn();
        let mut search = Exhaustive { attacker, decided_for, known: HashMap::new() };
        assert_eq!(solution.len(), plies as usize, "{text}");

        // Exactly one result of a first move forces the win in time, and the solution begins with it.
        let results: HashSet<G> = position.legal_moves().into_iter().map(|m| position.after(m)).collect();
        let right: Vec<_> = results.iter().filter(|next| search.forces(next, plies - 1)).collect();
        let mut record = Record::from(position);
        assert_eq!(right, [&record.play(solution[0]).unwrap().position], "{text}");
        // None forces it sooner.
        assert!(!search.forces(&position, plies - 1), "{text}");

        // The solution is written as the service writes moves. Both play their best, and it ends in the win.
        let mut record = Record::from(position);
        for (left, m) in (0..plies).rev().zip(&solution) {
            let before = *record.position();
            assert_eq!(before.spell(before.resolve(&m.parse().unwrap()).unwrap()).to_string(), *m, "{text}");
            let next = record.play(m).unwrap().position;
            assert!(search.forces(&next, left), "{text}: {m}");
            assert!(left == 0 || !search.forces(&next, left - 1), "{text}: {m}");
        }
    }
}

#[test]
fn every_puzzle_of_a_win_has_one_solution_and_as_many_plies_as_it_says() {
    thread::scope(|scope| {
        for &game in GameId::ALL {
            scope.spawn(move || match game {
                // Its puzzles ask for the best play: see below.
                GameId::Mahbusa => {}
                GameId::Wari => check::<Wari>(Wari::decided_for),
                _ => with_game!(game, G => check::<G>(|_| None)),
            });
        }
    });
}

/// The expected result for the player to move or to roll, searched to a number of plies: the mean over all
/// rolls, with the best play after each.
fn expected(evaluator: &Learned, position: &Mahbusa, plies: u32) -> f64 {
    if let Some(outcome) = position.stage().outcome() {
        return outcome.result_for(position.turn()).into();
    }
    if position.stage() == Stage::Roll {
        if plies == 0 {
            return evaluator.evaluate(position).expected();
        }
        let after = |&(roll, weight)| f64::from(weight) * expected(evaluator, &position.rolled(roll), plies);
        return Mahbusa::ROLLS.iter().map(after).sum::<f64>() / 36.0;
    }
    let values =
        position.legal_moves().into_iter().map(|m| -expected(evaluator, &position.after(m), plies - 1));
    values.fold(-1.0, f64::max)
}

/// Checks every `one_in`-th puzzle of Mahbusa by a search of all moves to a number of plies.
fn check_mahbusa(one_in: usize, plies: u32) {
    let evaluator = Learned::built_in::<Mahbusa>();
    for (i, Line { text, state, plies: none, solution, .. }) in lines::<Mahbusa>().into_iter().enumerate() {
        let position = Mahbusa::read(state).unwrap();
        let [right] = solution[..] else { panic!("{text}") };
        let right = position.resolve(&right.parse().unwrap()).unwrap();
        assert_eq!((none, position.spell(right).to_string().as_str()), (None, solution[0]), "{text}");
        if i % one_in == 0 {
            let of = |m| -expected(&evaluator, &position.after(m), plies - 1);
            let others =
                position.legal_moves().into_iter().filter(|&m| position.after(m) != position.after(right));
            let second = others.map(of).fold(-1.0, f64::max);
            assert!(of(right) > second + 0.05, "{text}: {} {second}", of(right));
        }
    }
}

#[test]
fn the_best_play_of_a_puzzle_is_clearly_better_than_all_others() {
    check_mahbusa(50, 2);
}

#[test]
#[ignore = "takes minutes"]
fn the_best_play_of_all_puzzles_is_clearly_better_than_all_others() {
    check_mahbusa(1, 2);
    check_mahbusa(50, 3);
}
