//! The server: listening, and stopping when told to.

use std::{any::Any, future::pending, io, net::SocketAddr, pin::pin, time::Duration};

use actix_web::{
    HttpServer,
    dev::{Extensions, Server},
    http::KeepAlive,
    rt::{
        net::TcpStream,
        signal::unix::{Signal, SignalKind, signal},
        time::sleep,
    },
    web::Data,
};
use prometheus::IntGauge;
use rustix::net::sockopt::set_tcp_user_timeout;

use super::{State, app, docs};
use crate::config::Config;

/// How long before the end of its time a search is told to answer with what it has: long enough to send the answer.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A server that listens.
#[expect(missing_debug_implementations, reason = "the server of actix-web has none")]
pub struct Running {
    /// Where it listens; the port is the real one, also if any was asked for.
    pub address: SocketAddr,
    /// What its workers share.
    pub state: Data<State>,
    server: Server,
    signals: Signals,
    /// How long requests have to finish.
    grace: Duration,
}

/// Starts to listen. The server answers once it [serves](Running::serve).
///
/// # Errors
/// Fails if the address cannot be listened on, if signals cannot be received, or if there is no use for a file that the
/// settings name.
pub fn bind(config: &Config) -> io::Result<Running> {
    let signals = Signals::new()?;
    let state = Data::new(State::new(config)?);
    let (workers_state, connections) = (state.clone(), state.connections.clone());
    let read_timeout_ms = config.read_timeout_ms;
    let server = HttpServer::new(move || app(workers_state.clone()))
        .workers(config.workers)
        .max_connections(config.max_connections)
        .keep_alive(match config.keep_alive_seconds {
            0 => KeepAlive::Disabled,
            seconds => KeepAlive::Timeout(Duration::from_secs(seconds)),
        })
        .client_request_timeout(Duration::from_millis(config.client_timeout_ms))
        .client_disconnect_timeout(Duration::from_millis(config.client_timeout_ms))
        .shutdown_timeout(config.shutdown_seconds)
        // A caller who closes the connection has gone, and what is worked out for them is of no use.
        .h1_allow_half_closed(false)
        .on_connect(move |stream, extensions| {
            connected(stream, extensions, &connections, read_timeout_ms);
        })
        .disable_signals()
        .bind(config.listen)
        .map_err(|error| cannot_listen(config.listen, &error))?;
    let address = server.addrs()[0];
    log::info!("listening on http://{address}, documentation at http://{address}{}", docs::PATH);
    let grace = Duration::from_secs(config.shutdown_seconds);
    Ok(Running { address, state, server: server.run(), signals, grace })
}

/// The address is taken, say, or not one of this machine.
fn cannot_listen(address: SocketAddr, error: &io::Error) -> io::Error {
    let detail = format!("cannot listen on {address} (--listen, CUBLINO_LISTEN): {error}");
    io::Error::new(error.kind(), detail)
}

/// Counts a connection, and has the system end it when its caller takes nothing of what is sent: the library itself would
/// wait for ever.
fn connected(stream: &dyn Any, extensions: &mut Extensions, connections: &IntGauge, read_timeout_ms: u32) {
    extensions.insert(Connection::count(connections));
    let Some(stream) = stream.downcast_ref::<TcpStream>() else { return };
    if let Err(error) = set_tcp_user_timeout(stream, read_timeout_ms) {
        log::debug!("a connection has no limit on the time of its reader: {error}");
    }
}

/// A connection that is counted as long as it lives.
struct Connection(IntGauge);

impl Connection {
    fn count(connections: &IntGauge) -> Self {
        connections.inc();
        Self(connections.clone())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Running {
    /// Answers until told to stop: by SIGINT, which comes from a person, or by SIGTERM, after which it goes on for a while
    /// as not ready. Then it takes no more connections, lets requests finish, and has searches answer with what they have
    /// before their time is over. A second signal ends it at once.
    ///
    /// # Errors
    /// The server fails.
    pub async fn serve(self) -> io::Result<()> {
        let Self { state, server, mut signals, grace, .. } = self;
        let handle = server.handle();
        let mut server = pin!(server);
        tokio::select! {
            done = &mut server => return done,
            told = signals.told_to_stop(&state) => if told == Told::AtOnce { return Ok(()) },
        }
        log::info!("stopping");
        let stopped = handle.stop(true);
        let last_words = async {
            sleep(grace.saturating_sub(LAST_WORDS)).await;
            state.pool.hurry();
            pending::<()>().await;
        };
        tokio::select! {
            done = &mut server => done?,
            () = last_words => {}
            () = signals.any() => return Ok(()),
        }
        stopped.await;
        log::info!("stopped");
        Ok(())
    }
}

/// How a server is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// After what it is doing.
    Gracefully,
    /// Whatever it is doing.
    AtOnce,
}

/// The signals that stop a server.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Either of the two.
    async fn any(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Resolves when the server is to stop. After SIGTERM those who send it requests have time to see that it is not ready
    /// any more.
    async fn told_to_stop(&mut self, state: &State) -> Told {
        tokio::select! {
            _ = self.interrupt.recv() => {
                state.drain();
                return Told::Gracefully;
            }
            _ = self.terminate.recv() => state.drain(),
        }
        let drain = state.limits.drain;
        log::info!("told to stop; not ready any more, but answering for another {drain:?}");
        tokio::select! {
            () = sleep(drain) => Told::Gracefully,
            () = self.any() => Told::AtOnce,
        }
    }
}
