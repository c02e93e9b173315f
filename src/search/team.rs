//! Several threads that work on one search: Lazy SMP in the literature.
//!
//! Helpers search the same moves as the thread that leads, in another order and at other depths, with histories of
//! their own. All they share is the transposition table, whose entries mean the same whoever has written them:
//! each says of itself whether it is exact. The thread that leads alone decides, reports and claims.

use std::{
    panic::resume_unwind,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread::{Builder, scope},
};

use super::{
    control::Control,
    evaluation::Evaluator,
    playable::Playable,
    root_moves::RootMoves,
    tree::{MAX_DEPTH, Tree},
};

/// What the threads of a search share besides the table. The numbers tell nothing about other memory, so they
/// need no order.
#[derive(Debug)]
pub(super) struct Team {
    /// Positions that the threads have been granted, of those that the search may visit.
    granted: AtomicU64,
    /// Positions that each helper has visited, as far as it has told.
    visited: Box<[AtomicU64]>,
    /// The search is over.
    is_over: AtomicBool,
}

/// The place of a thread in a team: 0 for the one that leads, then the helpers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member<'a> {
    team: &'a Team,
    number: usize,
}

impl Team {
    /// With as many helpers as a search may have, none of which works yet. Before rolls there is little that threads
    /// could have from each other by the table, so games with dice have none.
    pub(super) fn of<G: Playable>(control: &Control) -> Self {
        Self::with_helpers(if G::ROLLS.is_empty() { control.helpers() } else { 0 })
    }

    /// With so many helpers: with none, nothing depends on how fast they are.
    pub(super) fn with_helpers(helpers: usize) -> Self {
        Self {
            granted: AtomicU64::new(0),
            visited: (0..helpers).map(|_| AtomicU64::new(0)).collect(),
            is_over: AtomicBool::new(false),
        }
    }

    /// Searches with the helpers, each on a thread of its own. They end when the thread that leads does, and
    /// before if a limit is reached or their threads are wanted back.
    ///
    /// # Panics
    /// When a helper has: the thread that leads cannot know what it has left undone.
    pub(super) fn search<'a, G: Playable, E: Evaluator<G>, T>(
        &'a self,
        tree: &mut Tree<'a, G, E>,
        moves: &mut RootMoves<'_, G>,
        lead: impl FnOnce(&mut Tree<'a, G, E>, &mut RootMoves<'_, G>) -> T,
    ) -> T {
        if self.visited.is_empty() {
            return lead(tree, moves);
        }
        tree.limits = tree.limits.of_member(Member { team: self, number: 0 });
        scope(|scope| {
            let over = Over(self);
            let spawn = |number| {
                let (mut tree, mut moves) = (tree.for_member(Member { team: self, number }), moves.clone());
                let help = move || {
                    moves.begin_as_helper(number);
                    while moves.depth() < MAX_DEPTH && !moves.is_proven() && moves.deepen(&mut tree).is_ok() {
                    }
                    self.visited[number - 1].store(tree.limits.nodes(), Ordering::Relaxed);
                };
                // A thread that the system refuses is missed by nobody.
                Builder::new().name(format!("helper-{number}")).spawn_scoped(scope, help).ok()
            };
            let helpers: Vec<_> = (1..=self.visited.len()).filter_map(spawn).collect();
            let found = lead(tree, moves);
            drop(over);
            for helper in helpers {
                helper.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            found
        })
    }
}

