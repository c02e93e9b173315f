//! What a game brings to the search.

use std::ops::RangeInclusive;

use cublino_rules::game::{Features, Player};
use serde::{Deserialize, Serialize};

use crate::{Score, Tablebases, network::Network, tablebase::Tablebase, transposition_table::key};

/// How many moves of a player the search tells apart by how they have done.
pub(super) const HISTORY_SLOTS: usize = 4096;

/// A game that can be searched: all that the search asks of it beside the rules. Most of it has a default,
/// for a game that knows nothing better.
///
/// Whatever looks at a position is only asked where the game goes on.
pub trait Playable: Features {
    /// The file of the network of the static evaluation that comes with the program, made by `tools train`.
    const NETWORK: &[u8] = &[];

    /// The network of the static evaluation: that of [`NETWORK`](Self::NETWORK), but for a game that has none
    /// yet. [`Learned::built_in`](crate::Learned::built_in) asks for it once.
    fn network() -> Network {
        let network = Network::read(Self::NETWORK, Self::FEATURES);
        network.expect("the networks of the program are whole: a test reads them")
    }

    /// Whether two positions that a search evaluates one after the other mostly have more than half of their
    /// features in common, so that the network's sums are brought up to date instead of added up anew.
    const ACCUMULATES: bool = true;

    /// How many times as many nodes a search visits for one more ply, as far as that is counted before it:
    /// measured in positions of games. Binary fractions, so that everybody finds the same sum.
    const GROWTH: f64 = 2.5;

    /// Puzzles, made by `tools puzzles`, one a line: its id, the state, the plies of the win that the player
    /// to move can force (a hyphen where the best play is wanted), the difficulty, and the solution.
    const PUZZLES: &str = "";

    // What it knows better than a network.

    /// The score for the side to move, where the game knows better than a network: where the result is
    /// decided or is in a table; the caller makes a score of an expected result. Only answered where the game
    /// cannot be drawn any more.
    fn known_score(&self, _score_of: impl FnOnce(f64) -> Score) -> Option<Score> {
        None
    }

    /// Whether the game knows better than a network: whether [`known_score`] has a score.
    ///
    /// [`known_score`]: Self::known_score
    fn is_known(&self) -> bool {
        self.known_score(|_| Score::DRAW).is_some()
    }

    /// The best result that a player can still come to, whatever this takes, if both play their best: 1 a
    /// win, 0 a draw, -1 a loss.
    fn best_result(&self, player: Player) -> i8 {
        i8::from(self.fewest_plies(player) < u32::MAX)
    }

    /// The tablebase of the game, if one is loaded.
    fn tablebase(_: &Tablebases) -> Option<&dyn Tablebase<Self>> {
        None
    }

    // In which order moves are tried, and which are left out.

    /// How soon a legal move is tried that the search knows nothing about, compared with the others; higher
    /// is sooner.
    ///
    /// The history of a move counts up to 4,096, and what differs by less than that can be outweighed by it.
    fn ordering_score(&self, _: Self::Move) -> i32 {
        0
    }

    /// A number below 4,096, by which the search remembers how a move has done. Moves that share
    /// one are taken for the same.
    #[expect(clippy::cast_possible_truncation, reason = "any bits of the key will do")]
    fn history_slot(m: Self::Move) -> usize {
        key(&m) as usize % HISTORY_SLOTS
    }

    /// The legal moves that the search still tries at its horizon, each with the position after it: those
    /// that change so much that a static evaluation before them is of little use. Where there are any, all
    /// moves that win the game are among them.
    fn noisy_moves(&self) -> impl Iterator<Item = (Self::Move, Self)> {
        std::iter::empty()
    }

    /// Tells quiet moves, which change so little that near the horizon the static evaluation before them says
    /// what they are worth.
    fn is_quiet(&self) -> impl Fn(Self::Move) -> bool {
        |_| true
    }

    // How a move is chosen, beyond its score.

    /// How the levels for people play, the lowest first.
    const LEVELS: [Strength; 8] = Strength::LEVELS;

    /// What these were measured to be worth: a list of [`MeasuredLevel`] in JSON, empty if nobody has.
    const MEASURED_LEVELS: &str = "[]";

    /// Whether a legal move brings the end of the game nearer.
    ///
    /// It decides between moves of nearly equal value. Where both sides would rather wait, a game without a
    /// rule about repetition has no end.
    fn makes_progress(&self, _: Self::Move) -> bool {
        true
    }

    /// How much less than a draw a repetition counts for who plays, in units of the score. They try something
    /// else unless it looks worse by that much. Values in answers are without it.
    const CONTEMPT: i32 = 0;

    /// Whether a position counts less as well, by how likely a draw is there.
    const SHUNS_DRAWS: bool = false;

    // What it knows for certain about forced wins without looking ahead.

