//! What a move does, as far as a picture shows it.

/// The places that a move touches, and what it does there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects<P> {
    /// Where pieces leave, pass and arrive, in order.
    pub touched: Vec<P>,
    /// Where something is taken: dice lost by either player, marbles captured, checkers pinned.
    pub taken: Vec<P>,
    /// The fights.
    pub fights: Vec<Fight<P>>,
    /// The same in sentences.
    pub in_words: Vec<String>,
}

/// A move that does nothing.
impl<P> Default for Effects<P> {
    fn default() -> Self {
        Self { touched: Vec::new(), taken: Vec::new(), fights: Vec::new(), in_words: Vec::new() }
    }
}

/// A fight between the piece that has moved and another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fight<P> {
    /// Where the moved piece is.
    pub attacker: P,
    /// Where the other is.
    pub defender: P,
    /// Whether the moved piece has won; nothing if the two are equal.
    pub won: Option<bool>,
}
