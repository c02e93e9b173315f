//! Tests of the rules from outside, in one program: laws that hold in every position, and what independent
//! implementations say.

mod fixtures;
mod laws;
mod perft;
