//! The server: listening, the limit on open files, memory that goes back to the system, and shutting down.

use std::{
    convert::Infallible,
    fs,
    future::pending,
    io,
    net::{SocketAddr, TcpListener},
    pin::pin,
    time::Duration,
};

use actix_web::{
    dev::Server,
    rt::{
        self,
        signal::unix::{Signal, SignalKind, signal},
        time::{interval, sleep},
    },
};
use cublino_guard::{ConnectionLimits, Connections};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::TcpSocket;

use super::{app::Service, pages};
use crate::config::Config;

/// How long before the end of a shutdown searches are made to answer with what they have: long enough to send
/// the answer.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// How long open connections can still begin a request.
const LAST_REQUESTS: Duration = Duration::from_millis(800);

/// Connections that wait to be accepted; the system refuses more.
const BACKLOG: u32 = 1_024;

/// Connections of the admin listener: more than probes and scrapers need. Beyond them the oldest is closed,
/// so that clients with many idle connections cannot lock out the probes.
const ADMIN_CONNECTIONS: usize = 32;

/// A server whose port is open.
#[expect(missing_debug_implementations, reason = "the server of the library has none")]
pub struct Running {
    /// The address that it listens on, with the actual port if any port was asked for.
    pub address: SocketAddr,
    /// The address of the admin listener, if there is one.
    pub admin_address: Option<SocketAddr>,
    /// The parts that its workers share.
    pub service: Service,
    server: Server,
    /// The server on the admin port, whose own thread answers even if all others are busy.
    admin: Option<Server>,
    signals: Signals,
}

/// Starts to listen. The server answers once it [serves](Running::serve).
///
/// # Errors
/// An address cannot be listened on, signals cannot be received, a file of the settings cannot be used, or
/// the limit on open files leaves no room for connections.
pub fn bind(config: &Config) -> io::Result<Running> {
    prepare();
    let signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [interrupt, terminate, hangup] = signals.map(signal);
    let signals = [interrupt?, terminate?, hangup?];
    // Each worker keeps at least one connection.
    let workers = config.workers.min(config.max_connections);
    let connections = connections_that_fit(config.max_connections, workers)?;
    check_memory(config)?;
    let service = Service::new(config)?;
    let connections = Connections {
        workers,
        // The library limits each worker. The quotient is rounded down, because the sum is a limit.
        for_each_worker: connections / workers,
        make_way_beyond: usize::MAX,
        limits: ConnectionLimits {
            head: Duration::from_millis(config.client_timeout_ms),
            idle: Duration::from_secs(config.keep_alive_seconds),
            read: Duration::from_millis(config.read_timeout_ms.into()),
            read_rate: config.read_rate,
        },
        shutdown_seconds: config.shutdown_seconds,
        open: service.metrics.connections.clone(),
        cut: service.metrics.connections_cut.clone(),
    };
    let (listener, address) =
        listener(config.listen, "--listen, CUBLINO_LISTEN", config.socket_buffer_bytes)?;
    let shared = service.clone();
    let server = cublino_guard::listen(listener, connections.clone(), move || shared.clone().app())?;
    let (mut admin, mut admin_address) = (None, None);
    if let Some(listen) = config.admin_listen {
        let (listener, address) =
            self::listener(listen, "--admin-listen, CUBLINO_ADMIN_LISTEN", config.socket_buffer_bytes)?;
        let connections = Connections {
            workers: 1,
            for_each_worker: 2 * ADMIN_CONNECTIONS,
            make_way_beyond: ADMIN_CONNECTIONS,
            ..connections
        };
        let shared = service.clone();
        admin = Some(cublino_guard::listen(listener, connections, move || shared.clone().admin_app())?);
        admin_address = Some(address);
        log::info!("probes and metrics on http://{address}");
    }
    let page = if config.play { format!(", play at http://{address}{}", pages::PLAY) } else { String::new() };
    log::info!("listening on http://{address}{page}, API documentation at http://{address}{}", pages::DOCS);
    Ok(Running { address, admin_address, service, server, admin, signals })
}

