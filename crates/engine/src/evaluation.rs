//! Static evaluation: what a position is worth without looking ahead.

use std::{array, sync::Arc};

use cublino_rules::game::{Features, Stage};

use crate::{
    Playable, Scale, Score,
    network::{MalformedNetwork, Network, UNITS},
    value::Meaning,
};

/// The most features that a position of any game has.
const MOST_ACTIVE: usize = 32;

/// A static evaluation by a network, but where a game knows better. Several for one game can exist in a
/// process, and play each other.
///
/// ```
/// use cublino_engine::Learned;
/// use cublino_rules::games::Ecke;
///
/// let learned = Learned::built_in::<Ecke>();
/// let expected = learned.scale().expected(learned.evaluate(&Ecke::default()));
/// assert!(expected.abs() < 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Learned {
    network: Arc<Network>,
}

impl Learned {
    /// The evaluation that comes with the program.
    #[must_use]
    pub fn built_in<G: Playable>() -> Self {
        Self { network: Arc::clone(G::network()) }
    }

    /// The evaluation by the network in a file.
    ///
    /// # Errors
    /// Fails if the bytes are not a network of this game.
    pub(crate) fn read<G: Playable>(file: &[u8]) -> Result<Self, MalformedNetwork> {
        Network::read(file, G::FEATURES).map(Self::from)
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Turns its scores into expected results.
    #[inline]
    #[must_use]
    pub fn scale(&self) -> Scale {
        Scale::new(f64::from(UNITS))
    }

    /// What the position is worth to the side to move, without looking ahead. Only called where the game goes
    /// on, to move or to roll.
    #[inline]
    #[must_use]
    pub fn evaluate<G: Playable>(&self, position: &G) -> Score {
        position
            .known_score(|expected| self.meaning_of_known().score(expected))
            .unwrap_or_else(|| with_features(position, |active| self.network.score(active)))
    }

    /// The evaluation of the position after a move, for the side that plays it.
    pub(super) fn static_score<G: Playable>(&self, position: &G, m: G::Move) -> Score {
        let next = position.after(m);
        match next.stage() {
            Stage::Over(outcome) => Score::over(outcome.result_for(position.turn()), 1),
            Stage::Move | Stage::Roll if next.turn() == position.turn() => self.evaluate(&next),
            Stage::Move | Stage::Roll => -self.evaluate(&next),
        }
    }

    /// How likely it takes a draw to be, as a part of what the expected result leaves room for: 0 to 1. What
    /// became of such positions, the calibration tells. Only called where the game goes on.
    #[must_use]
    pub fn draw_share<G: Playable>(&self, position: &G) -> f64 {
        // Where the game knows, there is no draw.
        if position.is_known() {
            0.0
        } else {
            with_features(position, |active| self.network.draw_share(active))
        }
    }

    /// What its scores mean in a search that has visited so many positions, from one of which it tells so
    /// much of a draw.
    pub(super) fn meaning(&self, draw_share: f64, nodes: u64) -> Meaning {
        Meaning { scale: self.scale(), curves: self.network.calibration().after(nodes), draw_share }
    }

    /// What they mean where the result is as good as known, and no draw: whatever search comes to such a
    /// position, it has the same score.
    pub(super) fn meaning_of_known(&self) -> Meaning {
        self.meaning(0.0, 0)
    }
}

/// A network that is part of the program.
pub(super) fn network_of<G: Features>(file: &[u8]) -> Arc<Network> {
    let network = Network::read(file, G::FEATURES);
    Arc::new(network.expect("the networks of the program are whole: a test reads them"))
}

impl From<Network> for Learned {
    fn from(network: Network) -> Self {
        Self { network: Arc::new(network) }
    }
}

/// Calls a function with the features of a position.
#[inline]
fn with_features<G: Playable, T>(position: &G, of: impl FnOnce(&[u16]) -> T) -> T {
    const { assert!(G::MOST_ACTIVE <= MOST_ACTIVE && G::FEATURES <= 1 << u16::BITS) };
    let (mut active, mut count): ([u16; MOST_ACTIVE], usize) = (array::from_fn(|_| 0), 0);
    position.active_features(|feature| {
        #[expect(clippy::cast_possible_truncation, reason = "there are no more features, as is asserted")]
        let feature = feature as u16;
        active[count] = feature;
        count += 1;
    });
    of(&active[..count])
}
