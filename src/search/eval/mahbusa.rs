//! Judging Mahbusa.

use crate::{
    game::{Game, Player},
    games::{Mahbusa, mahbusa::Point},
    search::{Evaluate, Score},
};

/// What a pip less to go is worth.
const PIP: i32 = 4;
/// What it is worth to pin an opposing checker, and for each pip that it still has to go.
const PIN: (i32, i32) = (30, 4);
/// What it costs to have a checker alone on a point that the opponent can still reach.
const ALONE: i32 = 12;
/// What it is worth to hold a point with two checkers or more.
const HELD: i32 = 6;
/// A roll is worth this many pips on average.
const PIPS_OF_A_ROLL: i32 = 8;

impl Evaluate for Mahbusa {
    const SCALE: f64 = 250.0;

    fn evaluate(&self) -> Score {
        let of = |player| standing(self, player);
        Score::new(of(self.turn()) - of(!self.turn()) + PIP * PIPS_OF_A_ROLL)
    }
}

/// How a player stands: the way that is left, pins, and checkers that could be pinned.
fn standing(position: &Mahbusa, player: Player) -> i32 {
    let (own, other) = (position.board().side(player), position.board().side(!player));
    let pips_of = |point: Point| i32::from(point.pips());
    let way: i32 = Point::all().map(|point| pips_of(point) * i32::from(own.free.on(point))).sum();
    let pinned: i32 = own.pinned.into_iter().map(pips_of).sum();
    let (pin, pin_pip) = PIN;
    let pins = pin * own.pinned.count() as i32 + pin_pip * pinned;
    // The opponent's free checkers come from their highest point down, which is from low to high in one's own letters.
    let reach = other.free.occupied().highest().map_or(0, |point| point.across().pips());
    let exposed = own.free.single().into_iter().filter(|point| point.pips() > reach).count() as i32;
    HELD * own.free.stacked().count() as i32 - PIP * (way + pinned) - pins - ALONE * exposed
}