/// A listener, and its actual address. The socket buffers of each connection are bounded: by default they
/// take megabytes.
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
    // The address is in use, for example, or is not one of this machine.
    listen().map_err(|error: io::Error| {
        io::Error::new(error.kind(), format!("cannot listen on {address} ({setting}): {error}"))
    })
}

impl Running {
    /// Serves until a signal asks for a shutdown: SIGINT, from a person, or SIGTERM or SIGHUP, after which
    /// it keeps serving for a while as not ready. Then the port closes, requests finish, and searches answer
    /// with what they have before the time is over. A second signal ends it at once.
    ///
    /// # Errors
    /// The server fails.
    pub async fn serve(self) -> io::Result<()> {
        let Self { service, server, admin, mut signals, .. } = self;
        let handle = server.handle();
        // Probes are answered until everything else has ended.
        if let Some(admin) = admin {
            rt::spawn(async move {
                if let Err(error) = admin.await {
                    log::error!("the server for probes and metrics failed: {error}");
                }
            });
        }
        let mut server = pin!(server);
        tokio::select! {
            done = &mut server => return done,
            never = give_back() => match never {},
            is_graceful = shutdown(&mut signals, &service) => if !is_graceful { return Ok(()) },
        }
        log::info!("stopping");
        let grace = Duration::from_secs(service.config.shutdown_seconds);
        let stop = async {
            sleep(LAST_REQUESTS).await;
            // This only sends the message; the server ends when it has shut down.
            drop(handle.stop(true));
            sleep(grace.saturating_sub(LAST_ANSWERS)).await;
            service.queue.close();
            pending::<()>().await;
        };
        tokio::select! {
            done = &mut server => done?,
            () = stop => {}
            _ = next(&mut signals) => return Ok(()),
        }
        log::info!("stopped");
        Ok(())
    }
}

/// The signals that stop a server: SIGINT, SIGTERM and SIGHUP.
type Signals = [Signal; 3];

/// Waits for the next signal. Returns whether it is from a machine: SIGTERM or SIGHUP.
async fn next([interrupt, terminate, hangup]: &mut Signals) -> bool {
    tokio::select! {
        _ = interrupt.recv() => false,
        _ = terminate.recv() => true,
        _ = hangup.recv() => true,
    }
}

/// Resolves when the server is to stop. After SIGTERM and SIGHUP, load balancers have time to see that it
/// is not ready. Returns whether to answer running requests: not after a second signal.
async fn shutdown(signals: &mut Signals, service: &Service) -> bool {
    let is_terminated = next(signals).await;
    service.metrics.drain();
    if !is_terminated {
        return true;
    }
    let drain = Duration::from_secs(service.config.drain_seconds);
    log::info!("stop signal received; not ready, draining for {drain:?}");
    tokio::select! {
        () = sleep(drain) => true,
        _ = next(signals) => false,
    }
}

/// Files that are not connections: the standard streams, listeners, event queues and wakers of the workers,
/// the connections of the admin listener, and what metrics and tables of endgames are read from.
const OTHERS: u64 = 128;

/// Raises the limit on open files to the highest allowed value, and returns how many connections fit.
///
/// # Errors
/// Not even one connection for each worker does.
pub fn connections_that_fit(wanted: usize, workers: usize) -> io::Result<usize> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
    {
        log::warn!("cannot raise the limit on open files: {error}");
    }
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let room = usize::try_from(limit.saturating_sub(OTHERS)).unwrap_or(usize::MAX);
    if room < workers {
        return Err(io::Error::other(format!(
            "the limit of {limit} open files leaves no room for connections; at least {} are needed",
            OTHERS + workers as u64
        )));
    }
    if room < wanted {
        log::warn!(
            "the limit of {limit} open files allows {room} connections, fewer than the {wanted} of \
             --max-connections (CUBLINO_MAX_CONNECTIONS); using {room}"
        );
    }
    Ok(room.min(wanted))
}

