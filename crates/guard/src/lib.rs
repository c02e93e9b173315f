//! Connections: how long each may live, and how little it may make the HTTP library hold.
//!
//! The library has no deadline for a later head of a connection (slowloris), for a body that nobody reads,
//! and for a slow reader; and it reads and decodes ahead what comes while it answers. So each connection
//! has a [`Watchdog`]. The stream (`WatchedStream`) reports to it what is read and written, hands on what
//! comes in small slices and only when it is wanted, and ends when a deadline has passed; the library then
//! drops everything that belongs to the connection. The requests (`connection::watched`) report to it in
//! which phase of a request the connection is.

mod connection;

use std::{
    io,
    net::{SocketAddr, TcpListener},
    rc::Rc,
    time::Duration,
};

use actix_http::{HttpService, KeepAlive, Protocol, Request, error::DispatchError, header::HeaderValue};
use actix_server::Server;
use actix_service::{
    IntoServiceFactory, Service as _, ServiceFactory, ServiceFactoryExt as _, apply_fn_factory, map_config,
};
use actix_web::{
    Error,
    body::MessageBody,
    dev::{AppConfig, ServiceResponse},
    rt::net::TcpStream,
};
use prometheus_client::metrics::{counter::Counter, family::Family, gauge::Gauge};
use rustix::net::sockopt::set_tcp_user_timeout;
use tokio::sync::Notify;

pub use self::connection::{ConnectionLimits, Cut, Lag, Watchdog};
use self::connection::{WatchedStream, watched};

/// The size of the write buffer, which collects an answer before it is sent, in bytes.
const WRITE: usize = 16 * 1024;

/// Threads per worker that compress answers and decompress bodies; by default the library starts hundreds.
const CODING_THREADS: usize = 2;

/// How a server treats its connections.
#[derive(Clone, Debug)]
pub struct Connections {
    /// The threads that answer.
    pub workers: usize,
    /// How many connections each of them keeps open; others wait.
    pub for_each_worker: usize,
    /// With more than this, the one that has been open for longest is closed for a new one.
    pub make_way_beyond: usize,
    /// How long each may stay in each phase.
    pub limits: ConnectionLimits,
    /// How long requests have to finish once the server stops, in seconds.
    pub shutdown_seconds: u64,
    /// How many are open.
    pub open: Gauge,
    /// How many were cut off.
    pub cut: CutCounter,
}

/// Starts a server: an application answers the requests on a listener.
///
/// ```no_run
/// use std::{net::TcpListener, time::Duration};
///
/// use actix_web::{App, HttpResponse, web};
/// use cublino_guard::{ConnectionLimits, Connections, CutCounter, listen};
/// use prometheus_client::metrics::gauge::Gauge;
///
/// # async fn serve() -> std::io::Result<()> {
/// let limits = ConnectionLimits {
///     head: Duration::from_secs(5),
///     idle: Duration::from_secs(75),
///     read: Duration::from_secs(30),
///     read_rate: 4_096,
/// };
/// let connections = Connections {
///     workers: 2,
///     for_each_worker: 1_000,
///     make_way_beyond: 900,
///     limits,
///     shutdown_seconds: 15,
///     open: Gauge::default(),
///     cut: CutCounter::default(),
/// };
/// let app = || App::new().route("/", web::get().to(async || HttpResponse::Ok().body("hello")));
/// listen(TcpListener::bind("127.0.0.1:8080")?, connections, app)?.await
/// # }
/// ```
///
/// # Errors
/// The listener cannot be used.
pub fn listen<F, A, S, B>(listener: TcpListener, connections: Connections, app: F) -> io::Result<Server>
where
    F: Fn() -> A + Send + Clone + 'static,
    A: IntoServiceFactory<S, Request>,
    S: ServiceFactory<
            Request,
            Config = AppConfig,
            Response = ServiceResponse<B>,
            Error = Error,
            InitError = (),
        > + 'static,
    S::Future: 'static,
    S::Service: 'static,
    B: MessageBody + 'static,
{
    let builder = Server::build()
        .workers(connections.workers)
        .max_concurrent_connections(connections.for_each_worker)
        .worker_max_blocking_threads(CODING_THREADS)
        .shutdown_timeout(connections.shutdown_seconds)
        .disable_signals();
    let stopping = builder.graceful_shutdown_signal();
    let factory = move || {
        let app = map_config(app().into_factory(), |()| AppConfig::default());
        let answers = apply_fn_factory(app, |request, service: &S::Service| {
            let (request, finish) = watched(request);
            let answer = service.call(request);
            async move { Ok(finish(answer.await?.into())) }
        })
        .map_err(|error: Error| error.error_response());
        let (stopping, limits) = (stopping.clone(), connections.limits);
        let http = HttpService::build()
            // As in the library's own server: idle connections close when it stops.
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            // The watchdog ends what is idle. It is later than the library, which waits for the rest of a
            // body.
            .keep_alive(if limits.idle.is_zero() { KeepAlive::Disabled } else { KeepAlive::Os })
            .client_request_timeout(Duration::ZERO)
            .client_disconnect_timeout(limits.head * 2)
            .h1_write_buffer_size(WRITE)
            // A caller who closes the connection has gone, and computing the answer is of no use.
            .h1_allow_half_closed(false)
            .on_connect_ext(|stream: &WatchedStream, extensions| {
                extensions.insert(stream.watchdog.clone());
            })
            .finish(answers);
        let connections = connections.clone();
        let oldest = Rc::new(Notify::new());
        apply_fn_factory(http, move |stream: TcpStream, http| {
            let peer = stream.peer_addr().ok();
            let watchdog = Rc::new(Watchdog::new(connections.limits));
            prepare(&stream, connections.limits.read);
            let stream = WatchedStream { stream, watchdog: watchdog.clone(), is_full: false };
            let open = Counted::new(&connections.open);
            let served = http.call((stream, Protocol::Http1, peer));
            let counter = connections.cut.clone();
            // Every open connection has a reference; the one of this function stands for the new connection.
            if Rc::strong_count(&oldest) > connections.make_way_beyond {
                oldest.notify_one();
            }
            let oldest = oldest.clone();
            async move {
                let cut = tokio::select! {
                    biased;
                    ended = served => ended.as_ref().err().and_then(Cut::of),
                    cut = watchdog.expired() => cut,
                    // Waiting connections are notified in order.
                    () = oldest.notified() => Some(Cut::Idle),
                    () = watchdog.lag.cut.notified() => Some(Cut::MadeWay),
                };
                drop(watchdog.held.take());
                if let Some(cut) = cut {
                    counter.record(cut, peer, watchdog.request.take().as_ref());
                }
                drop(open);
                Ok::<_, DispatchError>(())
            }
        })
    };
    Ok(builder.listen("http", listener, factory)?.run())
}

