//! `cublino health`.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use clap::Args;
use utoipa::Path;

use crate::{config::LISTEN, http::handlers::readyz};

/// How long the service may take to say that it is ready.
const PATIENCE: Duration = Duration::from_secs(3);

/// Ask a running service whether it is ready
#[derive(Args, Clone, Debug)]
pub struct Health {
    /// Where the service is, if not on this machine where it is set to listen
    url: Option<String>,

    /// Where the service on this machine is set to listen
    #[arg(long, env = "CUBLINO_LISTEN", value_name = "ADDRESS", default_value_t = LISTEN)]
    listen: SocketAddr,
}

impl Health {
    /// Fails unless the service answers that it is ready.
    pub(super) fn run(&self) -> io::Result<()> {
        let base = match &self.url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("http://{}", reachable(self.listen)?),
        };
        let url = format!("{base}{}", readyz::__path_answer::path());
        actix_web::rt::System::new().block_on(async {
            // A proxy that the environment names is for the world outside.
            let client = reqwest::Client::builder().timeout(PATIENCE).no_proxy();
            let client = client.build().map_err(io::Error::other)?;
            let answer = client.get(&url).send().await.map_err(io::Error::other)?;
            answer.error_for_status().map(drop).map_err(io::Error::other)
        })
    }
}

/// Where on this machine a service answers that listens on an address: one that listens on all does so on the loopback.
fn reachable(listen: SocketAddr) -> io::Result<SocketAddr> {
    if listen.port() == 0 {
        let detail = format!(
            "{listen} is any port (--listen, CUBLINO_LISTEN), so a URL must say where the service is"
        );
        return Err(io::Error::other(detail));
    }
    let address = match listen.ip() {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    };
    Ok(SocketAddr::new(address, listen.port()))
}
