//! Moves that win battles: what Contra and Ecke have in common.

use cublino_rules::{
    game::Game,
    games::cublino::{Board, Cublino, Move, Opening, Rules, Squares},
};

/// The moves to some squares that beat a die and lose none, or win the game, with the positions that they
/// lead to.
///
/// They are made without listing all moves, since there are few of them and this is asked at every horizon.
#[inline]
pub(super) fn winning_battles<R: Rules>(
    position: &Cublino<R>,
    contested: Squares,
) -> impl Iterator<Item = (Move, Cublino<R>)> {
    let (board, mover) = (position.board(), position.turn());
    let (dice, occupied, ends) = (board.dice(mover), board.occupied(), contested & board.free());
    let steps = R::directions(mover).iter().flat_map(move |&direction| {
        let back = direction.opposite();
        let beside = dice.shift(direction);
        let tips = beside & ends;
        let tipped = tips.shift(back).into_iter().zip(tips).map(move |ends| (ends, Opening::Tip(direction)));
        let jumps = if R::JUMPS { (beside & occupied).shift(direction) & ends } else { Squares::NONE };
        let jumped = jumps.shift(back).shift(back).into_iter().zip(jumps).map(|ends| (ends, Opening::Jump));
        tipped.chain(jumped)
    });
    let counts = move |board: &Board| [mover, !mover].map(|player| board.dice(player).count());
    let [own, other] = counts(board);
    steps.filter_map(move |((from, to), opening)| {
        let m = Move::Go { from, opening, to };
        let next = position.after(m);
        let [own_left, other_left] = counts(next.board());
        let wins = own_left == own && (other_left < other || R::outcome(next.board()).is_some());
        wins.then_some((m, next))
    })
}

/// Tells the moves apart that end on none of some squares: no die fights there, and nothing is won.
#[inline]
pub(super) fn ends_elsewhere(contested: Squares) -> impl Fn(Move) -> bool {
    move |m| !matches!(m, Move::Go { to, .. } if contested.contains(to))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::{
        GameResult, NoisyMoves, Options, Playable, Proven,
        testing::{depth, position, searched},
    };
    use cublino_rules::{
        game::{Player, Stage, playout},
        games::{Contra, cublino::rules},
    };

    /// Whether a move is one that [`winning_battles`] is said to find.
    fn wins_a_battle<R: Rules>(before: &Cublino<R>, m: Move) -> bool {
        let next = before.after(m);
        let mover = before.turn();
        let lost = |player: Player| before.board().dice(player).count() - next.board().dice(player).count();
        let won = next.stage().outcome().is_some_and(|end| end.winner == Some(mover));
        lost(mover) == 0 && (lost(!mover) > 0 || won)
    }

    fn are_the_noisy_moves<R: Rules>()
    where
        Cublino<R>: Playable<Move = Move>,
    {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let mut found = 0;
        for _ in 0..100 {
            let passed = playout::positions(Cublino::<R>::default(), 100, &mut rng);
            for position in passed.filter(|position| position.stage() == Stage::Move) {
                let mut listed = Vec::new();
                position.generate(&mut listed);
                listed.retain(|&m| wins_a_battle(&position, m));
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

    #[test]
    fn moves_that_win_battles_or_the_game_are_noisy_and_no_others() {
        are_the_noisy_moves::<rules::Contra>();
        are_the_noisy_moves::<rules::Ecke>();
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
