//! What came of the requests.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fmt,
    rc::Rc,
    time::Duration,
};

/// How many faults are told; the others are counted.
const TOLD: usize = 10;

/// Counts of answers by kind and status, and the times of the cheap ones. Clones count together.
#[derive(Clone, Default)]
pub struct Tally(Rc<Counts>);

#[derive(Default)]
struct Counts {
    answers: RefCell<BTreeMap<(&'static str, u16), u64>>,
    times: RefCell<Vec<Duration>>,
    faults: Cell<u64>,
    told: RefCell<Vec<String>>,
}

impl Tally {
    /// Counts an answer.
    pub fn answer(&self, kind: &'static str, status: u16) {
        *self.0.answers.borrow_mut().entry((kind, status)).or_default() += 1;
    }

    /// Keeps the time of a cheap answer.
    pub fn time(&self, time: Duration) {
        self.0.times.borrow_mut().push(time);
    }

    /// Counts something that should not have been.
    pub fn fault(&self, fault: String) {
        self.0.faults.set(self.faults() + 1);
        let mut told = self.0.told.borrow_mut();
        if told.len() < TOLD {
            told.push(fault);
        }
    }

    /// How many faults there were.
    pub fn faults(&self) -> u64 {
        self.0.faults.get()
    }

    /// The first of them.
    pub fn some_faults(&self) -> Vec<String> {
        self.0.told.borrow().clone()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut times = self.0.times.borrow().clone();
        times.sort_unstable();
        let share =
            |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
        write!(f, "cheap answers: median {:?}, p99 {:?}", share(0.5), share(0.99))?;
        for ((kind, status), count) in self.0.answers.borrow().iter() {
            write!(f, "; {kind} {status}: {count}")?;
        }
        Ok(())
    }
}
