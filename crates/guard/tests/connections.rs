//! Callers of a small application: what its connections hold for them, and until when.

use std::{
    net::{SocketAddr, TcpListener},
    rc::Rc,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use actix_web::{
    App, HttpRequest, HttpResponse, Responder,
    rt::{spawn, time::sleep},
    web::{self, Bytes},
};
use cublino_guard::{ConnectionLimits, Connections, Cut, CutCounter, Lag, Watchdog, listen};
use futures_util::future::pending;
use prometheus_client::metrics::gauge::Gauge;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::yield_now,
    time::timeout,
};

/// Only a failing test waits this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the handlers leave for the test.
#[derive(Clone, Default)]
struct Seen {
    lags: Arc<Mutex<Vec<Arc<Lag>>>>,
    /// How often a request or a permit was dropped.
    dropped: Arc<AtomicUsize>,
}

struct Permit(Seen);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

fn watchdog(request: &HttpRequest) -> Rc<Watchdog> {
    request.conn_data::<Rc<Watchdog>>().unwrap().clone()
}

/// Answers with a body of any size, and holds a permit for that.
async fn large(request: HttpRequest, seen: web::Data<Seen>) -> impl Responder {
    let watchdog = watchdog(&request);
    seen.lags.lock().unwrap().push(watchdog.lag.clone());
    watchdog.hold(Box::new(Permit(Seen::clone(&seen))));
    HttpResponse::Ok().body(vec![b'x'; 40_000_000])
}

/// Answers with the body that came, and holds a permit for that.
async fn echo(request: HttpRequest, mut body: web::Payload, seen: web::Data<Seen>) -> impl Responder {
    use futures_util::StreamExt as _;
    let watchdog = watchdog(&request);
    seen.lags.lock().unwrap().push(watchdog.lag.clone());
    watchdog.hold(Box::new(Permit(Seen::clone(&seen))));
    let mut whole = Vec::new();
    while let Some(piece) = body.next().await {
        whole.extend_from_slice(&piece?);
    }
    Ok::<_, actix_web::Error>(HttpResponse::Ok().body(whole))
}

/// Never answers.
async fn never(seen: web::Data<Seen>) -> HttpResponse {
    let _permit = Permit(Seen::clone(&seen));
    pending().await
}

/// Answers after a while.
async fn slow() -> &'static str {
    sleep(Duration::from_millis(300)).await;
    "slow"
}

fn serve(limits: ConnectionLimits) -> (SocketAddr, Seen, CutCounter) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (seen, cut) = (Seen::default(), CutCounter::default());
    let connections = Connections {
        workers: 1,
        for_each_worker: 1_000,
        make_way_beyond: 1_000,
        limits,
        shutdown_seconds: 0,
        open: Gauge::default(),
        cut: cut.clone(),
    };
    let data = web::Data::new(seen.clone());
    let app = move || {
        App::new()
            .app_data(data.clone())
            .route("/hello", web::route().to(async || "hello"))
            .route("/large", web::get().to(large))
            .route("/echo", web::post().to(echo))
            .route("/never", web::get().to(never))
            .route("/slow", web::get().to(slow))
    };
    spawn(listen(listener, connections, app).unwrap());
    (address, seen, cut)
}

fn limits() -> ConnectionLimits {
    ConnectionLimits {
        head: Duration::from_secs(5),
        idle: Duration::from_secs(60),
        read: Duration::from_secs(30),
        read_rate: 4_096,
    }
}

async fn connect(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    stream
}

/// All that comes until the connection is closed.
async fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _reset = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("it is closed");
    String::from_utf8(bytes).unwrap()
}

async fn until(what: &str, is_so: impl Fn() -> bool) {
    let wait = async {
        while !is_so() {
            yield_now().await;
        }
    };
    timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("{what}"));
}

/// Reads an answer that has a length, and returns its head and its body.
async fn answer(stream: &mut TcpStream) -> (String, Vec<u8>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(timeout(PATIENCE, stream.read_u8()).await.unwrap().unwrap());
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.split_once("content-length: ").map_or("0", |(_, rest)| rest.lines().next().unwrap());
    let mut body = vec![0; length.parse().unwrap()];
    timeout(PATIENCE, stream.read_exact(&mut body)).await.unwrap().unwrap();
    (head, body)
}

