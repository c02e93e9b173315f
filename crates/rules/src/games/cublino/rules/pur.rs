//! Cublino Pur: a tip or a jump, then any number of jumps; all seven dice across; the tops count.

use arrayvec::ArrayVec;

use super::{DICE, Rules, ranks_ahead, step};
use crate::{
    game::{About, EndReason, Fact, FactKind, Outcome, Player, Points},
    games::cublino::{
        board::Board,
        moves::{Chain, LONGEST_CHAIN, Move, Opening},
        notation::Illegal,
        setup::{Claimed, Invalid},
        square::{Direction, Square, Squares},
    },
};

/// The rules of Cublino Pur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pur;

impl Rules for Pur {
    const ABOUT: About = About {
        id: "cublino-pur",
        name: "Cublino Pur",
        players: ["White", "Black"],
        points: Some("pips on the far rank"),
        letter: 'P',
        goal: "Bring all seven dice to the far rank, and there show more pips on top than the opponent.",
        notation: "P or p (whose turn), then orientation, file and rank of each die; moves are the squares \
            passed: e1e2c2",
        rules: include_str!("pur.md"),
    };
    const DISTINCT_MOVES: bool = true;
    const JUMPS: bool = true;
    const STEPS: &'static str =
        "a tip goes one square forwards or sideways, and a jump two squares over a die";

    fn faults(claimed: Claimed<'_>) -> Vec<Invalid> {
        let miscounted = Player::ALL.into_iter().filter_map(|player| {
            let count = claimed.count(player);
            (count != DICE).then_some(Invalid::NotSevenDice { player, count })
        });
        // A die too many does not hide that the others have arrived.
        let both_finished = Player::ALL.into_iter().all(|player| claimed.home(player) >= DICE);
        miscounted.chain(both_finished.then_some(Invalid::BothFinished)).collect()
    }

    /// Die by die in the order of the squares; tips forward, west and east, then jumps; ends in the order of
    /// the squares.
    fn generate(board: &Board, player: Player, moves: &mut Vec<Move>) {
        let jumps = Jumps::new(board, player);
        for from in board.dice(player) {
            let jumps = jumps.leaving(from);
            for direction in Direction::of(player) {
                let opening = Opening::Tip(direction);
                let ends = jumps.reach(from.set().shift(direction) & jumps.free);
                moves.extend(ends.map(|to| Move::Go { from, opening, to }));
            }
            let ends = jumps.reach(from.set()).without(from.set());
            moves.extend(ends.map(|to| Move::Go { from, opening: Opening::Jump, to }));
        }
    }

    /// Counts tips for all dice at once, and follows chains only where there might be one.
    fn count_moves(board: &Board, player: Player) -> usize {
        let jumps = Jumps::new(board, player);
        let dice = board.dice(player);
        let mut count = 0;
        for direction in Direction::of(player) {
            let tips = dice.shift(direction) & jumps.free;
            count += tips.count();
            for tip in tips & jumps.springboards {
                let from = tip.set().shift(direction.opposite());
                let ends = from.first().map(|from| jumps.leaving(from).reach(tip.set()));
                count += ends.map_or(0, |ends| ends.count() - 1);
            }
        }
        for from in dice & jumps.springboards {
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
            let mut path = Path::from_iter([from]);
            for direction in Direction::of(player) {
                if let Some(to) = (from.set().shift(direction) & jumps.free).first() {
                    let opening = Opening::Tip(direction);
                    path.push(to);
                    listed(Chain::from_slice(&path), opening);
                    jumps.chains_on(&mut path, from.set() | to.set(), &mut |chain| listed(chain, opening));
                    path.pop();
                }
            }
            jumps.chains_on(&mut path, from.set(), &mut |chain| listed(chain, Opening::Jump));
        }
    }

