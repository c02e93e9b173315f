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

/// The head of a request with its first line, and headers with the host.
macro_rules! head {
    ($line:literal $($header:literal)*) => {
        concat!($line, " HTTP/1.1\r\nHost: x\r\n", $($header, "\r\n",)* "\r\n")
    };
}

/// A complete request, after which the connection stays open.
macro_rules! whole {
    () => {
        head!("GET /healthz")
    };
}

/// The largest answers that there are, more than all buffers hold.
const LARGE: &str = concat!(
    head!("GET /docs/swagger-ui-bundle.js"),
    head!("GET /docs/swagger-ui-es-bundle.js"),
    head!("GET /docs/swagger-ui-bundle.js"),
    head!("GET /docs/swagger-ui-es-bundle.js"),
);

/// What is sent at once, and what happens then.
pub const WAYS: [(&str, &str, Then); 37] = [
    ("nothing", "", Silence),
    ("a first head that stops", "GET /healthz HTTP/1.1\r\nHos", Silence),
    ("a first head that drips", "GET /healthz HTTP/1.1\r\n", Drip("X-Slow: very\r\n")),
    ("a first line that drips", "GET /", Drip("a")),
    ("empty lines before the first head", "", Drip("\r\n")),
    ("nothing after an answer", whole!(), Silence),
    ("a later head that stops", concat!(whole!(), "GET /healthz HTTP/1.1\r\nHos"), Silence),
    ("a later head that drips", whole!(), Drip("GET /healthz HTTP/1.1 but not yet")),
    ("a later head that begins with the first request", concat!(whole!(), "GET /"), Drip("a")),
    ("empty lines after an answer", whole!(), Drip("\r\n")),
    ("a head that drips after many requests", concat!(whole!(), whole!(), whole!()), Drip("GET /aaaaaaa")),
    ("a head that stops after an error", concat!(head!("GET /nowhere"), "GET"), Silence),
    ("GET, chunks that do not come", head!("GET /healthz" "Transfer-Encoding: chunked"), Silence),
    ("GET, chunks that drip", head!("GET /healthz" "Transfer-Encoding: chunked"), Drip("1\r\nx\r\n")),
    (
        "GET, a chunk that drips",
        concat!(head!("GET /healthz" "Transfer-Encoding: chunked"), "ffff\r\n"),
        Drip("x"),
    ),
    (
        "GET, trailers that drip",
        concat!(head!("GET /healthz" "Transfer-Encoding: chunked"), "0\r\n"),
        Drip("X: y\r\n"),
    ),
    ("GET, a body that does not come", head!("GET /healthz" "Content-Length: 100000"), Silence),
    ("GET, a body that drips", head!("GET /healthz" "Content-Length: 100000"), Drip("x")),
    (
        "GET and close, chunks",
        head!("GET /healthz" "Connection: close" "Transfer-Encoding: chunked"),
        Silence,
    ),
    (
        "GET and close, chunks that drip",
        head!("GET /" "Connection: close" "Transfer-Encoding: chunked"),
        Drip("1\r\nx\r\n"),
    ),
    ("HEAD, chunks that do not come", head!("HEAD /healthz" "Transfer-Encoding: chunked"), Silence),
    ("OPTIONS, chunks that do not come", head!("OPTIONS /healthz" "Transfer-Encoding: chunked"), Silence),
    ("404, chunks that drip", head!("POST /nowhere" "Transfer-Encoding: chunked"), Drip("1\r\nx\r\n")),
    ("405, chunks that do not come", head!("DELETE /healthz" "Transfer-Encoding: chunked"), Silence),
    (
        "413, a body that does not come",
        head!("POST /v1/games/wari/apply" "Content-Type: application/json" "Content-Length: 1000000"),
        Silence,
    ),
    (
        "413, a body that drips",
        head!("POST /v1/games/wari/apply" "Content-Type: application/json" "Content-Length: 1000000"),
        Drip("x"),
    ),
    (
        "415, chunks that do not come",
        head!("POST /v1/games/wari/apply" "Transfer-Encoding: chunked"),
        Silence,
    ),
    (
        "415, chunks that drip",
        head!("POST /v1/games/wari/apply" "Transfer-Encoding: chunked"),
        Drip("1\r\nx\r\n"),
    ),
    (
        "422 in the path, chunks",
        head!("POST /v1/games/chess/apply" "Content-Type: application/json" "Transfer-Encoding: chunked"),
        Silence,
    ),
    (
        "a body that stops",
        concat!(
            head!("POST /v1/games/wari/apply" "Content-Type: application/json" "Content-Length: 100"),
            "{"
        ),
        Silence,
    ),
    (
        "a body that drips",
        head!("POST /v1/games/wari/apply" "Content-Type: application/json" "Content-Length: 10000"),
        Drip(" "),
    ),
    (
        "chunks that drip",
        head!("POST /v1/games/wari/apply" "Content-Type: application/json" "Transfer-Encoding: chunked"),
        Drip("1\r\n \r\n"),
    ),
    (
        "a compressed body that stops",
        head!(
            "POST /v1/games/wari/apply"
            "Content-Type: application/json"
            "Content-Encoding: gzip"
            "Content-Length: 100"
        ),
        Silence,
    ),
    (
        "a body that waits to be asked for, and longer",
        head!(
            "POST /v1/games/wari/apply"
            "Content-Type: application/json"
            "Expect: 100-continue"
            "Content-Length: 100"
        ),
        Silence,
    ),
    ("another protocol", head!("GET /healthz" "Connection: upgrade" "Upgrade: websocket"), Drip("x")),
    ("a reader who takes nothing", LARGE, Ignore),
    ("a reader who takes a byte now and then", LARGE, Sip),
];