impl Member<'_> {
    /// Whether this is the thread that decides.
    pub(super) const fn leads(self) -> bool {
        self.number == 0
    }

    /// Whether the thread is to work no longer: the search is over, or others need the processor.
    pub(super) fn is_dismissed(self, control: &Control) -> bool {
        !self.leads() && (self.team.is_over.load(Ordering::Relaxed) || self.number > control.helpers())
    }

    /// Tells how many positions the thread has visited, and grants it some more, within what the threads of the
    /// search may visit together; 0 if there are none left.
    pub(super) fn reserve(self, visited: u64, wanted: u64, limit: u64) -> u64 {
        if !self.leads() {
            self.team.visited[self.number - 1].store(visited, Ordering::Relaxed);
        }
        let granted = self.team.granted.fetch_add(wanted, Ordering::Relaxed);
        limit.saturating_sub(granted).min(wanted)
    }

    /// How many positions the other threads have visited, as far as they have told.
    pub(super) fn nodes_of_others(self) -> u64 {
        let told = self.team.visited.iter().enumerate().filter(|&(i, _)| i + 1 != self.number);
        told.map(|(_, nodes)| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// Ends the search for the helpers when it is dropped, also by a panic.
struct Over<'a>(&'a Team);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::{panic::catch_unwind, sync::atomic::AtomicUsize, thread, time::Duration};

    use super::*;
    use crate::{
        games::Pur,
        search::{
            Analysis, Engine, Interrupted, Learned, LimitChecker, Options, Scale, Score, SearchLimits,
            StoppedBy, Tablebases, Techniques, TranspositionTable, testing::depth,
        },
    };

    /// The evaluation of the program, which fails on some threads when it has been asked often enough.
    struct Failing {
        learned: Learned,
        fails: fn(&str) -> bool,
        left: AtomicUsize,
    }

    impl Evaluator<Pur> for Failing {
        fn scale(&self) -> Scale {
            Evaluator::<Pur>::scale(&self.learned)
        }

        fn evaluate(&self, position: &Pur) -> Score {
            let is_concerned = (self.fails)(thread::current().name().unwrap_or_default());
            let is_time = is_concerned && self.left.fetch_sub(1, Ordering::Relaxed) == 1;
            assert!(!is_time, "as this test wants");
            self.learned.evaluate(position)
        }
    }

    /// Searches with helpers and without a limit, until something fails.
    fn fails(fails: fn(&str) -> bool) -> bool {
        let evaluator = Failing { learned: Learned::built_in::<Pur>(), fails, left: AtomicUsize::new(1_000) };
        let engine = Engine { evaluator, tablebases: Tablebases::none(), techniques: Techniques::default() };
        let control = Control::new().with_threads(3);
        let search = || {
            // A helper that has failed is heard of when the search is over.
            let stop = &mut |analysis: &Analysis<_>| {
                if analysis.nodes > 100_000 {
                    control.stop();
                }
            };
            let (options, mut table) =
                (Options::new(SearchLimits::default()), TranspositionTable::new(1 << 16));
            engine.search(&Pur::default(), &options, &control, &mut table, stop)
        };
        catch_unwind(std::panic::AssertUnwindSafe(search)).is_err()
    }

    #[test]
    fn a_search_fails_when_one_of_its_threads_does_and_the_others_end() {
        assert!(fails(|thread| !thread.starts_with("helper-")));
        assert!(fails(|thread| thread.starts_with("helper-")));
        assert!(!fails(|_| false));
    }

    #[test]
    fn a_helper_ends_when_the_search_is_over_and_when_its_thread_is_wanted_back() {
        let ends = |visited: Result<(), Interrupted>| visited.is_err_and(|end| end.0 == StoppedBy::Time);
        let (control, team) = (Control::new().with_threads(3), Team::with_helpers(2));
        let limits = LimitChecker::new(&SearchLimits::default(), &control);
        let visit = |number| limits.of_member(Member { team: &team, number }).visit();
        assert!((0..=2).all(|number| visit(number).is_ok()));
        control.set_helpers(1);
        assert!(visit(0).is_ok() && visit(1).is_ok() && ends(visit(2)));
        control.pause();
        assert!(ends(visit(1)));
        control.resume();
        drop(Over(&team));
        assert!(visit(0).is_ok() && ends(visit(1)) && ends(visit(2)));
    }

    #[test]
    fn threads_visit_no_more_positions_together_than_the_search_may() {
        let control = Control::new().with_threads(2);
        for limit in [1, 127, 128, 1_000] {
            let (limits, team) =
                (SearchLimits { nodes: Some(limit), ..SearchLimits::default() }, Team::with_helpers(1));
            let limits = LimitChecker::new(&limits, &control);
            let mut threads = [0, 1].map(|number| limits.of_member(Member { team: &team, number }));
            while threads.iter_mut().any(|thread| thread.visit().is_ok()) {}
            assert_eq!(threads[0].nodes() + threads[1].nodes(), limit);
            assert_eq!(threads[0].nodes_of_all(), limit);
        }
    }

    #[test]
    fn a_stop_ends_all_threads_and_their_positions_are_counted() {
        let control = Control::new().with_threads(2);
        let (options, mut table) = (Options::new(SearchLimits::default()), TranspositionTable::new(1 << 20));
        let mut told = 0;
        let stop = &mut |analysis: &Analysis<_>| {
            told = analysis.nodes;
            if analysis.depth == 6 {
                control.stop();
            }
        };
        let engine = Engine::built_in::<Pur>(Tablebases::none());
        let analysis = engine.search(&Pur::default(), &options, &control, &mut table, stop);
        assert!(analysis.depth >= 6 && analysis.nodes >= told, "{analysis:?}");
        assert_eq!(analysis.stopped_by, StoppedBy::Time);
    }

    #[test]
    fn a_level_has_one_thread() {
        let options = Options { level: "4".parse().ok(), ..depth(4) };
        let engine = Engine::built_in::<Pur>(Tablebases::none());
        let search = |threads| {
            let control = Control::new().with_threads(threads);
            let mut table = TranspositionTable::new(1 << 16);
            let found = engine.search(&Pur::default(), &options, &control, &mut table, &mut |_| {});
            Analysis { time: Duration::ZERO, ..found }
        };
        assert_eq!(search(1), search(4));
    }
}
