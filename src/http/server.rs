//! The server: listening, and stopping when told to.

use std::{io, net::SocketAddr, time::Duration};

use actix_web::{
    HttpServer,
    dev::{Server, ServerHandle},
    http::KeepAlive,
    rt::{
        signal::unix::{SignalKind, signal},
        time::sleep,
    },
    web::Data,
};

use super::{State, app, docs};
use crate::config::Config;

/// A server that listens.
#[expect(missing_debug_implementations, reason = "the server of actix-web has none")]
pub struct Running {
    /// Where it listens; the port is the real one, also if any was asked for.
    pub address: SocketAddr,
    /// Resolves when the server has stopped.
    pub server: Server,
    /// What its workers share.
    pub state: Data<State>,
}

impl Running {
    /// Stops the server.
    pub fn handle(&self) -> ServerHandle {
        self.server.handle()
    }
}

/// Starts to listen. The server runs once its future is awaited, and stops on SIGINT or SIGTERM.
///
/// # Errors
/// Fails if the address cannot be listened on, or if signals cannot be received.
pub fn bind(config: &Config) -> io::Result<Running> {
    let state = Data::new(State::new(config)?);
    let workers_state = state.clone();
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
        .shutdown_signal(told_to_stop(state.clone())?)
        .bind(config.listen)?;
    let address = server.addrs()[0];
    log::info!("listening on http://{address}, documentation at http://{address}{}", docs::PATH);
    Ok(Running { address, server: server.run(), state })
}

/// Resolves when the server is to stop: at once on SIGINT, which comes from a person; on SIGTERM only after those who
/// send it requests have had time to see that it is not ready any more.
fn told_to_stop(state: Data<State>) -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {
                state.drain();
                log::info!("told to stop; not ready any more, but answering for another {:?}", state.limits.drain);
                tokio::select! {
                    () = sleep(state.limits.drain) => {}
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
            }
        }
        state.drain();
        log::info!("stopping");
    })
}
