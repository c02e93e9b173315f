//! Laws that hold in every position of every game.
//!
//! Positions come from random games with fixed seeds; a failure names the position and the move.

use std::collections::{HashMap, HashSet};

use cublino_rules::{
    game::{EndReason, Game, Notation, Outcome, Player, Record, Refusal, Stage, playout},
    games::{
        GameId,
        described::{Event, SharedEvent, SharedStep, Step},
    },
    with_game,
};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64;

/// Random games per game and law.
const GAMES: u64 = 40;
/// Positions of a random game that are looked at, at most.
const MAX_LEN: usize = 300;

/// Calls a function with the positions of random games and the random generator.
fn for_random_positions<G: Game>(mut law: impl FnMut(&G, &mut Pcg64)) {
    for seed in 0..GAMES {
        let rng = &mut Pcg64::seed_from_u64(seed);
        let positions: Vec<G> = playout::positions(G::default(), MAX_LEN, rng).collect();
        for position in &positions {
            law(position, rng);
        }
    }
}

/// The same with those in which a player has a move to play.
fn for_positions_to_move<G: Game>(mut law: impl FnMut(&G, &mut Pcg64)) {
    for_random_positions(|position: &G, rng| {
        if position.stage() == Stage::Move {
            law(position, rng);
        }
    });
}

