//! The HTTP interface: what is around the questions and answers of [`service`](crate::service).
//!
//! `server` listens, `connection` watches over each connection, `app` puts together what every request goes
//! through and `routes` leads it to one of the `handlers`, which reads the question (`extract`), calls the
//! service, and gives the answer its entity tag (`cache`) or the failure its status (`problem`).

mod access;
mod access_log;
mod admin;
mod allowance;
mod answers;
mod app;
mod asked;
mod cache;
mod cache_control;
mod coding;
pub mod connection;
mod context;
mod contract;
mod cors;
mod docs;
mod extract;

mod guard;
pub(crate) mod handlers;
mod headers;
mod hex;
mod in_flight;
mod list_body;
mod many;
mod memory;
mod metrics;
mod observe;
mod open_files;
pub mod openapi;
mod peak_gauge;
mod play;
pub mod problem;
mod query_method;
mod request_id;
mod routes;
mod searching;
mod server;
mod state;
mod suggestion_events;
mod trace;
mod turn;
mod version;

pub use self::{
    app::app,
    server::{Running, bind},
    state::{AppState, RequestLimits},
};
