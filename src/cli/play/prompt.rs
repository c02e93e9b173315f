//! Where a player says what to do: a line that can be edited, with completion of moves and commands.

use std::io;

use rustyline::{
    CompletionType, Config, Context, Editor, Helper, completion::Completer, error::ReadlineError,
    highlight::Highlighter, hint::Hinter, history::MemHistory, validate::Validator,
};

/// A line that is asked for.
pub struct Prompt(Editor<Words, MemHistory>);

impl Prompt {
    /// On the terminal, or from what is piped in.
    pub fn new() -> io::Result<Self> {
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
        let mut editor = Editor::with_history(config, MemHistory::new()).map_err(io::Error::other)?;
        editor.set_helper(Some(Words(Vec::new())));
        Ok(Self(editor))
    }

    /// The next line; nothing at the end, or if the player wants no more. Tab completes the words.
    pub fn ask(&mut self, prompt: &str, words: Vec<String>) -> io::Result<Option<String>> {
        self.0.set_helper(Some(Words(words)));
        match self.0.readline(prompt) {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

/// The words that a line may be.
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = &line[..position];
        Ok((0, self.0.iter().filter(|word| word.starts_with(begun)).cloned().collect()))
    }
}

impl Helper for Words {}

impl Highlighter for Words {}

impl Hinter for Words {
    type Hint = String;
}

impl Validator for Words {}
