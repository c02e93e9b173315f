//! Telling how far long work has come, on standard error.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

/// Who is told how far the work has come.
#[derive(Debug)]
pub enum Progress {
    /// A person who watches: a bar.
    Bar(ProgressBar),
    /// A log: a line for each stage.
    Lines {
        /// The last stage.
        last: String,
    },
}

impl Progress {
    /// Told on standard error.
    pub fn new() -> Self {
        if io::stderr().is_terminal() { Self::for_people() } else { Self::Lines { last: String::new() } }
    }

    /// Told to those who watch, and to no log.
    pub fn for_people() -> Self {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {human_pos} of {human_len}, {eta} left");
        Self::Bar(ProgressBar::no_length().with_style(style.expect("the template is well-formed")))
    }

    /// So much of a stage is done.
    pub fn tell(&mut self, stage: &str, done: u64, of: u64) {
        match self {
            Self::Bar(bar) => {
                if bar.message() != stage {
                    bar.set_message(stage.to_owned());
                    bar.reset_eta();
                }
                bar.set_length(of);
                bar.set_position(done);
            }
            Self::Lines { last } if last != stage => {
                eprintln!("{stage}, {of} in all");
                stage.clone_into(last);
            }
            Self::Lines { .. } => {}
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }

    /// Something to be told beside.
    pub fn line(&self, text: &str) {
        match self {
            Self::Bar(bar) => bar.println(text),
            Self::Lines { .. } => eprintln!("{text}"),
        }
    }

    /// Nothing is left to be done.
    pub fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish();
        }
    }
}
