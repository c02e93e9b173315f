//! The HTTP interface: what is around the questions and answers of [`service`](crate::service).
//!
//! `server` listens, `connection` watches over each connection, `app` puts together what every request goes
//! through and `routes` leads it to its handler: `about_state`, `about_game` and `events` serve the
//! operations, `pages` the rest. They read the question (`extract`), have it answered, and give the answer
//! its entity tag (`cache`) or the failure its status (`problem`).

mod about_game;
mod about_state;
mod access;
mod access_log;
mod admin;
mod allowance;
mod answer;
mod answers;
mod app;
mod cache;
mod cache_control;
mod coding;
pub mod connection;
mod context;
mod cors;
mod docs;
mod events;
mod extract;
mod guard;
mod headers;
mod hex;
mod in_flight;
mod list_body;
mod memory;
mod metrics;
mod observe;
mod open_files;
pub mod openapi;
mod pages;
mod peak_gauge;
mod play;
pub mod problem;
mod query_method;
mod request_id;
mod routes;
mod searching;
mod server;
mod state;
mod trace;
mod turn;
mod version;

pub use self::{
    app::app,
    server::{Running, bind},
    state::{AppState, RequestLimits},
};
