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
mod answer;
mod app;
mod cache;
mod catalog;
mod compression;
mod context;
mod events;
mod extract;
mod headers;
mod mcp;
mod memory;
mod metrics;
mod observe;
pub mod openapi;
mod pages;
mod play;
pub mod problem;
mod routes;
mod searching;
mod server;
mod state;

pub use self::{
    app::app,
    server::{Running, bind},
    state::{AppState, RequestLimits},
};
