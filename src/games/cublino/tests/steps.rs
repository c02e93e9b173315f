//! The steps of a move, which the squares of its chain give, are those of its events, which the board gives.

use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::*;
use crate::game::playout;

fn steps_are_those_of_the_events<R: Rules>() {
    let rng = &mut Pcg64::seed_from_u64(1);
    let positions = playout::positions(Cublino::<R>::default(), 100, rng);
    for position in positions.filter(|position: &Cublino<R>| position.stage() == Stage::Move) {
        position.list(|spelling, _| {
            let mut steps = Vec::new();
            position.steps(&spelling, |step| steps.push(step));
            let events = position.events(&spelling).into_iter().filter_map(|event| match event {
                Event::Tip { from, to, .. } => Some(StepDescription::Tip { from, to }),
                Event::Jump { from, over, to } => Some(StepDescription::Jump { from, over, to }),
                Event::Battle(_) | Event::Removed { .. } => None,
            });
            assert_eq!(steps, events.collect::<Vec<_>>(), "{spelling} in {position}");
        });
    }
}

#[test]
fn the_steps_of_a_move_are_those_of_its_events() {
    steps_are_those_of_the_events::<rules::Pur>();
    steps_are_those_of_the_events::<rules::Contra>();
    steps_are_those_of_the_events::<rules::Ecke>();
}
