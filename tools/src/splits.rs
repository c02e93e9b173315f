//! `tools splits`.

use std::{fs, io, path::PathBuf};

use clap::Args;
use cublino_engine::tablebase::wari::Endgames;

/// Work out how the last marbles of Wari are likely to be split
///
/// It writes `crates/engine/src/tablebase/wari/splits-12.bin`: a byte for each position with up to twelve
/// marbles in the cups. It takes about ten seconds.
#[derive(Args, Clone, Debug)]
pub struct Splits {
    /// The file to write
    file: PathBuf,
}

impl Splits {
    /// Writes the file.
    pub fn run(&self) -> io::Result<()> {
        fs::write(&self.file, Endgames::splits(Endgames::BUILT_IN))
    }
}
