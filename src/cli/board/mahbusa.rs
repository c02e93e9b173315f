//! A board of Mahbusa.

use super::colour::coloured;
use crate::{
    game::Player,
    games::mahbusa::{Description, PointDescription},
};

/// Points in a row.
const ROW: usize = 12;

/// Draws the board as the player to move sees it, in their letters. White's A is at the lower left; Black
/// sees the board turned round. White has square brackets, Black round ones; a star is an enemy checker that
/// is pinned.
pub(super) fn draw(position: &Description, turn: Player) -> String {
    let mut points: Vec<_> = position.points.iter().collect();
    let (low, high) = points.split_at_mut(ROW);
    let (upper, lower) = if turn == Player::One { (high, low) } else { (low, high) };
    upper.reverse();
    let letters =
        |points: &[&PointDescription]| row(points, |point| format!(" {}   ", point.point.seen_by(turn)));
    let stacks = |points: &[&PointDescription]| row(points, stack);
    let roll =
        position.roll.map(|[larger, smaller]| format!("   roll {larger} {smaller}")).unwrap_or_default();
    format!(
        "{}\n{}\n\n{}\n{}\n\nborne off: White {}, Black {}{roll}\n",
        letters(upper),
        stacks(upper),
        stacks(lower),
        letters(lower),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::Game, game::Notation, games::Mahbusa};

    /// The four rows that name points and say what stands on them, without blanks.
    fn rows(turn: Player) -> Vec<String> {
        let text = draw(&Mahbusa::read("M-A10l3c7N").unwrap().describe(), turn);
        let rows = text.lines().filter(|line| line.contains('|'));
        rows.map(|row| row.split_whitespace().collect()).collect()
    }

    #[test]
    fn points_run_counter_clockwise_from_the_lower_left_of_white() {
        assert_eq!(
            rows(Player::One),
            ["XWVUTS|RQPONM", "[14].....|..(3)...", "[1].....|.....(12)", "ABCDEF|GHIJKL"]
        );
    }

    #[test]
    fn black_sees_the_board_turned_round() {
        assert_eq!(
            rows(Player::Two),
            ["MNOPQR|STUVWX", "(12).....|.....[1]", "...(3)..|.....[14]", "LKJIHG|FEDCBA"]
        );
    }
}
