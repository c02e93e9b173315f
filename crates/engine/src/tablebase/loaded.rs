//! The tablebases of all games.

use std::{fmt, path::Path, sync::Arc};

use super::{
    bear_off::BearOff,
    wari::{DatabaseError, Endgames},
};

/// The tablebases that are loaded; clones share them.
///
/// Searches without a level probe the one of their game in every position they come to.
#[derive(Clone, Debug, Default)]
pub struct Tablebases {
    wari: Option<Arc<Endgames>>,
    bear_off: Option<BearOff>,
}

impl Tablebases {
    /// Nothing but the rules.
    #[must_use]
    pub const fn none() -> Self {
        Self { wari: None, bear_off: None }
    }

    /// Those that come with the program: how long it takes to bear off in Mahbusa, and the endgames of Wari
    /// with up to [`Endgames::BUILT_IN`] marbles.
    #[must_use]
    pub fn built_in() -> Self {
        Endgames::built_in().into()
    }

    /// With the endgames of Wari from a file; see [`Endgames::open`].
    ///
    /// # Errors
    /// The file is not what it should be.
    pub fn with_wari_database(path: &Path) -> Result<Self, DatabaseError> {
        Ok(Endgames::open(path)?.into())
    }

    /// The endgames of Wari.
    #[must_use]
    pub fn wari(&self) -> Option<&Endgames> {
        self.wari.as_deref()
    }

    /// The rolls to bear off in Mahbusa.
    #[must_use]
    pub const fn bear_off(&self) -> Option<&BearOff> {
        self.bear_off.as_ref()
    }
}

/// With endgames of Wari that have been worked out.
impl From<Endgames> for Tablebases {
    fn from(endgames: Endgames) -> Self {
        Self { wari: Some(Arc::new(endgames)), bear_off: Some(BearOff) }
    }
}

/// What tells some tablebases from others: with the same, the same search gives the same answer. It is the
/// most marbles of the endgames of Wari, 0 without any.
impl fmt::Display for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wari().map_or(0, Endgames::marbles).fmt(f)
    }
}
