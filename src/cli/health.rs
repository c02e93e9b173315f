//! `cublino health`. One request needs no HTTP library.

use std::{
    io::{self, Read, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs},
    time::{Duration, Instant},
};

use clap::Args;
use serde_json::Value;

use crate::config::LISTEN;

/// How long the service may take to say that it is ready.
const PATIENCE: Duration = Duration::from_secs(3);
/// The longest answer that is read, in bytes.
const LONGEST: usize = 1 << 16;

/// Ask a running service whether it is ready
#[derive(Args, Debug)]
pub(super) struct Health {
    /// The URL of the service [default: where it is set to listen on this machine]
    url: Option<String>,

    /// Where the service on this machine is set to listen
    #[arg(long, env = "CUBLINO_LISTEN", value_name = "ADDRESS", default_value_t = LISTEN)]
    listen: SocketAddr,

    /// Where it is set to listen for probes, which comes first
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
        ask(&base).map_err(|error| io::Error::other(format!("{base}: {error}")))
    }
}

/// Asks once, and through no proxy: those are for the world outside.
fn ask(base: &str) -> io::Result<()> {
    let began = Instant::now();
    let left = || {
        let left = PATIENCE.checked_sub(began.elapsed()).filter(|left| !left.is_zero());
        left.ok_or_else(|| io::Error::new(io::ErrorKind::TimedOut, "it has not answered in time"))
    };
    if base.starts_with("https:") {
        let detail = "this command speaks plain HTTP; ask the service itself, behind what speaks https";
        return Err(io::Error::other(detail));
    }
    let rest = base.strip_prefix("http://");
    let rest = rest.ok_or_else(|| io::Error::other("a URL that begins with http:// is needed"))?;
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let addresses = host.to_socket_addrs().or_else(|_| (host, 80).to_socket_addrs())?;
    let mut connected = Err(io::Error::other("the name has no address"));
    for address in addresses {
        connected = TcpStream::connect_timeout(&address, left()?);
        if connected.is_ok() {
            break;
        }
    }
    let mut stream = connected?;
    stream.set_write_timeout(Some(left()?))?;
    write!(stream, "GET {path}/readyz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
    let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        stream.set_read_timeout(Some(left()?))?;
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(_) if answer.len() > LONGEST => break,
            Ok(length) => answer.extend_from_slice(&piece[..length]),
            // The time is over, which the next round says.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.lines().next().and_then(|line| line.strip_prefix("HTTP/1.1 "));
    match status {
        Some(status) if status.starts_with("200") => Ok(()),
        Some(status) => {
            let problem: Value = serde_json::from_str(body).unwrap_or_default();
            Err(io::Error::other(problem["detail"].as_str().unwrap_or(status).to_owned()))
        }
        None => Err(io::Error::other("what answers does not speak HTTP/1.1")),
    }
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
