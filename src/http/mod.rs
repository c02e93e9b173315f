//! The HTTP interface: what is around the questions and answers of [`api`](crate::api).
//!
//! `server` listens, `routes` maps each request to its handler, and `context` is the middleware around every
//! request. `operations` and `searching` serve the operations, `pages` the rest. Handlers read the question
//! (`extract`), have it answered, and give the answer its ETag (`headers`) or the failure its status
//! (`problem`).

mod access;
mod answer;
mod context;
mod extract;
mod headers;
mod mcp;
mod metrics;
pub mod openapi;
mod operations;
mod pages;
mod permits;
pub mod problem;
mod routes;
mod searching;
mod server;
mod state;

pub use self::{
    permits::Pool,
    routes::{Endpoint, app, endpoints},
    server::{Running, bind},
    state::{AppState, bounds},
};
