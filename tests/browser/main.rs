//! The page to play and to analyse on, in a real browser.
//!
//! The tests need Chromium and its driver, and for accessibility axe-core, which `.ci/browser` installs. On a
//! machine without them they say that they are skipped; in CI they must run. Pictures of what they see are
//! kept in `target/screenshots`.

mod accessibility;
mod driver;
mod games;
mod ways;

mod page;
