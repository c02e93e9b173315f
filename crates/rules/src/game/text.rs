//! Text that goes straight into a buffer.

use std::{fmt::Display, io::Write};

/// Something that can be written without a formatter between it and the buffer, which would take longer than
/// the text itself where there are many short ones. It never has a character that JSON escapes.
pub trait AppendText: Display {
    /// Appends what `Display` writes.
    fn append_text(&self, text: &mut Vec<u8>) {
        write!(text, "{self}").expect("writing to memory cannot fail");
    }
}

/// A short text with room after it. All of it is appended, and the room is cut off again: a copy of a fixed
/// length is a few instructions, and any other is a call.
#[derive(Clone, Copy, Debug)]
pub struct Padded<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Padded<N> {
    /// No text.
    pub const EMPTY: Self = Self { bytes: [0; N], len: 0 };

    /// # Panics
    /// If the text does not fit.
    pub fn new(text: &[u8]) -> Self {
        let mut bytes = [0; N];
        bytes[..text.len()].copy_from_slice(text);
        Self::of_first(text.len(), bytes)
    }

    /// The text of the first of some bytes; the others are room.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub const fn of_first(len: usize, bytes: [u8; N]) -> Self {
        assert!(len <= N, "the text is a part of the bytes");
        Self { bytes, len }
    }

    /// The text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    #[inline]
    /// Appends it to a text.
    pub fn append_to(&self, text: &mut Vec<u8>) {
        let end = text.len() + self.len;
        text.extend_from_slice(&self.bytes);
        text.truncate(end);
    }
}
