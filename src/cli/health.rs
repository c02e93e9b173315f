//! `cublino health`.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use actix_web::{
    http::{
        Uri,
        uri::{InvalidUri, Scheme},
    },
    rt::{System, net::TcpStream},
};
use clap::Args;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::timeout,
};
use utoipa::Path;

use crate::{config::LISTEN, http::handlers::readyz};

/// How long the service may take to say that it is ready.
const PATIENCE: Duration = Duration::from_secs(3);

/// The port of a URL that names none.
const HTTP_PORT: u16 = 80;

/// What the answer of a service that is ready begins with.
const READY: &[u8; 12] = b"HTTP/1.1 200";

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
        let url = format!("{base}{}", readyz::__path_answer::path());
        let answered = System::new().block_on(async { timeout(PATIENCE, ask(&url)).await });
        let result = answered.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        result.map_err(|error| io::Error::new(error.kind(), format!("{url}: {error}")))
    }
}

/// One request of our own, without a client: it has neither proxies, which are for the world outside, nor
/// redirects.
async fn ask(url: &str) -> io::Result<()> {
    let uri: Uri = url.parse().map_err(|error: InvalidUri| io::Error::other(error))?;
    let Some(authority) = uri.authority().filter(|_| uri.scheme() == Some(&Scheme::HTTP)) else {
        return Err(io::Error::other("this is not a URL that begins with http://"));
    };
    let address = format!("{}:{}", authority.host(), authority.port_u16().unwrap_or(HTTP_PORT));
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n", uri.path());
    stream.write_all(request.as_bytes()).await?;
    let mut begin = [0; READY.len()];
    stream.read_exact(&mut begin).await?;
    if &begin == READY {
        return Ok(());
    }
    Err(io::Error::other(format!("the answer begins with '{}'", begin.escape_ascii())))
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
