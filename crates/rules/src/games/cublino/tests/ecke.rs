//! The rules of Ecke, one test for each.

use super::*;
use crate::{
    game::{Standing, Status},
    games::Ecke,
};

fn play(state: &str, m: &str) -> String {
    super::play::<rules::Ecke>(state, m).unwrap()
}

fn standing(state: &str) -> Standing {
    Ecke::read(state).unwrap().standing()
}

#[test]
fn dice_tip_and_jump_also_diagonally_forwards() {
    // The text that describes the game has this jump: over e4, from f3 to d5.
    assert_eq!(play("EWa1Wf3ve4vg7", "f3d5"), "eWa1ve4Wd5vg7");
    assert_eq!(play("EWa1Wd3va7vg7", "d3e4"), "eWa1De4va7vg7");
    assert_eq!(play("eWa1Wb1vd5vg7", "d5c4"), "EWa1Wb1ac4vg7");
}

#[test]
fn if_any_enemy_top_is_higher_only_the_moved_die_is_removed() {
    // On d3 the die shows four, against a six and a one.
    let ply = Ecke::read("EWa1Wg1Kc2vd4ae4va7vg7").unwrap();
    let events = events(&ply, &"c2d3".parse().unwrap());
    let losers = events.iter().filter_map(|event| match event {
        Event::Battle(battle) => Some(battle.loser),
        _ => None,
    });
    assert_eq!(losers.collect::<Vec<_>>(), [Some(Player::One), Some(Player::Two)]);
    assert_eq!(play("EWa1Wg1Kc2vd4ae4va7vg7", "c2d3"), "eWa1Wg1vd4ae4va7vg7");
}

#[test]
fn otherwise_every_enemy_with_a_lower_top_is_removed() {
    assert_eq!(play("EWa1Wg1Kc2ad4ae4va7vg7", "c2d3"), "eWa1Wg1Md3va7vg7");
}

#[test]
fn equal_tops_remove_nothing_and_protect_nobody() {
    // A four stays, a one goes.
    assert_eq!(play("EWa1Wg1Kc2md4ae4va7vg7", "c2d3"), "eWa1Wg1Md3md4va7vg7");
}

#[test]
fn there_is_no_battle_on_a_corner_the_mover_is_heading_for() {
    // The die on a7 shows three next to a six.
    assert_eq!(play("EWb1Wa6vb6vg7", "a6a7"), "eWb1vb6La7vg7");
    // On another square of that rank there is one.
    assert_eq!(play("EWb1Wg2Wb6vc6vg7", "b6b7"), "eWb1Wg2vc6vg7");
    // And on a corner of one's own end.
    assert_eq!(play("EWb1Wg2va2vg7", "b1a1"), "eva2Wg2vg7");
}

#[test]
fn both_corners_at_once_win() {
    let after = play("EWd1Wa6vd3Wg7vd7vb4", "a6a7");
    let standing = standing(&after);
    assert_eq!((standing.status, standing.winner), (Status::Won, Some(Player::One)));
    assert_eq!((standing.reason, standing.points), (Some(EndReason::CornersHeld), None));
    assert_eq!(self::standing("EWd1Wa6vd3Wg7vd7vb4").status, Status::InProgress);
}

#[test]
fn an_opponent_with_fewer_than_two_dice_has_lost() {
    let standing = standing("EWd1Wa6vd3");
    assert_eq!((standing.winner, standing.reason), (Some(Player::One), Some(EndReason::TooFewDice)));
    // Also when the mover's own die was the last but one.
    let after = play("EWd1Wg3ve5vg5", "g3f4");
    assert_eq!(after, "eWd1ve5vg5");
    assert_eq!(self::standing(&after).winner, Some(Player::Two));
}

#[test]
fn the_letter_after_the_winning_move_is_the_winners_if_the_opponent_could_not_move() {
    // White takes the die on d4. The other, on a1, can neither tip to b1 nor jump to c1.
    assert_eq!(play("Eva1Wb1Wc1Kc2ad4", "c2d3"), "Eva1Wb1Wc1Md3");
    assert_eq!(play("Eva1Wb1Wd1Kc2ad4", "c2d3"), "eva1Wb1Wd1Md3", "it can jump to c1");
    assert_eq!(standing("Eva1Wb1Wc1Md3").winner, Some(Player::One));
}

#[test]
fn there_are_at_most_seven_dice_each_and_not_both_players_have_won() {
    for state in ["Eva1vg1Wa7Wg7", "EWa1va7", "E"] {
        assert_eq!(reasons(&invalid::<rules::Ecke>(state)), [("both-won", None)], "{state}");
    }
    let eight = "EWa1Wb1Wc1Wd1We1Wf1Wg1Wa2vg7va7";
    assert_eq!(reasons(&invalid::<rules::Ecke>(eight)), [("too-many-dice", None)]);
}
