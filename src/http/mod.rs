//! The HTTP interface: what is around the questions and answers of [`api`](crate::api).
//!
//! Modules import only those on floors below them:
//!
//! 5. `server` listens, and stops.
//! 4. `app` has the parts of the service and the middleware around every request, `routes` the endpoints.
//! 3. Handlers: `operations` of the games, `mcp` for language models, `pages` for everything else.
//! 2. `read` turns a request into a question, `write` an answer into bytes.
//! 1. `permits` and `access` limit callers; `metrics` counts; `problem` gives a failure its status; `request`
//!    is what is known of a request.

mod access;
mod app;
mod mcp;
mod metrics;
mod operations;
mod pages;
mod permits;
pub mod problem;
mod read;
mod request;
mod routes;
mod server;
#[cfg(test)]
mod tests;
mod write;

pub use self::{
    app::Service,
    pages::{DOCUMENT, document},
    permits::Pool,
    routes::{Endpoint, endpoints},
    server::{Running, bind},
};
