//! How much of a bare handler's rate `legal-moves` reaches over keep-alive connections.
//!
//! Three servers run in this process, with one worker each. Two are bare: they know one path and the bytes of
//! the answer. One of these has a variable in its path, as a service for several games would, and pays for a
//! regular expression. The third is the service, measured without a log and with one. Requests go to the
//! servers in short turns, and the rates of the median turn are printed. Put clients and servers on one
//! processor, where the time is work and nothing else, and the log, a line for every request, where it costs
//! nothing:
//!
//! `taskset -c 0 cargo bench --bench keepalive 2> /dev/null`

mod service;

use std::{io, net::SocketAddr, sync::mpsc, thread, time::Instant};

use actix_web::{App, HttpResponse, HttpServer, http::header::ContentType, rt::System, web};
use futures_util::future::try_join_all;
use log::LevelFilter;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The start, a position with as many moves as most have (19), and two with long chains (80 and 105).
const STATES: [(&str, &str); 4] = [
    ("start", "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"),
    ("midgame", "pcb1Wd1We1Gf1sb3Gc3Se3Lc4va5cc5Je5qa6vf7vg7"),
    ("chains", "pWa1Wb1Lc2Le2Lg2Cf3He4cd5ib6ic6ie6ig6vc7vf7"),
    ("branches", "PFa1Dc1He1Xb2id2rf2Oe3ng3df4Ve5jf6rg6Fe7mg7"),
];

/// The paths of the bare handlers.
const PATHS: [&str; 2] = ["/v1/games/cublino-pur/legal-moves", "/v1/games/{game}/legal-moves"];

/// How many connections are open at a time.
const CONNECTIONS: [usize; 2] = [1, 64];

/// Turns of each server, and requests in each: short, as the machine's speed changes.
const TURNS: (usize, usize) = (60, 1_920);

fn main() -> io::Result<()> {
    // The log level is global to the process, so each server's turn sets it.
    env_logger::Builder::new().filter(Some("access"), LevelFilter::Debug).init();
    let service = service::start();
    println!("state\tbytes\tconnections\tserver\trequests/s\t% of bare\t% of bare with a variable");
    for (name, state) in STATES {
        let request =
            format!("GET /v1/games/cublino-pur/legal-moves?state={state} HTTP/1.1\r\nHost: x\r\n\r\n");
        let body = System::new().block_on(body(service, &request))?;
        let length = body.len();
        let [fixed, variable] = PATHS.map(|path| (bare(path, body.clone()), LevelFilter::Off));
        let servers = [fixed, variable, (service, LevelFilter::Off), (service, LevelFilter::Debug)];
        for connections in CONNECTIONS {
            let rates = System::new().block_on(rates(servers, &request, connections))?;
            let labels = ["bare", "bare with a variable", "service", "service with log"];
            for (label, rate) in labels.into_iter().zip(rates) {
                println!(
                    "{name}\t{length}\t{connections}\t{label}\t{rate:.0}\t{:.1}\t{:.1}",
                    100.0 * rate / rates[0],
                    100.0 * rate / rates[1]
                );
            }
        }
    }
    Ok(())
}

/// Requests in a second to each of some servers, in the median turn.
async fn rates<const N: usize>(
    servers: [(SocketAddr, LevelFilter); N],
    request: &str,
    connections: usize,
) -> io::Result<[f64; N]> {
    let mut clients = Vec::new();
    for (address, _) in servers {
        let connect = (0..connections).map(|_| Client::to(address, request));
        clients.push(try_join_all(connect).await?);
    }
    let (turns, requests) = TURNS;
    let mut times = [const { Vec::new() }; N];
    for _ in 0..turns {
        for (i, (_, level)) in servers.iter().enumerate() {
            log::set_max_level(*level);
            let began = Instant::now();
            let each = requests / connections;
            try_join_all(clients[i].iter_mut().map(|client| client.ask(each))).await?;
            times[i].push(began.elapsed());
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let requests = requests as f64;
    Ok(times.map(|times| requests / service::median(times).as_secs_f64()))
}

/// A connection to a server whose answers are all equally long.
struct Client<'a> {
    stream: TcpStream,
    request: &'a str,
    answer: Vec<u8>,
}

impl<'a> Client<'a> {
    async fn to(address: SocketAddr, request: &'a str) -> io::Result<Self> {
        let mut stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let answer = first_answer(&mut stream, request).await?;
        Ok(Self { stream, request, answer })
    }

    async fn ask(&mut self, count: usize) -> io::Result<()> {
        for _ in 0..count {
            self.stream.write_all(self.request.as_bytes()).await?;
            self.stream.read_exact(&mut self.answer).await?;
        }
        Ok(())
    }
}

const END_OF_HEAD: &[u8] = b"\r\n\r\n";

/// An answer with its head.
async fn first_answer(stream: &mut TcpStream, request: &str) -> io::Result<Vec<u8>> {
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    loop {
        stream.read_buf(&mut answer).await?;
        let Some(end) = answer.windows(END_OF_HEAD.len()).position(|bytes| bytes == END_OF_HEAD) else {
            continue;
        };
        let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
        let (_, rest) = head.split_once("content-length: ").expect("the answer says how long it is");
        let length: usize = rest.lines().next().and_then(|line| line.parse().ok()).expect("a number");
        let read = answer.len();
        answer.resize(end + END_OF_HEAD.len() + length, 0);
        stream.read_exact(&mut answer[read..]).await?;
        return Ok(answer);
    }
}

async fn body(address: SocketAddr, request: &str) -> io::Result<Vec<u8>> {
    let answer = first_answer(&mut TcpStream::connect(address).await?, request).await?;
    let end =
        answer.windows(END_OF_HEAD.len()).position(|bytes| bytes == END_OF_HEAD).expect("it has a head");
    Ok(answer[end + END_OF_HEAD.len()..].to_vec())
}

/// Starts a server with one path and one fixed answer.
fn bare(path: &'static str, body: Vec<u8>) -> SocketAddr {
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
                App::new().route(path, web::get().to(handler))
            };
            let server = HttpServer::new(factory).workers(1).bind(("127.0.0.1", 0)).expect("a free port");
            send.send(server.addrs()[0]).expect("the caller waits for the address");
            server.run().await
        })
    });
    receive.recv().expect("the server starts")
}
