//! Cublino Ecke: one step, also diagonally; fights of one against one; both corners win.

use super::{Rules, ranks_behind, too_many_dice};
use crate::{
    game::{About, EndReason, Fact, FactKind, Outcome, Player},
    games::cublino::{
        board::{Battle, Board},
        setup::{Claimed, Invalid},
        square::{Square, Squares},
    },
};

/// A player with fewer dice has lost.
const FEWEST_DICE: u32 = 2;

/// The rules of Cublino Ecke.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ecke;

impl Rules for Ecke {
    const ABOUT: About = About {
        id: "cublino-ecke",
        name: "Cublino Ecke",
        players: ["White", "Black"],
        points: None,
        letter: 'E',
        goal: "Hold both corners of the opponent's end at once, or leave the opponent fewer than two dice.",
        notation: "E or e (whose turn), then orientation, file and rank of each die; \
            a move is one step: c2d3",
        rules: include_str!("ecke.md"),
    };
    // A die that loses its battle leaves the same board wherever it went.
    const DISTINCT_MOVES: bool = false;
    const DIAGONALS: bool = true;
    const JUMPS: bool = true;
    const STEPS: &'static str =
        "a tip goes one square forwards, sideways or diagonally forwards, and a jump two squares over a die";

    fn goal(player: Player) -> Squares {
        Squares::far_corners(player)
    }

    fn faults(claimed: Claimed<'_>) -> Vec<Invalid> {
        let wins = |player: Player| {
            holds_corners(claimed.squares(player), player) || claimed.count(!player) < FEWEST_DICE as usize
        };
        let both_won = Player::ALL.into_iter().all(wins);
        too_many_dice(claimed).chain(both_won.then_some(Invalid::BothWon)).collect()
    }

    /// Any stronger enemy protects all others: then only the moved die goes. Otherwise all weaker ones do.
    #[inline]
    fn casualties(board: &Board, mover: Player, arrival: Square) -> Squares {
        let enemies = fought(board, mover, arrival);
        if enemies.is_empty() {
            return Squares::NONE;
        }
        let (stronger, weaker) = board.tops_above_and_below(enemies, board.orientation(arrival).top());
        if stronger.is_empty() { weaker } else { arrival.set() }
    }

    fn battles(board: &Board, mover: Player, arrival: Square) -> Vec<Battle> {
        let top = |square| u32::from(board.orientation(square).top());
        let battle = |enemy| Battle::between((arrival, top(arrival)), (enemy, top(enemy)), mover);
        fought(board, mover, arrival).map(battle).collect()
    }

    /// A player's own corners are unguarded once none of the player's dice is left on the first two ranks.
    fn facts(board: &Board) -> Vec<Fact> {
        let is_past = |&player: &Player| ranks_behind(board, player).is_some_and(|behind| behind >= 2);
        let corners = |player: Player| Fact::at(FactKind::Unguarded, player, Squares::far_corners(!player));
        Player::ALL.into_iter().filter(is_past).map(corners).collect()
    }

    #[inline]
    fn outcome(board: &Board) -> Option<Outcome> {
        let won = |winner, reason| Some(Outcome { winner: Some(winner), reason, points: None });
        for player in Player::ALL {
            if holds_corners(board.dice(player), player) {
                return won(player, EndReason::CornersHeld);
            }
            if board.dice(!player).count() < FEWEST_DICE {
                return won(player, EndReason::TooFewDice);
            }
        }
        None
    }
}

/// The enemy dice that a die fights where it arrives: all around it, but none from a corner it is heading
/// for.
fn fought(board: &Board, mover: Player, arrival: Square) -> Squares {
    if Squares::far_corners(mover).contains(arrival) {
        return Squares::NONE;
    }
    arrival.set().and_around() & board.dice(!mover)
}

/// Whether a player's dice, on these squares, hold the two corners of the opponent's end.
fn holds_corners(dice: Squares, player: Player) -> bool {
    Squares::far_corners(player).without(dice).is_empty()
}
