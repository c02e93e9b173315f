//! The static evaluation that a game has learned.

use std::{array, sync::Arc};

use super::{
    calibration::Calibration,
    evaluation::{Evaluator, meaning_of_known},
    network::{MalformedNetwork, Network, UNITS},
    playable::Playable,
    score::{Scale, Score},
};
use cublino_rules::game::Features;

/// The most features that a position of any game has.
const MOST_ACTIVE: usize = 32;

/// A static evaluation by a network, but where a game knows better.
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
    pub fn read<G: Playable>(file: &[u8]) -> Result<Self, MalformedNetwork> {
        Network::read(file, G::FEATURES).map(Self::from)
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
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

impl<G: Playable> Evaluator<G> for Learned {
    #[inline]
    fn scale(&self) -> Scale {
        Scale::new(f64::from(UNITS))
    }

    fn calibration(&self) -> &Calibration {
        self.network.calibration()
    }

    #[inline]
    fn evaluate(&self, position: &G) -> Score {
        position
            .known_score(|expected| meaning_of_known::<G>(self).score(expected))
            .unwrap_or_else(|| with_features(position, |active| self.network.score(active)))
    }

    fn draw_share(&self, position: &G) -> f64 {
        // Where the game knows, there is no draw.
        if position.is_known() {
            0.0
        } else {
            with_features(position, |active| self.network.draw_share(active))
        }
    }
}
