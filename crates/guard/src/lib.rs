//! Connections: how long each may live, and how much it may hold.
//!
//! The HTTP library limits the time of the first head of a connection and the time that it is idle, and
//! nothing else: a later head, a body that nobody reads and a reader who takes a byte now and then hold a
//! connection for ever. So each connection has a [`Watchdog`]. The stream (`WatchedStream`) tells it what is
//! read and written, and fails when a deadline has passed, at which the library drops everything that belongs
//! to the connection; the requests (`connection::watched`) tell it where in a request the connection is.

mod connection;
mod in_flight;
mod service;
mod watchdog;

pub use self::{
    in_flight::{BytesInFlight, Exhausted, Share},
    service::{ConnectionLimits, Connections, Counted, listen},
    watchdog::{Cut, CutCounter, Watchdog},
};
