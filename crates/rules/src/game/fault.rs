//! Failures that people read and programs match on.

use std::{error::Error, fmt};

/// A failure with a sentence (its `Display`), a code that never changes, and perhaps a place.
pub trait Coded: Error + Send + Sync + 'static {
    /// The name of the failure for programs: kebab-case, never renamed.
    fn code(&self) -> &'static str;

    /// The index of the offending character in the text, counted in characters from 0.
    fn at(&self) -> Option<usize> {
        None
    }
}

/// Everything that is wrong with a text or a setup: at least one failure, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults<E>(Vec<E>);

impl<E> Faults<E> {
    /// `Ok` with the value when nothing was found, else all that was found.
    ///
    /// # Errors
    /// Returns the faults if there is at least one.
    pub fn or<T>(found: Vec<E>, value: T) -> Result<T, Self> {
        if found.is_empty() { Ok(value) } else { Err(Self(found)) }
    }

    /// The first failure; there always is one.
    #[must_use]
    pub fn first(&self) -> &E {
        self.0.first().expect("Faults holds at least one failure")
    }

    /// All failures, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, E> {
        self.0.iter()
    }
}

impl<E> From<E> for Faults<E> {
    fn from(fault: E) -> Self {
        Self(vec![fault])
    }
}

impl<'a, E> IntoIterator for &'a Faults<E> {
    type Item = &'a E;
    type IntoIter = std::slice::Iter<'a, E>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<E: fmt::Display> fmt::Display for Faults<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl<E: Error> Error for Faults<E> {}
