//! The Cublino family: dice that tip and jump across a 7x7 board.
//!
//! Board, notation and dice exist once; a variant is a type with the trait `Rules`, which holds only what
//! differs.

mod board;
pub(super) mod describe;
mod draw;
mod moves;
mod notation;
mod rules;
mod setup;
mod square;

use std::marker::PhantomData;

pub(super) use self::rules::{Contra, Ecke, Pur};
use self::{
    board::Die,
    notation::{Illegal, Spelling},
    rules::Rules,
    setup::{Claimed, DIE_CHARS, Invalid, Setup},
};
pub use self::{
    board::{Battle, Board, Faces, Orientation},
    describe::{
        Counted, Description, DieDescription, Event, OrientationDescription, StepDescription, Tipped,
        orientations,
    },
    moves::{Move, Opening},
    square::{Direction, Square, Squares},
};
use super::described::{self, SharedStep};
use crate::{
    game::{
        About, EndReason, Fact, FactKind, Fault, Game, NoRoll, Notation, Outcome, Player, Points, Stage,
        StateError, state::unless_faulty,
    },
    render::{self, Effects, Fight, View},
};

/// A position of a variant of Cublino.
///
/// ```
/// use cublino_rules::{game::*, games::*};
///
/// //     4
/// //   5[6]2      White's die on e1 shows a six. It tips to e2, and then shows a three.
/// let mut record = Record::from(Contra::default());
/// let ply = record.play("e1e2").expect("a legal move");
/// assert_eq!(ply.position.board().orientation("e2".parse()?).top(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cublino<R> {
    board: Board,
    turn: Player,
    rules: PhantomData<R>,
}

impl<R> Cublino<R> {
    /// A position that the rules allow; the caller has checked it.
    const fn new(board: Board, turn: Player) -> Self {
        Self { board, turn, rules: PhantomData }
    }

    /// Where the dice lie.
    pub const fn board(&self) -> &Board {
        &self.board
    }
}

impl<R: Rules> Cublino<R> {
    /// The dice that leave the board when a player's die has arrived on a square.
    pub fn casualties(board: &Board, mover: Player, arrival: Square) -> Squares {
        R::casualties(board, mover, arrival)
    }

    /// The moves to some squares that beat a die and lose none, or win the game, with the positions that
    /// they lead to.
    ///
    /// They are made without listing all moves: there are few of them, and a search needs them at every leaf.
    pub fn winning_battles(&self, contested: Squares) -> impl Iterator<Item = (Move, Self)> {
        let board = &self.board;
        let mover = self.turn;
        let steps = R::directions(mover).iter().flat_map(move |&direction| {
            let back = direction.opposite();
            let steps = rules::steps::<R>(board, board.dice(mover), direction);
            let [tips, jumps] = steps.map(|ends| ends & contested);
            let tipped = tips.shift(back).zip(tips).map(move |ends| (ends, Opening::Tip(direction)));
            let jumped = jumps.shift(back).shift(back).zip(jumps).map(|ends| (ends, Opening::Jump));
            tipped.chain(jumped)
        });
        steps.filter_map(move |((from, to), opening)| {
            let arrived = self.arrived(from, opening, to);
            let casualties = R::casualties(&arrived, mover, to);
            let wins = if casualties.is_empty() {
                R::outcome(&arrived).is_some()
            } else {
                (casualties & arrived.dice(mover)).is_empty()
            };
            let m = Move::Go { from, opening, to };
            wins.then(|| (m, self.after(m)))
        })
    }

    /// The squares whose dice a legal move takes off the board, including that of the moved die if it loses
    /// its battle.
    pub fn casualties_of(&self, m: Move) -> Squares {
        match m {
            Move::Pass => Squares::NONE,
            Move::Go { from, opening, to } => R::casualties(&self.arrived(from, opening, to), self.turn, to),
        }
    }

    /// The board when a die of the mover has gone from one square to another, before any die leaves it.
    fn arrived(&self, from: Square, opening: Opening, to: Square) -> Board {
        self.board.relocated(self.turn, from, to, opening.turn(self.board.orientation(from)))
    }

    /// Whether a player's dice cannot have come from the start to where they lie.
    ///
    /// A tip over an edge is a quarter turn, which exchanges two axes of the die: its parity changes. So
    /// does the colour of its square. A jump turns no die, and ends on a square of the same colour. So each
    /// die keeps its class, parity and colour together, for a whole game. At the start all dice of a player
    /// lie alike, four on squares of one colour and three on the other: no more dice of a class can ever be
    /// there.
    ///
    /// A diagonal tip exchanges two axes, too, but keeps the colour: variants with diagonals have no classes.
    fn is_unreachable(&self, player: Player) -> bool {
        let class = |square: Square, orientation: Orientation| {
            usize::from(orientation.is_odd() == (square.file() + square.rank()).is_multiple_of(2))
        };
        let sizes = |board: &Board| {
            let mut sizes = [0; 2];
            for square in board.dice(player) {
                sizes[class(square, board.orientation(square))] += 1;
            }
            sizes
        };
        let (now, start) = (sizes(&self.board), sizes(&Self::default().board));
        !R::DIAGONALS && (now[0] > start[0] || now[1] > start[1])
    }

