//! Chains of jumps: how far they lead, and all ways to take them.

use crate::{
    game::Player,
    games::cublino::{
        board::{Board, jumps},
        moves::{Chain, LONGEST_CHAIN},
        square::{Direction, Square, Squares},
    },
};

/// What a player's dice can jump over and onto.
#[derive(Clone, Copy)]
pub(super) struct Jumps {
    mover: Player,
    occupied: Squares,
    free: Squares,
    /// The squares from which a die could jump if it were there, and perhaps some more; without them no chain
    /// goes on.
    springboards: Squares,
}

impl Jumps {
    #[inline]
    pub(super) fn new(board: &Board, mover: Player) -> Self {
        let (occupied, free) = (board.occupied(), board.free());
        let from = Direction::of(mover).map(|direction| {
            let back = direction.opposite();
            (free.shift(back) & occupied).shift(back)
        });
        Self { mover, occupied, free, springboards: from[0] | from[1] | from[2] }
    }

    pub(super) const fn free(&self) -> Squares {
        self.free
    }

    /// Those among some squares from which a chain might go on.
    #[inline]
    pub(super) fn springboards(&self, squares: Squares) -> Squares {
        squares & self.springboards
    }

    /// The same for a die that has left its square, which then neither blocks nor can be jumped.
    ///
    /// The springboards stay as they were. That the die cannot jump over the square it left makes them too
    /// many, and that it could land there makes them no fewer: from there a chain gets nowhere new.
    #[inline]
    pub(super) fn leaving(&self, from: Square) -> Self {
        let occupied = self.occupied.without(from.set());
        Self { occupied, free: self.free | from.set(), ..*self }
    }

    /// Where any number of jumps can take a die from some squares, these included.
    #[inline]
    pub(super) fn reach(&self, from: Squares) -> Squares {
        let mut reached = from;
        let mut wave = from;
        while !self.springboards(wave).is_empty() {
            wave = jumps(wave, self.occupied, self.free, self.mover).without(reached);
            reached |= wave;
        }
        reached
    }

    /// Lists all chains that go on with jumps and visit no square twice; leaves the path as it was.
    pub(super) fn chains_on(&self, path: &mut Path, listed: &mut impl FnMut(Chain)) {
        let last = path.last().set();
        if self.springboards(last).is_empty() {
            return;
        }
        for direction in Direction::of(self.mover) {
            let over = last.shift(direction) & self.occupied;
            if let Some(to) = (over.shift(direction) & self.free).without(path.visited).first() {
                path.push(to);
                listed(path.chain());
                self.chains_on(path, listed);
                path.pop();
            }
        }
    }
}

/// A chain that visits no square twice, while it is found.
pub(super) struct Path {
    squares: [Square; LONGEST_CHAIN],
    len: usize,
    visited: Squares,
}

impl Path {
    pub(super) fn new(from: Square) -> Self {
        Self { squares: [from; LONGEST_CHAIN], len: 1, visited: from.set() }
    }

    fn last(&self) -> Square {
        self.squares[self.len - 1]
    }

    pub(super) fn push(&mut self, to: Square) {
        self.squares[self.len] = to;
        self.len += 1;
        self.visited |= to.set();
    }

    pub(super) fn pop(&mut self) {
        self.visited = self.visited.without(self.last().set());
        self.len -= 1;
    }

    pub(super) fn chain(&self) -> Chain {
        Chain::from_buf_and_len(self.squares, self.len)
    }
}
