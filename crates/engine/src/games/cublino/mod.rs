//! The games with dice on a board of seven by seven squares.

use cublino_rules::{
    game::Player,
    games::cublino::{Board, Direction, Move, Square, Squares},
};

mod contra;
mod ecke;
mod pur;

/// The squares to the west and east of some, perhaps beside the board.
#[inline]
fn sides(squares: Squares) -> Squares {
    squares.shift(Direction::West) | squares.shift(Direction::East)
}

/// Some squares and their neighbours to the sides.
#[inline]
fn widened(squares: Squares) -> Squares {
    (squares | sides(squares)).on_board()
}

/// Whether each player has as many dice on each rank as on the ranks of an earlier board. Dice never go
/// backwards, and one that is gone stays away, so otherwise the earlier board cannot come again.
fn all_on_ranks_of(board: &Board, earlier: &Board) -> bool {
    let on_ranks = |board: &Board, player| {
        let dice = board.dice(player);
        (0..7).map(move |rank| (dice & Squares::rank(rank)).count())
    };
    Player::ALL.into_iter().all(|player| on_ranks(board, player).eq(on_ranks(earlier, player)))
}

/// A number for each pair of squares that a move goes from and to: below 4,096.
#[inline]
fn from_and_to(m: Move) -> usize {
    match m {
        Move::Pass => 0,
        Move::Go { from, to, .. } => from.index() * Square::INDICES + to.index(),
    }
}

/// A test for moves that end outside the contested squares: no die fights there, and nothing is won.
#[inline]
fn ends_elsewhere(contested: Squares) -> impl Fn(Move) -> bool {
    move |m| !matches!(m, Move::Go { to, .. } if contested.contains(to))
}

/// The ordering score of a move for its battles: won battles first, moves that lose the moved die last.
/// Casualties are computed only if it ends on a contested square.
#[inline]
fn battle_score(to: Square, contested: Squares, casualties: impl FnOnce() -> Squares) -> i32 {
    /// Three quarters of what a history can reach.
    const BATTLE: i32 = 3000;
    let casualties = if contested.contains(to) { casualties() } else { Squares::NONE };
    if casualties.is_empty() {
        0
    } else if casualties.contains(to) {
        -BATTLE
    } else {
        BATTLE
    }
}

/// Whether a player has a die that can tip so many times without coming near the squares of `danger`: to and
/// fro, or forward and then to and fro.
#[inline]
fn can_wait(board: &Board, player: Player, danger: Squares, moves: u32) -> bool {
    let safe = board.free().without(danger);
    let dice = board.dice(player).without(danger);
    let ahead = dice.shift(Direction::forward(player)) & safe;
    !(sides(dice) & safe).is_empty() || !ahead.is_empty() && (moves == 1 || !(sides(ahead) & safe).is_empty())
}

#[cfg(test)]
mod tests {
    use cublino_rules::{
        game::{Game, Stage, playout},
        games::{Contra, Ecke},
    };
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use crate::{
        GameResult, Options, Playable, Proven,
        testing::{depth, position, searched},
    };

    use super::*;

    /// Whether a move is one that `winning_battles` is said to find.
    fn wins_a_battle<G: Game<Move = Move>>(before: &G, m: Move, board: fn(&G) -> &Board) -> bool {
        let next = before.after(m);
        let mover = before.turn();
        let lost = |player| board(before).dice(player).count() - board(&next).dice(player).count();
        let won = next.stage().outcome().is_some_and(|end| end.winner == Some(mover));
        lost(mover) == 0 && (lost(!mover) > 0 || won)
    }

    fn are_the_noisy_moves<G: Playable<Move = Move>>(board: fn(&G) -> &Board) {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let mut found = 0;
        for _ in 0..100 {
            let passed = playout::positions(G::default(), 100, &mut rng);
            for position in passed.filter(|position| position.stage() == Stage::Move) {
                let mut listed = Vec::new();
                position.generate(&mut listed);
                listed.retain(|&m| wins_a_battle(&position, m, board));
                let noisy: Vec<_> = position.noisy_moves().collect();
                for (m, next) in &noisy {
                    assert!(listed.contains(m), "{position} {m:?}");
                    assert_eq!(*next, position.after(*m), "{position} {m:?}");
                }
                assert_eq!(noisy.len(), listed.len(), "{position}");
                found += listed.len();
            }
        }
        assert!(found > 100, "only {found} battles were won");
    }

    fn won_battles_come_first_and_lost_ones_last<G: Playable<Move = Move>>(board: fn(&G) -> &Board) {
        let mut rng = Pcg64Mcg::seed_from_u64(2);
        let mut seen = [0; 3];
        for _ in 0..50 {
            let passed = playout::positions(G::default(), 100, &mut rng);
            for position in passed.filter(|position| position.stage() == Stage::Move) {
                for m in position.legal_moves() {
                    let next = position.after(m);
                    let dice = |position: &G, player| board(position).dice(player).count();
                    let has_fewer = |player| dice(&next, player) < dice(&position, player);
                    let kind = if has_fewer(position.turn()) {
                        0
                    } else if has_fewer(!position.turn()) {
                        2
                    } else {
                        1
                    };
                    seen[kind] += 1;
                    let range = [-4_096..0, 0..3_000, 3_000..8_192][kind].clone();
                    assert!(range.contains(&position.ordering_score(m)), "{position} {m:?}");
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
    }

    #[test]
    fn battles_decide_which_moves_are_tried_first() {
        won_battles_come_first_and_lost_ones_last(Contra::board);
        won_battles_come_first_and_lost_ones_last(Ecke::board);
    }

    #[test]
    fn moves_that_win_battles_or_the_game_are_noisy_and_no_others() {
        are_the_noisy_moves(Contra::board);
        are_the_noisy_moves(Ecke::board);
    }

    #[test]
    fn a_win_past_the_horizon_is_proven_with_its_line() {
        // Two lines are wanted, so that no solver finds it first.
        let position: Contra = position("CWa5vg7");
        let analysis = searched(&position, Options { lines: 2, ..depth(2) });
        let best = &analysis.lines[0];
        assert_eq!(best.value.proven, Some(Proven { result: GameResult::Win, plies: Some(3) }));
        let last = best.pv.iter().fold(position, |position, &m| position.after(m));
        assert!(last.stage().outcome().is_some(), "{last}");
    }
}
