//! Reading the text of a position: what all notations begin with, and what may be wrong with a state.

use std::{error::Error, fmt};

use super::Player;

/// The longest state text that is read, in characters; a longer one is not well-formed.
pub const MAX_STATE_CHARS: usize = 512;

/// Why a text does not begin like a state of a game. Places are counted in characters from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum MalformedHead {
    /// There is nothing to read.
    #[error("the state is empty; it begins with {0} or {lower}, the game and whose turn it is",
        lower = .0.to_ascii_lowercase())]
    #[strum(serialize = "empty-state")]
    Empty(char),
    /// The text is too long to be looked at.
    #[error("the state has {0} characters, and no more than {MAX_STATE_CHARS} are read")]
    TooLong(usize),
    /// The text is a state of another game, or none.
    #[error("the state begins with '{found}' instead of {letter} (player one to move) \
        or {lower} (player two to move)",
        lower = .letter.to_ascii_lowercase())]
    WrongLetter {
        /// The first character.
        found: char,
        /// The letter of the game, in upper case.
        letter: char,
    },
}

impl Coded for MalformedHead {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn at(&self) -> Option<usize> {
        match *self {
            Self::Empty(_) => None,
            Self::TooLong(_) => Some(MAX_STATE_CHARS),
            Self::WrongLetter { .. } => Some(0),
        }
    }
}

/// Reads the letter with which a state of a game begins: whose turn it is, and the text after it.
///
/// # Errors
/// The text is empty, too long, or begins with something else than the game's letter in either case.
#[inline]
pub fn read_head(text: &str, letter: char) -> Result<(Player, &str), MalformedHead> {
    if text.len() > MAX_STATE_CHARS {
        let count = text.chars().count();
        if count > MAX_STATE_CHARS {
            return Err(MalformedHead::TooLong(count));
        }
    }
    let mut chars = text.chars();
    let found = chars.next().ok_or(MalformedHead::Empty(letter))?;
    if found.to_ascii_uppercase() != letter {
        return Err(MalformedHead::WrongLetter { found, letter });
    }
    Ok((Player::of_case(found), chars.as_str()))
}

/// Why a text does not describe a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError<M: Coded, I: Coded> {
    /// The text is not written in the notation of the game.
    #[error(transparent)]
    Malformed(Faults<M>),
    /// The text can be read, and the rules do not allow what it says.
    #[error(transparent)]
    Invalid(Faults<I>),
}

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
