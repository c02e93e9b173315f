//! Callers who take all resources that they can get.

use std::{
    cell::Cell,
    fmt, io,
    net::{IpAddr, Ipv4Addr},
    rc::Rc,
    time::Duration,
};

use actix_http::encoding::Encoder;
use actix_web::{
    HttpResponse,
    body::to_bytes,
    http::header::ContentEncoding,
    rt::{spawn, task::JoinHandle, time::sleep},
    web::Bytes,
};
use cublino::{
    api::suggestion::{Suggestion, SuggestionQuestion},
    games::GameId,
};
use cublino_client::Client;
use futures_util::future::join_all;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::service::Service;

/// How long a caller waits before it connects again.
const PAUSE: Duration = Duration::from_millis(50);

/// How long a caller holds its connection at most.
const HOLD: Duration = Duration::from_secs(20);

/// A body as large as the settings allow.
const BODY: usize = 262_144;

/// The largest answer that there is.
const LARGEST: &str = "/docs/swagger-ui-bundle.js";

/// The positions of searches: every game, so that everything that can be computed is computed.
const SEARCHES: [(GameId, &str); 5] = [
    (GameId::CublinoPur, "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"),
    (GameId::CublinoContra, "CWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"),
    (GameId::CublinoEcke, "EWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"),
    (GameId::Mahbusa, "M63-o22O"),
    (GameId::Wari, "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0"),
];

/// Callers with cheap questions before the attack, and how many each of them asks.
const CALLERS: usize = 256;
const QUESTIONS: usize = 20;

/// The kinds of callers, and how many of a hundred connections each has.
const KINDS: [(Kind, usize); 6] = [
    (Kind::Body, 20),
    (Kind::Head, 15),
    (Kind::Reader("identity"), 15),
    (Kind::Reader("gzip"), 10),
    (Kind::Reader("br"), 10),
    (Kind::Idle, 30),
];

#[derive(Clone)]
enum Kind {
    /// Sends all of a request, and reads nothing of the answer but its status.
    Post(Rc<[u8]>),
    /// Sends all of a body but its last byte.
    Body,
    /// Sends a head that does not end.
    Head,
    /// Reads nothing but the status of large answers in a content coding.
    Reader(&'static str),
    /// Stays idle after an answer.
    Idle,
}

/// The results of the callers.
#[derive(Default)]
pub struct Tally {
    opened: Cell<u64>,
    refused: Cell<u64>,
    busy: Cell<u64>,
    answered: Cell<u64>,
    searched: Cell<u64>,
}

fn count(cell: &Cell<u64>) {
    cell.set(cell.get() + 1);
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { opened, refused, busy, answered, searched } = self;
        let [opened, refused, busy, answered, searched] =
            [opened, refused, busy, answered, searched].map(Cell::get);
        write!(
            f,
            "{opened} connections, {refused} broken off, {busy} times busy, {answered} answers begun, \
             {searched} searches"
        )
    }
}

/// Takes `connections` connections at a time, and more if it gets them, until the tasks are aborted.
pub fn begin(service: &Service, connections: usize, tally: &Rc<Tally>) -> Vec<JoinHandle<()>> {
    let mut tasks = Vec::new();
    for (kind, share) in KINDS {
        for _ in 0..connections * share / 100 {
            tasks.push(spawn(again_and_again(service.address.clone(), kind.clone(), tally.clone())));
        }
    }
    for (i, (game, state)) in SEARCHES.into_iter().enumerate() {
        let (client, question) = (client(service, i), search(state, 2_000));
        let tally = tally.clone();
        tasks.push(spawn(async move {
            loop {
                if client.ask::<Suggestion>(game, &question).await.is_ok() {
                    count(&tally.searched);
                }
                sleep(PAUSE).await;
            }
        }));
    }
    tasks
}

/// Sends every POST whose body can be a list or a game, plain and compressed, on `connections` connections at
/// a time until the tasks are aborted.
pub async fn begin_posts(service: &Service, connections: usize, tally: &Rc<Tally>) -> Vec<JoinHandle<()>> {
    let requests = posts().await;
    let kinds = requests.iter().cycle().take(connections).cloned().map(Kind::Post);
    kinds.map(|kind| spawn(again_and_again(service.address.clone(), kind, tally.clone()))).collect()
}

/// The requests: questions that need much more memory once parsed, and whose answers fit into no buffer.
async fn posts() -> Vec<Rc<[u8]>> {
    let start = SEARCHES[0].1;
    let position = json!({"state": start, "moves": vec!["x"; 45]});
    let list = json!({"positions": vec![&position; 1_000]});
    let searched = json!({"positions": vec![&position; 1_000], "nodes": 1});
    let found = json!({"positions": vec![json!({"state": "M11-1AAAAAAAAAAAAAAA7o"}); 1_000]});
    let moves = [&["e1e2", "e7e6"][..], &["e2d2", "e6d6", "d2e2", "d6e6"].repeat(249)].concat();
    let game = json!({"state": start, "moves": moves});
    let judged = json!({"moves": game["moves"], "nodes": 1});
    let drawn = json!({"count": 1_000, "seed": 1, "plies": {"from": 100, "to": 1_000}});
    let mut requests = Vec::new();
    for (path, body) in [
        ("cublino-pur/legal-moves", &list),
        ("mahbusa/legal-moves", &found),
        ("cublino-pur/validation", &list),
        ("cublino-pur/score", &list),
        ("cublino-pur/evaluation", &searched),
        ("cublino-pur/suggestion", &searched),
        ("cublino-pur/apply", &game),
        ("cublino-pur/analysis", &judged),
        ("cublino-pur/random-positions", &drawn),
    ] {
        let plain = Bytes::from(body.to_string());
        let mut head = HttpResponse::Ok().finish();
        let encoder = Encoder::response(ContentEncoding::Gzip, head.head_mut(), plain.clone());
        let coded = to_bytes(encoder).await.unwrap_or_else(|_| panic!("text can be compressed"));
        for accept in ["application/json", "application/x-ndjson"] {
            for (headers, body) in [("", &plain), ("Content-Encoding: gzip\r\n", &coded)] {
                let head = format!(
                    "POST /v1/games/{path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                     Accept: {accept}\r\n{headers}Content-Length: {}\r\n\r\n",
                    body.len()
                );
                requests.push([head.as_bytes(), body].concat().into());
            }
        }
    }
    requests
}

