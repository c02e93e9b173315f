//! The callers of the soak test.

use std::{
    future::Future,
    pin::Pin,
    rc::Rc,
    time::{Duration, Instant},
};

use actix_web::{
    rt::{
        net::TcpStream,
        spawn,
        time::{interval, sleep, timeout},
    },
    web::Bytes,
};
use cublino::{
    api::{
        Code,
        suggestion::{Suggestion, SuggestionQuestion},
    },
    games::GameId,
};
use cublino_client as client;
use reqwest::{Client, StatusCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::tally::Tally;
use crate::service::Service;

/// Requests with one right answer each: questions about positions of all games, and searches of a set depth.
const QUESTIONS: [&str; 9] = [
    "/v1/games/cublino-pur/legal-moves?state=pWa1Wb1Lc2Le2Lg2Cf3He4cd5ib6ic6ie6ig6vc7vf7",
    "/v1/games/cublino-pur/score?state=Pga1mb1vc1id1se1cf1og1Aa4Na7Rb7Fc7Ad7Fe7Mg7",
    "/v1/games/cublino-pur/validation?state=PWa1Wa1Wz9",
    "/v1/games/cublino-contra/legal-moves?state=CWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7",
    "/v1/games/mahbusa/legal-moves?state=M63-o22O",
    "/v1/games/mahbusa/score?state=M-o22O",
    "/v1/games/wari/legal-moves?state=W-4-4-4-4-4-4-4-4-4-4-4-4-0-0",
    "/v1/games/wari/board.svg?state=W-4-4-4-4-4-4-4-4-4-4-4-4-0-0",
    "/v1/games/cublino-ecke/validation?state=E",
];

/// The positions of the searches limited by time, and by depth.
const PUR: &str = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
const WARI: &str = "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0";
/// The time of a search that is awaited, and of one that is abandoned, in milliseconds.
const TIME: u64 = 150;
const LONG: u64 = 5_000;

/// Requests that are broken on purpose: path and expected status.
const BROKEN: [(&str, u16); 6] = [
    ("/v1/games/cublino-pur/legal-moves?state=nonsense", 422),
    ("/v1/games/cublino-pur/legal-moves?state=P&state=P", 400),
    ("/v1/games/chess/legal-moves?state=P", 404),
    ("/v1/games/cublino-pur/suggestion?state=PWa1va7&depth=0", 400),
    ("/v1/games/wari/legal-moves?state=%ff", 400),
    ("/nowhere", 404),
];

/// Bytes that are not an HTTP request.
const GARBAGE: &[u8] = b"\x16\x03\x01\x02\x00 this is not HTTP\r\n\r\n";

/// How often each caller asks.
const PACE: Duration = Duration::from_millis(20);
/// How many callers there are of each kind.
const ASKERS: usize = 8;
const SEARCHERS: usize = 6;
const LEAVERS: usize = 2;
const SLOW: usize = 8;
/// How long any answer may take: searches, and those before them in the queue.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a client keeps a connection that it does not use: less than the service waits for the head of a
/// request, or a request could race with the closing of its connection.
const UNUSED: Duration = Duration::from_secs(1);

/// The expected answers, fetched without load.
#[derive(Clone)]
pub struct References {
    /// For questions whose answers are compared byte by byte, and for broken ones.
    http: Client,
    /// For searches.
    client: client::Client,
    answers: Rc<Vec<(&'static str, Bytes)>>,
    to_depth: Rc<Suggestion>,
}

impl References {
    /// Asks for the answers.
    pub async fn ask(service: &Service) -> Self {
        let builder = || Client::builder().timeout(PATIENCE).pool_idle_timeout(UNUSED);
        let http = builder().build().expect("a client");
        let mut answers = Vec::new();
        for path in QUESTIONS {
            let answer = http.get(service.url(path)).send().await.expect("an answer");
            assert_eq!(answer.status(), StatusCode::OK, "{path}");
            answers.push((path, answer.bytes().await.expect("a body")));
        }
        let client = service.client(builder());
        let to_depth = Rc::new(search_to_depth(&client).await.expect("an answer"));
        Self { http, client, answers: Rc::new(answers), to_depth }
    }

    /// Asks for them repeatedly, and compares the answers.
    pub async fn ask_for(&self, service: &Service, tally: &Tally, length: Duration) {
        let base = service.url("");
        let askers: Vec<_> =
            (0..ASKERS).map(|n| spawn(asker(self.clone(), base.clone(), tally.clone(), n, length))).collect();
        join(askers).await;
    }

    fn of(&self, path: &str) -> &Bytes {
        let found = self.answers.iter().find(|(asked, _)| *asked == path);
        &found.expect("all questions have been asked").1
    }
}

/// All callers at once.
pub async fn everybody(service: &Service, references: &References, tally: &Tally, length: Duration) {
    let mut callers = Vec::new();
    let mut start = |caller: Pin<Box<dyn Future<Output = ()>>>| callers.push(spawn(caller));
    let base = service.url("");
    for n in 0..ASKERS {
        start(Box::pin(asker(references.clone(), base.clone(), tally.clone(), n, length)));
    }
    for n in 0..SEARCHERS {
        start(Box::pin(searcher(references.clone(), tally.clone(), n, length)));
    }
    start(Box::pin(breaker(references.clone(), service.address.clone(), tally.clone(), length)));
    for _ in 0..LEAVERS {
        start(Box::pin(leaver(references.client.clone(), tally.clone(), length)));
    }
    for n in 0..SLOW {
        start(Box::pin(slow(service.address.clone(), tally.clone(), n, length)));
    }
    join(callers).await;
}

async fn join(callers: Vec<actix_web::rt::task::JoinHandle<()>>) {
    for caller in callers {
        caller.await.expect("callers count what goes wrong, and do not panic");
    }
}

async fn asker(references: References, base: String, tally: Tally, first: usize, length: Duration) {
    let (began, mut pace) = (Instant::now(), interval(PACE));
    let mut questions = QUESTIONS.into_iter().cycle().skip(first);
    while began.elapsed() < length {
        pace.tick().await;
        let path = questions.next().expect("a cycle has no end");
        let asked = Instant::now();
        match body(&references.http, &format!("{base}{path}")).await {
            Ok((200, bytes)) if bytes == *references.of(path) => {
                tally.answer("question", 200);
                tally.time(asked.elapsed());
            }
            Ok((status, bytes)) => tally.fault(format!("{path}: {status} {bytes:?}")),
            Err(error) => tally.fault(format!("{path}: {error}")),
        }
    }
}

async fn searcher(references: References, tally: Tally, n: usize, length: Duration) {
    let began = Instant::now();
    let is_timed = n.is_multiple_of(2);
    while began.elapsed() < length {
        let found = if is_timed {
            search_for(&references.client, TIME).await
        } else {
            search_to_depth(&references.client).await
        };
        match found {
            Ok(found) if is_timed || found == *references.to_depth => tally.answer("search", 200),
            Ok(found) => tally.fault(format!("a search that has one answer has got two: {found:?}")),
            Err(error) if error.code() == Some(Code::Busy) => {
                tally.answer("search", 503);
                sleep(PACE).await;
            }
            Err(error) => tally.fault(format!("a search: {error}")),
        }
    }
}

/// Searches for `time_ms` milliseconds.
async fn search_for(client: &client::Client, time_ms: u64) -> Result<Suggestion, client::Error> {
    let question = SuggestionQuestion { time_ms: time_ms.try_into().ok(), ..SuggestionQuestion::about(PUR) };
    client.ask::<Suggestion>(GameId::CublinoPur, &question).await
}

/// A search to a set depth has one right answer, but the queue may be full.
async fn search_to_depth(client: &client::Client) -> Result<Suggestion, client::Error> {
    let question = SuggestionQuestion { depth: 6.try_into().ok(), ..SuggestionQuestion::about(WARI) };
    client.ask::<Suggestion>(GameId::Wari, &question).await
}

async fn breaker(references: References, address: String, tally: Tally, length: Duration) {
    let (began, mut pace) = (Instant::now(), interval(PACE));
    let mut broken = BROKEN.into_iter().cycle();
    while began.elapsed() < length {
        pace.tick().await;
        let (path, expected) = broken.next().expect("a cycle has no end");
        match body(&references.http, &format!("http://{address}{path}")).await {
            Ok((status, _)) if status == expected => tally.answer("broken", status),
            Ok((status, bytes)) => tally.fault(format!("{path}: {status} {bytes:?}")),
            Err(error) => tally.fault(format!("{path}: {error}")),
        }
        match exchange(&address, GARBAGE).await {
            Ok(answer) if answer.is_empty() || answer.starts_with(b"HTTP/1.1 4") => {
                tally.answer("garbage", 400);
            }
            Ok(answer) => tally.fault(format!("garbage: {:?}", String::from_utf8_lossy(&answer))),
            Err(error) => tally.fault(format!("garbage: {error}")),
        }
    }
}

/// Asks for long searches and leaves before they are done.
async fn leaver(client: client::Client, tally: Tally, length: Duration) {
    let began = Instant::now();
    while began.elapsed() < length {
        match timeout(Duration::from_millis(100), search_for(&client, LONG)).await {
            Err(_) => tally.answer("left", 0),
            Ok(Err(error)) if error.code() == Some(Code::Busy) => tally.answer("left", 503),
            Ok(answer) => tally.fault(format!("a search of 5 s is done after 0.1 s: {answer:?}")),
        }
        sleep(PACE).await;
    }
}

/// Sends the head of a request byte by byte, the body of one not at all, or does not read the answers.
async fn slow(address: String, tally: Tally, n: usize, length: Duration) {
    const HEAD: &[u8] = b"POST /v1/games/wari/apply HTTP/1.1\r\nHost: x\r\n\
        Content-Type: application/json\r\nContent-Length: 100\r\n\r\n";
    /// How many answers a caller requests without reading them.
    const UNREAD: usize = 50;
    let began = Instant::now();
    while began.elapsed() < length {
        let Ok(mut stream) = TcpStream::connect(&address).await else {
            tally.fault("a slow caller is not let in".to_owned());
            return;
        };
        let head_bytes = match n % 3 {
            0 => HEAD.len() / 2,
            _ => HEAD.len(),
        };
        if n % 3 == 2 {
            let request = format!("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", QUESTIONS[0]).repeat(UNREAD);
            let _refused = stream.write_all(request.as_bytes()).await;
            sleep(Duration::from_secs(2)).await;
        } else {
            // The service closes slow connections, and then writing fails.
            for byte in &HEAD[..head_bytes] {
                if began.elapsed() >= length || stream.write_all(&[*byte]).await.is_err() {
                    break;
                }
                sleep(PACE).await;
            }
        }
        tally.answer("slow", 0);
    }
}

async fn body(client: &Client, url: &str) -> reqwest::Result<(u16, Bytes)> {
    let answer = client.get(url).send().await?;
    let status = answer.status().as_u16();
    Ok((status, answer.bytes().await?))
}

/// Sends bytes, and reads until the service closes the connection.
async fn exchange(address: &str, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(bytes).await?;
    let mut answer = Vec::new();
    match timeout(PATIENCE, stream.read_to_end(&mut answer)).await {
        // Closing with unread bytes of ours resets the connection.
        Ok(Err(error)) if error.kind() != std::io::ErrorKind::ConnectionReset => Err(error),
        _ => Ok(answer),
    }
}
