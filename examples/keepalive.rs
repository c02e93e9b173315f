//! How much of a bare handler's rate `legal-moves` reaches over one connection that is kept open.
//!
//! `cargo run --release --example keepalive` starts both servers in this process, sends requests to one after the other
//! in turns, and prints the median time of an answer of each, and the ratio of the rates.
//!
//! On a machine with idle processors, how long one takes to wake up outweighs the work: keep client and servers on one, with
//! `taskset -c 0 cargo run --release --example keepalive`.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use actix_web::{App, HttpResponse, HttpServer, http::header::ContentType, rt::System, web};
use cublino::{config::Config, http};

/// The start, a position with as many moves as most have (19), and one with long chains (105).
const STATES: [(&str, &str); 3] = [
    ("start", "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"),
    ("midgame", "pcb1Wd1We1Gf1sb3Gc3Se3Lc4va5cc5Je5qa6vf7vg7"),
    ("chains", "pWa1Wb1Lc2Le2Lg2Cf3He4cd5ib6ic6ie6ig6vc7vf7"),
];

/// Rounds of requests, and requests in each: turns that are short against the changes of the machine's mood.
const ROUNDS: (usize, usize) = (200, 100);

fn main() -> std::io::Result<()> {
    let whole = whole();
    for (name, state) in STATES {
        let request =
            format!("GET /v1/games/cublino-pur/legal-moves?state={state} HTTP/1.1\r\nHost: x\r\n\r\n");
        let mut to_whole = Connection::to(whole, &request)?;
        let body = to_whole.ask()?;
        let length = body.len();
        let mut to_bare = Connection::to(bare(body), &request)?;
        assert_eq!(to_bare.ask()?.len(), length, "both answer with the same bytes");

        let (rounds, each) = ROUNDS;
        let (mut whole_times, mut bare_times) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            to_whole.time(each, &mut whole_times)?;
            to_bare.time(each, &mut bare_times)?;
        }
        let (whole_median, bare_median) = (median(whole_times), median(bare_times));
        let ratio = 100.0 * bare_median.as_secs_f64() / whole_median.as_secs_f64();
        println!(
            "{name}: {length} bytes, legal-moves {whole_median:?}, bare {bare_median:?}, {ratio:.1} % of its rate"
        );
    }
    Ok(())
}

/// Starts the whole service.
fn whole() -> SocketAddr {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        System::new().block_on(async {
            let listen = SocketAddr::from(([127, 0, 0, 1], 0));
            let running =
                http::bind(&Config { listen, workers: 1, ..Config::default() }).expect("a free port");
            send.send(running.address).expect("somebody waits");
            running.server.await
        })
    });
    receive.recv().expect("the service starts")
}

/// Starts a server that knows nothing but one answer.
fn bare(body: Vec<u8>) -> SocketAddr {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let body = web::Bytes::from(body);
        System::new().block_on(async move {
            let factory = move || {
                let body = body.clone();
                let handler = move || {
                    let body = body.clone();
                    async { HttpResponse::Ok().content_type(ContentType::json()).body(body) }
                };
                App::new().route("/v1/games/{game}/legal-moves", web::get().to(handler))
            };
            let server = HttpServer::new(factory).workers(1).bind(("127.0.0.1", 0)).expect("a free port");
            send.send(server.addrs()[0]).expect("somebody waits");
            server.run().await
        })
    });
    receive.recv().expect("the server starts")
}

struct Connection<'a> {
    stream: TcpStream,
    request: &'a str,
    buffer: Vec<u8>,
}

impl<'a> Connection<'a> {
    fn to(address: SocketAddr, request: &'a str) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, request, buffer: vec![0; 1 << 20] })
    }

    /// The body of one answer.
    fn ask(&mut self) -> std::io::Result<Vec<u8>> {
        self.stream.write_all(self.request.as_bytes())?;
        let mut filled = 0;
        loop {
            filled += self.stream.read(&mut self.buffer[filled..])?;
            let Some(end) = self.buffer[..filled].windows(4).position(|four| four == b"\r\n\r\n") else {
                continue;
            };
            let head = String::from_utf8_lossy(&self.buffer[..end]).to_lowercase();
            let (_, rest) = head.split_once("content-length: ").expect("the answer says how long it is");
            let length: usize = rest.lines().next().and_then(|line| line.parse().ok()).expect("a number");
            let (start, whole) = (end + 4, end + 4 + length);
            while filled < whole {
                filled += self.stream.read(&mut self.buffer[filled..])?;
            }
            return Ok(self.buffer[start..whole].to_vec());
        }
    }

    fn time(&mut self, count: usize, times: &mut Vec<Duration>) -> std::io::Result<()> {
        for _ in 0..count {
            let began = Instant::now();
            self.ask()?;
            times.push(began.elapsed());
        }
        Ok(())
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
