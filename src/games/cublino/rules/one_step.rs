//! Variants in which a move is one step: a tip or, where there are jumps, a jump over one die.

use crate::{
    game::Player,
    games::cublino::{
        board::Board,
        moves::{Chain, Move, Opening},
        square::{Direction, Squares},
    },
};

/// Where a player's dice can go in one step.
#[derive(Clone, Copy)]
pub(super) struct OneStep {
    directions: &'static [Direction],
    jumps: bool,
    dice: Squares,
    occupied: Squares,
    free: Squares,
}

impl OneStep {
    #[inline]
    pub(super) fn new(board: &Board, player: Player, directions: &'static [Direction], jumps: bool) -> Self {
        let (dice, occupied, free) = (board.dice(player), board.occupied(), board.free());
        Self { directions, jumps, dice, occupied, free }
    }

    /// Where some dice end by a tip in a direction, and where by a jump.
    #[inline]
    fn ends(&self, dice: Squares, direction: Direction) -> [Squares; 2] {
        let next = dice.shift(direction);
        let jumps =
            if self.jumps { (next & self.occupied).shift(direction) & self.free } else { Squares::NONE };
        [next & self.free, jumps]
    }

    /// Whether there is any step.
    #[inline]
    pub(super) fn is_possible(&self) -> bool {
        let ends = |&direction| self.ends(self.dice, direction);
        self.directions.iter().any(|direction| ends(direction).iter().any(|ends| !ends.is_empty()))
    }

    /// Direction by direction; of each tips, then jumps, and of these the ends in the order of the squares.
    #[inline]
    pub(super) fn generate(&self, moves: &mut Vec<Move>) {
        for &direction in self.directions {
            let back = direction.opposite();
            let [tips, jumps] = self.ends(self.dice, direction);
            let opening = Opening::Tip(direction);
            let from = tips.shift(back).into_iter();
            moves.extend(from.zip(tips).map(|(from, to)| Move::Go { from, opening, to }));
            let from = jumps.shift(back).shift(back).into_iter();
            moves.extend(from.zip(jumps).map(|(from, to)| Move::Go { from, opening: Opening::Jump, to }));
        }
    }

    /// How many steps there are.
    #[inline]
    pub(super) fn count(&self) -> usize {
        let ends = self.directions.iter().flat_map(|&direction| self.ends(self.dice, direction));
        ends.map(|ends| ends.count() as usize).sum()
    }

    /// Die by die in the order of the squares, then direction by direction.
    #[inline]
    pub(super) fn chains(&self, mut listed: impl FnMut(Chain, Opening)) {
        for from in self.dice {
            for &direction in self.directions {
                let [tip, jump] = self.ends(from.set(), direction);
                if let Some(to) = tip.first() {
                    listed(Chain::from_slice(&[from, to]), Opening::Tip(direction));
                } else if let Some(to) = jump.first() {
                    listed(Chain::from_slice(&[from, to]), Opening::Jump);
                }
            }
        }
    }
}
