//! Wari: nothing is certain without looking ahead.

use super::Solve;
use crate::games::Wari;

impl Solve for Wari {}
