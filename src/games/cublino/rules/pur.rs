//! Cublino Pur: a tip or a jump, then any number of jumps; all seven dice across; the tops count.

use super::Rules;
use crate::{
    game::{About, Example, Outcome, Player, Points, Reason},
    games::cublino::{
        board::{Board, jumps, tips},
        describe::{self, Counted},
        moves::{Chain, Illegal, Move, Opening},
        setup::Invalid,
        square::{Direction, Square, Squares},
        steps::{Step, step},
    },
};

/// Dice that each player has.
const DICE: u32 = 7;

/// The rules of Cublino Pur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pur;

impl Rules for Pur {
    const ABOUT: About = About {
        id: "cublino-pur",
        name: "Cublino Pur",
        letter: 'P',
        goal: "Bring all seven dice to the far rank, and there show more pips on top than the opponent.",
        notation: "P or p (whose turn), then orientation, file and rank of each die; moves are the squares passed: e1e2c2",
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

    fn faults(board: &Board, counts: [u32; 2]) -> Vec<Invalid> {
        let miscounted = Player::ALL.into_iter().filter_map(|player| {
            let count = counts[player.index()];
            (count != DICE).then_some(Invalid::NotSevenDice { player, count })
        });
        let both_finished =
            counts == [DICE; 2] && Player::ALL.into_iter().all(|player| finished(board, player));
        miscounted.chain(both_finished.then_some(Invalid::BothFinished)).collect()
    }

    #[inline]
    fn can_move(board: &Board, player: Player) -> bool {
        let (dice, occupied, free) = (board.dice(player), board.occupied(), board.free());
        !tips(dice, free, player).is_empty() || !jumps(dice, occupied, free, player).is_empty()
    }

    /// Die by die in the order of the squares; tips forward, west and east, then jumps; ends in the order of the squares.
    fn generate(board: &Board, player: Player, moves: &mut Vec<Move>) {
        for from in board.dice(player) {
            let others = Others::of(board, from, player);
            for direction in Direction::of(player) {
                let opening = Opening::Tip(direction);
                let ends = others.reach(from.set().shift(direction) & others.free);
                moves.extend(ends.into_iter().map(|to| Move::Go { from, opening, to }));
            }
            let ends = others.reach(from.set()).without(from.set());
            moves.extend(ends.into_iter().map(|to| Move::Go { from, opening: Opening::Jump, to }));
        }
    }

    /// Counts first steps for all dice at once, and follows chains only where one might go on.
    fn count_moves(board: &Board, player: Player) -> usize {
        let (dice, occupied, free) = (board.dice(player), board.occupied(), board.free());
        let springboards = springboards(occupied, free, player);
        let mut count = 0;
        let mut jumpers = Squares::NONE;
        for direction in Direction::of(player) {
            let next = dice.shift(direction);
            let (tips, jumps) = (next & free, (next & occupied).shift(direction) & free);
            count += tips.count() + jumps.count();
            let back = direction.opposite();
            jumpers |= (jumps & springboards).shift(back).shift(back);
            for from in (tips & springboards).shift(back) {
                let tip = from.set().shift(direction);
                count += Others::of(board, from, player).beyond(tip, springboards).count();
            }
        }
        for from in jumpers {
            let others = Others::of(board, from, player);
            let first = jumps(from.set(), occupied, free, player);
            count += others.beyond(first, springboards).without(from.set()).count();
        }
        count as usize
    }

    /// Die by die in the order of the squares; tips forward, west and east, then jumps forward, west and east, each chain
    /// before those that go on from it.
    fn chains(board: &Board, player: Player, mut listed: impl FnMut(Chain)) {
        for from in board.dice(player) {
            let others = Others::of(board, from, player);
            let mut chain = Chain::from_slice(&[from]);
            for direction in Direction::of(player) {
                if let Some(to) = (from.set().shift(direction) & others.free).first() {
                    chain.push(to);
                    listed(chain.clone());
                    others.chains_on(&mut chain, &mut listed);
                    chain.pop();
                }
            }
            others.chains_on(&mut chain, &mut listed);
        }
    }

    fn resolve(board: &Board, player: Player, chain: &[Square]) -> Result<Move, Illegal> {
        let (&[from, second, ..], &[.., to]) = (chain, chain) else {
            unreachable!("a chain has at least two squares");
        };
        let opening = match step(board, player, from, from, second)? {
            Step::Tip { direction, .. } => Opening::Tip(direction),
            Step::Jump { .. } => Opening::Jump,
        };
        for pair in chain[1..].windows(2) {
            if let Step::Tip { from, to, .. } = step(board, player, from, pair[0], pair[1])? {
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
        let over = Player::ALL.into_iter().any(|player| finished(board, player));
        over.then(|| Outcome::by_points(points(board), Reason::AllDiceHome))
    }

    fn points(board: &Board) -> Option<Points> {
        Some(points(board))
    }

    fn counted(board: &Board, player: Player) -> Vec<Counted> {
        describe::counted(board, player)
    }
}

/// Whether a player has all dice on the far rank.
#[inline]
fn finished(board: &Board, player: Player) -> bool {
    board.dice(player).without(Squares::far_rank(player)).is_empty()
}

/// The tops of the dice on the far rank, also of a player who has not finished.
fn points(board: &Board) -> Points {
    let [one, two] = Player::ALL.map(|player| board.sum_of_tops(board.home(player)) as u8);
    Points { one, two }
}

/// The squares from which a die could jump if it were there.
///
/// For a die that has moved, the square it left is neither free nor occupied here. That a jump over it is
/// not possible makes these squares too many, but that a jump could end there makes them no fewer, since a chain gets
/// nowhere new from where it began.
#[inline]
fn springboards(occupied: Squares, free: Squares, player: Player) -> Squares {
    let from =
        Direction::of(player).map(Direction::opposite).map(|back| (free.shift(back) & occupied).shift(back));
    from[0] | from[1] | from[2]
}

/// The board as a moving die sees it: the square it left neither blocks nor can be jumped.
struct Others {
    occupied: Squares,
    free: Squares,
    mover: Player,
}

impl Others {
    #[inline]
    fn of(board: &Board, from: Square, mover: Player) -> Self {
        let occupied = board.occupied().without(from.set());
        Self { occupied, free: Squares::ALL.without(occupied), mover }
    }

    /// Where any number of jumps can take a die from some squares, these included.
    #[inline]
    fn reach(&self, from: Squares) -> Squares {
        let mut reached = from;
        let mut wave = from;
        loop {
            wave = jumps(wave, self.occupied, self.free, self.mover).without(reached);
            if wave.is_empty() {
                return reached;
            }
            reached |= wave;
        }
    }

    /// Where further jumps can take a die from some squares, these not included, given where it might jump from.
    #[inline]
    fn beyond(&self, from: Squares, springboards: Squares) -> Squares {
        let mut reached = from;
        let mut wave = from;
        while !(wave & springboards).is_empty() {
            wave = jumps(wave, self.occupied, self.free, self.mover).without(reached);
            reached |= wave;
        }
        reached.without(from)
    }

    /// Lists all chains that go on with jumps and visit no square twice; leaves the chain as it was.
    fn chains_on(&self, chain: &mut Chain, listed: &mut impl FnMut(Chain)) {
        let Some(&last) = chain.last() else { return };
        for direction in Direction::of(self.mover) {
            let over = last.set().shift(direction) & self.occupied;
            let Some(to) = (over.shift(direction) & self.free).first() else { continue };
            if !chain.contains(&to) {
                chain.push(to);
                listed(chain.clone());
                self.chains_on(chain, listed);
                chain.pop();
            }
        }
    }
}
