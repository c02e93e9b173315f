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
