//! Bodies of what is about the service and not about a game.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::{problem::Code, version};

/// The service is well.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    #[schema(pattern = "^ok$", example = "ok")]
    pub status: &'static str,
    /// The version of the service.
    #[schema(example = "0.1.0")]
    pub version: &'static str,
    /// The commit that it was built from; null if the build was not told.
    #[schema(required, example = "1f10af4")]
    pub commit: Option<&'static str>,
    /// A digest of what decides answers: services that have the same answer the same.
    #[schema(pattern = "^[0-9a-f]{32}$", example = "5f2b1c0d9e8a7463b1a2c3d4e5f60718")]
    pub sources: &'static str,
}

impl Health {
    /// All is well.
    #[must_use]
    pub const fn ok() -> Self {
        Self { status: "ok", version: version::VERSION, commit: version::COMMIT, sources: version::SOURCES }
    }
}

/// What a problem means.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProblemPage {
    /// The code of the problem.
    pub code: Code,
    /// A few words that are the same for all problems of this kind.
    #[schema(example = "The move is not legal")]
    pub title: &'static str,
    /// The status of the answer.
    #[schema(minimum = 400, maximum = 599, example = 422)]
    pub status: u16,
    /// What it means, and what to do about it.
    pub explanation: &'static str,
}

impl ProblemPage {
    /// The explanation of a code.
    #[must_use]
    pub fn of(code: Code) -> Self {
        Self { code, title: code.title(), status: code.status().as_u16(), explanation: code.explanation() }
    }

    /// A page to read. Nothing in it comes from a request, and no text of ours has a character that HTML reserves.
    #[must_use]
    pub fn to_html(&self) -> String {
        let Self { code, title, status, explanation } = self;
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>body {{ font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }}</style>\n\
             <h1>{title}</h1>\n<p><code>{code}</code>, status {status}</p>\n<p>{explanation}</p>\n\
             <p>All operations are described at <a href=\"/docs/\">/docs/</a>.</p>\n</html>\n"
        )
    }
}
