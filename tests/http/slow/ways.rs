//! Ways to be slow.

/// What a caller goes on to do after it has sent something.
#[derive(Clone, Copy, Debug)]
pub enum Then {
    /// Nothing.
    Silence,
    /// Sends this, a byte now and then, and again from its beginning.
    Drip(&'static str),
    /// Reads a byte of the answers now and then.
    Sip,
    /// Does not read what it has asked for.
    Ignore,
}
use Then::{Drip, Ignore, Silence, Sip};

/// A complete request, after which the connection stays open.
const WHOLE: &str = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

/// Ways to be slow with a head: what is sent at once, and what happens then.
const HEADS: [(&[&str], Then); 12] = [
    (&[], Silence),
    (&["GET /healthz HTTP/1.1\r\nHos"], Silence),
    (&["GET /healthz HTTP/1.1\r\n"], Drip("X-Slow: very\r\n")),
    (&["GET /"], Drip("a")),
    (&[], Drip("\r\n")),
    (&[WHOLE], Silence),
    (&[WHOLE, "GET /healthz HTTP/1.1\r\nHos"], Silence),
    (&[WHOLE], Drip("GET /healthz HTTP/1.1 but not yet")),
    (&[WHOLE, "GET /"], Drip("a")),
    (&[WHOLE], Drip("\r\n")),
    (&[WHOLE, WHOLE, WHOLE], Drip("GET /aaaaaaa")),
    (&["GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n", "GET"], Silence),
];

/// Requests whose bodies are slow: their first lines, and their headers. Many are answered before that.
const REQUESTS: [(&str, &str); 11] = [
    ("GET /healthz", ""),
    ("GET /", "Connection: close\r\n"),
    ("HEAD /healthz", ""),
    ("OPTIONS /healthz", ""),
    ("POST /nowhere", ""),
    ("DELETE /healthz", ""),
    ("POST /v1/games/wari/apply", ""),
    ("POST /v1/games/chess/apply", "Content-Type: application/json\r\n"),
    ("POST /v1/games/wari/apply", "Content-Type: application/json\r\n"),
    ("POST /v1/games/wari/apply", "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"),
    ("POST /v1/games/wari/apply", "Content-Type: application/json\r\nExpect: 100-continue\r\n"),
];

/// How a body is announced, how it begins, and how it drips.
const BODIES: [(&str, &str, &str); 6] = [
    ("Transfer-Encoding: chunked", "", "1\r\n \r\n"),
    ("Transfer-Encoding: chunked", "ffff\r\n", " "),
    ("Transfer-Encoding: chunked", "0\r\n", "X: y\r\n"),
    ("Content-Length: 10000", "", " "),
    ("Content-Length: 10000", "{", " "),
    // More than is allowed.
    ("Content-Length: 1000000", "", " "),
];

/// All of them: what is sent at once, and what happens then.
pub fn ways() -> Vec<(String, Then)> {
    let mut ways: Vec<_> = HEADS.iter().map(|&(texts, then)| (texts.concat(), then)).collect();
    for (request, headers) in REQUESTS {
        for (framing, begin, drip) in BODIES {
            let text = format!("{request} HTTP/1.1\r\nHost: x\r\n{headers}{framing}\r\n\r\n{begin}");
            ways.extend([(text.clone(), Silence), (text, Drip(drip))]);
        }
    }
    let upgrade = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";
    ways.push((upgrade.to_owned(), Drip("x")));
    // The largest answers that there are, more than all buffers hold.
    let large = ["bundle", "es-bundle"]
        .map(|name| format!("GET /docs/swagger-ui-{name}.js HTTP/1.1\r\nHost: x\r\n\r\n"))
        .concat()
        .repeat(2);
    ways.extend([(large.clone(), Ignore), (large, Sip)]);
    ways
}
