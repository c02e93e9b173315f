//! Which techniques a search uses: all of them, unless a match is to show what one is worth.

/// A technique of the search that can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Moves that are ordered low are searched less deep at first.
    Reductions,
    /// Noisy moves are tried at the horizon.
    Quiescence,
    /// All moves but the first only have to show that they are no better.
    NullWindows,
    /// Before a roll one move for each is tried: Star2.
    Star2,
    /// Of root moves of nearly equal value one that makes progress is preferred.
    Progress,
    /// A forced win is looked for before the search.
    Solver,
    /// The tablebase is probed.
    Tablebase,
    /// What occurred before in the game counts.
    History,
    /// Entries of the transposition table that were searched deeper than is wanted stand for a search.
    DeeperEntries,
    /// Near the horizon a position that is far above beta is not searched.
    ReverseFutility,
    /// Near the horizon quiet moves of a position that is far below alpha are not searched.
    Futility,
    /// Near the horizon late quiet moves of a position that is no better than alpha are not searched.
    LateMovePruning,
}

impl Technique {
    /// All that can be switched off.
    pub const ALL: [Self; 12] = [
        Self::Reductions,
        Self::Quiescence,
        Self::NullWindows,
        Self::Star2,
        Self::Progress,
        Self::Solver,
        Self::Tablebase,
        Self::History,
        Self::DeeperEntries,
        Self::ReverseFutility,
        Self::Futility,
        Self::LateMovePruning,
    ];

    /// The name for programs: kebab-case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reductions => "reductions",
            Self::Quiescence => "quiescence",
            Self::NullWindows => "null-windows",
            Self::Star2 => "star2",
            Self::Progress => "progress",
            Self::Solver => "solver",
            Self::Tablebase => "tablebase",
            Self::History => "history",
            Self::DeeperEntries => "deeper-entries",
            Self::ReverseFutility => "reverse-futility",
            Self::Futility => "futility",
            Self::LateMovePruning => "late-move-pruning",
        }
    }
}

/// The techniques that a search uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Techniques {
    /// A bit for each that is switched off.
    off: u16,
}

impl Techniques {
    /// The same without one.
    #[must_use]
    pub const fn without(self, technique: Technique) -> Self {
        Self { off: self.off | 1 << technique as u8 }
    }

    /// Whether one is used.
    #[inline]
    #[must_use]
    pub const fn has(self, technique: Technique) -> bool {
        self.off & 1 << technique as u8 == 0
    }
}
