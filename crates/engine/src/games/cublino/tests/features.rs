//! The features that a learned evaluation reads.

use std::collections::BTreeSet;

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::*;
use cublino_rules::{
    game::playout,
    games::{Contra, Ecke, Pur},
};

/// How many dice each side has on its first rank and on its last, the side to move first.
fn counted(state: &str) -> Vec<(usize, usize)> {
    let position = Pur::read(state).expect("a valid state");
    let mut counts = Vec::new();
    Pur::active_features(&position.seen_by(position.turn()), None, |feature| {
        if let Some(feature) = feature.checked_sub(OF_DICE) {
            assert_eq!(feature / COUNTS / COUNTS, counts.len(), "own dice come first");
            counts.push((feature / COUNTS % COUNTS, feature % COUNTS));
        }
    });
    counts
}

#[test]
fn dice_that_have_not_started_and_dice_that_are_across_are_counted() {
    assert_eq!(counted("PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"), [(7, 0), (7, 0)]);
    // White keeps a die on g1, which is Black's last square, and Black none on d7.
    let kept = "vb1vc1rd1ve1Sf1gg1pc2pf2Fa7Vb7Uc7Ud7Ve7Qg7";
    assert_eq!(counted(&format!("P{kept}")), [(1, 6), (0, 5)]);
    assert_eq!(counted(&format!("p{kept}")), [(0, 5), (1, 6)]);
}

#[test]
fn where_one_die_across_is_enough_nothing_is_counted() {
    assert_eq!(Contra::FEATURES.count, OF_DICE);
    Contra::active_features(&Contra::default().seen_by(Player::One), None, |feature| {
        assert!(feature < OF_DICE);
    });
}

/// In positions of random games.
fn the_other_player_sees_each_feature_by_its_number<G: Features>() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..20 {
        for position in playout::positions(G::default(), 200, &mut rng) {
            let [one, two] = Player::ALL.map(|player| {
                let mut seen = BTreeSet::new();
                G::active_features(&position.seen_by(player), None, |feature| {
                    seen.insert(feature);
                });
                seen
            });
            let by_other = |&feature: &usize| usize::from(G::FEATURES.seen_by_other[feature]);
            assert_eq!(one.iter().map(by_other).collect::<BTreeSet<_>>(), two, "{position}");
            assert_eq!(two.iter().map(by_other).collect::<BTreeSet<_>>(), one, "{position}");
        }
    }
}

#[test]
fn the_other_player_sees_each_feature_by_its_number_in_every_game() {
    the_other_player_sees_each_feature_by_its_number::<Pur>();
    the_other_player_sees_each_feature_by_its_number::<Contra>();
    the_other_player_sees_each_feature_by_its_number::<Ecke>();
}
