//! The events of a move, compared with its steps, with the positions before and after it, and with the
//! reference.

use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::{
    reference::{CUBES, Cube, tipped},
    *,
};
use crate::game::playout;

fn steps_are_those_of_the_events<R: Rules>() {
    let rng = &mut Pcg64::seed_from_u64(1);
    let positions = playout::positions(Cublino::<R>::default(), 100, rng);
    for position in positions.filter(|position: &Cublino<R>| position.stage() == Stage::Move) {
        position.list(|spelling, _| {
            let steps = position.steps(&spelling);
            let events = events(&position, &spelling).into_iter().filter_map(|event| match event {
                Event::Tip { from, to, .. } => Some(StepDescription::Tip { from, to }),
                Event::Jump { from, over, to, .. } => Some(StepDescription::Jump { from, over, to }),
                Event::Battle(_) | Event::Removed { .. } => None,
            });
            let events: Vec<_> = events.map(described::Step::Cublino).collect();
            if spelling != Spelling::Pass {
                assert_eq!(steps, events, "{spelling} in {position}");
            }
        });
    }
}

#[test]
fn the_steps_of_a_move_are_those_of_its_events() {
    steps_are_those_of_the_events::<rules::Pur>();
    steps_are_those_of_the_events::<rules::Contra>();
    steps_are_those_of_the_events::<rules::Ecke>();
}

/// How a die lies, and what it shows on top.
fn cube(orientation: Orientation) -> &'static Cube {
    &CUBES[usize::from(orientation.index())]
}

/// How far it is from one square to another, in files and ranks.
fn way(from: Square, to: Square) -> (i8, i8) {
    let [[from_file, from_rank], [to_file, to_rank]] = [from, to].map(|square| {
        let text = square.to_string().into_bytes();
        [text[0], text[1]].map(u8::cast_signed)
    });
    (to_file - from_file, to_rank - from_rank)
}

/// Returns how many moves there were with a tip, and with a jump.
fn events_tell_how_the_die_lies<R: Rules>() -> (usize, usize) {
    let (mut tips, mut jumps) = (0, 0);
    let rng = &mut Pcg64::seed_from_u64(2);
    let positions = playout::positions(Cublino::<R>::default(), 100, rng);
    for position in positions.filter(|position: &Cublino<R>| position.stage() == Stage::Move) {
        let die = |position: &Cublino<R>, square| {
            description(position).dice.into_iter().find(|die| die.square == square)
        };
        position.list(|spelling, m| {
            let (mut at, mut lies) = (None, None);
            let mut removed = false;
            for event in events(&position, &spelling) {
                match event {
                    Event::Tip { from, to, orientation, top } => {
                        let before = lies.unwrap_or_else(|| *cube(die(&position, from).unwrap().orientation));
                        let after = tipped(before, way(from, to));
                        assert_eq!((*cube(orientation), top), (after, after[0]), "{spelling} in {position}");
                        (at, lies) = (Some(to), Some(after));
                        tips += 1;
                    }
                    Event::Jump { from, to, orientation, .. } => {
                        let before = lies.unwrap_or_else(|| *cube(die(&position, from).unwrap().orientation));
                        assert_eq!(*cube(orientation), before, "{spelling} in {position}");
                        (at, lies) = (Some(to), Some(before));
                        jumps += 1;
                    }
                    Event::Removed { square, .. } => removed |= Some(square) == at,
                    Event::Battle(_) => {}
                }
            }
            if let Some(at) = at.filter(|_| !removed) {
                let lies_there = die(&position.after(m), at).unwrap().orientation;
                assert_eq!(Some(*cube(lies_there)), lies, "{spelling} in {position}");
            }
        });
    }
    (tips, jumps)
}

#[test]
fn events_tell_how_the_die_lies_after_each_step() {
    let (tips, jumps) = events_tell_how_the_die_lies::<rules::Pur>();
    assert!(tips > 100 && jumps > 100, "{tips} tips and {jumps} jumps");
    assert!(events_tell_how_the_die_lies::<rules::Contra>().0 > 100);
    assert!(events_tell_how_the_die_lies::<rules::Ecke>().0 > 100);
}
