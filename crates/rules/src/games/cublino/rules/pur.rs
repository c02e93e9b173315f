//! Cublino Pur: a tip or a jump, then any number of jumps; all seven dice across; the tops count.

use super::{
    DICE, Rules,
    chains::{Jumps, Path},
};
use crate::{
    game::{About, EndReason, Example, Outcome, Player, Points},
    games::cublino::{
        board::{Board, jumps, tips},
        claimed::{Claimed, Invalid},
        moves::{Chain, Illegal, Move, Opening},
        square::{Direction, Square, Squares, straight},
        steps::{Step, step},
    },
};

/// The rules of Cublino Pur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pur;

impl Rules for Pur {
    const ABOUT: About = About {
        id: "cublino-pur",
        name: "Cublino Pur",
        letter: 'P',
        goal: "Bring all seven dice to the far rank, and there show more pips on top than the opponent.",
        notation: "P or p (whose turn), then orientation, file and rank of each die; moves are the squares \
            passed: e1e2c2",
        rules: include_str!("pur.md"),
        examples: &[
            Example {
                name: "start",
                summary: "The start: each die can only tip forwards.",
                state: "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7",
                moves: &["e1e2", "b7b6", "d1e1e3"],
            },
            Example {
                name: "chains",
                summary: "Black to move, with long chains of jumps.",
                state: "pWa1Wb1Lc2Le2Lg2Cf3He4cd5ib6ic6ie6ig6vc7vf7",
                moves: &["d5c5"],
            },
            Example {
                name: "finished",
                summary: "Black has brought all seven dice across, and has won by 25 points to 18.",
                state: "Pga1mb1vc1id1se1cf1og1Aa4Na7Rb7Fc7Ad7Fe7Mg7",
                moves: &[],
            },
        ],
    };
    const DISTINCT_MOVES: bool = true;
    const SEVERAL_SPELLINGS: bool = true;
    const ALL_DICE_CROSS: bool = true;
    const JUMPS: bool = true;
    const STEPS: &'static str =
        "a tip goes one square forwards or sideways, and a jump two squares over a die";

    fn directions(player: Player) -> &'static [Direction] {
        straight(player)
    }

    fn faults(claimed: &Claimed) -> Vec<Invalid> {
        let miscounted = Player::ALL.into_iter().filter_map(|player| {
            let count = claimed.count(player);
            (count != DICE).then_some(Invalid::NotSevenDice { player, count })
        });
        // A die too many does not hide that the others have arrived.
        let both_finished = Player::ALL.into_iter().all(|player| claimed.home(player) >= DICE);
        miscounted.chain(both_finished.then_some(Invalid::BothFinished)).collect()
    }

    #[inline]
    fn can_move(board: &Board, player: Player) -> bool {
        let (dice, occupied, free) = (board.dice(player), board.occupied(), board.free());
        !tips(dice, free, player).is_empty() || !jumps(dice, occupied, free, player).is_empty()
    }

    /// Die by die in the order of the squares; tips forward, west and east, then jumps; ends in the order of
    /// the squares.
    fn generate(board: &Board, player: Player, moves: &mut Vec<Move>) {
        let jumps = Jumps::new(board, player);
        for from in board.dice(player) {
            let jumps = jumps.leaving(from);
            for direction in Direction::of(player) {
                let opening = Opening::Tip(direction);
                let ends = jumps.reach(from.set().shift(direction) & jumps.free());
                moves.extend(ends.into_iter().map(|to| Move::Go { from, opening, to }));
            }
            let ends = jumps.reach(from.set()).without(from.set());
            moves.extend(ends.into_iter().map(|to| Move::Go { from, opening: Opening::Jump, to }));
        }
    }

    /// Counts tips for all dice at once, and follows chains only where there might be one.
    fn count_moves(board: &Board, player: Player) -> usize {
        let jumps = Jumps::new(board, player);
        let dice = board.dice(player);
        let mut count = 0;
        for direction in Direction::of(player) {
            let tips = dice.shift(direction) & jumps.free();
            count += tips.count();
            for tip in jumps.springboards(tips) {
                let from = tip.set().shift(direction.opposite());
                let ends = from.first().map(|from| jumps.leaving(from).reach(tip.set()));
                count += ends.map_or(0, |ends| ends.count() - 1);
            }
        }
        for from in jumps.springboards(dice) {
            count += jumps.leaving(from).reach(from.set()).count() - 1;
        }
        count as usize
    }

    /// Die by die in the order of the squares; tips forward, west and east, then jumps forward, west and
    /// east, each chain before those that go on from it.
    fn chains(board: &Board, player: Player, mut listed: impl FnMut(Chain, Opening)) {
        let jumps = Jumps::new(board, player);
        for from in board.dice(player) {
            let jumps = jumps.leaving(from);
            let mut path = Path::new(from);
            for direction in Direction::of(player) {
                if let Some(to) = (from.set().shift(direction) & jumps.free()).first() {
                    path.push(to);
                    let opening = Opening::Tip(direction);
                    listed(path.chain(), opening);
                    jumps.chains_on(&mut path, &mut |chain| listed(chain, opening));
                    path.pop();
                }
            }
            jumps.chains_on(&mut path, &mut |chain| listed(chain, Opening::Jump));
        }
    }

    fn resolve(board: &Board, player: Player, chain: &[Square]) -> Result<Move, Illegal> {
        let (&[from, second, ..], &[.., to]) = (chain, chain) else {
            unreachable!("a chain has at least two squares");
        };
        let opening = match step::<Self>(board, player, from, from, second)? {
            Step::Tip { direction, .. } => Opening::Tip(direction),
            Step::Jump { .. } => Opening::Jump,
        };
        for pair in chain[1..].windows(2) {
            if let Step::Tip { from, to, .. } = step::<Self>(board, player, from, pair[0], pair[1])? {
                return Err(Illegal::LateTip { from, to });
            }
        }
        if from == to {
            return Err(Illegal::EndsWhereItBegan(from));
        }
        Ok(Move::Go { from, opening, to })
    }

    #[inline]
    fn outcome(board: &Board) -> Option<Outcome> {
        let over = Player::ALL.into_iter().any(|player| are_across(board.dice(player), player));
        over.then(|| Outcome::by_points(points(board), EndReason::AllDiceHome))
    }

    fn points(board: &Board) -> Option<Points> {
        Some(points(board))
    }

    fn counted(board: &Board, player: Player) -> Squares {
        board.home(player)
    }
}

/// Whether all of a player's dice, on these squares, are on the far rank.
#[inline]
fn are_across(dice: Squares, player: Player) -> bool {
    dice.without(Squares::far_rank(player)).is_empty()
}

/// The tops of the dice on the far rank, also of a player who has not finished.
fn points(board: &Board) -> Points {
    let sums = Player::ALL.map(|player| board.sum_of_tops(board.home(player)));
    let [one, two] = sums.map(|sum| u8::try_from(sum).expect("seven dice show 42 at most"));
    Points { one, two }
}
