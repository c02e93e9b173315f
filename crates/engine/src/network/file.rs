//! Networks as files. The tools write them (`tools/src/weights.rs`).
//!
//! All numbers are little-endian: the magic bytes with the version of the format, the numbers of features, of
//! hidden units, of views and of phases (32 bits each), the rows of the features and the biases of the hidden
//! units (16 bits each), the direct weights of the features (32), for each phase the weights (16) and the
//! bias (32) of the first output and of the second, the eleven points of each of the three curves of the
//! calibration for few nodes and for many in ten-thousandths (16), and the SHA-256 digest of all that.

use sha2::{Digest, Sha256};

use super::{BLOCK, Block, Network, OUTPUT_LIMIT, Output};
use crate::{Calibration, Curve, Curves};

/// The last byte is the version.
const MAGIC: [u8; 8] = *b"CUBNET\0\x04";
const DIGEST: usize = 32;
/// Numbers of the calibration are whole ten-thousandths.
const CALIBRATION_ONE: f64 = 10_000.0;

/// Why bytes are not a network of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MalformedNetwork {
    /// They are something else, or of another version.
    #[error("this is not a network of version {}", MAGIC[7])]
    NotANetwork,
    /// They are truncated, too long or changed.
    #[error("the network is corrupt: wrong digest")]
    Damaged,
    /// The network is of another game.
    #[error("the network is of another game: it knows {0} features, not {1}")]
    OtherGame(usize, usize),
    /// The number of hidden units is not supported.
    #[error(
        "a network has a multiple of {BLOCK} hidden units for one or two views, up to {most} together, \
         not {0} for {1}",
        most = Network::MOST_HIDDEN
    )]
    Hidden(usize, usize),
}

impl Network {
    /// Reads a network of a game with so many features.
    ///
    /// # Errors
    /// Fails if the bytes are not such a network, or not as they were written.
    pub fn read(bytes: &[u8], features: usize) -> Result<Self, MalformedNetwork> {
        let (content, digest) = bytes.split_last_chunk::<DIGEST>().ok_or(MalformedNetwork::NotANetwork)?;
        let mut reader = Reader(content.strip_prefix(&MAGIC).ok_or(MalformedNetwork::NotANetwork)?);
        if *digest != *Sha256::digest(content) {
            return Err(MalformedNetwork::Damaged);
        }
        let [found, hidden, views, phases] = [reader.size()?, reader.size()?, reader.size()?, reader.size()?];
        if found != features {
            return Err(MalformedNetwork::OtherGame(found, features));
        }
        if !Self::may_have(hidden, views) {
            return Err(MalformedNetwork::Hidden(hidden, views));
        }
        if phases == 0 {
            return Err(MalformedNetwork::Damaged);
        }
        let blocks = hidden / BLOCK;
        let rows = reader.blocks(features * blocks)?;
        let network = Self {
            blocks,
            views,
            rows: (0..blocks)
                .map(|block| rows.iter().skip(block).step_by(blocks).copied().collect())
                .collect(),
            bias: reader.blocks(blocks)?,
            direct: (0..features).map(|_| reader.i32()).collect::<Result<_, _>>()?,
            outputs: (0..phases)
                .map(|_| Ok([reader.output(views * blocks)?, reader.output(views * blocks)?]))
                .collect::<Result<_, _>>()?,
            calibration: Calibration([reader.curves()?, reader.curves()?]),
        };
        if reader.0.is_empty() { Ok(network) } else { Err(MalformedNetwork::Damaged) }
    }
}

/// Takes numbers from the front of bytes.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], MalformedNetwork> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(MalformedNetwork::Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn size(&mut self) -> Result<usize, MalformedNetwork> {
        let number = u32::from_le_bytes(self.take()?);
        usize::try_from(number).map_err(|_| MalformedNetwork::Damaged)
    }

    fn i32(&mut self) -> Result<i32, MalformedNetwork> {
        Ok(i32::from_le_bytes(self.take()?))
    }

    fn blocks(&mut self, blocks: usize) -> Result<Vec<Block>, MalformedNetwork> {
        let block = |reader: &mut Self| {
            let mut weights = Block::default();
            for weight in weights.units_mut() {
                *weight = i16::from_le_bytes(reader.take()?);
            }
            Ok(weights)
        };
        (0..blocks).map(|_| block(self)).collect()
    }

    /// Reads an output, whose sum cannot overflow since no weight exceeds the limit.
    fn output(&mut self, blocks: usize) -> Result<Output, MalformedNetwork> {
        let weights = self.blocks(blocks)?;
        let bias = self.i32()?;
        let fits = |weight: &i16| i32::from(*weight).abs() <= OUTPUT_LIMIT;
        let all_fit = weights.iter().flat_map(Block::units).all(fits);
        if all_fit { Ok(Output { weights, bias }) } else { Err(MalformedNetwork::Damaged) }
    }

    fn curves(&mut self) -> Result<Curves, MalformedNetwork> {
        Ok(Curves([self.curve()?, self.curve()?, self.curve()?]))
    }

    fn curve(&mut self) -> Result<Curve, MalformedNetwork> {
        let mut curve = [0.0; Curves::POINTS];
        for point in &mut curve {
            *point = f64::from(u16::from_le_bytes(self.take()?)) / CALIBRATION_ONE;
        }
        Ok(curve)
    }
}
