//! The endgames of Wari: what each player gets of the last marbles.

mod build;
mod endgames;
mod file;
mod index;
mod share;
mod sides;
#[cfg(test)]
mod tests;

pub use self::{build::Progress, endgames::Endgames, file::DatabaseError, share::Share};
