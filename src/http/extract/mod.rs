//! What handlers take from a request, typed and checked; every failure is a
//! [`Problem`](super::problem::Problem).

mod body;
mod format;
mod path;
mod query;
mod receive;
mod value;

pub use self::{
    body::{Json, Received},
    format::ListFormat,
    path::{GameOfPath, Path},
    query::{NoParameters, Query},
};
