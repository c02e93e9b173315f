//! The HTTP interface and the command line, seen from outside.
//!
//! Every answer in these tests is checked against the OpenAPI document: the status, the media type and the
//! body must be those that it describes, and the body may have no member that it does not.

mod access;
mod admin;
mod analysis;
mod answers;
mod apply;
#[expect(dead_code, reason = "the other tests use the rest")]
#[path = "../attacks/mod.rs"]
mod attacks;
mod batches;
mod client;
mod command_line;
#[path = "../../build/commit.rs"]
mod commit;
mod connections;
#[path = "../../build/digest.rs"]
mod digest;
mod digests;
mod document;
mod evaluations;
mod fuzz;
mod headers;
mod levels;
mod limits;
mod many;
mod mcp;
mod memory;
mod metrics;
mod old_http;
mod permits;
mod pictures;
mod play;
mod problems;
mod public_paths;
mod puzzles;
mod random_games;
mod random_positions;
mod rolls;
mod service;
mod slow;
mod spellings;
mod stopping;
mod streams;
mod suggestions;
mod terminal;