/// A client with an address of its own: one caller may not have all search threads.
fn client(service: &Service, number: usize) -> Client {
    service.client(http(number))
}

/// Connections from an address of their own, of which this machine has many.
fn http(number: usize) -> reqwest::ClientBuilder {
    reqwest::Client::builder().local_address(IpAddr::V4(Ipv4Addr::new(127, 0, 0, number as u8 + 2)))
}

/// A search that is limited to `time_ms` milliseconds.
fn search(state: &str, time_ms: u64) -> SuggestionQuestion {
    SuggestionQuestion { time_ms: time_ms.try_into().ok(), ..SuggestionQuestion::about(state) }
}

/// Ordinary traffic: every search thread searches in every game, some hundred callers ask cheap questions,
/// and one opens the docs and asks by POST.
pub async fn warm_up(service: &Service, threads: usize) {
    for (game, state) in SEARCHES {
        let question = &search(state, 1_000);
        let searches = (0..threads).map(|number| async move {
            client(service, number).ask::<Suggestion>(game, question).await.expect("an answer");
        });
        join_all(searches).await;
    }
    // The client does not ask for compression by itself.
    let cheap =
        SEARCHES.map(|(game, state)| service.url(&format!("/v1/games/{game}/legal-moves?state={state}")));
    let callers = (0..CALLERS).map(|_| async {
        let client = http(0).build().expect("a client with an address of this machine");
        for url in cheap.iter().cycle().take(QUESTIONS) {
            let answer = client.get(url).header("accept-encoding", "br").send().await.expect("an answer");
            let status = answer.status();
            let text = answer.text().await.expect("all of the answer");
            assert!(status.is_success(), "{url}: {text}");
        }
    });
    join_all(callers).await;
    let client = http(0).build().expect("a client with an address of this machine");
    // It is a part of the executable, whose pages count as memory once they have been read.
    let answer = client.get(service.url(LARGEST)).send().await.expect("an answer");
    answer.bytes().await.expect("all of the answer");
    for (game, state) in SEARCHES {
        let list = json!({"positions": [{"state": state}]});
        for (operation, body) in [
            ("legal-moves", &list),
            ("validation", &list),
            ("score", &list),
            ("apply", &json!({"state": state, "moves": []})),
            ("random-positions", &json!({"count": 1, "seed": 1})),
        ] {
            let url = service.url(&format!("/v1/games/{game}/{operation}"));
            let answer = client.post(&url).json(body).send().await.expect("an answer");
            assert!(answer.status().is_success(), "{url}: {}", answer.status());
        }
    }
}

async fn again_and_again(address: String, kind: Kind, tally: Rc<Tally>) {
    loop {
        // A caller who gets no connection tries again.
        if let Ok(stream) = TcpStream::connect(&address).await {
            count(&tally.opened);
            match timeout(2 * HOLD, hold(stream, &kind)).await {
                Ok(Ok(answer)) if answer.starts_with(b"HTTP/1.1 503") => count(&tally.busy),
                Ok(Ok(answer)) if answer.starts_with(b"HTTP/1.1 200") => count(&tally.answered),
                Ok(Err(_)) => count(&tally.refused),
                Ok(Ok(_)) | Err(_) => {}
            }
        }
        sleep(PAUSE).await;
    }
}

/// Reads the status of an answer, and then holds the connection without reading on.
async fn status_only(mut stream: TcpStream) -> io::Result<Vec<u8>> {
    let mut status = [0; 12];
    stream.read_exact(&mut status).await?;
    if &status != b"HTTP/1.1 503" {
        sleep(HOLD).await;
    }
    Ok(status.to_vec())
}

/// Does what one kind of caller does, until the connection is closed; returns what was read.
async fn hold(mut stream: TcpStream, kind: &Kind) -> io::Result<Vec<u8>> {
    let mut answer = Vec::new();
    match kind {
        Kind::Body => {
            let head = format!(
                "POST /v1/games/wari/apply HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                 Content-Length: {BODY}\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(&vec![b' '; BODY - 1]).await?;
            stream.read_to_end(&mut answer).await?;
        }
        Kind::Head => {
            stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ").await?;
            stream.write_all(&vec![b'x'; 120 * 1024]).await?;
            stream.read_to_end(&mut answer).await?;
        }
        Kind::Reader(coding) => {
            let request = format!("GET {LARGEST} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: {coding}\r\n\r\n");
            stream.write_all(request.repeat(8).as_bytes()).await?;
            answer = status_only(stream).await?;
        }
        Kind::Post(request) => {
            stream.write_all(request).await?;
            answer = status_only(stream).await?;
        }
        Kind::Idle => {
            stream
                .write_all(b"GET /v1/games/mahbusa/score?state=M63-o22O HTTP/1.1\r\nHost: x\r\n\r\n")
                .await?;
            stream.read_to_end(&mut answer).await?;
        }
    }
    Ok(answer)
}
