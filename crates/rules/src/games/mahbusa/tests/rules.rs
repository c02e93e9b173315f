//! One test for each sentence of the rules; positions are drawn in the notation.

use super::*;
use crate::{
    game::Record,
    games::described::{Event::Shared, SharedEvent},
};

#[test]
fn checkers_move_pin_and_are_borne_off_as_each_rule_says() {
    let cases = [
        ("White from its 24-point", "M63-o22O", "XR-XU", "m-o16A2A2M"),
        ("Black from its own", "m63-o22O", "XR-XU", "M-m2a2a16O"),
        ("one checker, both dice", "M63-o22O", "XR-RO", "m-o13A8N"),
        ("in the other order", "M63-o22O", "XU-UO", "m-o13A8N"),
        ("onto its own points", "M63-o16A2A2M", "XR-XU", "m-o16B2B2K"),
        ("a single one is pinned", "M63-iab4aa2BAp4A5K", "LI-XR", "m-iab4aAp2AAp4B5J"),
        ("and freed by the last to leave", "M63-iab4aa2BAp4A5K", "MG-XU", "m-iab3Aaa2Ba4A2A2J"),
        ("not while one of two stays", "M31-iab4aa2ABp4A5K", "MJ-XW", "m-iab4aaA1AAp4A4AJ"),
        ("but when both have left", "M11-iab4aa2ABp4A5K", "ML-ML-XW-XW", "m-iab4aa2Ca4A4BI"),
        ("more may join a pin", "M65-iab4aa2BAp4A5K", "RM-XR", "m-iab4aa2BBp4A5J"),
        ("a die that equals the point", "M63-2B2B17o", "F0-C0", "m-2A2A17o"),
        ("nobody has to bear off", "M61-5A17o", "FE-E0", "m-23o"),
        ("nor with either die", "M31-1B1A19o", "DA-BA", "m-BA21o"),
        ("bearing off frees, too", "M65-2Ap20n", "C0", "m-2a20n"),
    ];
    for (rule, state, text, expected) in cases {
        assert_eq!(after(state, text), expected, "{rule}");
    }
}

#[test]
fn a_double_is_played_four_times() {
    assert_eq!(after("M11-o22O", "XW-XW-WV-XW"), "m-o20ABL");
    assert!(matches!(refusal("M11-o22O", "XW-XW-XW"), Illegal::MoreDicePlayable { played: 3, possible: 4 }));
    assert!(matches!(refusal("M11-o22O", "XW-XW-XW-XW-XW"), Illegal::NoDieLeft(_)));
}

#[test]
fn as_many_of_a_double_as_possible_are_played() {
    // From L a white checker would land on F, which Black holds.
    assert_eq!(listed("M66-m4b17O"), ["XR-XR-XR-XR", "XR-XR-XR-RL", "XR-XR-RL-RL"]);
    assert_eq!(listed("M66-M4b5A5A5m"), ["RL"], "one of the four");
    assert_eq!(listed("M66-N4b5A11m"), ["pass"], "none of them");
}

#[test]
fn both_dice_are_played_if_that_is_possible_in_any_order() {
    // Six first leads to H, which Black holds; three first leads on to E.
    assert_eq!(listed("M63-N6b5A9m"), ["NK-KE"]);
    assert_eq!(refusal("M63-N6b5A9m", "NK"), Illegal::MoreDicePlayable { played: 1, possible: 2 });
}

#[test]
fn the_player_chooses_which_die_if_only_one_can_be_played() {
    assert_eq!(listed("M63-N3b8A9m"), ["NH", "NK"]);
}

#[test]
fn a_player_who_can_play_no_die_passes() {
    assert_eq!(listed("M43-EGB18dpdf"), ["pass"]);
    assert_eq!(after("M43-EGB18dpdf", "pass"), "m-EGB18dpdf");
}

#[test]
fn a_larger_die_takes_a_checker_off_the_highest_point() {
    assert_eq!(after("M65-1B1B19o", "D0-D0"), "m-1B21o");
    assert!(matches!(refusal("M65-1B1B19o", "B0-D0"), Illegal::NotHighest { .. }));
}

#[test]
fn nothing_is_borne_off_before_all_are_at_home() {
    assert!(matches!(refusal("M62-5N1A15o", "F0-HF"), Illegal::NotAllHome { .. }));
    assert_eq!(after("M62-5N1A15o", "HF-F0"), "m-5N17o", "they are after the first step");
}

#[test]
fn nothing_is_borne_off_while_a_pinned_checker_is_not_at_home() {
    assert!(matches!(refusal("M21-BL10ap10n", "B0"), Illegal::NotAllHome { .. }));
    assert_eq!(listed("M21-BL10ap10n"), ["BA"]);
}

#[test]
fn a_pinned_checker_cannot_be_borne_off() {
    assert_eq!(listed("M33-C1ap20n"), ["pass"]);
    assert!(matches!(refusal("M31-CAap20n", "C0"), Illegal::Pinned { .. }));
}

#[test]
fn a_larger_die_takes_nothing_off_if_the_highest_checker_is_pinned() {
    assert_eq!(listed("M61-3Aap18n"), ["DC"]);
    assert!(matches!(refusal("M61-3Aap18n", "D0"), Illegal::HighestPinned { .. }));
}

