//! The rules that all variants share, and those of Pur, one test for each; the other variants have files of
//! their own.

mod contra;
mod ecke;
mod reference;
mod steps;
mod validity;

use super::{notation::MalformedMove, setup::Malformed, *};
use crate::{
    game::{Record, Refusal, Standing, Status},
    games::Pur,
};

/// The codes of faults with their places.
type Reasons<'a> = &'a [(&'static str, Option<usize>)];

fn reasons(faults: &[Fault]) -> Vec<(&'static str, Option<usize>)> {
    faults.iter().map(|fault| (fault.code, fault.at)).collect()
}

fn invalid<R: Rules>(state: &str) -> Vec<Fault> {
    match Cublino::<R>::read(state) {
        Err(StateError::Invalid(faults)) => faults,
        other => panic!("{state}: {other:?}"),
    }
}

/// The state after a move, or why it is not legal.
fn play<R: Rules>(state: &str, m: &str) -> Result<String, Illegal> {
    let position = Cublino::<R>::read(state).unwrap();
    let m = position.legal_move(&m.parse().unwrap())?;
    Ok(position.after(m).to_string())
}

/// The parsed position.
fn description<R: Rules>(position: &Cublino<R>) -> Description {
    match position.describe() {
        described::Position::Cublino(description) => description,
        other => panic!("{position}: {other:?}"),
    }
}

/// What happens when a legal move is played.
fn events<R: Rules>(position: &Cublino<R>, spelling: &Spelling) -> Vec<Event> {
    let own = |event| match event {
        described::Event::Cublino(event) => event,
        other => panic!("{position}: {other:?}"),
    };
    position.events(spelling).into_iter().map(own).collect()
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

fn listed(state: &str) -> Vec<String> {
    let spellings = Pur::read(state).unwrap().spellings();
    spellings.iter().map(ToString::to_string).collect()
}

const START: &str = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
/// White's dice on e2 and d1, Black's on d2; f1 and g1 have nothing in their way.
const MIDGAME: &str = "PWa1Wb1Wc1Wd1Le2Wf1Wg1id2va7vb7vc7ve7vf7vg7";
/// White's die on a6 is hemmed in by Black's, and the far rank is full.
const STUCK: &str = "Pva1vb1vc1vd1Wa6vb6vc6va7Wb7Wc7Wd7We7Wf7Wg7";

/// Why a move in any variant is not legal.
fn refusal(state: &str, m: &str) -> Illegal {
    let played = match state.as_bytes()[0].to_ascii_uppercase() {
        b'P' => play::<rules::Pur>(state, m),
        b'C' => play::<rules::Contra>(state, m),
        _ => play::<rules::Ecke>(state, m),
    };
    played.expect_err(state)
}

#[test]
fn a_move_is_refused_as_each_rule_says() {
    let turned = MIDGAME.replacen('P', "p", 1);
    // f1 tips to e1; jumping back over f1 onto g1 would need a die on f1.
    let left = "PWa1Wb1Wc1Wd1We2Wf1Wf3va7vb7vc7vd7ve7vf7vg7";
    let round = "PWa1Wb1Wa2Wg3Wg4Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
    for (rule, state, m, code) in [
        ("a tip goes onto a free square", START, "b1c1", "tip-blocked"),
        ("the square behind a die that is jumped is free", START, "a1c1", "landing-taken"),
        ("there is a die to jump over", START, "a1a3", "nothing-to-jump"),
        ("no die goes backwards", MIDGAME, "e2e1", "backwards"),
        ("nor does Black's", &turned, "d2d3", "backwards"),
        ("a tip is not diagonal", START, "e1f2", "not-a-step"),
        ("a step is no longer than a jump", START, "e1e4", "not-a-step"),
        ("a jump goes straight on", START, "e1g3", "not-a-step"),
        ("a step leads somewhere", START, "e1e1", "not-a-step"),
        ("only the first step may be a tip", START, "e1e2e3", "late-tip"),
        ("the square that the die left cannot be jumped", left, "f1e1g1", "nothing-to-jump"),
        ("a move does not end where it began", round, "a1c1a1", "ends-where-it-began"),
        ("there is a die to move", START, "d4d5", "no-die"),
        ("it is the mover's", START, "d7d6", "not-yours"),
        ("who can move may not pass", START, "pass", "may-not-pass"),
        ("who cannot move passes", STUCK, "a1a2", "must-pass"),
        ("in Contra a move is a tip", "CWd1Wd2vg7", "d1d3", "no-jumps"),
        ("and a single one", "CWd1Wd2vg7", "d2d3d4", "several-steps"),
        ("in Ecke a move is one step", "EWd1Wd2Wd4va7vg7", "d1d3d5", "several-steps"),
        ("no die goes diagonally backwards", "EWd3Wa1va7vg7", "d3e2", "backwards"),
        ("to neither side", "EWd3Wa1va7vg7", "d3c2", "backwards"),
        ("nor does Black's", "eWa1Wb1vd5vg7", "d5e6", "backwards"),
        ("a jump ends on a free square", "EWa1Wf3ve4vd5vg7", "f3d5", "landing-taken"),
        ("and goes over a die", "EWa1Wf3vg7vd7", "f3d5", "nothing-to-jump"),
    ] {
        assert_eq!(<&str>::from(refusal(state, m)), code, "{rule}");
    }
    for (state, m, sentence) in [
        (START, "a1c1", "the square behind b1 is taken by White's own die on c1"),
        ("EWa1Wf3ve4vd5vg7", "f3d5", "the square behind e4 is taken by Black's die on d5"),
        (START, "a1a3", "there is no die on a2 to jump over on the way from a1 to a3"),
    ] {
        assert_eq!(refusal(state, m).to_string(), sentence);
    }
}

mod notation {
    use super::*;

    #[test]
    fn seven_dice_a_side_start_on_their_own_first_rank() {
        assert_eq!(Pur::default().to_string(), START);
    }

    #[test]
    fn dice_are_accepted_in_any_order_and_written_rank_by_rank() {
        let shuffled = "Pvg7Wa1vf7Wb1ve7Wc1vd7Wd1vc7We1vb7Wf1va7Wg1";
        assert_eq!(Pur::read(shuffled).unwrap().to_string(), START);
        assert_eq!(Pur::read(shuffled).unwrap(), Pur::default());
    }

    #[test]
    fn the_case_of_the_letter_is_the_turn() {
        assert_eq!(Pur::read(START).unwrap().turn(), Player::One);
        assert_eq!(Pur::read(&START.replacen('P', "p", 1)).unwrap().turn(), Player::Two);
    }

    #[test]
    fn a_text_that_is_not_well_formed_is_refused_with_every_reason_and_its_place() {
        let dice = "Wa1".repeat(171);
        let cases: &[(&str, Reasons)] = &[
            ("", &[("empty-state", None)]),
            ("CWa1", &[("wrong-letter", Some(0))]),
            ("é", &[("wrong-letter", Some(0))]),
            (
                "Pya1Wh1Wc8éa0",
                &[
                    ("not-an-orientation", Some(1)),
                    ("not-a-file", Some(5)),
                    ("not-a-rank", Some(9)),
                    ("not-an-orientation", Some(10)),
                    ("not-a-rank", Some(12)),
                ],
            ),
            ("PWA1", &[("not-a-file", Some(2))]),
            ("PWa1W", &[("incomplete-die", Some(4))]),
            ("PWa1Wb", &[("incomplete-die", Some(4))]),
            (&format!("P{dice}"), &[("too-long", Some(512))]),
            (&"é".repeat(513), &[("too-long", Some(512))]),
            // The limit counts characters: 512 of two bytes each are read.
            (&"é".repeat(512), &[("wrong-letter", Some(0))]),
        ];
        for (text, expected) in cases {
            let faults = text.parse::<Setup<rules::Pur>>().unwrap_err();
            assert_eq!(reasons(&faults), *expected, "{text}: {faults:?}");
        }
    }

    #[test]
    fn how_many_dice_there_are_and_where_is_a_matter_of_validity() {
        let dice = |state: &str| state.parse::<Setup<rules::Pur>>().unwrap().dice.len();
        assert_eq!(dice("P"), 0);
        assert_eq!(dice("PWa1Wa1Wa1"), 3);
        let longest = format!("P{}", "Wa1".repeat(170));
        assert_eq!(dice(&longest), 170);
    }

    #[test]
    fn a_setup_that_the_rules_do_not_allow_is_refused_with_every_reason_and_its_place() {
        let seven_each = ("not-seven-dice", None);
        let cases: &[(&str, Reasons)] = &[
            (&START.replacen("Wb1", "Wa1", 1), &[("square-taken", Some(5))]),
            (&START.replacen("Wg1", "", 1), &[seven_each]),
            (&format!("{START}vd4"), &[seven_each]),
            ("P", &[seven_each, seven_each]),
            ("Pva1vb1vc1vd1ve1vf1vg1Wa7Wb7Wc7Wd7We7Wf7Wg7", &[("both-finished", None)]),
        ];
        for (text, expected) in cases {
            let faults = invalid::<rules::Pur>(text);
            assert_eq!(reasons(&faults), *expected, "{text}: {faults:?}");
        }
    }

    #[test]
    fn a_move_is_the_squares_passed_or_pass() {
        assert_eq!("pass".parse(), Ok(Spelling::Pass));
        let chain = "e1e2c2".parse::<Spelling>().unwrap();
        assert_eq!(chain, Spelling::Chain(["e1", "e2", "c2"].map(square).as_slice().into()));
        assert_eq!("".parse::<Spelling>(), Err(MalformedMove::EmptyMove.into()));
        assert_eq!("e1".parse::<Spelling>(), Err(Fault::at(0, MalformedMove::OneSquare(square("e1")))));
        for (text, found, at) in [("e1e8", "e8", 2), ("e1e", "e", 2), ("Pass", "Pa", 0), ("e1🎲2", "🎲2", 2)]
        {
            let not_a_square = Fault::at(at, MalformedMove::NotASquare(found.to_owned()));
            assert_eq!(text.parse::<Spelling>(), Err(not_a_square), "{text}");
        }
    }
}

mod moving {
    use super::*;

    #[test]
    fn at_the_start_each_die_can_only_tip_forwards() {
        assert_eq!(listed(START), ["a1a2", "b1b2", "c1c2", "d1d2", "e1e2", "f1f2", "g1g2"]);
    }

    #[test]
    fn a_tip_is_a_quarter_turn_onto_a_free_neighbouring_square() {
        // Six up and four north, tipped north: three up (the south face), six north.
        assert_eq!(play::<rules::Pur>(START, "e1e2").unwrap(), "pWa1Wb1Wc1Wd1Wf1Wg1Le2va7vb7vc7vd7ve7vf7vg7");
    }

    #[test]
    fn a_jump_goes_over_one_die_of_either_player_without_turning() {
        let position = "PWa1Wb1Wc1Wd1We1Wf1Wg1va2vb2vc3vd7ve7vf7vg7";
        assert!(play::<rules::Pur>(position, "a1a3").unwrap().contains("Wa3"));
        assert!(play::<rules::Pur>(position, "b1b3d3").unwrap().contains("Wd3"));
    }

    #[test]
    fn a_tip_may_be_followed_by_any_number_of_jumps() {
        let position = "PWa1Wc2We2Ld1Lb3Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
        // d1 tips to d2, jumps over c2 to b2, then over b3 to b4.
        assert!(listed(position).contains(&"d1d2b2b4".to_owned()));
    }

    #[test]
    fn the_square_that_the_die_left_does_not_block() {
        // Round the die on b2 and back through a1, where the chain began.
        let position = "PWa1Wb1Wa2Wg3Wg4Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
        assert!(play::<rules::Pur>(position, "a1c1a1a3").is_ok());
    }

    #[test]
    fn a_chain_that_is_played_may_visit_a_square_twice() {
        // From a1 over b1 to c1, back to a1 and on over a2: the same result as the jump over a2 alone.
        let position = "PWa1Wb1Wa2Wg3Wg4Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
        let listed = listed(position);
        assert!(listed.contains(&"a1a3".to_owned()) && !listed.contains(&"a1c1a1a3".to_owned()));
        assert_eq!(play::<rules::Pur>(position, "a1c1a1a3"), play::<rules::Pur>(position, "a1a3"));
        // It is recorded as played.
        let ply = Record::new(Pur::read(position).unwrap(), None).play("a1c1a1a3").unwrap();
        assert_eq!((ply.text.as_str(), ply.events.len()), ("a1c1a1a3", 3));
    }

    #[test]
    fn a_chain_may_go_on_sideways_on_the_far_rank() {
        let position = "PWa1Wb1Wc1Wd1Wd5Wf1Wg1vd6vc7va7vf7ve2vf2vg2";
        assert!(listed(position).contains(&"d5d7b7".to_owned()));
    }

    #[test]
    fn two_chains_with_the_same_first_step_and_end_are_both_listed() {
        // From d1 round a die on either side: over c1 and b2... and over e1 and f2, to the same square.
        let position = "PWd1Wc1Wb2Wc3We1Wf2We3va7vb7vc7vd7ve7vf7vg7";
        let listed = listed(position);
        let to_d3: Vec<_> = listed.iter().filter(|m| m.starts_with("d1") && m.ends_with("d3")).collect();
        assert_eq!(to_d3, ["d1b1b3d3", "d1f1f3d3"]);
        assert_eq!(play::<rules::Pur>(position, to_d3[0]), play::<rules::Pur>(position, to_d3[1]));
        let moves = Pur::read(position).unwrap().legal_moves();
        let to = square("d3");
        let results = moves.iter().filter(|m| matches!(m, Move::Go { to: end, .. } if *end == to));
        assert_eq!(results.filter(|m| matches!(m, Move::Go { opening: Opening::Jump, .. })).count(), 1);
    }
}

mod turns {
    use super::*;

    #[test]
    fn after_a_move_the_turn_goes_to_the_opponent() {
        assert!(play::<rules::Pur>(START, "e1e2").unwrap().starts_with('p'));
    }

    #[test]
    fn a_stuck_player_who_is_handed_in_to_move_can_only_pass() {
        let position = Pur::read(STUCK).unwrap();
        assert!(position.is_stuck(Player::One) && !position.is_stuck(Player::Two));
        assert_eq!(listed(STUCK), ["pass"]);
        assert_eq!(play::<rules::Pur>(STUCK, "pass").unwrap(), STUCK.replacen('P', "p", 1));
    }

    #[test]
    fn a_stuck_opponent_is_skipped_and_the_answer_says_so() {
        // Black closes the last way out of a6.
        let before = STUCK.replacen("Pva1", "pva1", 1).replacen("vc6", "vd6", 1);
        let ply = Record::new(Pur::read(&before).unwrap(), None).play("d6c6").unwrap();
        assert_eq!(ply.position.turn(), Player::Two);
        assert!(matches!(
            ply.events[..],
            [_, described::Event::Shared(described::SharedEvent::TurnSkipped { player: Player::One })]
        ));
    }

    #[test]
    fn a_position_that_occurs_often_enough_is_drawn_if_the_caller_says_so() {
        let shuffle = ["a1b1", "a7b7", "b1a1", "b7a7"];
        let start = "PWa1We2Wc2Wd2Wg2Wf2Wd3va7vd5vc6vd6ve6vf6vg6";
        let play = |limit| {
            let mut record = Record::new(Pur::read(start).unwrap(), limit);
            let plies = shuffle.into_iter().cycle().take(40);
            let played = plies.take_while(|m| record.play(m).is_ok()).count();
            (played, record.standing())
        };
        // Two dice tip to and fro, so that the position is the same after every fourth ply.
        let (played, standing) = play(Some(3));
        assert_eq!(
            (played, standing.status, standing.reason),
            (8, Status::Drawn, Some(EndReason::Repetition))
        );
        assert_eq!(play(None).0, 40, "the rules have no repetition");
    }
}

mod ending {
    use super::*;

    fn standing(state: &str) -> Standing {
        Pur::read(state).unwrap().standing()
    }

    #[test]
    fn the_game_is_over_when_either_player_has_all_seven_dice_on_the_far_rank() {
        let white = "pva2vb2vc2vd2ve2vf2vg2Wa7Wb7Wc7Wd7We7Wf7Wg7";
        let black = "Pva1vb1vc1vd1ve1vf1vg1Wa6Wb6Wc6Wd6We6Wf6Wg6";
        for (state, winner) in [(white, Player::One), (black, Player::Two)] {
            let standing = standing(state);
            assert_eq!((standing.status, standing.winner), (Status::Won, Some(winner)), "{state}");
            assert_eq!(standing.reason, Some(EndReason::AllDiceHome));
        }
        assert_eq!(standing(START).status, Status::InProgress);
    }

    #[test]
    fn each_player_adds_the_tops_on_the_far_rank_also_the_one_who_has_not_finished() {
        // White has finished with seven ones; Black has two sixes at home.
        let state = "pvb1vg1vc2vd2ve2vf2va3Aa7Ab7Ac7Ad7Ae7Af7Ag7";
        assert_eq!(Pur::read(state).unwrap().points(), Some(Points { one: 7, two: 12 }));
        assert_eq!(standing(state).winner, Some(Player::Two));
        let counted = Pur::read(state).unwrap().counted(false)[1]
            .iter()
            .map(|counted| match *counted {
                described::Counted::Cublino(Counted::Die { square, top }) => (square, top),
                _ => panic!("{counted:?}"),
            })
            .collect::<Vec<_>>();
        assert_eq!(counted, [(square("b1"), 6), (square("g1"), 6)]);
    }

    #[test]
    fn equal_totals_draw() {
        let state = "pva1ab1vc2vd2ve2vf2va3Aa7Ab7Ac7Ad7Ae7Af7Ag7";
        let standing = standing(state);
        assert_eq!(standing.points, Some(Points { one: 7, two: 7 }));
        assert_eq!((standing.status, standing.winner), (Status::Drawn, None));
    }

    #[test]
    fn the_letter_of_a_finished_game_is_the_opponents_if_the_opponent_could_move() {
        let before = "Pva2vb2vc2vd2ve2vf2vg2Wa6Wb7Wc7Wd7We7Wf7Wg7";
        let after = play::<rules::Pur>(before, "a6a7").unwrap();
        assert!(after.starts_with('p'));
        assert!(Pur::read(&after).unwrap().stage().outcome().is_some());
    }

    #[test]
    fn a_finished_game_may_be_handed_in_with_either_letter() {
        let over = "pva2vb2vc2vd2ve2vf2vg2Wa7Wb7Wc7Wd7We7Wf7Wg7";
        for state in [over.to_owned(), over.replacen('p', "P", 1)] {
            assert_eq!(Pur::read(&state).unwrap().to_string(), state);
            assert_eq!(standing(&state).winner, Some(Player::One), "{state}");
        }
    }

    #[test]
    fn in_a_finished_game_nothing_can_be_played() {
        let over = "pva2vb2vc2vd2ve2vf2vg2Wa7Wb7Wc7Wd7We7Wf7Wg7";
        for m in ["a2a1", "pass"] {
            let refused = Record::new(Pur::read(over).unwrap(), None).play(m).map(|ply| ply.text);
            assert!(matches!(refused, Err(Refusal::GameOver(_))), "{m}");
        }
    }
}
