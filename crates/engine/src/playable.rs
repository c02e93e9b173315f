//! What a game provides for the search.

use std::{fmt::Debug, ops::RangeInclusive};

use cublino_rules::game::{Game, Player};
use serde::{Deserialize, Serialize};

use crate::{Score, Tablebases, network::Network, tablebase::Tablebase, transposition_table::key};

/// The number of history slots of a player.
pub(super) const HISTORY_SLOTS: usize = 4096;

/// A game whose positions are described by binary features, which a network reads.
///
/// Features are relative to a player, so that both players are evaluated alike.
pub trait Features: Game {
    /// How many features there are, and what else is fixed about them.
    const FEATURES: FeatureLayout;

    /// The phase of the game, below [`FeatureLayout::phases`].
    fn phase(&self) -> usize {
        0
    }

    /// A position from one player's side: all that its features are computed from.
    type Seen: Copy + Debug;

    /// The position from a player's side.
    fn seen_by(&self, player: Player) -> Self::Seen;

    /// Calls a function with each active feature once; they are below [`FeatureLayout::count`].
    ///
    /// With `unlike`, another position from the same side, features of both may be left out. The call with
    /// the two positions exchanged then leaves out the same ones.
    fn active_features(seen: &Self::Seen, unlike: Option<&Self::Seen>, active: impl FnMut(usize));
}

/// What is fixed about the features of a game.
#[derive(Clone, Copy, Debug)]
pub struct FeatureLayout {
    /// How many there are.
    pub count: usize,
    /// The maximum number of features of a position; the minimum is one.
    pub most_active: usize,
    /// How many phases of a game an evaluation distinguishes.
    pub phases: usize,
    /// For each feature, its number from the other player's side; empty if there is no such table.
    pub seen_by_other: &'static [u16],
}

/// A game that can be searched: all that the search needs beside the rules. Every item has a default.
///
/// Methods that take a position are only called while the game is not over.
pub trait Playable: Features {
    /// What the tools have made for the game.
    const FILES: Files = Files::NONE;

    /// How its search differs from that of other games.
    const TUNING: Tuning = Tuning::DEFAULT;

    /// The network of the static evaluation: that of its file, or one that knows nothing.
    /// [`Learned::built_in`](crate::Learned::built_in) calls it once.
    fn network() -> Network {
        if Self::FILES.network.is_empty() {
            return Network::untrained(Self::FEATURES.count);
        }
        let network = Network::read(Self::FILES.network, Self::FEATURES.count);
        network.expect("the built-in networks are valid: a test reads them")
    }

    // The value of a position without search, and its bounds.

    /// The static evaluation of a position for the side to move, if the game knows it better than its
    /// network: where the result is decided or is in a table. Then a draw is impossible.
    ///
    /// [`best_result`](Self::best_result) and the [tablebase](Self::tablebase) keep what a search makes of it
    /// within bounds.
    fn evaluate(&self) -> Option<StaticEvaluation> {
        None
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

    /// The legal moves that quiescence still tries at the horizon, each with the position after it: those
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

    /// Whether a legal move brings the end of the game nearer.
    ///
    /// It decides between moves of nearly equal value. Without it, a game without a repetition rule may never
    /// end: both sides may prefer to wait.
    fn makes_progress(&self, _: Self::Move) -> bool {
        true
    }

    // Exact knowledge about forced wins, without search.

    /// A lower bound on the plies in which the player can *force* a win: in fewer plies the opponent always
    /// has a defence; `u32::MAX` if they never can.
    fn fewest_plies(&self, _player: Player) -> u32 {
        1
    }

    /// Whether a search should look for a forced win first: by the lower bounds, one may be near. The solver
    /// hardly ever finds one that is further away.
    fn is_win_near(&self) -> bool {
        const NEAR: u32 = 9;
        Self::TUNING.has_solver && Player::ALL.into_iter().any(|player| self.fewest_plies(player) <= NEAR)
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

/// The static evaluation of a position for the side to move, where the game knows it without a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StaticEvaluation {
    /// Its score.
    Score(Score),
    /// Its expected result, -1 to 1.
    Expected(f64),
}

impl StaticEvaluation {
    /// The score; the function turns an expected result into one.
    pub fn score(self, of_expected: impl FnOnce(f64) -> Score) -> Score {
        match self {
            Self::Score(score) => score,
            Self::Expected(expected) => of_expected(expected),
        }
    }
}

/// What the tools have made for a game.
#[derive(Clone, Copy, Debug)]
pub struct Files {
    /// The network of the static evaluation, by `tools train`; empty if there is none yet.
    pub network: &'static [u8],
    /// Puzzles, by `tools puzzles`, one a line: its id, the state, the plies of the win that the player to
    /// move can force (a hyphen where the best play is wanted), the difficulty, and the solution.
    pub puzzles: &'static str,
    /// The measured strength of the levels, by `tools levels`: a list of [`MeasuredLevel`] in JSON.
    pub levels: &'static str,
}

impl Files {
    /// Nothing has been made yet.
    pub(crate) const NONE: Self = Self { network: &[], puzzles: "", levels: "[]" };
}

/// How the search of a game differs from that of others.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Tuning {
    /// Whether consecutively evaluated positions of a search mostly share more than half of their features,
    /// so that the accumulators are updated instead of computed anew.
    pub accumulates: bool,
    /// The growth of the nodes with each further ply, to estimate the work of a search: measured in positions
    /// of games. A binary fraction, so that everybody computes the same estimate.
    pub growth: f64,
    /// To verify the loss of a played move, a search may take this many times the nodes: see
    /// [`Engine::compare`](crate::Engine::compare).
    pub verifying: u64,
    /// Whether the transposition table keeps its move for a position in which now all moves fail low.
    pub keeps_table_move: bool,
    /// How the levels for people play, the lowest first.
    pub levels: [Strength; 8],
    /// Contempt: how far below a draw a repetition scores for the player at the root, in units of the score.
    /// So the player repeats only if all else looks worse by that much. Values in answers do not include it.
    pub contempt: i32,
    /// Whether contempt also lowers the score of other positions, by how likely a draw is there.
    pub shuns_draws: bool,
    /// Whether the bounds are good enough for the solver to look for forced wins.
    pub has_solver: bool,
}

impl Tuning {
    /// The values for a game that nobody has measured.
    pub(crate) const DEFAULT: Self = Self {
        accumulates: true,
        growth: 2.5,
        verifying: 8,
        keeps_table_move: true,
        levels: Strength::LEVELS,
        contempt: 0,
        shuns_draws: false,
        has_solver: false,
    };
}

/// How a level plays: how far it searches, and how large its errors are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The maximum depth, in plies; `None` if only the nodes are limited.
    pub depth: Option<u32>,
    /// Maximum nodes (positions) to visit for a move.
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
    /// below ([`Files::levels`]) is too large or too small.
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
/// Each level played 1,000 games against the one below, the highest one 60. All levels chose a move in the
/// same positions, and searches of 2,000,000 nodes measured the loss.
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
