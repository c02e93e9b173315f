//! What a learned evaluation sees of a position.

use super::Game;

/// A game whose positions are described by features, each of which a position either has or has not.
///
/// A position is described as the side to move sees it, so that both players are evaluated alike.
pub trait Features: Game {
    /// How many features there are.
    const FEATURES: usize;
    /// How many of them a position has at most.
    const MOST_ACTIVE: usize;
    /// How many groups of features there are that have something in common: see [`Self::groups`].
    const GROUPS: usize;

    /// Hands over the features that the position has, each below [`Self::FEATURES`] and once.
    fn active_features(&self, active: impl FnMut(usize));

    /// The groups that a feature belongs to, each below [`Self::GROUPS`].
    ///
    /// What is learned about one feature of a group is learned about all of them, so that one which has been
    /// seen seldom is worth something sensible. Groups exist while a network is trained, and are added to the
    /// weights of the features afterwards.
    fn groups(feature: usize) -> impl Iterator<Item = usize>;
}