/// Sets the socket options of a connection.
///
/// `TCP_NODELAY`: the second piece of an answer would otherwise wait until the caller acknowledges the first,
/// which callers delay by 40 ms. `TCP_USER_TIMEOUT`: the system ends a connection whose caller acknowledges
/// nothing; it may have taken the whole answer from us.
fn prepare(stream: &TcpStream, silence: Duration) {
    let millis = u32::try_from(silence.as_millis()).unwrap_or(u32::MAX);
    let prepared = stream.set_nodelay(true).and_then(|()| Ok(set_tcp_user_timeout(stream, millis)?));
    if let Err(error) = prepared {
        log::debug!("cannot set the options of a connection: {error}");
    }
}

/// Counts connections that were cut off, by reason.
///
/// ```
/// use cublino_guard::{Cut, CutCounter};
///
/// let counter = CutCounter::default();
/// counter.record(Cut::SlowHead, None, None);
/// assert_eq!((counter.get(Cut::SlowHead), counter.get(Cut::Idle)), (1, 0));
/// ```
#[derive(Clone, Debug)]
pub struct CutCounter(pub Family<[(&'static str, &'static str); 1], Counter>);

/// All counters are zero; the metric has every reason from the beginning.
impl Default for CutCounter {
    fn default() -> Self {
        let counter = Self(Family::default());
        for &cut in Cut::ALL {
            counter.get(cut);
        }
        counter
    }
}

impl CutCounter {
    /// How often connections were cut off for a reason.
    pub fn get(&self, cut: Cut) -> u64 {
        self.0.get_or_create(&[("reason", cut.name())]).get()
    }

    /// Counts and logs a connection that was cut off, with the request whose answer was the last on it.
    pub fn record(&self, cut: Cut, peer: Option<SocketAddr>, request: Option<&HeaderValue>) {
        let reason = cut.name();
        self.0.get_or_create(&[("reason", reason)]).inc();
        let peer = &*peer.map_or_else(|| "unknown".to_owned(), |peer| peer.to_string());
        let request_id = request.and_then(|id| id.to_str().ok()).unwrap_or("none");
        log::info!(
            target: "connection", reason, peer, request_id;
            "closed a connection of {peer}: {reason}"
        );
    }
}

/// One unit of a gauge, such as a connection, counted until this is dropped.
///
/// ```
/// use cublino_guard::Counted;
/// use prometheus_client::metrics::gauge::Gauge;
///
/// let open = Gauge::<i64>::default();
/// let connection = Counted::new(&open);
/// assert_eq!(open.get(), 1);
/// drop(connection);
/// assert_eq!(open.get(), 0);
/// ```
#[derive(Debug)]
pub struct Counted(Gauge);

impl Counted {
    /// Increments the gauge.
    #[must_use]
    pub fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn what_is_sent_is_not_held_back() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        prepare(&stream, Duration::from_secs(1));
        assert!(stream.nodelay().unwrap());
    }
}
