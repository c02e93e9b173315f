//! Tablebases: what is known exactly about positions, without looking ahead.
//!
//! [`wari`] knows what each player gets of the last marbles, [`bear_off`] how long a player takes to bear off
//! in Mahbusa.

pub mod bear_off;
mod loaded;
mod numbering;
mod probe;
mod prover;
mod root_probe;
pub mod wari;

pub(super) use self::root_probe::{RootProbe, probe_root};
pub use self::{
    loaded::Tablebases,
    probe::{Tablebase, TablebaseValue},
};
