//! The server: listening, and shutting down.

use std::{
    future::pending,
    io,
    net::{SocketAddr, TcpListener},
    pin::pin,
    time::Duration,
};

use actix_web::{
    dev::{Server, ServerHandle},
    rt::{
        self,
        signal::unix::{Signal, SignalKind, signal},
        time::sleep,
    },
    web::Data,
};
use tokio::net::TcpSocket;

use super::{
    admin,
    app::app,
    connection::{self, ConnectionLimits, Connections},
    docs, memory, open_files,
    state::AppState,
};
use crate::config::Config;

/// How long before the end of a shutdown searches are made to answer with what they have: long enough to send
/// the answer.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// Connections that wait to be accepted; the system refuses more.
const BACKLOG: u32 = 1_024;

/// Connections of the admin listener: more than probes and scrapers need.
const ADMIN_CONNECTIONS: usize = 64;

/// A server that listens.
#[expect(missing_debug_implementations, reason = "the server of the library has none")]
pub struct Running {
    /// Where it listens; the port is the real one, also if any was asked for.
    pub address: SocketAddr,
    /// Where it listens for probes and metrics, if it does.
    pub admin_address: Option<SocketAddr>,
    /// What its workers share.
    pub state: Data<AppState>,
    server: Server,
    /// A server with threads of its own, which answers whatever the others do.
    admin: Option<Server>,
    signals: Signals,
    /// How long requests have to finish.
    grace: Duration,
}

/// Starts to listen. The server answers once it [serves](Running::serve).
///
/// # Errors
/// Fails if an address cannot be listened on, if signals cannot be received, if there is no use for a file
/// that the settings name, or if the limit on open files leaves no room for connections.
pub fn bind(config: &Config) -> io::Result<Running> {
    memory::prepare();
    let signals = Signals::new()?;
    // Each worker keeps at least one connection.
    let workers = config.workers.min(config.max_connections);
    let connections = open_files::connections_that_fit(config.max_connections, workers)?;
    let state = Data::new(AppState::new(config)?);
    let connections = Connections {
        workers,
        // The library counts for each worker. What does not divide evenly is left out: the number is a limit.
        for_each_worker: connections / workers,
        limits: ConnectionLimits::new(config),
        shutdown_seconds: config.shutdown_seconds,
        in_flight: state.in_flight.clone(),
        open: state.connections.clone(),
        cut: state.connections_cut.clone(),
    };
    let (listener, address) =
        listener(config.listen, "--listen, CUBLINO_LISTEN", config.socket_buffer_bytes)?;
    let workers_state = state.clone();
    let server = connection::listen(listener, connections.clone(), move || app(workers_state.clone()))?;
    let (mut admin, mut admin_address) = (None, None);
    if let Some(listen) = config.admin_listen {
        let (listener, address) =
            self::listener(listen, "--admin-listen, CUBLINO_ADMIN_LISTEN", config.socket_buffer_bytes)?;
        let connections = Connections { workers: 1, for_each_worker: ADMIN_CONNECTIONS, ..connections };
        let state = state.clone();
        admin = Some(connection::listen(listener, connections, move || admin::app(state.clone()))?);
        admin_address = Some(address);
        log::info!("probes and metrics on http://{address}");
    }
    log::info!("listening on http://{address}, documentation at http://{address}{}", docs::PATH);
    let grace = Duration::from_secs(config.shutdown_seconds);
    Ok(Running { address, admin_address, state, server, admin, signals, grace })
}

/// A listener, and where it really listens. What the system holds for each connection, in each direction, is
/// bounded: by default it is megabytes.
fn listener(address: SocketAddr, setting: &str, buffer: u32) -> io::Result<(TcpListener, SocketAddr)> {
    let listen = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        socket.set_reuseaddr(true)?;
        socket.set_send_buffer_size(buffer)?;
        socket.set_recv_buffer_size(buffer)?;
        socket.bind(address)?;
        let listener = socket.listen(BACKLOG)?.into_std()?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    // The address is taken, say, or not one of this machine.
    listen().map_err(|error: io::Error| {
        io::Error::new(error.kind(), format!("cannot listen on {address} ({setting}): {error}"))
    })
}

impl Running {
    /// Answers until a signal asks for a shutdown: SIGINT, which comes from a person, or SIGTERM, after which
    /// it goes on for a while as not ready. Then it takes no more connections, lets requests finish, and has
    /// searches answer with what they have before their time is over. A second signal ends it at once.
    ///
    /// # Errors
    /// The server fails.
    pub async fn serve(self) -> io::Result<()> {
        let Self { state, server, admin, mut signals, grace, .. } = self;
        let handle = server.handle();
        // Probes are answered until everything else has ended.
        let _admin = admin.map(Admin::start);
        let mut server = pin!(server);
        tokio::select! {
            done = &mut server => return done,
            never = memory::give_back(&state) => match never {},
            shutdown = signals.shutdown(&state) => if shutdown == Shutdown::Immediate { return Ok(()) },
        }
        log::info!("stopping");
        let stopped = handle.stop(true);
        let last_answers = async {
            sleep(grace.saturating_sub(LAST_ANSWERS)).await;
            state.pool.hurry();
            pending::<()>().await;
        };
        tokio::select! {
            done = &mut server => done?,
            () = last_answers => {}
            () = signals.any() => return Ok(()),
        }
        stopped.await;
        log::info!("stopped");
        Ok(())
    }
}

/// The server for probes and metrics, which stops at once when this is dropped.
struct Admin(ServerHandle);

impl Admin {
    fn start(server: Server) -> Self {
        let handle = server.handle();
        rt::spawn(async move {
            if let Err(error) = server.await {
                log::error!("the server for probes and metrics has failed: {error}");
            }
        });
        Self(handle)
    }
}

impl Drop for Admin {
    fn drop(&mut self) {
        // The message is sent here; nobody waits for the end.
        drop(self.0.stop(false));
    }
}

/// How the server shuts down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shutdown {
    /// Once the requests that run are answered.
    Graceful,
    /// At once.
    Immediate,
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

    /// Resolves when the server is to stop. After SIGTERM those who send it requests have time to see that it
    /// is not ready any more.
    async fn shutdown(&mut self, state: &AppState) -> Shutdown {
        tokio::select! {
            _ = self.interrupt.recv() => {
                state.drain();
                return Shutdown::Graceful;
            }
            _ = self.terminate.recv() => state.drain(),
        }
        let drain = state.limits.drain;
        log::info!("told to stop; not ready any more, but answering for another {drain:?}");
        tokio::select! {
            () = sleep(drain) => Shutdown::Graceful,
            () = self.any() => Shutdown::Immediate,
        }
    }
}
