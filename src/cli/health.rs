//! `cublino health`.

use std::{io, time::Duration};

use clap::Args;
use utoipa::Path;

use crate::{config::LISTEN, http::handlers::readyz};

/// How long the service may take to say that it is ready.
const PATIENCE: Duration = Duration::from_secs(3);

/// Ask a running service whether it is ready
#[derive(Args, Clone, Debug)]
pub struct Health {
    /// Where the service is
    #[arg(default_value_t = format!("http://{LISTEN}"))]
    url: String,
}

impl Health {
    /// Fails unless the service answers that it is ready.
    pub(super) fn run(&self) -> io::Result<()> {
        let url = format!("{}{}", self.url.trim_end_matches('/'), readyz::__path_answer::path());
        actix_web::rt::System::new().block_on(async {
            let client = reqwest::Client::builder().timeout(PATIENCE).build().map_err(io::Error::other)?;
            let answer = client.get(&url).send().await.map_err(io::Error::other)?;
            answer.error_for_status().map(drop).map_err(io::Error::other)
        })
    }
}