macro_rules! for_all_games {
    ($(#[$attribute:meta])* $law:ident) => {
        #[test]
        fn $law() {
            fn law<G: Notation>() {
                each::$law::<G>();
            }
            for &game in GameId::ALL {
                with_game!(game, G => law::<G>());
            }
        }
    };
}

for_all_games!(text_round_trips);
for_all_games!(a_position_of_a_game_is_never_called_unreachable);
for_all_games!(every_listed_move_plays);
for_all_games!(a_listed_move_stands_for_what_it_is_listed_with);
for_all_games!(every_result_is_listed_and_every_listed_move_has_a_result);
for_all_games!(a_move_is_spelled_by_a_listed_spelling_that_stands_for_it);
for_all_games!(the_number_of_moves_is_the_length_of_the_list);
for_all_games!(a_changed_move_is_refused_with_a_reason_or_stands_for_a_listed_one);
for_all_games!(a_text_of_any_length_is_refused_in_few_words);
for_all_games!(a_changed_state_is_refused_with_reasons_or_canonical);
for_all_games!(either_player_may_resign_until_the_end);
for_all_games!(a_limit_on_repetition_draws_the_game_when_it_is_reached_and_no_sooner);
for_all_games!(random_games_come_to_an_end_or_go_on);
for_all_games!(of_the_results_of_legal_moves_each_is_drawn_as_often_as_another);

mod each {
    use super::*;

    pub fn text_round_trips<G: Notation>() {
        for_random_positions(|pos: &G, _| {
            assert_eq!(G::read(&pos.to_string()).unwrap(), *pos, "{pos}");
        });
    }

    pub fn a_position_of_a_game_is_never_called_unreachable<G: Notation>() {
        for_random_positions(|position: &G, _| assert_eq!(position.unreachable(), None, "{position}"));
    }

    pub fn every_listed_move_plays<G: Notation>() {
        for_positions_to_move(|pos: &G, _| {
            for spelling in pos.spellings() {
                let text = spelling.to_string();
                assert_eq!(text.parse().as_ref().ok(), Some(&spelling), "{text} in {pos}");
                let mut record = Record::new(*pos, None);
                let ply = record.play(&text).unwrap_or_else(|refusal| panic!("{text} in {pos}: {refusal}"));
                assert_eq!(ply.player, pos.turn(), "{text} in {pos}");
                // What it leads to is valid, too.
                assert_eq!(G::read(&ply.position.to_string()).unwrap(), ply.position, "{text} in {pos}");
                let steps = pos.steps(&spelling);
                let passes = steps.iter().filter(|step| matches!(step, Step::Shared(SharedStep::Pass {})));
                let passes = passes.count();
                assert!(!steps.is_empty() && passes == usize::from(text == "pass"), "{text} in {pos}");
            }
        });
    }

    pub fn a_listed_move_stands_for_what_it_is_listed_with<G: Notation>() {
        for_positions_to_move(|pos: &G, _| {
            pos.list(|spelling, m| {
                assert_eq!(pos.resolve(&spelling).ok(), Some(m), "{spelling} in {pos}");
            });
        });
    }

    pub fn every_result_is_listed_and_every_listed_move_has_a_result<G: Notation>() {
        for_positions_to_move(|pos: &G, _| {
            let resolve = |spelling| pos.resolve(&spelling).expect("a listed move is legal");
            let listed: HashSet<G::Move> = pos.spellings().into_iter().map(resolve).collect();
            let generated = pos.legal_moves();
            assert_eq!(listed, generated.iter().copied().collect(), "{pos}");
            assert_eq!(listed.len(), generated.len(), "no move is generated twice in {pos}");
            if G::DISTINCT_MOVES {
                let results: HashSet<G> = generated.iter().map(|&m| pos.after(m)).collect();
                assert_eq!(results.len(), generated.len(), "no two moves lead to the same in {pos}");
            }
        });
    }

    pub fn a_move_is_spelled_by_a_listed_spelling_that_stands_for_it<G: Notation>() {
        for_positions_to_move(|pos: &G, _| {
            let listed = pos.spellings();
            for m in pos.legal_moves() {
                let spelling = pos.spell(m);
                assert!(listed.contains(&spelling), "{spelling} in {pos}");
                assert_eq!(pos.resolve(&spelling).ok(), Some(m), "{spelling} in {pos}");
            }
        });
    }

    pub fn the_number_of_moves_is_the_length_of_the_list<G: Notation>() {
        for_positions_to_move(|pos: &G, _| assert_eq!(pos.count_moves(), pos.legal_moves().len(), "{pos}"));
    }

    pub fn a_changed_move_is_refused_with_a_reason_or_stands_for_a_listed_one<G: Notation>() {
        for_positions_to_move(|pos: &G, rng| {
            let results = pos.legal_moves();
            let listed = pos.spellings();
            let text = mutated(&listed.choose(rng).expect("there is a legal move").to_string(), rng);
            match text.parse::<G::Spelling>() {
                Err(fault) => assert!(!fault.to_string().is_empty() && !fault.code.is_empty(), "{text:?}"),
                Ok(spelling) => match pos.resolve(&spelling) {
                    Ok(m) => assert!(results.contains(&m), "{text:?} in {pos}"),
                    Err(fault) => {
                        assert!(!listed.contains(&spelling), "{text:?} in {pos}: {fault}");
                        assert!(!fault.to_string().is_empty() && !fault.code.is_empty(), "{text:?} in {pos}");
                    }
                },
            }
        });
    }

    pub fn a_text_of_any_length_is_refused_in_few_words<G: Notation>() {
        for text in ["x", "1", "X", "é", "-", "A("] {
            let text = text.repeat(100_000);
            let faults = [text.parse::<G::Spelling>().err(), text.parse::<G::Roll>().err()];
            for fault in faults {
                let message = fault.expect("neither a move nor a roll").message;
                assert!(message.chars().count() <= 120, "{message}");
            }
        }
    }

    pub fn a_changed_state_is_refused_with_reasons_or_canonical<G: Notation>() {
        for_random_positions(|pos: &G, rng| {
            let text = mutated(&pos.to_string(), rng);
            match G::read(&text) {
                Err(error) => {
                    let length = text.chars().count();
                    assert!(!error.faults().is_empty(), "{text:?}");
                    for fault in error.faults() {
                        assert!(
                            !fault.message.is_empty() && fault.at.is_none_or(|at| at <= length),
                            "{text:?}"
                        );
                    }
                }
                Ok(changed) => assert_eq!(G::read(&changed.to_string()).unwrap(), changed, "{text:?}"),
            }
        });
    }

    pub fn either_player_may_resign_until_the_end<G: Notation>() {
        for_random_positions(|pos: &G, rng| {
            let player = *Player::ALL.choose(rng).expect("there are two");
            let mut record = Record::new(*pos, None);
            let ended = match (pos.stage(), record.resign(player)) {
                (Stage::Over(outcome), refused) => {
                    let refused = refused.map(|_| ()).map_err(|late| late.0);
                    return assert_eq!(refused, Err(outcome), "{player} in {pos}");
                }
                (_, Ok(Event::Shared(SharedEvent::Ended { outcome }))) => outcome,
                (_, ended) => panic!("{player} in {pos}: {ended:?}"),
            };
            let outcome =
                Outcome { winner: Some(!player), reason: EndReason::Resigned, points: pos.points() };
            assert_eq!((ended, record.standing()), (outcome.into(), outcome.into()), "{player} in {pos}");
            assert_eq!((record.stage(), record.position()), (Stage::Over(outcome), pos), "{player} in {pos}");
            assert!(record.resign(!player).is_err(), "nobody resigns twice in {pos}");
            let refused = record.play("pass").map(|ply| ply.text).unwrap_err();
            assert_eq!(refused, Refusal::GameOver(outcome), "{player} in {pos}");
        });
    }

    pub fn a_limit_on_repetition_draws_the_game_when_it_is_reached_and_no_sooner<G: Notation>() {
        let mut repeated = 0;
        for (seed, limit) in (0..GAMES).flat_map(|seed| [(seed, 2), (seed, 3)]) {
            let rng = &mut Pcg64::seed_from_u64(seed);
            let mut record = Record::new(G::default(), Some(limit));
            let mut occurrences = HashMap::from([(record.position().to_string(), 1)]);
            for _ in 0..MAX_LEN {
                let text = match record.stage() {
                    Stage::Over(_) => break,
                    Stage::Roll => playout::roll::<G>(rng).expect("a game that rolls has rolls").to_string(),
                    Stage::Move => record.position().spellings().choose(rng).expect("a move").to_string(),
                };
                let ply =
                    record.play(&text).unwrap_or_else(|refusal| panic!("{text}, seed {seed}: {refusal}"));
                let occurred = occurrences.entry(ply.position.to_string()).or_default();
                *occurred += 1;
                repeated += u32::from(*occurred > 1);
                let by_position = ply.position.stage().outcome().map(|outcome| outcome.reason);
                let expected = by_position.or(match (G::ABOUT.id, *occurred) {
                    ("mahbusa", _) => None,
                    ("wari", 2..) => Some(EndReason::EndlessPlay),
                    (_, occurred) => (occurred >= limit).then_some(EndReason::Repetition),
                });
                let ended = record.stage().outcome().map(|outcome| outcome.reason);
                assert_eq!(ended, expected, "{} with a limit of {limit}, seed {seed}", ply.position);
            }
        }
        let repeats = G::ABOUT.id == "cublino-pur";
        assert!(repeated > 0 || !repeats, "no position of {} occurred twice", G::ABOUT.name);
    }

    pub fn of_the_results_of_legal_moves_each_is_drawn_as_often_as_another<G: Notation>() {
        /// Six standard deviations of a number that is this large on average are less than a third of it.
        const TIMES: usize = 400;
        let mut positions = 0;
        for_random_positions(|pos: &G, rng| {
            if pos.stage() != Stage::Move || positions == 5 {
                return;
            }
            let moves = pos.legal_moves();
            let mut drawn: HashMap<G, usize> = moves.iter().map(|&m| (pos.after(m), 0)).collect();
            // Only positions where two moves have the same result, in games that have such positions.
            if drawn.len() < 2 || !G::DISTINCT_MOVES && drawn.len() == moves.len() {
                return;
            }
            positions += 1;
            for _ in 0..TIMES * drawn.len() {
                let m = playout::choose(pos, rng);
                *drawn.get_mut(&pos.after(m)).expect("a legal move") += 1;
            }
            for (result, times) in drawn {
                assert!(times.abs_diff(TIMES) < TIMES / 3, "{result} was drawn {times} times in {pos}");
            }
        });
        assert_eq!(positions, 5);
    }

    pub fn random_games_come_to_an_end_or_go_on<G: Notation>() {
        let mut ended = 0;
        for seed in 0..GAMES {
            let rng = &mut Pcg64::seed_from_u64(seed);
            let last = playout::positions(G::default(), 3_000, rng).last().expect("there is a start");
            if last.stage().outcome().is_some() {
                ended += 1;
                let refused = Record::new(last, None).play("pass").map(|ply| ply.text);
                assert!(matches!(refused, Err(Refusal::GameOver(_))), "{last}");
            }
        }
        assert!(ended > GAMES / 2, "{ended} of {GAMES} random games of {} ended", G::ABOUT.name);
    }
}

/// A text with a character lost, added, doubled, exchanged or taken from somewhere else.
fn mutated(text: &str, rng: &mut Pcg64) -> String {
    const STRANGE: &[char] =
        &['a', 'A', 'g', 'h', 'x', 'Z', '0', '1', '7', '9', '-', ' ', 'p', 'é', '\u{0}', '🎲'];
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..=2) {
        let at = rng.random_range(0..chars.len().max(1));
        match rng.random_range(0..5) {
            0 if !chars.is_empty() => drop(chars.remove(at)),
            1 => chars.insert(at, *STRANGE.choose(rng).expect("there are some")),
            2 if !chars.is_empty() => chars.insert(at, chars[at]),
            3 if !chars.is_empty() => chars[at] = *STRANGE.choose(rng).expect("there are some"),
            _ if !chars.is_empty() => {
                let other = rng.random_range(0..chars.len());
                chars.swap(at, other);
            }
            _ => {}
        }
    }
    chars.into_iter().collect()
}
