//! The doors, over their sockets and in front of services that answer as written.

#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod browser;
mod voice;
