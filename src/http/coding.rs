//! In which coding a caller gets an answer.

use actix_web::{
    HttpMessage,
    http::header::{AcceptEncoding, ContentEncoding, Encoding},
};

/// The codings that [`Compress`](actix_web::middleware::Compress) knows, as it is built here.
const CODINGS: [Encoding; 4] =
    [Encoding::identity(), Encoding::brotli(), Encoding::gzip(), Encoding::deflate()];

/// The coding that `Compress` chooses for the caller who sent the request; nothing if there is none that the
/// caller takes, or if what the caller takes cannot be read.
pub fn chosen(request: &impl HttpMessage) -> Option<ContentEncoding> {
    match request.get_header::<AcceptEncoding>()?.negotiate(CODINGS.iter())? {
        Encoding::Known(coding) => Some(coding),
        Encoding::Unknown(_) => None,
    }
}