#[actix_web::test]
async fn a_connection_serves_any_number_of_requests_with_and_without_bodies() {
    let (address, ..) = serve(limits());
    let mut stream = connect(address, "").await;
    for size in [0, 1, 1_000, 1_023, 1_024, 1_025, 100_000, 1_000_000] {
        stream.write_all(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        assert_eq!(answer(&mut stream).await.1, b"hello");
        stream.write_all(b"HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let mut head = [0; 512];
        assert!(stream.read(&mut head).await.unwrap() > 0);
        let request = format!("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let body: Vec<_> = (0..size).map(|i| u8::try_from(i % 251).unwrap()).collect();
        let (reader, mut writer) = stream.split();
        writer.write_all(&body).await.unwrap();
        reader.readable().await.unwrap();
        let (head, echoed) = answer(&mut stream).await;
        assert!(echoed == body && !head.contains("connection: close"), "{size}: {head}");
    }
}

#[actix_web::test]
async fn a_body_may_wait_to_be_asked_for_come_in_chunks_and_byte_by_byte() {
    let (address, ..) = serve(limits());
    let mut stream = connect(
        address,
        "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n",
    )
    .await;
    assert_eq!(answer(&mut stream).await.0, "HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"abc").await.unwrap();
    assert_eq!(answer(&mut stream).await.1, b"abc");
    let chunked = "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n\
                   2\r\nde\r\n0\r\nTrailer: x\r\n\r\n";
    for byte in chunked.bytes() {
        stream.write_all(&[byte]).await.unwrap();
        stream.flush().await.unwrap();
        yield_now().await;
    }
    let (head, body) = answer(&mut stream).await;
    assert!(body == b"abcde" && head.contains("connection: close"), "{head}");
    assert_eq!(rest(stream).await, "");
}

#[actix_web::test]
async fn what_comes_while_a_request_is_answered_is_not_kept_and_ends_the_connection() {
    let (address, ..) = serve(limits());
    for later in [1, 10_000] {
        let mut stream = connect(address, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n").await;
        // Lets the request begin.
        sleep(Duration::from_millis(100)).await;
        let more = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n".repeat(later);
        stream.write_all(more.as_bytes()).await.unwrap();
        let answers = rest(stream).await;
        assert!(answers.ends_with("slow") && answers.contains("connection: close"), "{answers}");
    }
}

#[actix_web::test]
async fn a_caller_who_leaves_is_noticed_although_it_has_sent_more() {
    let (address, seen, _) = serve(limits());
    for (i, more) in ["", "GET /hello HTTP/1.1\r\n", &"x".repeat(100_000)].into_iter().enumerate() {
        let mut stream = connect(address, "GET /never HTTP/1.1\r\nHost: x\r\n\r\n").await;
        stream.write_all(more.as_bytes()).await.unwrap();
        drop(stream);
        until("the request is still answered", || seen.dropped.load(Ordering::SeqCst) > i).await;
    }
}

#[actix_web::test]
async fn a_permit_is_held_until_the_answer_has_left_and_never_longer_than_the_connection() {
    let (address, seen, cut) = serve(limits());
    let mut stream = connect(address, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n").await;
    until("the write does not stall", || {
        seen.lags.lock().unwrap().first().is_some_and(|lag| lag.since().is_some())
    })
    .await;
    assert_eq!(seen.dropped.load(Ordering::SeqCst), 0);
    assert_eq!(answer(&mut stream).await.1.len(), 40_000_000);
    until("the permit is still held", || seen.dropped.load(Ordering::SeqCst) == 1).await;
    assert_eq!(seen.lags.lock().unwrap()[0].since(), None);
    // Others wait while it holds a permit again, and takes nothing.
    stream.write_all(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    until("the request has not begun", || seen.lags.lock().unwrap().len() == 2).await;
    let lag = seen.lags.lock().unwrap()[1].clone();
    std::thread::spawn(move || lag.cut()).join().unwrap();
    until("the permit is still held", || seen.dropped.load(Ordering::SeqCst) == 2).await;
    assert!(rest(stream).await.len() < 40_000_000);
    assert_eq!(cut.get(Cut::MadeWay), 1);
}

#[actix_web::test]
async fn the_service_waits_for_a_body_from_when_it_is_asked_for_until_its_end() {
    let (address, seen, _) = serve(limits());
    let mut stream = connect(address, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na").await;
    let waits = || seen.lags.lock().unwrap().first().and_then(|lag| lag.since());
    until("nobody waits for the body", || waits().is_some()).await;
    let since = waits();
    stream.write_all(b"b").await.unwrap();
    assert_eq!(answer(&mut stream).await.1, b"ab");
    until("the body has ended", || waits() != since).await;
    assert_eq!(waits(), None);
}

#[actix_web::test]
async fn no_more_than_a_head_comes_before_a_request_begins() {
    let (address, _, cut) = serve(limits());
    let large = connect(address, &format!("GET / HTTP/1.1\r\nX: {}", "a".repeat(40_000))).await;
    assert!(rest(large).await.starts_with("HTTP/1.1 431 "));
    until("it is not counted", || cut.get(Cut::LargeHead) == 1).await;
    let mut stream = connect(address, "").await;
    for _ in 0..3 {
        let long = format!("GET /hello HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "a".repeat(30_000));
        stream.write_all(long.as_bytes()).await.unwrap();
        assert_eq!(answer(&mut stream).await.1, Bytes::from("hello"));
    }
}
