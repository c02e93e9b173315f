//! `cublino openapi`.

use std::io::{self, Write};

use clap::{Args, ValueEnum};

use crate::http::openapi;

/// Print the OpenAPI document
#[derive(Args, Clone, Debug)]
pub struct Openapi {
    /// The version of OpenAPI: an older one for programs that know no newer
    #[arg(long, value_name = "VERSION", value_enum, default_value_t = Version::Newer)]
    openapi_version: Version,
}

/// A version of OpenAPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Version {
    /// The one that the document is written in
    #[value(name = "3.1")]
    Newer,
    /// What of it older programs understand
    #[value(name = "3.0")]
    Older,
}

impl Openapi {
    /// Prints it.
    pub(super) fn run(&self) -> io::Result<()> {
        io::stdout().write_all(&match self.openapi_version {
            Version::Newer => openapi::pretty_text().into(),
            Version::Older => openapi::older_text(),
        })
    }
}
