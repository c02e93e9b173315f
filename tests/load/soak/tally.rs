//! The results of the requests.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fmt,
    rc::Rc,
    time::Duration,
};

use crate::times::{P99, Times};

/// How many faults are shown; the others are counted.
const SHOWN: usize = 10;

/// Counts of answers by kind and status, and the times of the cheap ones. Clones count together.
#[derive(Clone, Default)]
pub struct Tally(Rc<Counts>);

#[derive(Default)]
struct Counts {
    answers: RefCell<BTreeMap<(&'static str, u16), u64>>,
    times: RefCell<Times>,
    faults: Cell<u64>,
    shown: RefCell<Vec<String>>,
}

impl Tally {
    /// Counts an answer.
    pub fn answer(&self, kind: &'static str, status: u16) {
        *self.0.answers.borrow_mut().entry((kind, status)).or_default() += 1;
    }

    /// Keeps the time of a cheap answer.
    pub fn time(&self, time: Duration) {
        self.0.times.borrow_mut().0.push(time);
    }

    /// Counts an unexpected result.
    pub fn fault(&self, fault: String) {
        self.0.faults.set(self.faults() + 1);
        let mut shown = self.0.shown.borrow_mut();
        if shown.len() < SHOWN {
            shown.push(fault);
        }
    }

    /// How many faults there were.
    pub fn faults(&self) -> u64 {
        self.0.faults.get()
    }

    /// The first of them.
    pub fn some_faults(&self) -> Vec<String> {
        self.0.shown.borrow().clone()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = self.0.times.borrow();
        write!(f, "cheap answers: median {:?}, p99 {:?}", times.share(0.5), times.share(P99))?;
        for ((kind, status), count) in self.0.answers.borrow().iter() {
            write!(f, "; {kind} {status}: {count}")?;
        }
        Ok(())
    }
}
