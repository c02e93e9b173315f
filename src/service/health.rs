//! How the service is.

use serde::Serialize;

use crate::version;

/// The service is well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Health {
    /// Always `ok`.
    #[cfg_attr(feature = "openapi", schema(pattern = "^ok$", example = "ok"))]
    pub status: &'static str,
    /// The version of the service.
    #[cfg_attr(feature = "openapi", schema(example = "0.1.0"))]
    pub version: &'static str,
    /// The commit that it was built from; null if the build was not told.
    #[cfg_attr(feature = "openapi", schema(required, example = "1f10af4"))]
    pub commit: Option<&'static str>,
    /// A digest of what decides answers: services that have the same answer the same.
    #[cfg_attr(
        feature = "openapi",
        schema(pattern = "^[0-9a-f]{32}$", example = "5f2b1c0d9e8a7463b1a2c3d4e5f60718")
    )]
    pub sources: &'static str,
}

impl Health {
    /// All is well.
    #[must_use]
    pub const fn ok() -> Self {
        Self { status: "ok", version: version::VERSION, commit: version::COMMIT, sources: version::SOURCES }
    }

    /// The same of some build, as an example: one that told of this build would change with every build.
    #[must_use]
    pub const fn of_some_build() -> Self {
        Self { commit: Some("1f10af4"), sources: "5f2b1c0d9e8a7463b1a2c3d4e5f60718", ..Self::ok() }
    }
}