    fn resolve(board: &Board, player: Player, chain: &[Square]) -> Result<Move, Illegal> {
        let (&[from, second, ..], &[.., to]) = (chain, chain) else {
            unreachable!("a chain has at least two squares");
        };
        let opening = step::<Self>(board, player, from, from, second)?;
        for pair in chain[1..].windows(2) {
            if step::<Self>(board, player, from, pair[0], pair[1])? != Opening::Jump {
                return Err(Illegal::LateTip { from: pair[0], to: pair[1] });
            }
        }
        if from == to {
            return Err(Illegal::EndsWhereItBegan(from));
        }
        Ok(Move::Go { from, opening, to })
    }

    fn outcome(board: &Board) -> Option<Outcome> {
        let is_across = |player| board.dice(player).without(Squares::far_rank(player)).is_empty();
        let over = Player::ALL.into_iter().any(is_across);
        over.then(|| Outcome::by_points(points(board), EndReason::AllDiceHome))
    }

    fn points(board: &Board) -> Option<Points> {
        Some(points(board))
    }

    /// All dice have to cross.
    fn facts(board: &Board) -> Vec<Fact> {
        let to_go = |player| board.dice(player).map(|square| u32::from(ranks_ahead(square, player))).sum();
        let fact = |player| Fact::counted(FactKind::RanksToGo, player, to_go(player));
        Player::ALL.map(fact).into()
    }
}

/// The tops of the dice on the far rank, also of a player who has not finished.
fn points(board: &Board) -> Points {
    let sums = Player::ALL.map(|player| board.sum_of_tops(board.home(player)));
    let [one, two] = sums.map(|sum| u8::try_from(sum).expect("seven dice show 42 at most"));
    Points { one, two }
}

/// A chain that visits no square twice, while it is found.
type Path = ArrayVec<Square, LONGEST_CHAIN>;

/// What a player's dice can jump over and onto.
#[derive(Clone, Copy)]
struct Jumps {
    mover: Player,
    occupied: Squares,
    free: Squares,
    /// The squares from which a die could jump, and perhaps some more; a chain cannot continue from any other
    /// square.
    springboards: Squares,
}

impl Jumps {
    fn new(board: &Board, mover: Player) -> Self {
        let (occupied, free) = (board.occupied(), board.free());
        let from = Direction::of(mover).map(|direction| {
            let back = direction.opposite();
            (free.shift(back) & occupied).shift(back)
        });
        Self { mover, occupied, free, springboards: from[0] | from[1] | from[2] }
    }

    /// The same for a die that has left its square, which then neither blocks nor can be jumped.
    ///
    /// The springboards are not computed again. They may be too many, since the die cannot jump over the
    /// square it left. Although it could land there, none is missing: from there a chain gets nowhere new.
    fn leaving(&self, from: Square) -> Self {
        let occupied = self.occupied.without(from.set());
        Self { occupied, free: self.free | from.set(), ..*self }
    }

    /// Where any number of jumps can take a die from some squares, these included.
    fn reach(&self, from: Squares) -> Squares {
        let mut reached = from;
        let mut wave = from;
        while !(wave & self.springboards).is_empty() {
            let over = |direction| wave.shift(direction) & self.occupied;
            let to = Direction::of(self.mover).map(|direction| over(direction).shift(direction));
            wave = ((to[0] | to[1] | to[2]) & self.free).without(reached);
            reached |= wave;
        }
        reached
    }

    /// Lists all chains that go on from the end of one with jumps and visit no square twice.
    fn chains_on(&self, path: &mut Path, visited: Squares, listed: &mut impl FnMut(Chain)) {
        let last = path[path.len() - 1].set();
        if (last & self.springboards).is_empty() {
            return;
        }
        for direction in Direction::of(self.mover) {
            let over = last.shift(direction) & self.occupied;
            if let Some(to) = (over.shift(direction) & self.free).without(visited).first() {
                path.push(to);
                listed(Chain::from_slice(path));
                self.chains_on(path, visited | to.set(), listed);
                path.pop();
            }
        }
    }
}
