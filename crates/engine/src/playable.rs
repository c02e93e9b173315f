//! What a game provides for the search.

use std::ops::RangeInclusive;

use cublino_rules::game::{Features, Player};
use serde::{Deserialize, Serialize};

use crate::{Score, Tablebases, network::Network, tablebase::Tablebase, transposition_table::key};

/// The number of history slots of a player.
pub(super) const HISTORY_SLOTS: usize = 4096;

/// A game that can be searched: all that the search needs beside the rules. Most items have a default.
///
/// Methods that take a position are only called while the game is not over.
pub trait Playable: Features {
    /// The file of the network of the static evaluation that comes with the program, made by `tools train`.
    const NETWORK: &[u8] = &[];

    /// The network of the static evaluation, read from [`NETWORK`](Self::NETWORK); a game that has none yet
    /// overrides this. [`Learned::built_in`](crate::Learned::built_in) calls it once.
    fn network() -> Network {
        let network = Network::read(Self::NETWORK, Self::FEATURES);
        network.expect("the built-in networks are valid: a test reads them")
    }

    /// Whether consecutively evaluated positions of a search mostly share more than half of their features,
    /// so that the accumulators are updated instead of computed anew.
    const ACCUMULATES: bool = true;

    /// The growth of the nodes with each further ply, to estimate the work of a search: measured in positions
    /// of games. A binary fraction, so that everybody computes the same estimate.
    const GROWTH: f64 = 2.5;

    /// How many times the nodes of a search may verify what it says about a move that was played: see
    /// [`Engine::compare`](crate::Engine::compare).
    const VERIFYING: u64 = 8;

    /// Puzzles, made by `tools puzzles`, one a line: its id, the state, the plies of the win that the player
    /// to move can force (a hyphen where the best play is wanted), the difficulty, and the solution.
    const PUZZLES: &str = "";

    // What the game knows better than a network.

    /// The score for the side to move, where the game knows it better than a network: where the result is
    /// decided or is in a table. The function turns an expected result into a score. Always `None` where a
    /// draw is still possible.
    fn known_score(&self, _score_of: impl FnOnce(f64) -> Score) -> Option<Score> {
        None
    }

    /// Whether the game knows the score better than a network: whether [`known_score`] has one.
    ///
    /// [`known_score`]: Self::known_score
    fn is_known(&self) -> bool {
        self.known_score(|_| Score::DRAW).is_some()
    }

    /// An upper bound on the result that a player can still reach with best play of both: 1 a win, 0 a draw,
    /// -1 a loss.
    fn best_result(&self, player: Player) -> i8 {
        i8::from(self.fewest_plies(player) < u32::MAX)
    }

    /// The tablebase of the game, if one is loaded.
    fn tablebase(_: &Tablebases) -> Option<&dyn Tablebase<Self>> {
        None
    }

    // Move ordering and pruning.

    /// The ordering score of a legal move without killer or history: higher is tried sooner.
    ///
    /// History scores reach 4,096, so they can outweigh smaller differences.
    fn ordering_score(&self, _: Self::Move) -> i32 {
        0
    }

    /// The history slot of a move, below 4,096. Moves that share a slot share their history.
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

    /// A test for quiet moves, which change so little that near the horizon the static evaluation before them
    /// says what they are worth.
    fn is_quiet(&self) -> impl Fn(Self::Move) -> bool {
        |_| true
    }

    /// Whether the transposition table keeps its move for a position in which now all moves fail low.
    const KEEPS_TABLE_MOVE: bool = true;

    // How a move is chosen, beyond its score.

    /// How the levels for people play, the lowest first.
    const LEVELS: [Strength; 8] = Strength::LEVELS;

    /// The measured strength of the levels: a list of [`MeasuredLevel`] in JSON, empty if not measured.
    const MEASURED_LEVELS: &str = "[]";

    /// Whether a legal move brings the end of the game nearer.
    ///
    /// It decides between moves of nearly equal value. Without it, a game without a repetition rule may never
    /// end: both sides may prefer to wait.
    fn makes_progress(&self, _: Self::Move) -> bool {
        true
    }

    /// Contempt: how far below a draw a repetition scores for the player at the root, in units of the score.
    /// They try something else unless it looks worse by that much. Values in answers are without it.
    const CONTEMPT: i32 = 0;

    /// Whether contempt also lowers the score of other positions, by how likely a draw is there.
    const SHUNS_DRAWS: bool = false;

    // Exact knowledge about forced wins, without search.

    /// Whether the bounds are good enough for the solver to look for forced wins.
    const HAS_SOLVER: bool = false;

    /// A lower bound on the plies in which the player can *force* a win: in fewer plies the opponent always
    /// has a defence; `u32::MAX` if they never can.
    fn fewest_plies(&self, _player: Player) -> u32 {
        1
    }

    /// Whether a search should look for a forced win first: by the lower bounds, one may be near. The solver
    /// hardly ever finds one that is further away.
    fn is_win_near(&self) -> bool {
        const NEAR: u32 = 9;
        Self::HAS_SOLVER && Player::ALL.into_iter().any(|player| self.fewest_plies(player) <= NEAR)
    }

    /// Whether a position that has occurred earlier in the game may occur again after this one; false only if
    /// that is impossible.
    fn may_come_back_to(&self, _earlier: &Self) -> bool {
        true
    }

    /// A filter of the moves that may keep a forced win of the side to move within so many plies; after any
    /// other move it is lost.
    fn in_time(&self, _plies: u32) -> impl Fn(Self::Move) -> bool {
        |_| true
    }

    /// A player who wins for certain, and a number of plies within which they can force it; `None` if that is
    /// not known without search.
    fn sure_win(&self) -> Option<(Player, u32)> {
        None
    }
}

/// How a level plays: how far it searches, and how large its errors are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The most plies to look ahead; `None` if only the nodes are limited.
    pub depth: Option<u32>,
    /// The most nodes (positions) to visit for a move.
    pub nodes: u64,
    /// The largest error in the score of a move, as a multiple of [`Score::UNITS`].
    pub(super) error: f64,
}

impl Strength {
    /// The nodes that a search of one thread visits in 280 to 920 ms (median, by game) on a quiet Xeon with
    /// 2.5 GHz. Levels limit nodes instead of time so that they play alike on every machine.
    pub(super) const MOST_NODES: u64 = 1_000_000;

    /// A level that looks `depth` plies ahead, with errors up to `error`.
    pub(super) const fn erring(depth: u32, error: f64) -> Self {
        /// The node limit of these levels, so that all answer quickly.
        const ENOUGH: u64 = 100_000;
        Self { depth: Some(depth), nodes: ENOUGH, error }
    }

    /// A level that visits `nodes` nodes, without errors.
    pub(super) const fn visiting(nodes: u64) -> Self {
        Self { depth: None, nodes, error: 0.0 }
    }

    /// The eight levels of a game without dice; a game overrides those whose measured step from the level
    /// below (`MEASURED_LEVELS`) is too large or too small.
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

/// The range of results that the side to move can still reach with best play of both, from the worst to the
/// best: 1 a win, 0 a draw, -1 a loss. Only called while the game is not over.
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
