//! How many pips a die can show at home after some moves, at most.

use std::{iter, sync::LazyLock};

use cublino_rules::{
    game::Player,
    games::cublino::{Board, Direction, Orientation, Squares},
};

/// Pips that dice show at home.
pub(super) type Pips = i8;

/// So many moves are told apart; with more, every die may show the most.
const MOVES: usize = 12;
/// The most pips that a player can have: seven dice show a six.
pub(super) const ALL: Pips = 42;
/// Ranks that a die may have to go, and none.
const DISTANCES: usize = 7;
const LAST_RANK: u8 = 6;

/// The most pips that a die shows at home after up to so many moves; 0 if it cannot be home by then.
type ByMoves = [Pips; MOVES + 1];

/// By player, ranks to go and orientation.
static MOST: LazyLock<[[[ByMoves; Orientation::COUNT as usize]; DISTANCES]; 2]> = LazyLock::new(|| {
    let mut most = [[[[0; MOVES + 1]; Orientation::COUNT as usize]; DISTANCES]; 2];
    for player in Player::ALL {
        let most = &mut most[player.index()];
        for orientation in Orientation::all() {
            let pips = Pips::try_from(orientation.top()).expect("a die shows 6 at most");
            most[0][usize::from(orientation.index())][0] = pips;
        }
        for moves in 1..=MOVES {
            for ranks in 0..DISTANCES {
                for orientation in Orientation::all() {
                    let after = |(ranks, orientation): (usize, Orientation)| {
                        most[ranks][usize::from(orientation.index())][moves - 1]
                    };
                    let best = ends(player, ranks, orientation).map(after).max();
                    most[ranks][usize::from(orientation.index())][moves] = best.unwrap_or(0);
                }
            }
        }
    }
    most
});

/// Where a move may take a die that has so many ranks to go, as if there were dice to be jumped over wherever
/// they are needed: it tips first or not, and goes on by any number of jumps, each over one rank onto the
/// next. It may also stay, since another die may move.
fn ends(
    player: Player,
    ranks: usize,
    orientation: Orientation,
) -> impl Iterator<Item = (usize, Orientation)> {
    let tipped = Direction::of(player).into_iter().filter_map(move |direction| {
        let is_forward = direction == Direction::forward(player);
        let ranks = if is_forward { ranks.checked_sub(1)? } else { ranks };
        Some((ranks, orientation.tipped(direction)))
    });
    iter::once((ranks, orientation))
        .chain(tipped)
        .flat_map(|(ranks, orientation)| (0..=ranks).rev().step_by(2).map(move |ranks| (ranks, orientation)))
}

/// A number of pips that all dice of a player together cannot show more of at home after so many moves, on a
/// board with no other dice.
pub(super) fn most_pips(board: &Board, player: Player, moves: usize) -> Pips {
    if moves > MOVES {
        return ALL;
    }
    let most = &MOST[player.index()];
    let mut together: ByMoves = [0; MOVES + 1];
    for (rank, ranks_to_go) in (0..).zip(0..DISTANCES) {
        let rank = if player == Player::One { LAST_RANK - rank } else { rank };
        for square in board.dice(player) & Squares::rank(rank) {
            let die = &most[ranks_to_go][usize::from(board.orientation(square).index())];
            // The moves are dealt out among the dice; what fewer moves make is still to be read.
            for moves in (0..=moves).rev() {
                let dealt = (0..=moves).map(|own| die[own] + together[moves - own]);
                together[moves] = dealt.max().unwrap_or(0);
            }
        }
    }
    together[moves]
}
