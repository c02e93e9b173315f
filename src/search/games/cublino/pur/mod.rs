//! Cublino Pur for the search.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "counts on a board are far below the limits of the types"
)]

mod bounds;

use serde::{Deserialize, Serialize};

use crate::{
    game::{Game, Player},
    games::{
        Pur,
        cublino::{Board, Direction, Move, Squares},
    },
    search::{
        calibration::Calibration,
        evaluation::Evaluator,
        games::measured_levels,
        measured_level::MeasuredLevel,
        playable::{MoveOrdering, NoisyMoves, Playable, RootPolicy},
        score::{Scale, Score},
    },
};

/// Ranks from one end of the board to the other, both counted.
const RANKS: usize = 7;
/// The longest way that a player's dice can have, in ranks: seven dice, six ranks each.
const LONGEST_WAY: usize = 42;
/// With so few dice not yet home, moves at home that gain no pips there only hold the game up; with more it
/// made no difference.
const FEW_ON_THE_WAY: u32 = 3;

/// The hand-made evaluation of Pur, with its weights.
///
/// The weights were fitted: a logistic regression of the results of 4,500 games that the search played
/// against itself, with weights from earlier rounds, at 2,000 positions a move and with a random move in
/// twelve. Weights by the way that is left were fitted in ten steps and then smoothed to [`ByWay`]. A hundred
/// units are one natural unit of log-odds. Another round gave weights that won 47 % of the points.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PurTerms {
    scale: Scale,
    /// What a pip is worth that a player is expected to have at the end, by the ranks that the player who is
    /// ahead has still to go: the nearer the end, the surer.
    pip: ByWay,
    /// What it is worth to have a rank less to go than the opponent, by the same.
    lead: ByWay,
    /// What it costs by how many ranks the last die has still to go.
    lag: i32,
    /// What a die is worth that is home or one rank from it.
    arrived: i32,
    /// What a die costs that can go forward neither by a tip nor by a jump.
    blocked: i32,
    /// What it is worth to be on the move.
    tempo: i32,
}

/// A weight that falls with the way that is left: `far + near / (way + offset)`, rounded down.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(into = "Falling", from = "Falling")]
struct ByWay {
    falling: Falling,
    weights: [i32; LONGEST_WAY + 1],
}

/// How such a weight is written down.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Falling {
    far: i32,
    near: i32,
    offset: i32,
}

impl From<Falling> for ByWay {
    fn from(falling: Falling) -> Self {
        let Falling { far, near, offset } = falling;
        // An offset below 1 has no weight at the end of the way, where nothing is left to be divided by.
        let weight = |way: usize| far + near / (way as i32 + offset.max(1));
        Self { falling, weights: std::array::from_fn(weight) }
    }
}

impl From<ByWay> for Falling {
    fn from(by_way: ByWay) -> Self {
        by_way.falling
    }
}

impl Default for PurTerms {
    fn default() -> Self {
        Self {
            // The likeliest for the results of 5,000 games that the search played with these weights.
            scale: Scale::new(200.0),
            pip: Falling { far: 6, near: 80, offset: 2 }.into(),
            lead: Falling { far: 4, near: 20, offset: 1 }.into(),
            lag: 20,
            arrived: 12,
            blocked: 14,
            tempo: 15,
        }
    }
}

impl Evaluator<Pur> for PurTerms {
    #[inline]
    fn scale(&self) -> Scale {
        self.scale
    }

    fn calibration(&self) -> Calibration {
        // Of 6,000 games at 2,000 positions a move: `examples/calibrate`.
        Calibration::new(
            [0.094, 0.162, 0.232, 0.309, 0.373, 0.515, 0.727, 0.878, 0.983, 0.995],
            [0.328, 0.171, 0.228, 0.208, 0.199, 0.187, 0.166, 0.108, 0.052, 0.020],
        )
    }

    /// The pips that each player is expected to have when the first has finished, and how far they are from
    /// that.
    #[inline]
    fn evaluate(&self, position: &Pur) -> Score {
        let board = position.board();
        let (own, other) = (Race::of(board, position.turn()), Race::of(board, !position.turn()));
        let way = own.way.min(other.way);
        let half_pips = own.half_pips_after(way) - other.half_pips_after(way);
        let (lead, pip) = (self.lead.weights[way as usize], self.pip.weights[way as usize]);
        let race = lead * (other.way - own.way) + pip * half_pips / 2;
        Score::new(race + self.form(&own) - self.form(&other) + self.tempo)
    }
}

impl PurTerms {
    /// What is good or bad about a player's dice besides the race.
    #[inline]
    fn form(&self, race: &Race) -> i32 {
        self.arrived * (race.dice[0] + race.dice[1]) - self.blocked * race.blocked - self.lag * race.lag
    }
}

impl MoveOrdering for Pur {
    /// The further forward the sooner: a rank counts as much as a good history.
    #[inline]
    fn ordering_score(&self, m: Move) -> i32 {
        /// A quarter of what a history can reach.
        const RANK: i32 = 1000;
        RANK * ranks_forward(m)
    }
}

impl NoisyMoves for Pur {}

impl RootPolicy for Pur {
    const MEASURED_LEVELS: Option<[MeasuredLevel; 8]> = Some(measured_levels::PUR);

    /// A move forward does, and with few dice on the way also one that gains pips at home.
    fn makes_progress(&self, m: Move) -> bool {
        let Move::Go { from, .. } = m else { return true };
        let on_the_way = self.board().dice(self.turn()).without(self.board().home(self.turn()));
        ranks_forward(m) > 0
            || !on_the_way.contains(from) && on_the_way.count() <= FEW_ON_THE_WAY && improves_home(self, m)
    }
}

impl Playable for Pur {
    type Evaluator = PurTerms;
}

/// Whether the mover has more pips at home after a move.
fn improves_home(position: &Pur, m: Move) -> bool {
    let pips = |board: &Board| board.sum_of_tops(board.home(position.turn()));
    pips(position.after(m).board()) > pips(position.board())
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
    /// Ranks that the last die has still to go.
    lag: i32,
    /// Dice that can go forward neither by a tip nor by a jump.
    blocked: i32,
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
        Self { dice, half_pips, way, lag, blocked }
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
