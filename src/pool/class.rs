//! Which searches go first.

/// What a search is for, which decides when it gets a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A question on its own: somebody waits for its answer.
    Interactive,
    /// One of many in a request. It has what interactive searches leave, and pauses while they need it.
    Background,
}

impl Class {
    /// Both classes.
    pub const ALL: [Self; 2] = [Self::Interactive, Self::Background];

    /// The name for programs: kebab-case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Background => "background",
        }
    }
}
