//! Races in Pur: once the dice of the two players have passed each other, each goes its own way, and only
//! when a player finishes, and with how many pips, is of any concern to the other.
//!
//! So the ways of each player are looked through alone ([`Ways`]), and set against the most that the other
//! can have after as many moves. That is less than what a search of both sides together goes through: the
//! boards that both can make are added up instead of multiplied.

mod ways;

use std::collections::HashSet;

use self::ways::{Most, Pips, Ways};
use super::have_passed;
use crate::{GameResult, Interrupted, LimitChecker};
use cublino_rules::{
    game::{Game, Stage},
    games::{
        Pur,
        cublino::{Board, Move},
    },
};

/// Plies that a race is followed for at most: most take a dozen.
const MOST_PLIES: usize = 64;

/// The result of a race and the moves to its end: of those that win, the ones by which the player is sure of
/// the most pips more. `None` if there is no race, or if nothing is certain.
///
/// # Errors
/// Fails when a limit is reached before that is known.
pub(super) fn solve(
    position: &Pur,
    limits: &mut LimitChecker<'_>,
) -> Result<Option<(GameResult, Vec<Move>)>, Interrupted> {
    if !have_passed(position.board()) {
        return Ok(None);
    }
    let mut race = Race::of(position);
    let Some(Sure { result, mut places, mut plies }) = race.result(MOST_PLIES, limits)? else {
        return Ok(None);
    };
    let (mut line, mut position) = (Vec::new(), *position);
    loop {
        let m = nth_move(&position, places[0]);
        line.push(m);
        position = position.after(m);
        if position.stage() != Stage::Move {
            return Ok(Some((result, line)));
        }
        // Whoever is sure of the result still is, within the plies that are left.
        plies -= 1;
        race = race.handed_on(&position);
        let Some(next) = race.result(plies, limits)? else { return Ok(None) };
        Sure { places, plies, .. } = next;
    }
}

fn nth_move(position: &Pur, place: usize) -> Move {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    moves[place]
}

/// What is sure for the side to move.
struct Sure {
    result: GameResult,
    /// The places of the moves that bring it about in the list of all, at least one. If the race is lost,
    /// they are those by which the most pips may be had.
    places: Vec<usize>,
    /// Within so many plies the race is over.
    plies: usize,
}

/// A race, followed for some plies.
struct Race {
    /// The side to move.
    own: Runner,
    other: Runner,
}

/// One of the players.
struct Runner {
    start: Board,
    ways: Ways,
    /// The most pips after each number of moves that the player has.
    most: Vec<Most>,
}

/// What one player can be sure of, whatever the other does: to be ahead by so many pips when the race is
/// over, within some number of moves.
///
/// The other is taken to have the most pips that can be had after each number of moves, although no single
/// way may lead to all of them: so the player can be no worse off than this.
struct Claim<'a> {
    ways: &'a mut Ways,
    /// The most that the other can have after each number of moves.
    others: &'a [Most],
    /// How many moves the player has.
    moves: usize,
    /// How many moves the other has made before the first of the player.
    behind: usize,
    ahead: Pips,
    /// Boards after so many moves from which the player cannot be sure of it.
    failed: HashSet<(Board, usize)>,
}

impl Race {
    fn of(position: &Pur) -> Self {
        let runner = |player| Runner::new(position, Ways::new(player));
        Self { own: runner(position.turn()), other: runner(!position.turn()) }
    }

    /// The race where the other side is to move in a position; what is known of the ways of both is kept.
    fn handed_on(self, position: &Pur) -> Self {
        let runner = |runner: Runner| Runner::new(position, runner.ways);
        Self { own: runner(self.other), other: runner(self.own) }
    }

    /// What the side to move can be sure of within so many plies; `None` if nothing is.
    fn result(&mut self, plies: usize, limits: &mut LimitChecker<'_>) -> Result<Option<Sure>, Interrupted> {
        for plies in 1..=plies {
            self.follow(plies, limits)?;
            let mut winning = self.sure_moves(1, limits)?;
            if !winning.is_empty() {
                for ahead in 2.. {
                    let better = self.sure_moves(ahead, limits)?;
                    if better.is_empty() {
                        break;
                    }
                    winning = better;
                }
                return Ok(Some(Sure { result: GameResult::Win, places: winning, plies }));
            }
            if self.is_other_sure(1, limits)? {
                let places = self.own.best_places(plies.div_ceil(2), limits)?;
                return Ok(Some(Sure { result: GameResult::Loss, places, plies }));
            }
            let drawing = self.sure_moves(0, limits)?;
            if !drawing.is_empty() && self.is_other_sure(0, limits)? {
                return Ok(Some(Sure { result: GameResult::Draw, places: drawing, plies }));
            }
        }
        Ok(None)
    }

