//! Cublino Contra: dice only tip, neighbours fight, and the first die on the far rank wins.

use super::{Rules, ranks_ahead, ranks_behind, too_many_dice};
use crate::{
    game::{About, EndReason, Fact, FactKind, Outcome, Player},
    games::cublino::{
        board::{Battle, Board},
        setup::{Claimed, Invalid},
        square::{Square, Squares},
    },
};

/// The rules of Cublino Contra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Contra;

impl Rules for Contra {
    const ABOUT: About = About {
        id: "cublino-contra",
        name: "Cublino Contra",
        players: ["White", "Black"],
        points: None,
        letter: 'C',
        goal: "Be the first to bring a die to the far rank; dice that meet fight with their tops.",
        notation: "C or c (whose turn), then orientation, file and rank of each die; a move is a tip: d3d4",
        rules: include_str!("contra.md"),
    };
    // A die that loses its battle leaves the same board wherever it went.
    const DISTINCT_MOVES: bool = false;
    const JUMPS: bool = false;
    const STEPS: &'static str = "a tip goes one square forwards or sideways";

    fn faults(claimed: Claimed<'_>) -> Vec<Invalid> {
        let both_won = Player::ALL.into_iter().all(|player| is_across(claimed.squares(player), player));
        too_many_dice(claimed).chain(both_won.then_some(Invalid::BothOnFarRank)).collect()
    }

    /// All battles are decided before anything is removed, then all losers go at once.
    #[inline]
    fn casualties(board: &Board, mover: Player, arrival: Square) -> Squares {
        let enemies = arrival.set().and_adjacent() & board.dice(!mover);
        if enemies.is_empty() {
            return Squares::NONE;
        }
        let theirs = board.sum_of_tops(enemies);
        let mut losers = Squares::NONE;
        for enemy in enemies {
            let ours = board.sum_of_tops(enemy.set().and_adjacent() & board.dice(mover));
            losers |= enemy.set_if(ours > theirs) | arrival.set_if(ours < theirs);
        }
        losers
    }

    fn battles(board: &Board, mover: Player, arrival: Square) -> Vec<Battle> {
        let enemies = arrival.set().and_adjacent() & board.dice(!mover);
        let theirs = board.sum_of_tops(enemies);
        let battle = |enemy: Square| {
            let ours = board.sum_of_tops(enemy.set().and_adjacent() & board.dice(mover));
            Battle::between((arrival, ours), (enemy, theirs), mover)
        };
        enemies.map(battle).collect()
    }

    /// Only the foremost die counts in the race. It cannot be stopped any more once all of the opponent's
    /// dice have passed it by two ranks or more.
    fn facts(board: &Board) -> Vec<Fact> {
        let facts_of = |player: Player| {
            let foremost = board.dice(player).map(|square| (ranks_ahead(square, player), square)).min();
            foremost.into_iter().flat_map(move |(ahead, square)| {
                let is_past = ranks_behind(board, !player).is_none_or(|behind| behind >= ahead + 2);
                let race = Fact::counted(FactKind::RanksToGo, player, ahead.into());
                [Some(race), is_past.then(|| Fact::at(FactKind::Unstoppable, !player, [square]))]
            })
        };
        Player::ALL.into_iter().flat_map(facts_of).flatten().collect()
    }

    #[inline]
    fn outcome(board: &Board) -> Option<Outcome> {
        let winner = Player::ALL.into_iter().find(|&player| is_across(board.dice(player), player))?;
        Some(Outcome { winner: Some(winner), reason: EndReason::FarRankReached, points: None })
    }
}

/// Whether one of a player's dice, on these squares, is on the far rank.
fn is_across(dice: Squares, player: Player) -> bool {
    !(dice & Squares::far_rank(player)).is_empty()
}
