//! The files that the process may have open, of which each connection is one.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that are not connections: the standard streams, listeners, event queues and wakers of the workers,
/// the connections of the admin listener, and what metrics and tables of endgames are read from.
const OTHERS: u64 = 128;

/// Raises the limit on open files as far as the process may, and tells how many connections fit below it.
///
/// # Errors
/// Not even one connection for each worker does.
pub fn connections_that_fit(wanted: usize, workers: usize) -> io::Result<usize> {
    let limit = raised();
    let room =
        limit.map_or(usize::MAX, |limit| usize::try_from(limit.saturating_sub(OTHERS)).unwrap_or(usize::MAX));
    if room >= wanted {
        return Ok(wanted);
    }
    let limit = limit.unwrap_or(u64::MAX);
    if room < workers {
        return Err(io::Error::other(format!(
            "the limit of {limit} open files leaves no room for connections; at least {} are needed",
            OTHERS + workers as u64
        )));
    }
    log::warn!(
        "the limit of {limit} open files leaves room for {room} connections, fewer than the {wanted} that \
         --max-connections (CUBLINO_MAX_CONNECTIONS) allows: {room} are kept open at most"
    );
    Ok(room)
}

/// The limit on open files, after raising it to what the process may have; nothing if there is none.
fn raised() -> Option<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current == maximum {
        return current;
    }
    match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        Ok(()) => maximum,
        Err(error) => {
            log::warn!("the limit on open files cannot be raised: {error}");
            current
        }
    }
}
