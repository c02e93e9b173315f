//! Reading state texts: their first letter, which all games have, and the faults of a text.

use std::fmt;

use super::Player;

/// The longest state text that is read, in characters; a longer one is not well-formed.
const MAX_STATE_CHARS: usize = 512;

/// Why a text is not a state or move of a game, or not a legal one. Its `Display` is the message.
///
/// ```
/// use cublino_rules::{game::*, games::*};
///
/// let fault = "13".parse::<<Wari as Notation>::Spelling>().unwrap_err();
/// assert_eq!((fault.code, fault.at), ("not-a-cup", Some(0)));
/// assert_eq!(fault.to_string(), "'13' is not a cup; a cup is a number from 1 to 12");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The name of the fault for programs: kebab-case, never renamed.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// The index of the offending character in the text, counted in characters from 0.
    pub at: Option<usize>,
}

impl Fault {
    /// A fault at a place of the text.
    pub(crate) fn at(at: usize, fault: impl Into<Self>) -> Self {
        Self { at: Some(at), ..fault.into() }
    }
}

/// A fault that is not at one place of the text.
impl<E: fmt::Display + Into<&'static str>> From<E> for Fault {
    fn from(fault: E) -> Self {
        Self { message: fault.to_string(), code: fault.into(), at: None }
    }
}

/// Why a text does not describe a position: everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The text is not written in the notation of the game.
    #[error("{}", sentence(.0))]
    Malformed(Vec<Fault>),
    /// The text can be read, but the rules do not allow what it says.
    #[error("{}", sentence(.0))]
    Invalid(Vec<Fault>),
}

/// All faults of a text, one after the other.
fn sentence(faults: &[Fault]) -> String {
    faults.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join("; ")
}

impl StateError {
    /// Everything that is wrong: at least one fault.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let error = Pur::read("PWa1Wz9").unwrap_err();
    /// let codes: Vec<_> = error.faults().iter().map(|fault| (fault.code, fault.at)).collect();
    /// assert_eq!(codes, [("not-a-file", Some(5)), ("not-a-rank", Some(6))]);
    /// ```
    pub fn faults(&self) -> &[Fault] {
        let (Self::Malformed(faults) | Self::Invalid(faults)) = self;
        faults
    }
}

/// How many characters of an unreadable text a message quotes: enough to find them.
const QUOTED_CHARS: usize = 16;

/// The beginning of a text that cannot be read, which may have any length.
pub(crate) fn quoted(text: &str) -> String {
    text.chars().take(QUOTED_CHARS).collect()
}

/// `Ok` with the value if there are no faults, otherwise all faults.
pub(crate) fn unless_faulty<T>(faults: Vec<Fault>, value: T) -> Result<T, Vec<Fault>> {
    if faults.is_empty() { Ok(value) } else { Err(faults) }
}

/// Why a text does not begin like a state of a game.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum MalformedHead {
    /// There is nothing to read.
    #[error("the state is empty; it must begin with {0} or {lower}, for the game and the player to move",
        lower = .0.to_ascii_lowercase())]
    EmptyState(char),
    /// The text is longer than the limit.
    #[error("the state has {0} characters, but the maximum is {MAX_STATE_CHARS}")]
    TooLong(usize),
    /// The text is a state of another game, or no state: its first character, and the letter of the game.
    #[error("the state begins with '{0}' instead of {1} (player one to move) or {lower} (player two to move)",
        lower = .1.to_ascii_lowercase())]
    WrongLetter(char, char),
}

/// Reads the first letter of a state: returns the side to move and the rest of the text.
pub(crate) fn read_head(text: &str, letter: char) -> Result<(Player, &str), Vec<Fault>> {
    let count = text.chars().count();
    if count > MAX_STATE_CHARS {
        return Err(vec![Fault::at(MAX_STATE_CHARS, MalformedHead::TooLong(count))]);
    }
    let mut chars = text.chars();
    let Some(found) = chars.next() else { return Err(vec![MalformedHead::EmptyState(letter).into()]) };
    if found.to_ascii_uppercase() != letter {
        return Err(vec![Fault::at(0, MalformedHead::WrongLetter(found, letter))]);
    }
    Ok((Player::of_case(found), chars.as_str()))
}
