//! The rules of Contra, one test for each.

use super::*;
use crate::{
    game::{Record, Standing, Status},
    games::{
        Contra,
        described::{Event::Shared, SharedEvent},
    },
};

fn play(state: &str, m: &str) -> String {
    super::play::<rules::Contra>(state, m).unwrap()
}

fn standing(state: &str) -> Standing {
    Contra::read(state).unwrap().standing()
}

/// The battles of a move: the enemy's square, both totals, and who lost.
fn battles(state: &str, m: &str) -> Vec<(String, u8, u8, Option<Player>)> {
    let events = events(&Contra::read(state).unwrap(), &m.parse().unwrap());
    let battles = events.into_iter().filter_map(|event| match event {
        Event::Battle(battle) => Some(battle),
        _ => None,
    });
    battles.map(|b| (b.defender.to_string(), b.attacker_total, b.defender_total, b.loser)).collect()
}

#[test]
fn equal_totals_remove_nothing() {
    // Tipped north, White's die shows three.
    assert_eq!(battles("CWd3id5", "d3d4"), [("d5".to_owned(), 3, 3, None)]);
    assert_eq!(play("CWd3id5", "d3d4"), "cLd4id5");
}

#[test]
fn the_movers_total_counts_the_movers_dice_next_to_the_enemy_die() {
    let state = "CWd3Ac5id5vg7";
    assert_eq!(battles(state, "d3d4"), [("d5".to_owned(), 4, 3, Some(Player::Two))]);
    assert_eq!(play(state, "d3d4"), "cLd4Ac5vg7");
    // A die that is next to the moved die only does not help.
    assert_eq!(battles("CWd3Ac4id5vg7", "d3d4"), [("d5".to_owned(), 3, 3, None)]);
}

#[test]
fn the_enemys_total_counts_the_enemy_dice_next_to_the_moved_die() {
    let state = "CWd3ac4id5";
    let expected = [("c4", 3, 4, Some(Player::One)), ("d5", 3, 4, Some(Player::One))];
    assert_eq!(battles(state, "d3d4"), expected.map(|(at, a, d, loser)| (at.to_owned(), a, d, loser)));
    assert_eq!(play(state, "d3d4"), "cac4id5");
    // A die that is next to the enemy die only does not help.
    assert_eq!(battles("CWd3id5vd6", "d3d4"), [("d5".to_owned(), 3, 3, None)]);
}

#[test]
fn all_battles_are_decided_before_anything_is_removed() {
    // With the six on e5 White beats d5 and without it loses against c4: both dice go at once.
    let state = "CWd3ec4ed5We5";
    let expected = [("c4", 3, 4, Some(Player::One)), ("d5", 9, 4, Some(Player::Two))];
    assert_eq!(battles(state, "d3d4"), expected.map(|(at, a, d, loser)| (at.to_owned(), a, d, loser)));
    assert_eq!(play(state, "d3d4"), "cec4We5");
}

#[test]
fn dice_that_touch_at_a_corner_do_not_fight() {
    assert_eq!(battles("CWd3ac5ae5vg7", "d3d4"), []);
}

#[test]
fn events_are_the_tip_the_battles_and_the_dice_that_leave() {
    let events = events(&Contra::read("CWd3ac4id5").unwrap(), &"d3d4".parse().unwrap());
    let [Event::Tip { top: 3, .. }, Event::Battle(_), Event::Battle(_), removed] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(*removed, Event::Removed { square: square("d4"), player: Player::One });
}

#[test]
fn the_first_player_with_a_die_on_the_far_rank_wins() {
    let after = play("CWd6vg3", "d6d7");
    assert_eq!(after, "cvg3Ld7");
    let standing = standing(&after);
    assert_eq!((standing.status, standing.winner), (Status::Won, Some(Player::One)));
    assert_eq!((standing.reason, standing.points), (Some(EndReason::FarRankReached), None));
}

#[test]
fn a_die_that_arrives_on_the_far_rank_battles_first_and_wins_only_if_it_is_still_there() {
    let loses = play("CWe2Wd6vc7", "d6d7");
    assert_eq!(loses, "cWe2vc7");
    assert_eq!(standing(&loses).status, Status::InProgress);
    let wins = play("CWd6vg3ac7", "d6d7");
    assert_eq!(wins, "cvg3Ld7");
    assert_eq!(standing(&wins).winner, Some(Player::One));
}

#[test]
fn a_player_without_dice_has_not_lost_but_is_skipped() {
    let ply = Record::new(Contra::read("CWd3Ac5id5").unwrap(), None).play("d3d4").unwrap();
    assert_eq!(ply.position.to_string(), "CLd4Ac5");
    assert!(matches!(ply.events[..], [.., Shared(SharedEvent::TurnSkipped { player: Player::Two })]));
    assert_eq!(standing("CLd4Ac5").status, Status::InProgress);
    let spellings = Contra::read("cLd4Ac5").unwrap().spellings();
    assert_eq!(spellings, [Spelling::Pass]);
}

#[test]
fn the_letter_after_the_winning_move_is_the_winners_if_the_opponent_could_not_move() {
    // Black has no dice, and would have been skipped.
    let ply = Record::new(Contra::read("CWd6").unwrap(), None).play("d6d7").unwrap();
    assert_eq!(ply.position.to_string(), "CLd7");
    assert!(
        matches!(ply.events[..], [described::Event::Cublino(_), Shared(SharedEvent::Ended { .. })]),
        "nobody is skipped in a finished game"
    );
    // Black's only die can go neither down nor to the side.
    assert_eq!(play("CWa3va4Wb4Wg6", "g6g7"), "CWa3va4Wb4Lg7");
    assert_eq!(play("CWa3va4Wg6", "g6g7"), "cWa3va4Lg7", "it can go to b4");
    // Black wins and White could not move.
    assert_eq!(play("cvd2", "d2d1"), "cid1");
}

#[test]
fn nobody_can_move_and_nobody_has_won_is_a_draw() {
    for state in ["C", "c"] {
        let standing = standing(state);
        assert_eq!((standing.status, standing.winner), (Status::Drawn, None));
        assert_eq!(standing.reason, Some(EndReason::NobodyCanMove));
    }
    // White's three removes Black's last die, a two; Black is skipped and White plays on.
    assert_eq!(play("CWd3ec4", "d3d4"), "CLd4");
}

#[test]
fn there_are_at_most_seven_dice_each_and_not_both_players_are_across() {
    assert_eq!(reasons(&invalid::<rules::Contra>("CWa1Wb1Wc1Wd1We1Wf1Wg1Wa2vg7")), [("too-many-dice", None)]);
    assert_eq!(reasons(&invalid::<rules::Contra>("Cva1Wa7")), [("both-on-far-rank", None)]);
    assert_eq!(Contra::read("C").unwrap().board().occupied(), Squares::NONE);
}
