//! Connections: how long each may live, and how much it may hold.
//!
//! The HTTP library limits only the time of the first head of a connection and its idle time. A later slow
//! head (slowloris), an unread body or a slow reader would hold a connection for ever. So each connection has
//! a [`Watchdog`]. The stream (`WatchedStream`) reports to it what is read and written, and fails when a
//! deadline has passed; the library then drops everything that belongs to the connection. The requests
//! (`connection::watched`) report to it in which phase of a request the connection is.

mod connection;
mod in_flight;
mod service;
mod watchdog;

pub use self::{
    in_flight::{BytesInFlight, Exhausted, Share},
    service::{ConnectionLimits, Connections, Counted, listen},
    watchdog::{Cut, CutCounter, Watchdog},
};
