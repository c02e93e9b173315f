//! The server of the library, with watched connections.

use std::{io, net::TcpListener, rc::Rc, time::Duration};

use actix_http::{HttpService, Protocol, Request};
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
use prometheus_client::metrics::gauge::Gauge;
use rustix::net::sockopt::set_tcp_user_timeout;
use tokio::sync::Notify;

use super::{
    connection::{WatchedStream, watched},
    in_flight::BytesInFlight,
    watchdog::{Cut, CutCounter, Watchdog},
};

/// The size of the write buffer, which collects an answer before it is sent, in bytes.
const WRITE: usize = 16 * 1024;

/// Threads per worker that compress answers and decompress bodies; by default the library starts hundreds.
const CODING_THREADS: usize = 2;

/// How long a connection may stay in each of its phases.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// For a head to arrive, and for a connection to close.
    pub head: Duration,
    /// Without a request (keep-alive). Zero closes it after each answer.
    pub idle: Duration,
    /// For a reader to take nothing of an answer, or to lag behind the rate.
    pub read: Duration,
    /// The rate at which a reader must take an answer, in bytes a second.
    pub read_rate: u32,
}

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
    /// The bytes that they hold.
    pub in_flight: BytesInFlight,
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
/// use cublino_guard::{BytesInFlight, ConnectionLimits, Connections, CutCounter, listen};
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
///     in_flight: BytesInFlight::new(32 << 20),
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
        let answers = apply_fn_factory(app, watched).map_err(|error: Error| error.error_response());
        let (stopping, limits) = (stopping.clone(), connections.limits);
        let http = HttpService::build()
            // As in the library's own server: idle connections close when it stops.
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .keep_alive(limits.idle)
            .client_request_timeout(limits.head)
            .client_disconnect_timeout(limits.head)
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
            let watchdog = Rc::new(Watchdog::new(connections.limits, connections.in_flight.share()));
            prepare(&stream, connections.limits.read);
            let stream = WatchedStream::new(stream, watchdog.clone());
            let open = Counted::new(&connections.open);
            let served = http.call((stream, Protocol::Http1, peer));
            let counter = connections.cut.clone();
            // Every open connection has a reference; the one of this function stands for the new connection.
            if Rc::strong_count(&oldest) > connections.make_way_beyond {
                oldest.notify_one();
            }
            let oldest = oldest.clone();
            async move {
                let ended = tokio::select! {
                    biased;
                    ended = served => ended,
                    // Waiting connections are notified in order.
                    () = oldest.notified() => {
                        watchdog.cut_off(Cut::Idle);
                        Ok(())
                    }
                };
                let cut = watchdog.reason().or_else(|| ended.as_ref().err().and_then(Cut::of));
                if let Some(cut) = cut {
                    counter.record(cut, peer, watchdog.request.take().as_ref());
                }
                drop(open);
                ended
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
        log::debug!("a connection is treated as the system likes: {error}");
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
