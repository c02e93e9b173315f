//! The engine: the search from the root.

use cublino_rules::{game::Stage, games::GameId, with_game};

use crate::{
    Analysis, Control, GameResult, Learned, LimitChecker, Line, Options, Playable, RootPosition,
    SearchLimits, StoppedBy, Tablebases, Techniques, TranspositionTable, Value,
    limits::MAX_DEPTH,
    limits_of,
    root_moves::RootMoves,
    solver::{find_forced_win, solve},
    tablebase::{RootProbe, probe_root},
    techniques::Technique,
    tree::Tree,
};

/// Nodes to pick among moves that all keep a known result, or to count the plies to a result: some hundredths
/// of a second.
const NODES_WITH_KNOWN_RESULT: u64 = 50_000;

/// What a search needs besides the rules. Engines of one game with different networks can play each other.
///
/// ```
/// use cublino_rules::games::Wari;
/// use cublino_engine::{Control, Engine, Options, SearchLimits, Tablebases, TranspositionTable};
///
/// let engine = Engine::built_in::<Wari>(Tablebases::built_in());
/// let options = Options::new(SearchLimits { depth: Some(5), ..SearchLimits::default() });
/// let mut table = TranspositionTable::new(1 << 20);
/// let analysis = engine.search(&Wari::default(), &options, &Control::new(), &mut table, &mut |_| {});
/// assert_eq!(analysis.depth, 5);
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    /// The static evaluation.
    pub evaluator: Learned,
    /// The tablebases, with exact results.
    pub tablebases: Tablebases,
    /// The search techniques that are used.
    pub techniques: Techniques,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To play a move: progress is preferred between moves of nearly equal value, a repetition scores a
    /// little below a draw, and an only move is played without a deep search.
    Play,
    /// To evaluate the position.
    Evaluate,
}

impl Engine {
    /// An engine with the built-in evaluation, and all techniques.
    pub fn built_in<G: Playable>(tablebases: Tablebases) -> Self {
        Self { evaluator: Learned::built_in::<G>(), tablebases, techniques: Techniques::default() }
    }

    /// Suggests what to play, at full strength within some limits; `None` where there is nothing to play:
    /// when the game is over, or the dice must be rolled. For several lines, a level, progress, or a table
    /// that serves many searches, see [`search`](Self::search).
    ///
    /// ```
    /// use cublino_engine::{Engine, SearchLimits, Tablebases};
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let engine = Engine::built_in::<Wari>(Tablebases::built_in());
    /// let limits = SearchLimits { nodes: Some(1_000), ..SearchLimits::default() };
    /// let found = engine.suggest(&Wari::default(), limits).expect("A is to move");
    /// assert!(Wari::default().legal_moves().contains(&found.best()));
    /// ```
    pub fn suggest<G: Playable>(
        &self,
        root: impl Into<RootPosition<G>>,
        limits: SearchLimits,
    ) -> Option<Analysis<G::Move>> {
        /// Enough for some seconds.
        const TABLE_BYTES: usize = 16 << 20;
        let root = root.into();
        let mut table = TranspositionTable::new(TABLE_BYTES);
        (root.stage() == Stage::Move)
            .then(|| self.search(root, &Options::new(limits), &Control::new(), &mut table, &mut |_| {}))
    }

    /// Looks for the best moves, on the calling thread, from a position in
    /// [`Stage::Move`](cublino_rules::game::Stage::Move).
    ///
    /// `on_depth` gets the analysis after each finished depth, with [`StoppedBy::Depth`] as what ended it. To
    /// play as people do, levels use no tablebase and look for no forced win first. If it is interrupted
    /// before the first root move is searched, it answers with the best moves by the static evaluation.
    ///
    /// ```
    /// use cublino_engine::{Control, Engine, Options, SearchLimits, Tablebases, TranspositionTable};
    /// use cublino_rules::{game::{Game, Notation}, games::Contra};
    ///
    /// //   7   .  .  .  .  .  .  (6)     Black
    /// //   5  [6] .  .  .  .  .  .       White tips a5a6 and then a6a7, before Black is across.
    /// let position = Contra::read("CWa5vg7")?;
    /// let options = Options::new(SearchLimits { depth: Some(5), ..SearchLimits::default() });
    /// let engine = Engine::built_in::<Contra>(Tablebases::none());
    /// let mut table = TranspositionTable::new(1 << 20);
    /// let found = engine.search(&position, &options, &Control::new(), &mut table, &mut |_| {});
    /// assert_eq!(position.spell(found.best()).to_string(), "a5a6");
    /// assert!(found.lines[0].value.proven.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search<G: Playable>(
        &self,
        root: impl Into<RootPosition<G>>,
        options: &Options,
        control: &Control,
        table: &mut TranspositionTable,
        on_depth: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Analysis<G::Move> {
        self.search_for(Purpose::Play, &root.into(), options, control, table, on_depth)
    }

