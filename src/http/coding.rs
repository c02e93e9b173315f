//! In which coding a caller gets an answer.

use actix_web::{
    HttpMessage,
    http::header::{AcceptEncoding, ContentEncoding, Encoding},
};

/// Among the extensions of an answer: it is compressed for nobody.
#[derive(Clone, Copy, Debug)]
pub struct Uncoded;

/// The codings that there are, as the library is built here.
const CODINGS: [Encoding; 4] =
    [Encoding::identity(), Encoding::brotli(), Encoding::gzip(), Encoding::deflate()];

/// The coding in which the caller who sent the request gets an answer; nothing if it is sent uncoded, which
/// HTTP allows also where the caller refuses that.
pub fn chosen(request: &impl HttpMessage) -> Option<ContentEncoding> {
    match request.get_header::<AcceptEncoding>()?.negotiate(CODINGS.iter())? {
        Encoding::Known(ContentEncoding::Identity) | Encoding::Unknown(_) => None,
        Encoding::Known(coding) => Some(coding),
    }
}
