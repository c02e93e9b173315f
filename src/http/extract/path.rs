//! The variable segment of a path.

use std::{
    future::{Ready, ready},
    str::FromStr,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload};

use crate::{games::GameId, http::problem::Problem};

/// The one variable segment of a path, read as a `T`.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

impl<T> FromRequest for Path<T>
where
    T: FromStr<Err: Into<Problem>>,
{
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let segment = request.match_info().iter().next().map_or("", |(_, segment)| segment);
        ready(segment.parse().map(Self).map_err(Into::into))
    }
}

/// The game of a path: its routes know it.
#[derive(Clone, Copy, Debug)]
pub struct GameOfPath(pub GameId);

impl FromRequest for GameOfPath {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let &game = request.app_data().expect("the routes of a game know it");
        ready(Ok(Self(game)))
    }
}
