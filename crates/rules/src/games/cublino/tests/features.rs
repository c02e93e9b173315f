//! What a learned evaluation sees.

use super::*;
use crate::games::{Contra, Pur, cublino::setup::Setup};

/// How many dice each side has on its first rank and on its last, the side to move first.
fn counted(state: &str) -> Vec<(usize, usize)> {
    let setup = state.parse::<Setup<_>>().expect("a well-formed state");
    let position = Pur::try_from(setup).expect("a valid state");
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
    assert_eq!(Contra::FEATURES, OF_DICE);
    Contra::active_features(&Contra::default().seen_by(Player::One), None, |feature| {
        assert!(feature < OF_DICE);
    });
}
