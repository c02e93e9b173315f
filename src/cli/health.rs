//! `cublino health`. One request needs no HTTP library.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::mpsc,
    thread,
    time::Duration,
};

use clap::Args;
use serde_json::Value;
use url::{ParseError, Position, Url};

use crate::config::LISTEN;

/// How long to wait for the answer of the service.
const PATIENCE: Duration = Duration::from_secs(3);
/// The longest answer that is read, in bytes.
const LONGEST: u64 = 1 << 16;

/// Check whether a running service is ready
#[derive(Args, Debug)]
pub(super) struct Health {
    /// URL of the service [default: the address of --admin-listen, or else of --listen]
    url: Option<String>,

    /// Address of the service on this machine
    #[arg(long, env = "CUBLINO_LISTEN", value_name = "ADDRESS", default_value_t = LISTEN)]
    listen: SocketAddr,

    /// Address of its probes and metrics
    #[arg(long, env = "CUBLINO_ADMIN_LISTEN", value_name = "ADDRESS")]
    admin_listen: Option<SocketAddr>,
}

impl Health {
    /// Fails unless the service answers that it is ready.
    pub(super) fn run(&self) -> io::Result<()> {
        let listen = self.admin_listen.unwrap_or(self.listen);
        let base = match &self.url {
            Some(url) => url.clone(),
            None if listen.port() == 0 => {
                let detail = "CUBLINO_LISTEN or CUBLINO_ADMIN_LISTEN is any port: a URL must say which";
                return Err(io::Error::other(detail));
            }
            // Connecting to a wildcard address, such as 0.0.0.0, reaches the loopback interface.
            None => format!("http://{listen}"),
        };
        let (sender, answer) = mpsc::channel();
        let asked = base.clone();
        thread::spawn(move || sender.send(ask(&asked)));
        let late = |_| Err(io::Error::other("no answer in time"));
        let answer = answer.recv_timeout(PATIENCE).unwrap_or_else(late);
        answer.map_err(|error| io::Error::other(format!("{base}: {error}")))
    }
}

/// Sends one request, without a proxy: those are for services outside.
fn ask(base: &str) -> io::Result<()> {
    let (url, addresses) = addresses(base)?;
    let (host, path) = (&url[Position::BeforeHost..Position::AfterPort], url.path().trim_end_matches('/'));
    let mut stream = TcpStream::connect(&*addresses)?;
    let request = format!("GET {path}/readyz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(LONGEST).read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.lines().next().and_then(|line| line.strip_prefix("HTTP/1.1 "));
    match status {
        Some(status) if status.starts_with("200") => Ok(()),
        Some(status) => {
            let problem: Value = serde_json::from_str(body).unwrap_or_default();
            Err(io::Error::other(problem["detail"].as_str().unwrap_or(status).to_owned()))
        }
        None => Err(io::Error::other("not an HTTP/1.1 server")),
    }
}

/// The parsed URL, and the addresses of its host.
fn addresses(url: &str) -> io::Result<(Url, Vec<SocketAddr>)> {
    let wrong = "this command needs a plain HTTP URL: http://…";
    let url = match Url::parse(url) {
        Ok(url) if url.scheme() == "http" => url,
        Ok(_) | Err(ParseError::RelativeUrlWithoutBase) => return Err(io::Error::other(wrong)),
        Err(error) => return Err(io::Error::other(error)),
    };
    let addresses = url.socket_addrs(|| None)?;
    Ok((url, addresses))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_may_be_an_address_and_have_no_port() {
        for (url, address) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://127.0.0.1/cublino/", "127.0.0.1:80"),
            ("http://[::1]:8080", "[::1]:8080"),
            ("http://[::1]", "[::1]:80"),
        ] {
            assert_eq!(addresses(url).unwrap().1, [address.parse().unwrap()], "{url}");
        }
    }
}
