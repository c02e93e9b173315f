//! Memory that a burst of callers has left behind goes back to the system.
//!
//! The allocator of glibc keeps what is freed between pieces that are in use, and what it has once seen freed
//! in large pieces. Measured with `tests/load/memory_limit`: a minute after a burst the service still had
//! four times the memory of before, and at the change from one kind of burst to another both were in memory.
//! With mimalloc, it was more.

use std::{convert::Infallible, time::Duration};

use actix_web::rt::time::interval;

use super::state::AppState;

/// How often it is looked whether there was a burst.
const INTERVAL: Duration = Duration::from_secs(5);

/// By how much less has to be held than before, in bytes, for memory to be given back: it takes milliseconds.
const BURST: i64 = 8 << 20;

/// What a connection holds, about, in bytes.
const CONNECTION: i64 = 16 << 10;

/// Has large pieces of memory, in bytes, go back to the system as soon as they are freed. By default this
/// size grows with what is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 128 << 10;

/// Prepares the allocator. Others than that of glibc have means of their own.
pub fn prepare() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "measured: see the module")]
        // SAFETY: the function takes numbers, and may be called at any time from any thread.
        let done = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
        if done == 0 {
            log::warn!("the allocator does not take its setting; more memory may stay in use after a burst");
        }
    }
}

/// Gives back what bursts have left behind, for as long as it is polled.
pub async fn give_back(state: &AppState) -> Infallible {
    let (mut interval, mut peak, mut again) = (interval(INTERVAL), 0, false);
    loop {
        interval.tick().await;
        let now = state.connections.get() * CONNECTION + state.in_flight.held.get();
        // The two peaks may have been at different times; then memory is given back once too often.
        let recent = state.connections.take_peak() * CONNECTION + state.in_flight.held.take_peak();
        peak = peak.max(recent).max(now);
        let fell = peak - now >= BURST;
        // The rest of a burst may end after the first look.
        if fell || again {
            trim();
            peak = now;
        }
        again = fell;
    }
}

/// Has the allocator give back the pages that it does not need.
fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "measured: see the module")]
    // SAFETY: the function takes no pointers, and may be called at any time from any thread.
    let _whether_any = unsafe { libc::malloc_trim(0) };
}
