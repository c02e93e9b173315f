//! The HTTP interface: what is around the questions and answers of [`service`](crate::service).
//!
//! `server` listens, `routes` leads each request to its handler, and `context` is what happens around every
//! request: `about_state`, `about_game` and `events` serve the operations, `pages` the rest. They read the
//! question (`extract`), have it answered, and give the answer its entity tag (`headers`) or the failure its
//! status (`problem`).

mod about_game;
mod about_state;
mod access;
mod answer;
mod compression;
mod context;
mod events;
mod extract;
mod headers;
mod metrics;
pub mod openapi;
mod pages;
mod play;
pub mod problem;
mod routes;
mod searching;
mod server;
mod state;

pub use self::{
    routes::app,
    server::{Running, bind},
    state::AppState,
};