    /// The same for a purpose.
    ///
    /// Never inlined: crates that search for a game of this program use the code of [`compiled_searches`].
    #[inline(never)]
    pub(super) fn search_for<G: Playable>(
        &self,
        purpose: Purpose,
        root: &RootPosition<G>,
        options: &Options,
        control: &Control,
        table: &mut TranspositionTable,
        on_depth: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Analysis<G::Move> {
        let RootPosition { position, history, moves: filter, .. } = root;
        // 1. The limits, with those of the level, if any. `spent` counts the nodes that were visited before
        //    the tree search.
        let Self { evaluator, tablebases, techniques } = self;
        let is_level = options.level.is_some();
        let mut limits = limits_of::<G>(options);
        // A level with a limit on depth prunes nothing.
        let is_shallow = is_level && limits.depth.is_some();
        let techniques = if is_shallow { techniques.without_pruning() } else { *techniques };
        let last_depth = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let mut spent = 0;

        // 2. A tablebase hit needs no search. The tablebase does not know the history of the game.
        let loaded = G::tablebase(tablebases).filter(|_| !is_level && techniques.has(Technique::Tablebase));
        let mut tablebase = loaded;
        let mut probed = None;
        if let Some(tablebase) = tablebase.filter(|_| history.is_empty() && filter.is_none()) {
            let visited;
            (visited, probed) = probe_root(position, evaluator, tablebase, options.lines, &limits, control);
            spent += visited;
            limits = limits.less(visited);
        }
        let without_search = |lines, depth, nodes, stopped_by| {
            let time = control.elapsed();
            Analysis { lines, depth, complete: true, nodes, time, stopped_by }
        };
        if let Some(RootProbe::Lines(lines)) = probed {
            return without_search(lines, 0, spent, StoppedBy::Database);
        }

        // 3. Look for a forced win of either player first.
        let may_solve =
            !is_level && options.lines == 1 && filter.is_none() && techniques.has(Technique::Solver);
        if may_solve && let Some(solution) = find_forced_win(position, history, &limits, control) {
            spent += solution.nodes;
            limits = limits.less(solution.nodes);
            if let Some(win) = solution.win
                // Only if its line is complete.
                && win.line.len() == win.plies as usize
            {
                let result = if win.winner == position.turn() { GameResult::Win } else { GameResult::Loss };
                let value = Value::exact(result, Some(win.plies));
                let lines = vec![Line { pv: win.line, value }];
                return without_search(lines, win.plies, spent, StoppedBy::Proven);
            }
        }

        // 4. Order the legal moves by the static evaluation.
        let prefers_progress = purpose == Purpose::Play && techniques.has(Technique::Progress);
        let mut moves = RootMoves::new(root, evaluator, options, prefers_progress, tablebase);
        let mut tree_limits = limits;
        if let Some(RootProbe::Keeping(result, keeping)) = probed {
            // The search finds which of these moves brings the result about. It must not probe the tablebase:
            // all moves would look alike, and play would go round in circles.
            moves.keep(result, &keeping);
            tablebase = None;
            tree_limits = limits.with_nodes_at_most(NODES_WITH_KNOWN_RESULT);
        }
        let limit_checker = LimitChecker::new(&tree_limits, control).of_tree();
        let table = table.begin();
        let mut tree =
            Tree::new(root, evaluator, tablebase, techniques, moves.contempt, limit_checker, table);
        let report = |moves: &RootMoves<G>, nodes, stopped_by| Analysis {
            lines: moves.best_lines(evaluator, nodes),
            depth: moves.depth,
            complete: moves.is_complete,
            nodes,
            time: control.elapsed(),
            stopped_by,
        };

        // 5. Iterative deepening, until the result is proven or a limit is reached. Several lines are always
        //    those of the last finished depth, so their scores are calibrated for the nodes of that depth.
        let mut nodes_at_depth = 0;
        let stopped_by = loop {
            if moves.depth == last_depth {
                break StoppedBy::Depth;
            }
            if let Err(stopped_by) = moves.deepen(&mut tree) {
                break stopped_by;
            }
            nodes_at_depth = spent + tree.limits.nodes;
            on_depth(&report(&moves, nodes_at_depth, StoppedBy::Depth));
            if purpose == Purpose::Play && moves.legal == 1 {
                break StoppedBy::OnlyMove;
            }
            if moves.is_proven() {
                break StoppedBy::Proven;
            }
        };
        spent += tree.limits.nodes;
        limits = limits.less(tree.limits.nodes);
        let meant_after = if options.lines == 1 { spent } else { nodes_at_depth };

        // 6. Count the plies to a proven result, with at most as many nodes as the tree search has visited,
        //    or `NODES_WITH_KNOWN_RESULT` if that is more.
        let counting_limits = limits.with_nodes_at_most(tree.limits.nodes.max(NODES_WITH_KNOWN_RESULT));
        let nodes = spent + moves.count_plies(&counting_limits, control);
        let is_looked_up = moves.known_result.is_some()
            && matches!(stopped_by, StoppedBy::Proven | StoppedBy::Nodes)
            || stopped_by == StoppedBy::Proven && loaded.is_some() && !moves.is_counted();
        let stopped_by = if is_looked_up { StoppedBy::Database } else { stopped_by };
        Analysis { nodes, ..report(&moves, meant_after, stopped_by) }
    }
}

/// The code of the searches for a game. Nobody needs to call this. It makes the compiler generate the code
/// in this crate, which is built as one unit so that the search is fast; other crates then link to it. Never
/// inlined: otherwise the compiler leaves it to its callers, as it does with all small functions.
#[doc(hidden)]
#[inline(never)]
pub fn compiled_searches(game: GameId) -> [*const (); 2] {
    with_game!(game, G => [Engine::search_for::<G> as *const (), solve::<G> as *const ()])
}
