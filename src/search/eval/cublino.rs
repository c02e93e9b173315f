//! Judging Cublino.
//!
//! The weights were fitted: a logistic regression of the results of 4,500 games that the search played against
//! itself, with weights from earlier rounds, at 2,000 positions a move and with a random move in twelve. Weights by the
//! way that is left were fitted in ten steps and then smoothed to [`by_way`]. A hundred units are one natural unit of
//! log-odds. Another round gave weights that won 47 % of the points.

use crate::{
    game::{Game, Player},
    games::{
        Pur,
        cublino::{Board, Direction, Move, Squares},
    },
    search::{Evaluate, Score},
};

/// Ranks from one end of the board to the other, both counted.
const RANKS: usize = 7;
/// The longest way that a player's dice can have, in ranks: seven dice, six ranks each.
const LONGEST_WAY: usize = 42;

/// What a pip is worth that a player is expected to have at the end, by the ranks that the player who is ahead has
/// still to go: the nearer the end, the surer.
const PIP: [i32; LONGEST_WAY + 1] = by_way(6, 80, 2);
/// What it is worth to have a rank less to go than the opponent, by the same.
const LEAD: [i32; LONGEST_WAY + 1] = by_way(4, 20, 1);
/// What it costs by how many ranks the last die has still to go.
const LAG: i32 = 20;
/// What a die is worth that is home or one rank from it.
const ARRIVED: i32 = 12;
/// What a die costs that can go forward neither by a tip nor by a jump.
const BLOCKED: i32 = 14;
/// What it is worth to be on the move.
const TEMPO: i32 = 15;
/// With so few dice abroad, moves at home that gain no pips there only hold the game up; with more it made no difference.
const FEW_ABROAD: u32 = 3;

/// A weight that falls with the way that is left: `far + near / (way + offset)`, rounded down.
const fn by_way(far: i32, near: i32, offset: i32) -> [i32; LONGEST_WAY + 1] {
    let mut weights = [0; LONGEST_WAY + 1];
    let mut way = 0;
    while way < weights.len() {
        weights[way] = far + near / (way as i32 + offset);
        way += 1;
    }
    weights
}

impl Evaluate for Pur {
    /// The likeliest for the results of 5,000 games that the search played with these weights.
    const SCALE: f64 = 200.0;

    /// The pips that each player is expected to have when the first has finished, and how far they are from that.
    #[inline]
    fn evaluate(&self) -> Score {
        let board = self.board();
        let (own, other) = (Race::of(board, self.turn()), Race::of(board, !self.turn()));
        let way = own.way.min(other.way);
        let half_pips = own.half_pips_after(way) - other.half_pips_after(way);
        let race = LEAD[way as usize] * (other.way - own.way) + PIP[way as usize] * half_pips / 2;
        Score::new(race + own.form - other.form + TEMPO)
    }

    /// The further forward the sooner: a rank counts as much as a good history.
    #[inline]
    fn promise(&self, m: Move) -> i32 {
        /// A quarter of what a history can reach.
        const RANK: i32 = 1000;
        RANK * ranks_forward(m)
    }

    /// A move forward does, and with few dice abroad also one that gains pips at home.
    fn makes_progress(&self, m: Move) -> bool {
        let Move::Go { from, .. } = m else { return true };
        let abroad = self.board().dice(self.turn()).without(self.board().home(self.turn()));
        ranks_forward(m) > 0
            || !abroad.contains(from) && abroad.count() <= FEW_ABROAD && self.improves_home(m)
    }
}

impl Pur {
    /// Whether the mover has more pips at home after a move.
    fn improves_home(&self, m: Move) -> bool {
        let pips = |board: &Board| board.sum_of_tops(board.home(self.turn()));
        pips(self.after(m).board()) > pips(self.board())
    }
}

/// By how many ranks a move takes a die forward.
fn ranks_forward(m: Move) -> i32 {
    match m {
        Move::Pass => 0,
        Move::Go { from, to, .. } => i32::from(from.rank().abs_diff(to.rank())),
    }
}

/// How a player stands in the race.
struct Race {
    /// Dice by the ranks that they have still to go.
    dice: [i32; RANKS],
    /// What their tops are expected to add up to when they are home, in half pips.
    half_pips: [i32; RANKS],
    /// Ranks that all dice have still to go.
    way: i32,
    /// What is good or bad besides, in units.
    form: i32,
}

impl Race {
    #[inline]
    fn of(board: &Board, player: Player) -> Self {
        let own = board.dice(player);
        let (forward, back) = (Direction::forward(player), Direction::forward(!player));
        let (mut dice, mut half_pips) = ([0; RANKS], [0; RANKS]);
        let (mut way, mut lag) = (0, 0);
        let mut rank = Squares::far_rank(player);
        for left in 0..RANKS {
            let there = own & rank;
            let count = there.count() as i32;
            if count > 0 {
                dice[left] = count;
                way += count * left as i32;
                lag = left as i32;
                half_pips[left] = match left {
                    0 => 2 * board.sum_of_tops(there) as i32,
                    // One tip forward brings up the face at the back, two the one below.
                    1 => there
                        .into_iter()
                        .map(|square| 2 * i32::from(board.orientation(square).tipped(forward).top()))
                        .sum(),
                    2 => 2 * (7 * count - board.sum_of_tops(there) as i32),
                    // Further away anything can come up: three and a half on average.
                    _ => 7 * count,
                };
            }
            rank = rank.shift(back);
        }
        let (occupied, free) = (board.occupied(), board.free());
        let can_go_forward = (free | occupied & free.shift(back)).shift(back);
        let blocked = own.without(board.home(player) | can_go_forward).count() as i32;
        let form = ARRIVED * (dice[0] + dice[1]) - BLOCKED * blocked - LAG * lag;
        Self { dice, half_pips, way, form }
    }

    /// The half pips at home after so many ranks more, the nearest dice going first.
    #[inline]
    fn half_pips_after(&self, mut way: i32) -> i32 {
        let mut sum = self.half_pips[0];
        for left in 1..RANKS {
            let cost = self.dice[left] * left as i32;
            if cost > way {
                // Of the dice on this rank some arrive, in proportion.
                return sum + self.half_pips[left] * way / cost;
            }
            sum += self.half_pips[left];
            way -= cost;
        }
        sum
    }
}