    /// Whether the bounds tell enough for `cublino solve` to look for forced wins, instead of searching.
    const HAS_SOLVER: bool = false;

    /// A number of plies in fewer of which the player cannot *force* a win: a lower bound, for which it is
    /// enough that the opponent has one way to defend; `u32::MAX` if they never can.
    fn fewest_plies(&self, _player: Player) -> u32 {
        1
    }

    /// Whether a search should look for a forced win first: by the lower bounds, one may be near. Further
    /// ahead there hardly ever is one that the solver finds.
    fn is_win_near(&self) -> bool {
        const NEAR: u32 = 9;
        Self::HAS_SOLVER && Player::ALL.into_iter().any(|player| self.fewest_plies(player) <= NEAR)
    }

    /// Whether a position that has occurred earlier in the game may occur again after this one; false only
    /// where that is certain.
    fn may_come_back_to(&self, _earlier: &Self) -> bool {
        true
    }

    /// Which moves of the side to move may keep a win that they can force within so many plies; after any
    /// other it is lost.
    fn in_time(&self, _plies: u32) -> impl Fn(Self::Move) -> bool {
        |_| true
    }

    /// A player who wins for certain, and a number of plies within which they can force it; `None` if that
    /// cannot be told without looking ahead.
    fn sure_win(&self) -> Option<(Player, u32)> {
        None
    }
}

/// How a level plays: how far it looks ahead, and how much it errs about moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Plies to look ahead at most, if it counts them.
    pub depth: Option<u32>,
    /// Positions to visit for a move, at most.
    pub nodes: u64,
    /// The largest error about a move, in units of the evaluator's scale.
    pub(super) error: f64,
}

impl Strength {
    /// What a search of one thread visits in 190 to 400 ms, by game, on a core of its own. Levels count
    /// positions instead of time so that they play alike on every machine.
    pub(super) const MOST_NODES: u64 = 1_000_000;

    /// Looks so many plies ahead, with errors up to this much.
    pub(super) const fn erring(depth: u32, error: f64) -> Self {
        /// What no level but the highest needs, so that all answer quickly.
        const ENOUGH: u64 = 100_000;
        Self { depth: Some(depth), nodes: ENOUGH, error }
    }

    /// Visits so many positions, and errs about nothing else.
    pub(super) const fn visiting(nodes: u64) -> Self {
        Self { depth: None, nodes, error: 0.0 }
    }

    /// The eight levels of a game without dice; a game changes those that are too large or too small a step
    /// from the one before, which is measured: `MEASURED_LEVELS`.
    pub(super) const LEVELS: [Self; 8] = [
        Self::erring(1, 2.0),
        Self::erring(1, 0.8),
        Self::erring(2, 0.5),
        Self::erring(3, 0.35),
        Self::erring(4, 0.2),
        Self::erring(5, 0.1),
        Self::visiting(50_000),
        Self::visiting(Self::MOST_NODES),
    ];
}

/// The measured strength of a level, by `tools levels`.
///
/// Each level played 1,000 games against the one below, the highest 60. All chose in the same positions, and
/// searches of 2,000,000 nodes judged what their moves lose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeasuredLevel {
    /// Its share of the points in a match against the level below; for the lowest, against random play.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1, example = 0.79))]
    pub score_against_below: f64,
    /// The mean loss of its moves where it had a choice, as in `analysis`.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 2, example = 0.05))]
    pub mean_loss: f64,
    /// The median time for a move, in milliseconds, on an idle core of a server.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, example = 0.8))]
    pub median_ms: f64,
}

/// The results that the side to move can still come to if both players play their best, from the worst to the
/// best: 1 a win, 0 a draw, -1 a loss. Only asked where the game goes on.
pub(super) fn possible<G: Playable>(
    position: &G,
    tablebase: Option<&dyn Tablebase<G>>,
) -> RangeInclusive<i8> {
    let best = |player| {
        let by_table = tablebase.map_or(1, |tablebase| tablebase.best_result(position, player));
        position.best_result(player).min(by_table)
    };
    -best(!position.turn())..=best(position.turn())
}

/// The same after a move, for the side that plays it.
pub(super) fn possible_after<G: Playable>(
    position: &G,
    m: G::Move,
    tablebase: Option<&dyn Tablebase<G>>,
) -> RangeInclusive<i8> {
    let next = position.after(m);
    if let Some(outcome) = next.stage().outcome() {
        let result = outcome.result_for(position.turn());
        return result..=result;
    }
    let after = possible(&next, tablebase);
    let is_same_turn = next.turn() == position.turn();
    let (worst, best) = if is_same_turn { after.into_inner() } else { (-after.end(), -after.start()) };
    // No move is worth more than the position.
    worst..=best.min(*possible(position, tablebase).end()).max(worst)
}
