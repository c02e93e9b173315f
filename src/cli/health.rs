//! `cublino health`.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use actix_web::rt::System;
use clap::Args;

use crate::{
    client::{Client, Error, Retries},
    config::LISTEN,
};

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

    /// Where it is set to listen for probes, which is preferred
    #[arg(long, env = "CUBLINO_ADMIN_LISTEN", value_name = "ADDRESS")]
    admin_listen: Option<SocketAddr>,
}

impl Health {
    /// Fails unless the service answers that it is ready.
    pub(super) fn run(&self) -> io::Result<()> {
        let base = match (&self.url, self.admin_listen) {
            (Some(url), _) => url.trim_end_matches('/').to_owned(),
            (None, Some(admin)) => reachable(admin, "--admin-listen, CUBLINO_ADMIN_LISTEN")?,
            (None, None) => reachable(self.listen, "--listen, CUBLINO_LISTEN")?,
        };
        let asked = System::new().block_on(ask(&base));
        asked.map_err(|error| io::Error::other(format!("{base}: {error}")))
    }
}

/// Asks once, and without a proxy: those are for the world outside.
async fn ask(base: &str) -> Result<(), Error> {
    let http = reqwest::Client::builder().no_proxy().connect_timeout(PATIENCE);
    let client = Client::builder(base).http(http).timeout(PATIENCE).retries(Retries::NONE).build()?;
    client.readyz().await.map(drop)
}

/// The URL on this machine of a service that listens on an address: one that listens on all does so on the
/// loopback.
fn reachable(listen: SocketAddr, setting: &str) -> io::Result<String> {
    if listen.port() == 0 {
        let detail = format!("{listen} is any port ({setting}), so a URL must say where the service is");
        return Err(io::Error::other(detail));
    }
    let address = match listen.ip() {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    };
    Ok(format!("http://{}", SocketAddr::new(address, listen.port())))
}
