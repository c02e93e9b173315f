//! Tests of the whole interface.

mod openapi;