/// Memory of the program and of its caches, of a connection, and of a heavy request, in KiB, as measured:
/// docs/running.md says how.
const PROGRAM_KIB: usize = 64 << 10;
const CONNECTION_KIB: usize = 208;
const PERMIT_KIB: usize = 2 << 10;

/// Checks that everything that the settings allow at a time fits into memory.
fn check_memory(config: &Config) -> io::Result<()> {
    let Config { max_connections, permits, search_threads, table_mib, .. } = *config;
    // A search thread of each class has a table, and there are two pools of permits.
    let tables = 2 * search_threads * table_mib;
    let others = PROGRAM_KIB + max_connections * CONNECTION_KIB + 2 * permits * PERMIT_KIB;
    let needed = tables + (others >> 10);
    match memory_limit_mib() {
        Some(limit) if needed > limit => Err(io::Error::other(format!(
            "the settings need {needed} MiB of memory, but the limit is {limit} MiB: {tables} MiB for the \
             tables of the search threads (--table-mib, CUBLINO_TABLE_MIB), {} MiB for connections \
             (--max-connections, CUBLINO_MAX_CONNECTIONS) and {} MiB for heavy requests (--permits, \
             CUBLINO_PERMITS)",
            (max_connections * CONNECTION_KIB) >> 10,
            (2 * permits * PERMIT_KIB) >> 10,
        ))),
        _ => Ok(()),
    }
}

/// The memory that the process may have, in MiB: that of the machine, of its control group, or of its address
/// space, whichever is the least. `None` if the system does not report it.
fn memory_limit_mib() -> Option<usize> {
    let machine = fs::read_to_string("/proc/meminfo").ok()?;
    let total = machine.lines().find_map(|line| line.strip_prefix("MemTotal:")?.strip_suffix(" kB"))?;
    let machine = total.trim().parse::<usize>().ok()? >> 10;
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|bytes| Some(bytes.trim().parse::<usize>().ok()? >> 20));
    let space = getrlimit(Resource::As).current.and_then(|bytes| usize::try_from(bytes >> 20).ok());
    [group, space].into_iter().flatten().chain([machine]).min()
}

// A burst of requests leaves memory behind, which is returned to the system.
//
// The allocator of glibc keeps freed memory between used pieces, and large pieces after one of their size was
// freed. Without this, a minute after the attack of `tests/load/memory_limit` the service still had four
// times the memory of before. Other allocators are no better: docs/figures.md.

/// How often memory is given back. It takes a millisecond or two after a burst, and almost nothing else.
const INTERVAL: Duration = Duration::from_secs(10);

/// Pieces of memory of at least this size, in bytes, return to the system as soon as they are freed. By
/// default this threshold grows with what is freed.
#[cfg(target_env = "gnu")]
const LARGE: libc::c_int = 128 << 10;

/// Heaps of the allocator. By default each thread gets one, and keeps what is free in it for itself.
#[cfg(target_env = "gnu")]
const ARENAS: libc::c_int = 2;

/// Configures the allocator of glibc. Other allocators have means of their own.
pub fn prepare() {
    #[cfg(target_env = "gnu")]
    {
        #[expect(unsafe_code, reason = "measured: see above")]
        // SAFETY: the function takes numbers, and may be called at any time from any thread.
        let done = unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) & libc::mallopt(libc::M_ARENA_MAX, ARENAS)
        };
        if done == 0 {
            log::warn!("cannot configure the allocator; memory may stay in use after a burst");
        }
    }
}

/// Makes the allocator return unused pages to the system, for as long as it is polled.
async fn give_back() -> Infallible {
    let mut interval = interval(INTERVAL);
    loop {
        interval.tick().await;
        #[cfg(target_env = "gnu")]
        #[expect(unsafe_code, reason = "measured: see above")]
        // SAFETY: the function takes no pointers, and may be called at any time from any thread.
        let _whether_any = unsafe { libc::malloc_trim(0) };
    }
}