    fn is_stuck(&self, player: Player) -> bool {
        !R::can_move(&self.board, player)
    }

    /// The move that a spelling stands for.
    fn legal_move(&self, spelling: &Spelling) -> Result<Move, Illegal> {
        let mover = self.turn;
        match (spelling, self.is_stuck(mover)) {
            (Spelling::Pass, true) => Ok(Move::Pass),
            (Spelling::Pass, false) => Err(Illegal::MayNotPass(mover)),
            (Spelling::Chain(_), true) => Err(Illegal::MustPass(mover)),
            (Spelling::Chain(chain), false) => {
                let square = chain[0];
                match self.board.die(square) {
                    None => Err(Illegal::NoDie(square)),
                    Some(die) if die.player != mover => Err(Illegal::NotYours { square, mover }),
                    Some(_) => R::resolve(&self.board, mover, chain),
                }
            }
        }
    }
}

impl<R: Rules> TryFrom<Setup<R>> for Cublino<R> {
    type Error = Vec<Fault>;

    fn try_from(setup: Setup<R>) -> Result<Self, Vec<Fault>> {
        let mut board = Board::default();
        let mut faults = Vec::new();
        for (i, &(square, die)) in setup.dice.iter().enumerate() {
            if board.occupied().contains(square) {
                faults.push(Fault::at(1 + DIE_CHARS * i + 1, Invalid::SquareTaken(square)));
            } else {
                board.put(square, die);
            }
        }
        faults.extend(R::faults(Claimed(&setup.dice)).into_iter().map(Fault::from));
        unless_faulty(faults, Self::new(board, setup.turn))
    }
}

/// The start: seven dice a side, six up, three towards their own player.
impl<R: Rules> Default for Cublino<R> {
    fn default() -> Self {
        let mut board = Board::default();
        let start = [Orientation::START_ONE, Orientation::START_TWO];
        for (player, orientation) in Player::ALL.into_iter().zip(start) {
            for square in Squares::far_rank(!player) {
                board.put(square, Die { player, orientation });
            }
        }
        Self::new(board, Player::One)
    }
}

impl<R: Rules> Game for Cublino<R> {
    type Move = Move;
    type Roll = NoRoll;

    const ABOUT: About = R::ABOUT;
    const DISTINCT_MOVES: bool = R::DISTINCT_MOVES;

    fn read(state: &str) -> Result<Self, StateError> {
        let setup: Setup<R> = state.parse().map_err(StateError::Malformed)?;
        Self::try_from(setup).map_err(StateError::Invalid)
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn stage(&self) -> Stage {
        if let Some(outcome) = R::outcome(&self.board) {
            return Stage::Over(outcome);
        }
        if self.is_stuck(self.turn) && self.is_stuck(!self.turn) {
            let reason = EndReason::NobodyCanMove;
            let points = self.points();
            return Stage::Over(Outcome { winner: None, reason, points });
        }
        Stage::Move
    }

    fn points(&self) -> Option<Points> {
        R::points(&self.board)
    }

    fn generate(&self, moves: &mut Vec<Move>) {
        if self.is_stuck(self.turn) {
            moves.push(Move::Pass);
        } else {
            R::generate(&self.board, self.turn, moves);
        }
    }

    fn count_moves(&self) -> usize {
        if self.is_stuck(self.turn) { 1 } else { R::count_moves(&self.board, self.turn) }
    }

    fn is_pass(m: Move) -> bool {
        m == Move::Pass
    }

    /// One expression makes the position, so that it is not read back from memory, which took most of the
    /// time.
    fn after(&self, m: Move) -> Self {
        let board = match m {
            Move::Pass => self.board,
            Move::Go { from, opening, to } => {
                let arrived = self.arrived(from, opening, to);
                let casualties = R::casualties(&arrived, self.turn, to);
                if casualties.is_empty() { arrived } else { arrived.without(casualties) }
            }
        };
        // A finished game, too, keeps the letter of the player who would have been next.
        let stuck = |player| !R::can_move(&board, player);
        let skips = stuck(!self.turn) && !stuck(self.turn);
        Self::new(board, if skips { self.turn } else { !self.turn })
    }
}

impl<R: Rules> Notation for Cublino<R> {
    type Spelling = Spelling;
    type Place = Square;