#[test]
fn the_first_to_bear_off_all_fifteen_wins() {
    let over = Mahbusa::read(&after("M21-A21bh", "A0")).unwrap();
    assert_eq!(over.to_string(), "m-22bh", "the turn is the opponent's, and nobody rolls");
    let points = Some(Points { one: 15, two: 5 });
    let outcome = Outcome { winner: Some(Player::One), reason: EndReason::BorneOff, points };
    assert_eq!(over.stage(), Stage::Over(outcome));
}

#[test]
fn two_dice_that_bear_off_the_last_checker_are_one_play() {
    assert_eq!(listed("M21-A21bh"), ["A0"]);
}

#[test]
fn the_last_checker_may_be_borne_off_with_dice_left() {
    assert_eq!(listed("M51-4A18i"), ["ED-D0"]);
    assert_eq!(after("M51-4A18i", "ED-D0"), "m-23i");
    assert_eq!(after("M51-4A18i", "E0"), "m-23i", "one of two dice");
    assert_eq!(after("m51-I18a4", "E0"), "M-I23", "Black's E");
    let mut record = Record::new(Mahbusa::read("M51-4A18i").unwrap(), None);
    let ply = record.play("E0").unwrap();
    assert_eq!((ply.text.as_str(), ply.position.to_string()), ("E0", "m-23i".to_owned()));
    assert_eq!(record.stage().outcome().map(|outcome| outcome.winner), Some(Some(Player::One)));
    assert!(
        matches!(
            ply.events[..],
            [described::Event::Mahbusa(Event::BorneOff { die: 5, .. }), Shared(SharedEvent::Ended { .. })]
        ),
        "{:?}",
        ply.events
    );
}

#[test]
fn a_checker_that_is_not_the_last_is_not_borne_off_with_dice_left() {
    assert!(matches!(refusal("M51-3AA18i", "E0"), Illegal::MoreDicePlayable { played: 1, possible: 2 }));
    // Nor is one that leaves a pinned checker behind.
    assert!(matches!(refusal("M51-1ap2A18n", "E0"), Illegal::MoreDicePlayable { played: 1, possible: 2 }));
    // The other die cannot take the last one off.
    assert!(matches!(refusal("M51-4A18i", "ED"), Illegal::MoreDicePlayable { played: 1, possible: 2 }));
    assert!(matches!(refusal("M51-4A18i", "E0-D0"), Illegal::NoChecker(_)));
}

#[test]
fn there_is_no_repetition() {
    // With a double six neither player can move, so that the same position comes again and again.
    let start = Mahbusa::read("M-K4b5Bb5B4k").unwrap();
    let mut record = Record::new(start, Some(2));
    for _ in 0..20 {
        record.play("66").unwrap();
        record.play("pass").unwrap();
        assert_eq!(record.stage(), Stage::Roll);
    }
    assert_eq!(*record.position(), start);
}

#[test]
fn the_game_is_drawn_when_each_player_has_a_checker_pinned_on_their_own_24_point() {
    let drawn = Mahbusa::read(&after("m21-Ap9M1m8a1A", "CA-LK")).unwrap();
    assert_eq!(drawn.to_string(), "M-Ap9M1la9ap");
    let points = Some(Points { one: 0, two: 0 });
    assert_eq!(drawn.stage(), Stage::Over(Outcome { winner: None, reason: EndReason::Deadlock, points }));
}

#[test]
fn the_game_goes_on_when_one_player_has_a_checker_pinned_on_their_24_point() {
    assert_eq!(Mahbusa::read("M-A9M1n10ap").unwrap().stage(), Stage::Roll);
}

#[test]
fn the_dice_are_rolled_before_each_turn() {
    let start = Mahbusa::default();
    assert_eq!((start.to_string(), start.stage()), ("M-o22O".to_owned(), Stage::Roll));
    let rolled = start.rolled("36".parse().unwrap());
    assert_eq!((rolled.to_string(), rolled.stage()), ("M63-o22O".to_owned(), Stage::Move));
    assert_eq!((rolled.turn(), Mahbusa::read("m-o16A2A2M").unwrap().stage()), (Player::One, Stage::Roll));
}

#[test]
fn a_pin_that_the_same_play_lifts_is_no_effect() {
    let position = Mahbusa::read("M61-eabaa1baAaAAaA4B2A1H").unwrap();
    let facts = position.facts(position.resolve(&play("IH-HB")).ok());
    let pins = facts.iter().filter(|fact| fact.kind == FactKind::Pin);
    assert_eq!(pins.map(|pin| &pin.places[..]).collect::<Vec<_>>(), [["B"]], "{facts:?}");
}

#[test]
fn rolls_that_pin_are_counted_by_what_they_lead_to() {
    let position = Mahbusa::read(&after("m53-1A5cdbacaAHaAD6", "QL-LI")).unwrap();
    let [fact] = &position.facts(None)[..] else { panic!("one fact") };
    assert_eq!((fact.kind, fact.player, fact.count), (FactKind::PinningRolls, position.turn(), 35));
}
