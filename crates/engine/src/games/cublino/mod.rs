//! The variants of Cublino for the search: what the network sees of a position, and what they share.

use std::fmt::Debug;

use cublino_rules::{
    game::{Game, Player},
    games::cublino::{Board, Cublino, Direction, Move, Orientation, Square, Squares},
};

use crate::{FeatureLayout, Features};

mod contra;
mod ecke;
mod pur;

const SQUARES: usize = 49;
const ORIENTATIONS: usize = Orientation::COUNT as usize;
const RANKS: usize = 7;

/// The sides of a position: own dice, then those of the opponent.
const SIDES: usize = 2;

/// A feature for each side, orientation and square.
const OF_DICE: usize = SIDES * ORIENTATIONS * SQUARES;

/// The possible numbers of dice on a rank: 0 to 7.
const COUNTS: usize = RANKS + 1;
/// A feature for each side, number of dice on the first rank and number on the last.
const OF_RANKS: usize = SIDES * COUNTS * COUNTS;

/// A feature for each side, orientation and square, as a player sees the board: for player two the board is
/// turned by half a turn.
///
/// Where all dice have to cross, each side has one more feature, for the number of its dice on the first rank
/// and on the last. A die that stays at home keeps the opponent from finishing, and where the others are
/// shows whether it will stay.
impl<R: Copy + Debug> Features for Cublino<R>
where
    Self: Game,
{
    const FEATURES: FeatureLayout = {
        let count = OF_DICE + if all_dice_cross::<Self>() { OF_RANKS } else { 0 };
        FeatureLayout {
            count,
            most_active: SIDES * (RANKS + all_dice_cross::<Self>() as usize),
            phases: 4,
            seen_by_other: SEEN_BY_OTHER.split_at(count).0,
        }
    };

    /// Counts the dice that have left the first rank and those that have crossed, where all have to cross;
    /// otherwise the dice that were taken.
    fn phase(&self) -> usize {
        let board = self.board();
        let on = |squares: Squares| squares.count() as usize;
        let steps = if const { all_dice_cross::<Self>() } {
            let of = |player| {
                let dice = board.dice(player);
                RANKS - on(dice & Squares::far_rank(!player)) + on(dice & Squares::far_rank(player))
            };
            usize::midpoint(of(Player::One), of(Player::Two))
        } else {
            2 * RANKS - on(board.occupied())
        };
        (steps / 3).min(Self::FEATURES.phases - 1)
    }

    type Seen = (Self, Player);

    fn seen_by(&self, player: Player) -> Self::Seen {
        (*self, player)
    }

    #[expect(clippy::inline_always, reason = "what two positions have in common is then found out once")]
    #[inline(always)]
    fn active_features(
        &(ref position, seen_by): &Self::Seen,
        unlike: Option<&Self::Seen>,
        mut active: impl FnMut(usize),
    ) {
        let board = position.board();
        let changed = unlike.map_or(Squares::ALL, |(other, _)| board.changed(other.board()));
        let counts_changed = !(changed & (Squares::rank(0) | Squares::rank(6))).is_empty();
        for (side, player) in [seen_by, !seen_by].into_iter().enumerate() {
            let dice = board.dice(player);
            for square in dice & changed {
                let (orientation, square) = numbers_seen_by(seen_by, board.orientation(square), square);
                active((side * ORIENTATIONS + orientation) * SQUARES + square);
            }
            if const { all_dice_cross::<Self>() } && counts_changed {
                let [first, last] =
                    [!player, player].map(|player| (dice & Squares::far_rank(player)).count() as usize);
                active(OF_DICE + (side * COUNTS + first) * COUNTS + last);
            }
        }
    }
}

/// Whether all dice have to cross: in the variant that is played for points.
const fn all_dice_cross<G: Game>() -> bool {
    G::ABOUT.points.is_some()
}

/// For each feature its number as the other player sees it.
#[expect(clippy::cast_possible_truncation, reason = "there are some thousands")]
static SEEN_BY_OTHER: [u16; OF_DICE + OF_RANKS] = {
    let mut numbers = [0; OF_DICE + OF_RANKS];
    let mut feature = 0;
    while feature < numbers.len() {
        let other = if feature < OF_DICE {
            let (die, square) = (feature / SQUARES, feature % SQUARES);
            let (side, orientation) = (die / ORIENTATIONS, die % ORIENTATIONS);
            ((1 - side) * ORIENTATIONS + (orientation ^ TURNED)) * SQUARES + SQUARES - 1 - square
        } else {
            OF_DICE + (feature - OF_DICE + COUNTS * COUNTS) % OF_RANKS
        };
        numbers[feature] = other as u16;
        feature += 1;
    }
    numbers
};

/// A mask for half a turn: for each top, the face towards rank 7 is one of four, numbered 0 to 3 in ascending
/// order, and opposite faces are 0 and 3, 1 and 2.
const TURNED: usize = 3;

/// The numbers of an orientation and of a square, as a player sees them from their side of the board.
fn numbers_seen_by(player: Player, orientation: Orientation, square: Square) -> (usize, usize) {
    let orientation = usize::from(orientation.index());
    let number = usize::from(square.rank()) * RANKS + usize::from(square.file());
    match player {
        Player::One => (orientation, number),
        Player::Two => (orientation ^ TURNED, SQUARES - 1 - number),
    }
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
fn from_and_to(m: Move) -> usize {
    match m {
        Move::Pass => 0,
        Move::Go { from, to, .. } => from.index() * Square::INDICES + to.index(),
    }
}

/// A test for moves that end outside the contested squares: no die fights there, and nothing is won.
fn ends_elsewhere(contested: Squares) -> impl Fn(Move) -> bool {
    move |m| !matches!(m, Move::Go { to, .. } if contested.contains(to))
}

/// The ordering score of a move for its battles: won battles first, moves that lose the moved die last.
/// Casualties are computed only if it ends on a contested square.
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
fn can_wait(board: &Board, player: Player, danger: Squares, moves: u32) -> bool {
    let safe = board.free().without(danger);
    let dice = board.dice(player).without(danger);
    let ahead = dice.shift(Direction::forward(player)) & safe;
    !(dice.sides() & safe).is_empty()
        || !ahead.is_empty() && (moves == 1 || !(ahead.sides() & safe).is_empty())
}

#[cfg(test)]
mod tests {
    mod features;

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
