//! The Cublino family: dice that tip and jump across a 7x7 board.
//!
//! Board, notation and dice exist once; a variant is a type with the trait `Rules`, which holds only what
//! differs.

mod board;
mod describe;
mod draw;
mod moves;
mod rules;
mod setup;
mod square;

use std::marker::PhantomData;

pub(super) use self::rules::{Contra, Ecke, Pur};
use self::{
    board::Die,
    moves::{Illegal, Spelling},
    rules::Rules,
    setup::{DiceText, Setup},
};
pub use self::{
    board::{Battle, Board, Faces, Orientation},
    describe::{
        Counted, Description, DieDescription, Event, OrientationDescription, StepDescription, Tipped,
    },
    moves::{Move, Opening},
    square::{Direction, Square, Squares},
};
use super::described::{self, SharedStep};
use crate::{
    game::{
        About, Effect, EffectKind, EndReason, Fault, Features, Game, NoRoll, Notation, Outcome, Player,
        Points, Stage, StateError,
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

impl<R: Rules> Cublino<R> {
    /// A position that the rules allow; the caller has checked it.
    const fn new(board: Board, turn: Player) -> Self {
        Self { board, turn, rules: PhantomData }
    }

    /// Where the dice lie.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The dice that leave the board when a player's die has arrived on a square.
    #[inline]
    pub fn casualties(board: &Board, mover: Player, arrival: Square) -> Squares {
        R::casualties(board, mover, arrival)
    }

    /// The moves to some squares that beat a die and lose none, or win the game, with the positions that
    /// they lead to.
    ///
    /// They are made without listing all moves, since there are few of them and a search asks this at every
    /// horizon.
    #[inline]
    pub fn winning_battles(&self, contested: Squares) -> impl Iterator<Item = (Move, Self)> {
        let (board, mover) = (&self.board, self.turn);
        let (dice, occupied, ends) = (board.dice(mover), board.occupied(), contested & board.free());
        let steps = R::directions(mover).iter().flat_map(move |&direction| {
            let back = direction.opposite();
            let beside = dice.shift(direction);
            let tips = beside & ends;
            let tipped =
                tips.shift(back).into_iter().zip(tips).map(move |ends| (ends, Opening::Tip(direction)));
            let jumps = if R::JUMPS { (beside & occupied).shift(direction) & ends } else { Squares::NONE };
            let jumped =
                jumps.shift(back).shift(back).into_iter().zip(jumps).map(|ends| (ends, Opening::Jump));
            tipped.chain(jumped)
        });
        let counts = move |board: &Board| [mover, !mover].map(|player| board.dice(player).count());
        let [own, other] = counts(board);
        steps.filter_map(move |((from, to), opening)| {
            let m = Move::Go { from, opening, to };
            let next = self.after(m);
            let [own_left, other_left] = counts(&next.board);
            let wins = own_left == own && (other_left < other || R::outcome(&next.board).is_some());
            wins.then_some((m, next))
        })
    }

    /// The board after a die of the mover has gone from one square to another, turned as said.
    #[inline]
    fn board_after(&self, from: Square, to: Square, turned: Orientation) -> Board {
        let arrived = self.board.relocated(self.turn, from, to, turned);
        let casualties = R::casualties(&arrived, self.turn, to);
        if casualties.is_empty() { arrived } else { arrived.without(casualties) }
    }

    /// The position after the mover has made a board of this one.
    #[inline]
    fn handed_on(&self, board: Board) -> Self {
        // A finished game, too, keeps the letter of the player who would have been next.
        let stuck = |player| !R::can_move(&board, player);
        let skips = stuck(!self.turn) && !stuck(self.turn);
        Self::new(board, if skips { self.turn } else { !self.turn })
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
    const ROLLS: &'static [(NoRoll, u32)] = &[];
    const DISTINCT_MOVES: bool = R::DISTINCT_MOVES;

    fn read(state: &str) -> Result<Self, StateError> {
        let setup: Setup<R> = state.parse().map_err(StateError::Malformed)?;
        Self::try_from(setup).map_err(StateError::Invalid)
    }

    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn stage(&self) -> Stage {
        if let Some(outcome) = R::outcome(&self.board) {
            return Stage::Over(outcome);
        }
        if self.is_stuck(self.turn) && self.is_stuck(!self.turn) {
            let (reason, points) = (EndReason::NobodyCanMove, self.points());
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

    #[inline]
    fn play_unchecked(&mut self, m: Move) {
        *self = self.after(m);
    }

    /// Written as one expression for the position, which is not read back from memory: that is where the time
    /// went.
    #[inline]
    fn after(&self, m: Move) -> Self {
        self.handed_on(match m {
            Move::Pass => self.board,
            Move::Go { from, opening, to } => {
                self.board_after(from, to, opening.turn(self.board.orientation(from)))
            }
        })
    }

    fn roll_unchecked(&mut self, roll: NoRoll) {
        match roll {}
    }
}

impl<R: Rules> Notation for Cublino<R> {
    type Spelling = Spelling;
    type Place = Square;

    const SEVERAL_SPELLINGS: bool = R::SEVERAL_SPELLINGS;

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

    fn spell(&self, m: Move) -> Spelling {
        let length = |spelling: &Spelling| match spelling {
            Spelling::Pass => 0,
            Spelling::Chain(chain) => chain.len(),
        };
        let same = |spelling: &Spelling| self.legal_move(spelling) == Ok(m);
        self.spellings().into_iter().filter(same).min_by_key(length).expect("every legal move is listed")
    }

    fn append_spelling(spelling: &Spelling, text: &mut Vec<u8>) {
        spelling.append_to(text);
    }

    fn append_after(self) -> impl FnMut(Move, &mut Vec<u8>) {
        let mut dice = DiceText::of(&self.board);
        move |m, text| {
            if let Move::Go { from, opening, to } = m {
                // After other moves there is none, or another that has been put there.
                let orientation = opening.turn(self.board.orientation(from));
                dice.put(to, Die { player: self.turn, orientation });
            }
            self.after(m).append_to(&dice, text);
        }
    }

    #[inline]
    fn steps(&self, spelling: &Spelling, mut step: impl FnMut(described::Step)) {
        match spelling {
            Spelling::Chain(chain) => {
                describe::steps(chain).for_each(|own| step(described::Step::Cublino(own)));
            }
            Spelling::Pass => step(described::Step::Shared(SharedStep::Pass {})),
        }
    }

    fn events(&self, spelling: &Spelling) -> Vec<described::Event> {
        let events = describe::events::<R>(&self.board, self.turn, spelling);
        events.into_iter().map(described::Event::Cublino).collect()
    }

    fn effects_of(&self, m: Move) -> Vec<Effect> {
        let Move::Go { from, opening, to } = m else { return Vec::new() };
        let arrived = self.board.relocated(self.turn, from, to, opening.turn(self.board.orientation(from)));
        let removed = R::casualties(&arrived, self.turn, to).into_iter().filter_map(|square| {
            let (gains, place) = (!arrived.die(square)?.player, Some(square.to_string()));
            Some(Effect { kind: EffectKind::Dice, gains, count: 1, place: place.clone(), shown: place })
        });
        removed.collect()
    }

    fn ranks_to_go(&self, player: Player) -> Option<u32> {
        R::ranks_to_go(&self.board, player)
    }

    fn undefended(&self, player: Player) -> Option<(String, Vec<String>)> {
        R::undefended(&self.board, player)
    }

    fn orientations() -> Option<Vec<OrientationDescription>> {
        let describe = |orientation: Orientation| OrientationDescription {
            orientation,
            faces: orientation.faces(),
            tipped: Tipped {
                north: orientation.tipped(Direction::North),
                south: orientation.tipped(Direction::South),
                east: orientation.tipped(Direction::East),
                west: orientation.tipped(Direction::West),
                north_east: orientation.tipped(Direction::NorthEast),
                north_west: orientation.tipped(Direction::NorthWest),
                south_east: orientation.tipped(Direction::SouthEast),
                south_west: orientation.tipped(Direction::SouthWest),
            },
        };
        Some(Orientation::all().map(describe).collect())
    }

    fn place(name: &str) -> Option<Square> {
        name.parse().ok()
    }

    fn places_of(spelling: &Spelling, _: Player) -> Vec<Square> {
        match spelling {
            Spelling::Chain(chain) => chain.to_vec(),
            Spelling::Pass => Vec::new(),
        }
    }

    fn effects(&self, spelling: &Spelling) -> Effects<Square> {
        let mut effects = Effects::touching(Self::places_of(spelling, self.turn));
        for event in describe::events::<R>(self.board(), self.turn(), spelling) {
            match event {
                Event::Tip { .. } | Event::Jump { .. } => {}
                Event::Battle(battle) => {
                    let won = battle.loser.map(|loser| loser != self.turn());
                    let (attacker, defender) = (battle.attacker, battle.defender);
                    effects.fights.push(Fight { attacker, defender, won });
                    let (own, other) = (battle.attacker_total, battle.defender_total);
                    let fights = "The die fights that on";
                    effects.in_words.push(format!("{fights} {defender}, {own} to {other}."));
                }
                Event::Removed { square, player } => {
                    effects.taken.push(square);
                    let name = Self::ABOUT.players[player.index()];
                    effects.in_words.push(format!("{name} loses the die on {square}."));
                }
            }
        }
        effects
    }

    fn picture(&self, view: &View<Self>) -> String {
        render::picture(self, view)
    }

    fn describe(&self) -> described::Position {
        let dice = self.board.all_dice().map(|(square, die)| DieDescription::new(die, square));
        described::Position::Cublino(Description { dice: dice.collect() })
    }

    /// Where points count, the dice at home.
    fn counted(&self, _: bool) -> [Vec<described::Counted>; 2] {
        let counted = |square| Counted::Die { square, top: self.board.orientation(square).top() };
        Player::ALL.map(|player| {
            let home = if self.points().is_some() { self.board.home(player) } else { Squares::NONE };
            home.into_iter().map(|square| described::Counted::Cublino(counted(square))).collect()
        })
    }
}

const SQUARES: usize = 49;
const ORIENTATIONS: usize = Orientation::COUNT as usize;
const RANKS: usize = 7;

/// Own dice, then those of the opponent.
const SIDES: usize = 2;

/// A feature for each side, orientation and square.
const OF_DICE: usize = SIDES * ORIENTATIONS * SQUARES;

/// None to seven dice are on a rank.
const COUNTS: usize = RANKS + 1;
/// A feature for each side, number of dice on the first rank and number on the last.
const OF_RANKS: usize = SIDES * COUNTS * COUNTS;

/// A feature for each side, orientation and square, as a player sees the board: for player two the board is
/// turned by half a turn.
///
/// Where all dice have to cross, each side has one more, for how many of its dice have not left the first
/// rank and how many are on the last: a die that stays at home keeps the opponent from finishing, and whether
/// it will stay is told by where the others are.
impl<R: Rules> Features for Cublino<R> {
    const FEATURES: usize = OF_DICE + if R::ALL_DICE_CROSS { OF_RANKS } else { 0 };
    const MOST_ACTIVE: usize = SIDES * (RANKS + R::ALL_DICE_CROSS as usize);

    const SEEN_BY_OTHER: &'static [u16] = SEEN_BY_OTHER.split_at(Self::FEATURES).0;

    const PHASES: usize = 4;

    /// Where all dice have to cross, how many have left the first rank and how many have crossed; else how
    /// many have been taken.
    #[inline]
    fn phase(&self) -> usize {
        let board = self.board();
        let on = |squares: Squares| squares.count() as usize;
        let steps = if R::ALL_DICE_CROSS {
            let of = |player| {
                let dice = board.dice(player);
                RANKS - on(dice & Squares::far_rank(!player)) + on(dice & Squares::far_rank(player))
            };
            usize::midpoint(of(Player::One), of(Player::Two))
        } else {
            2 * RANKS - on(board.occupied())
        };
        (steps / 3).min(Self::PHASES - 1)
    }

    type Seen = (Self, Player);

    #[inline]
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
            if R::ALL_DICE_CROSS && counts_changed {
                let [first, last] =
                    [!player, player].map(|player| (dice & Squares::far_rank(player)).count() as usize);
                active(OF_DICE + (side * COUNTS + first) * COUNTS + last);
            }
        }
    }
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

/// The face towards rank 7 is one of four for each top, and opposite faces are the outer two and the inner
/// two of them.
const TURNED: usize = 3;

/// The numbers of an orientation and of a square, as a player sees them from their side of the board.
#[inline]
fn numbers_seen_by(player: Player, orientation: Orientation, square: Square) -> (usize, usize) {
    let orientation = usize::from(orientation.index());
    let number = usize::from(square.rank()) * RANKS + usize::from(square.file());
    match player {
        Player::One => (orientation, number),
        Player::Two => (orientation ^ TURNED, SQUARES - 1 - number),
    }
}

#[cfg(test)]
mod tests;
