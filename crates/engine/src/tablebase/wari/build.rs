//! Working the endgames out in memory.
//!
//! Positions with more marbles need those with fewer, so they are worked out number by number of marbles.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicU16, Ordering},
};

use super::{
    index::positions_with,
    layer::{Cell, Layer, Marks, Sweep},
    sides::Sides,
};

/// How far the work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions with so many marbles are being worked out.
    pub marbles: u8,
    /// How often those among them that were to be looked at have been gone through, this time included.
    pub sweep: u32,
    /// Positions with fewer marbles, which are done with.
    pub fewer: u64,
    /// Positions with so many marbles that this sweep has passed by.
    pub passed: u64,
    /// Positions with so many marbles.
    pub of: u64,
    /// Of them, those that were to be looked at when the last sweep had ended.
    pub left: u64,
}

/// The shares in all positions with up to so many marbles, as bytes by the number of the position.
pub(super) fn build(marbles: u8, threads: usize, on_progress: &mut dyn FnMut(Progress)) -> Vec<u8> {
    let sides = Sides::new(marbles);
    let mut layers: Vec<Vec<u8>> = Vec::new();
    for marbles in 0..=marbles {
        let cells: Vec<_> = positions_with(marbles).map(|_| AtomicU16::new(0)).collect();
        let fewer: Vec<_> = layers.iter().map(Vec::as_slice).collect();
        let marks = Marks::all(marbles);
        let layer = Layer {
            marbles,
            sides: &sides,
            fewer: &fewer,
            cells: &cells,
            marks: &marks,
            threads,
            is_resumed: false,
        };
        layer.settle_endless();
        let Ok(()) = narrow(marbles, on_progress, |on_passed| {
            let mut go_on = |passed| {
                on_passed(passed);
                ControlFlow::Continue(())
            };
            layer.sweep(&Sweep::default(), &mut go_on);
            Ok::<_, std::convert::Infallible>(marks.count())
        });
        layers.push(cells.iter().map(|cell| byte(cell, marbles)).collect());
    }
    layers.concat()
}

/// Sweeps over the positions with so many marbles until none is left to be looked at. A sweep tells how many
/// positions it has passed by, and how many are left in the end.
pub(super) fn narrow<E>(
    marbles: u8,
    on_progress: &mut dyn FnMut(Progress),
    mut sweep: impl FnMut(&mut dyn FnMut(usize)) -> Result<u64, E>,
) -> Result<(), E> {
    let positions = positions_with(marbles);
    let [fewer, of] = [positions.start, positions.len()].map(|number| number as u64);
    let mut progress = Progress { marbles, sweep: 1, fewer, passed: 0, of, left: of };
    while progress.left > 0 {
        let left = sweep(&mut |passed| on_progress(Progress { passed: passed as u64, ..progress }))?;
        progress = Progress { passed: of, left, ..progress };
        on_progress(progress);
        progress.sweep += 1;
    }
    Ok(())
}

/// What is in a cell now.
pub(super) fn cell(cell: &AtomicU16) -> Cell {
    Cell(cell.load(Ordering::Relaxed))
}

/// The byte of a position with so many marbles that is done with.
pub(super) fn byte(of: &AtomicU16, marbles: u8) -> u8 {
    cell(of).share(marbles).to_byte(marbles)
}
