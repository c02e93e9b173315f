//! The endgames of Wari: what each player gets of the last marbles.

mod build;
mod checked;
mod endgames;
mod file;
mod index;
mod layer;
mod resumable;
mod share;
mod sides;
#[cfg(test)]
mod tests;
mod verify;

pub use self::{
    build::Progress,
    endgames::Endgames,
    file::DatabaseError,
    resumable::{Event, Resumable, ResumableError},
    share::Share,
    verify::Disagreement,
};
