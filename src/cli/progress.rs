//! How far long work has come, on standard error: a line that changes on a terminal, a line now and then in a
//! log.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

/// How far long work has come.
#[derive(Debug)]
pub struct Progress {
    is_terminal: bool,
    /// When a line was written last.
    last: Instant,
}

/// Nothing was done yet.
impl Default for Progress {
    fn default() -> Self {
        Self { is_terminal: io::stderr().is_terminal(), last: Instant::now() }
    }
}

impl Progress {
    /// So much of a stage is done.
    pub fn tell(&mut self, stage: &str, done: u64, of: u64) {
        let pause = if self.is_terminal { Duration::from_millis(100) } else { Duration::from_secs(30) };
        if self.last.elapsed() < pause {
            return;
        }
        self.last = Instant::now();
        let text = format!("{stage}: {done} of {of}, {} %", 100 * done / of.max(1));
        if self.is_terminal { eprint!("\r\x1b[K{text}") } else { eprintln!("{text}") }
    }

    /// A line that stays.
    pub fn line(&self, text: &str) {
        self.clear();
        eprintln!("{text}");
    }

    /// Takes the line that changes away.
    pub fn clear(&self) {
        if self.is_terminal {
            eprint!("\r\x1b[K");
        }
    }
}
