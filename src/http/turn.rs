//! Long work on a thread that answers other requests as well.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use tokio::task::yield_now;

/// How long work goes on before others on the same thread have their turn: a few times what one other request
/// takes.
const SLICE: Duration = Duration::from_micros(100);

/// The turn of some work on its thread.
#[derive(Clone, Debug)]
pub struct Turn(Cell<Instant>);

impl Turn {
    /// It begins now.
    pub fn begin() -> Self {
        Self(Cell::new(Instant::now()))
    }

    /// Lets others have their turn if this one has been long enough.
    pub async fn pass(&self) {
        if self.0.get().elapsed() >= SLICE {
            self.end().await;
        }
    }

    /// Lets others have their turn.
    pub async fn end(&self) {
        yield_now().await;
        self.0.set(Instant::now());
    }
}