    fn list(&self, mut listed: impl FnMut(Spelling, Move)) {
        if self.is_stuck(self.turn) {
            listed(Spelling::Pass, Move::Pass);
        } else {
            R::chains(&self.board, self.turn, |chain, opening| {
                let m = Move::Go { from: chain[0], opening, to: chain[chain.len() - 1] };
                listed(Spelling::Chain(chain), m);
            });
        }
    }

    fn resolve(&self, spelling: &Spelling) -> Result<Move, Fault> {
        Ok(self.legal_move(spelling)?)
    }

    fn steps(&self, spelling: &Spelling) -> Vec<described::Step> {
        match spelling {
            Spelling::Chain(chain) => describe::steps(chain).map(described::Step::Cublino).collect(),
            Spelling::Pass => vec![described::Step::Shared(SharedStep::Pass {})],
        }
    }

    /// The steps, then the battles where the die arrives, then the dice that leave the board.
    fn events(&self, spelling: &Spelling) -> Vec<described::Event> {
        let Spelling::Chain(chain) = spelling else { return Vec::new() };
        let (from, to) = (chain[0], chain[chain.len() - 1]);
        let mut orientation = self.board.orientation(from);
        let mut events = Vec::new();
        for step in describe::steps(chain) {
            events.push(match step {
                StepDescription::Tip { from, to } => {
                    let direction = Direction::of_offset(from.offset_to(to));
                    orientation = orientation.tipped(direction.expect("a tip goes to a neighbour"));
                    Event::Tip { from, to, orientation, top: orientation.top() }
                }
                StepDescription::Jump { from, over, to } => Event::Jump { from, over, to, orientation },
            });
        }
        let arrived = self.board.relocated(self.turn, from, to, orientation);
        events.extend(R::battles(&arrived, self.turn, to).into_iter().map(Event::Battle));
        events.extend(R::casualties(&arrived, self.turn, to).filter_map(|square| {
            let player = arrived.die(square)?.player;
            Some(Event::Removed { square, player })
        }));
        events.into_iter().map(described::Event::Cublino).collect()
    }

    /// The dice that a move takes off the board; without a move, what the variant says.
    fn facts(&self, m: Option<Move>) -> Vec<Fact> {
        let Some(m) = m else { return R::facts(&self.board) };
        let Move::Go { from, opening, to } = m else { return Vec::new() };
        let arrived = self.arrived(from, opening, to);
        let removed = R::casualties(&arrived, self.turn, to);
        let of = |owner: Player| Fact::at(FactKind::Dice, !owner, removed & arrived.dice(owner));
        Player::ALL.map(of).into_iter().filter(|fact| fact.count > 0).collect()
    }

    fn unreachable(&self) -> Option<String> {
        let player = Player::ALL.into_iter().find(|&player| self.is_unreachable(player))?;
        let name = Self::ABOUT.players[player.index()];
        Some(format!(
            "this position cannot arise in a game: {name}'s dice can never lie on these squares in these \
             orientations"
        ))
    }

    fn effects_of(spelling: &Spelling, mover: Player, events: &[described::Event]) -> Effects<Square> {
        let touched = if let Spelling::Chain(chain) = spelling { chain.to_vec() } else { Vec::new() };
        let mut effects = Effects::touching(touched);
        for event in events {
            match event {
                described::Event::Cublino(Event::Battle(battle)) => {
                    let won = battle.loser.map(|loser| loser != mover);
                    let (attacker, defender) = (battle.attacker, battle.defender);
                    effects.fights.push(Fight { attacker, defender, won });
                    let (own, other) = (battle.attacker_total, battle.defender_total);
                    effects.in_words.push(format!("The die fights that on {defender}, {own} to {other}."));
                }
                described::Event::Cublino(Event::Removed { square, player }) => {
                    effects.taken.push(*square);
                    let name = Self::ABOUT.players[player.index()];
                    effects.in_words.push(format!("{name} loses the die on {square}."));
                }
                _ => {}
            }
        }
        effects
    }

    fn picture(&self, view: &View<Spelling, Square>) -> String {
        render::picture(self, view, &draw::drawing())
    }

    fn describe(&self) -> described::Position {
        let dice = self.board.all_dice().map(|(square, die)| DieDescription::new(die, square));
        described::Position::Cublino(Description { dice: dice.collect() })
    }

    /// The dice on the far rank, in variants with points.
    fn counted(&self, _: bool) -> [Vec<described::Counted>; 2] {
        let counted = |square| Counted::Die { square, top: self.board.orientation(square).top() };
        Player::ALL.map(|player| {
            let home = if self.points().is_some() { self.board.home(player) } else { Squares::NONE };
            home.map(|square| described::Counted::Cublino(counted(square))).collect()
        })
    }
}

#[cfg(test)]
mod tests;
