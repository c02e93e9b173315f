//! What a newcomer needs to know about a game.

/// A game in words.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name in paths and on the command line: kebab-case, never renamed.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// The upper-case letter that starts the states in which player one is to move.
    pub letter: char,
    /// The goal of the game in one line.
    pub goal: &'static str,
    /// How states and moves are written, in one line.
    pub notation: &'static str,
    /// The rules and the notation with a worked example, in Markdown.
    pub rules: &'static str,
    /// Positions worth looking at; the first is the start.
    pub examples: &'static [Example],
}

/// A position worth looking at, for documentation and for trying things out.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The name in documentation: kebab-case, unique within the game.
    pub name: &'static str,
    /// One line that says what is to be seen.
    pub summary: &'static str,
    /// The state; valid and canonical.
    pub state: &'static str,
    /// Moves that can be played from there, in order; perhaps none.
    pub moves: &'static [&'static str],
}
