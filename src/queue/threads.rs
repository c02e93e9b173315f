//! The threads that search.
//!
//! The kernel may preempt a thread of low priority at any moment for a long time. If it held a lock then,
//! the event loop would wait for it (priority inversion). So search threads and the event loop share no
//! lock: they wake each other by a byte through a socket, and a channel on which nobody blocks has none.

use std::{
    io::{self, Read as _, Write as _},
    net::Shutdown,
    os::unix::net::UnixStream,
    sync::{Arc, mpsc},
    thread,
};

use actix_web::rt;
use tokio::{io::AsyncReadExt as _, net};

use super::{
    Class,
    lane::{SharedLane, Task},
};
use crate::engine::TranspositionTable;

/// Starts a thread, with a table of so many bytes, for searches of a class. It ends when its lane is closed.
///
/// # Errors
/// The system refuses the thread, or the memory of its table.
pub(super) fn start(class: Class, number: usize, lane: &Arc<SharedLane>, table: usize) -> io::Result<()> {
    let (sender, tasks) = mpsc::channel::<(u64, Task)>();
    let (done, results) = mpsc::channel();
    let (ours, mut theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    let mut table = TranspositionTable::new(table);
    table.reserve()?;
    let search = move || {
        lower_priority(class);
        while theirs.read_exact(&mut [0]).is_ok()
            && let Ok((id, task)) = tasks.try_recv()
            && done.send((id, task(&mut table))).is_ok()
            && theirs.write_all(&[0]).is_ok()
        {}
    };
    thread::Builder::new().name(format!("{}-{number}", <&str>::from(class))).spawn(search)?;
    let (wake, shared) = (Wake(ours.try_clone()?), Arc::clone(lane));
    let mut woken = net::UnixStream::from_std(ours)?;
    rt::spawn(async move {
        while woken.read_u8().await.is_ok() {
            for (id, delivery) in results.try_iter() {
                shared.end(id, delivery);
            }
        }
    });
    lane.lock().add_thread(Box::new(move |id, task| {
        // Both fail only if the thread has ended.
        let _is_there = sender.send((id, task)).is_ok() && (&wake.0).write_all(&[0]).is_ok();
    }));
    Ok(())
}

/// The end of a socket that wakes a thread. Dropping it ends the thread.
struct Wake(UnixStream);

impl Drop for Wake {
    fn drop(&mut self) {
        // It fails if the thread has ended already.
        let _is_there = self.0.shutdown(Shutdown::Write);
    }
}

/// Lets the event loop go before interactive searches, and everything before those of batches: they are of
/// the idle class of Linux, or else have the highest nice value.
fn lower_priority(class: Class) {
    let mut nice = 5;
    if class == Class::Background {
        nice = 19;
        let parameters = libc::sched_param { sched_priority: 0 };
        #[expect(unsafe_code, reason = "nothing in safe Rust chooses the class, and it was measured")]
        // SAFETY: the function only reads the parameters, which live until it returns.
        let done = unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters) };
        if done == 0 {
            return;
        }
    }
    // On Linux, the nice value is that of the thread.
    if let Err(error) = rustix::process::setpriority_process(None, nice) {
        log::debug!("cannot set the priority of a thread: {error}");
    }
}
