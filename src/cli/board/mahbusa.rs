//! A board of Mahbusa.

use super::colour::coloured;
use crate::{
    game::Player,
    games::mahbusa::{Description, PointDescription},
};

/// Points in a row.
const ROW: usize = 12;

/// Draws the board: home at the lower right of the player whose turn it is, in whose letters the points are.
/// White has square brackets, Black round ones; a star is an enemy checker that is pinned.
pub(super) fn draw(position: &Description, turn: Player) -> String {
    let mut points: Vec<_> = position.points.iter().collect();
    points.sort_by_key(|point| point.point.seen_by(turn));
    let (low, high) = points.split_at(ROW);
    let letters =
        |points: &[&PointDescription]| row(points, |point| format!(" {}   ", point.point.seen_by(turn)));
    let stacks = |points: &[&PointDescription]| row(points, stack);
    let low: Vec<_> = low.iter().rev().copied().collect();
    let roll =
        position.roll.map(|[larger, smaller]| format!("   roll {larger} {smaller}")).unwrap_or_default();
    format!(
        "{}\n{}\n\n{}\n{}\n\nborne off: White {}, Black {}{roll}\n",
        letters(high),
        stacks(high),
        stacks(&low),
        letters(&low),
        position.borne_off.one,
        position.borne_off.two,
    )
}

/// Twelve points, with a gap in the middle.
fn row(points: &[&PointDescription], draw: impl Fn(&PointDescription) -> String) -> String {
    let (left, right) = points.split_at(ROW / 2);
    let half = |points: &[&PointDescription]| points.iter().map(|point| draw(point)).collect::<String>();
    let line = format!("{}| {}", half(left), half(right));
    line.trim_end().to_owned()
}

/// What stands on a point, five columns wide.
fn stack(point: &PointDescription) -> String {
    let Some(owner) = point.owner else { return " .   ".to_owned() };
    let checkers = match owner {
        Player::One => format!("[{}]", point.count),
        Player::Two => format!("({})", point.count),
    };
    let pinned = if point.pinned { "*" } else { "" };
    let width = checkers.len() + pinned.len();
    format!("{}{pinned}{}", coloured(owner, &checkers), " ".repeat(5_usize.saturating_sub(width)))
}