    /// Goes on to so many plies.
    fn follow(&mut self, plies: usize, limits: &mut LimitChecker<'_>) -> Result<(), Interrupted> {
        self.own.follow(plies.div_ceil(2), limits)?;
        self.other.follow(plies / 2, limits)
    }

    /// The places of the moves by which the side to move is sure to be ahead by so many pips.
    fn sure_moves(&mut self, ahead: Pips, limits: &mut LimitChecker<'_>) -> Result<Vec<usize>, Interrupted> {
        let Self { own, other } = self;
        let after = own.ways.after(&own.start, limits)?;
        let mut claim = Claim::new(own, other, 0, ahead);
        let mut places = Vec::new();
        for (place, board) in after.iter().enumerate() {
            if claim.holds_after(board, 0, limits)? {
                places.push(place);
            }
        }
        Ok(places)
    }

    /// Whether the other player is sure to be ahead by so many pips.
    fn is_other_sure(&mut self, ahead: Pips, limits: &mut LimitChecker<'_>) -> Result<bool, Interrupted> {
        let Self { own, other } = self;
        let start = other.start;
        let mut claim = Claim::new(other, own, 1, ahead);
        claim.holds_against(&start, 0, limits)
    }
}

impl Runner {
    fn new(position: &Pur, ways: Ways) -> Self {
        let board = position.board();
        Self { start: board.without(board.dice(!ways.player())), ways, most: Vec::new() }
    }

    /// The places of the first moves by which the most pips may be had with so many.
    fn best_places(
        &mut self,
        moves: usize,
        limits: &mut LimitChecker<'_>,
    ) -> Result<Vec<usize>, Interrupted> {
        let after = self.ways.after(&self.start, limits)?;
        let most: Vec<_> = after.iter().map(|board| self.ways.most_pips(board, moves - 1)).collect();
        let best = most.iter().max();
        Ok((0..most.len()).filter(|&place| Some(&most[place]) == best).collect())
    }

    /// Goes on to so many moves.
    fn follow(&mut self, moves: usize, limits: &mut LimitChecker<'_>) -> Result<(), Interrupted> {
        while self.most.len() <= moves {
            self.most.push(self.ways.most(&self.start, self.most.len(), limits)?);
        }
        Ok(())
    }
}

impl<'a> Claim<'a> {
    fn new(own: &'a mut Runner, other: &'a Runner, behind: usize, ahead: Pips) -> Self {
        let (moves, others) = (own.most.len() - 1, &*other.most);
        Self { ways: &mut own.ways, others, moves, behind, ahead, failed: HashSet::new() }
    }

    /// Whether it holds where the player is to move, with so many moves made.
    fn holds(
        &mut self,
        board: &Board,
        made: usize,
        limits: &mut LimitChecker<'_>,
    ) -> Result<bool, Interrupted> {
        if self.is_hopeless(board, made) || self.failed.contains(&(*board, made)) {
            return Ok(false);
        }
        for after in self.ways.best_first(board, self.moves - made, limits)? {
            if self.holds_after(&after, made, limits)? {
                return Ok(true);
            }
        }
        self.failed.insert((*board, made));
        Ok(false)
    }

    /// Whether the player cannot finish in time, or not with as many pips as it takes.
    fn is_hopeless(&self, board: &Board, made: usize) -> bool {
        let left = self.moves - made;
        let most = self.ways.most_pips(board, left);
        let is_enough = |others: &Most| others.unfinished.is_none_or(|others| most - others >= self.ahead);
        self.ways.on_the_way(board) > left
            || !self.others.iter().skip(made + self.behind).take(left).any(is_enough)
    }

    /// Whether it holds after a move that leads to a board, with so many moves made before it.
    fn holds_after(
        &mut self,
        board: &Board,
        made: usize,
        limits: &mut LimitChecker<'_>,
    ) -> Result<bool, Interrupted> {
        if self.ways.on_the_way(board) > 0 {
            return self.holds_against(board, made + 1, limits);
        }
        let pips = self.ways.pips(board);
        let others = self.others[made + self.behind].unfinished;
        Ok(others.is_none_or(|others| pips - others >= self.ahead))
    }

    /// Whether it holds where the other is to move, with so many moves made.
    fn holds_against(
        &mut self,
        board: &Board,
        made: usize,
        limits: &mut LimitChecker<'_>,
    ) -> Result<bool, Interrupted> {
        let Some(others) = self.others.get(made + self.behind) else { return Ok(false) };
        let pips = self.ways.pips(board);
        Ok(others.finished.is_none_or(|others| pips - others >= self.ahead)
            && (others.unfinished.is_none() || self.holds(board, made, limits)?))
    }
}

#[cfg(test)]
mod tests;
