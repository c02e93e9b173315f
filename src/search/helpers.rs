//! Several threads that work on one search: Lazy SMP in the literature.
//!
//! Helpers search the same moves as the thread that leads, in another order and at other depths, with
//! histories of their own. All they share is the transposition table, whose entries mean the same whoever has
//! written them: each says of itself whether it is exact. The thread that leads alone decides, reports and
//! claims.

use std::{
    panic::resume_unwind,
    thread::{Builder, scope},
};

use super::{
    control::Control,
    evaluation::Evaluator,
    playable::Playable,
    root_moves::RootMoves,
    team::Team,
    tree::{MAX_DEPTH, Tree},
};

/// The threads of a search, with as many helpers as it may have, none of which works yet. Before rolls there
/// is little that threads could have from each other by the table, so games with dice have none.
pub(super) fn team_for<G: Playable>(control: &Control) -> Team {
    Team::with_helpers(if G::ROLLS.is_empty() { control.helpers() } else { 0 })
}

/// Searches with the helpers of a team, each on a thread of its own. They end when the thread that leads
/// does, and before if a limit is reached or their threads are wanted back.
///
/// # Panics
/// When a helper has: the thread that leads cannot know what it has left undone.
pub(super) fn search_with_helpers<'a, G: Playable, E: Evaluator<G>, T>(
    team: &'a Team,
    tree: &mut Tree<'a, G, E>,
    moves: &mut RootMoves<'_, G>,
    lead: impl FnOnce(&mut Tree<'a, G, E>, &mut RootMoves<'_, G>) -> T,
) -> T {
    if team.helpers() == 0 {
        return lead(tree, moves);
    }
    tree.limits = tree.limits.of_member(team.member(0));
    scope(|scope| {
        let over = Over(team);
        let spawn = |number| {
            let member = team.member(number);
            let (mut tree, mut moves) = (tree.for_member(member), moves.clone());
            let help = move || {
                moves.begin_as_helper(number);
                while moves.depth() < MAX_DEPTH && !moves.is_proven() && moves.deepen(&mut tree).is_ok() {}
                member.tell(tree.limits.nodes());
            };
            // A thread that the system refuses is missed by nobody.
            Builder::new().name(format!("helper-{number}")).spawn_scoped(scope, help).ok()
        };
        let helpers: Vec<_> = (1..=team.helpers()).filter_map(spawn).collect();
        let found = lead(tree, moves);
        drop(over);
        for helper in helpers {
            helper.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        found
    })
}

/// Ends the search for the helpers when it is dropped, also by a panic.
struct Over<'a>(&'a Team);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        panic::catch_unwind,
        sync::atomic::{AtomicUsize, Ordering},
        thread,
        time::Duration,
    };

    use super::*;
    use crate::{
        games::Pur,
        search::{
            Analysis, Engine, Learned, Options, Scale, Score, SearchLimits, StoppedBy, Tablebases,
            Techniques, TranspositionTable, testing::depth,
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
