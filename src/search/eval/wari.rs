//! Judging Wari.

use crate::{
    game::Game,
    games::Wari,
    search::{Evaluate, Score},
};

/// What a prisoner is worth.
const PRISONER: i32 = 40;

impl Evaluate for Wari {
    const SCALE: f64 = 300.0;

    fn evaluate(&self) -> Score {
        let prisoners = |player| i32::from(self.row(player).prisoners());
        Score::new(PRISONER * (prisoners(self.turn()) - prisoners(!self.turn())))
    }
}
