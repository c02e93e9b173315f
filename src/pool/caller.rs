//! Who asks.

/// Somebody who shares the threads with everybody else, and gets no more of them than others do. What the
/// number means is the business of those who give it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallerId(pub u64);
