//! How the service is.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The state of the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    #[schema(pattern = "^ok$", example = "ok")]
    pub status: Cow<'static, str>,
    /// The version of the service.
    #[schema(example = "0.2.0")]
    pub version: Cow<'static, str>,
    /// The commit that it was built from; null if unknown.
    #[schema(required, example = "1f10af4")]
    pub commit: Option<Cow<'static, str>>,
    /// A digest of the sources that determine answers. Services with the same digest give the same answers.
    #[schema(pattern = "^[0-9a-f]{32}$", example = "5f2b1c0d9e8a7463b1a2c3d4e5f60718")]
    pub sources: Cow<'static, str>,
    /// The largest Wari endgames in the tablebase, in marbles. 12 are built in; a service with a larger file
    /// may give other answers.
    #[schema(minimum = 0, maximum = 24, example = 12)]
    pub wari_marbles: u8,
}
