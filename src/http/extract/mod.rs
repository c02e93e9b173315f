//! What handlers take from a request, typed and checked; every failure is a
//! [`Problem`](super::problem::Problem).

mod body;
mod head;

pub use self::{
    body::{Json, Received},
    head::{GameOfPath, ListFormat, NoParameters, Path, Query},
};
