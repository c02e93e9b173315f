//! The bytes of a body, as they arrive.

use actix_web::{
    HttpRequest,
    dev::{Decompress, Payload},
    error::PayloadError,
    http::header,
};
use futures_util::TryStreamExt as _;

use crate::http::in_flight::{BytesInFlight, Exhausted, Share};

/// The size of the blocks in which a body is held, in bytes. A buffer that grows is copied, and leaves holes
/// behind that only smaller ones fill.
const BLOCK: usize = 16 * 1024;

/// What a request takes besides its body for as long as that is received, in bytes, as measured.
const REQUEST: usize = 16 * 1024;

/// Why a body has not been received.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveError {
    /// It is larger than allowed.
    #[error("the body is larger than this service reads")]
    TooLarge,
    /// There is no memory for it.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// It broke off, or is not in the coding that it is said to be in.
    #[error(transparent)]
    Broken(#[from] PayloadError),
}

/// A body that has arrived, and is counted among the bytes in flight as long as it is held.
#[derive(Debug)]
pub struct Body {
    pub bytes: Vec<u8>,
    pub share: Share,
}

/// Receives a body, decompressed. It is counted as bytes come: who only announces a large body holds nothing.
///
/// # Errors
/// See [`ReceiveError`].
pub async fn receive(
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
    in_flight: &BytesInFlight,
) -> Result<Body, ReceiveError> {
    let headers = request.headers();
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    // Compressed, it is only larger than that.
    if announced.is_some_and(|length: usize| length > limit) {
        return Err(ReceiveError::TooLarge);
    }
    let is_plain = !headers.contains_key(header::CONTENT_ENCODING);
    let first = announced.filter(|_| is_plain).unwrap_or(BLOCK).min(BLOCK);
    let (mut blocks, mut length) = (vec![Vec::with_capacity(first)], 0);
    let mut share = in_flight.share();
    share.set(REQUEST)?;
    let mut chunks = Decompress::from_headers(payload, headers);
    while let Some(chunk) = chunks.try_next().await? {
        length += chunk.len();
        if length > limit {
            return Err(ReceiveError::TooLarge);
        }
        share.set(REQUEST + length.next_multiple_of(BLOCK))?;
        append(&mut blocks, &chunk);
    }
    // For a moment it is there twice, but only one at a time in each worker.
    let bytes = if blocks.len() == 1 { blocks.remove(0) } else { blocks.concat() };
    Ok(Body { bytes, share })
}

/// Appends bytes to blocks, of which only the last has room.
fn append(blocks: &mut Vec<Vec<u8>>, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        if blocks.last().is_none_or(|block| block.len() == BLOCK) {
            blocks.push(Vec::with_capacity(BLOCK));
        }
        let block = blocks.last_mut().expect("there is one now");
        let (now, later) = bytes.split_at(bytes.len().min(BLOCK - block.len()));
        block.extend_from_slice(now);
        bytes = later;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_what_was_appended_in_its_order() {
        let whole: Vec<u8> = (0..251).cycle().take(BLOCK * 3 + 5).collect();
        for size in [1, 7, BLOCK - 1, BLOCK, BLOCK + 1, whole.len()] {
            let mut blocks = vec![Vec::new()];
            whole.chunks(size).for_each(|chunk| append(&mut blocks, chunk));
            assert!(blocks.iter().all(|block| block.len() <= BLOCK), "{size}");
            assert_eq!((blocks.len(), blocks.concat() == whole), (4, true), "{size}");
        }
    }
}
