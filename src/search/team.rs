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
    /// With so many helpers, none of which works yet.
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
