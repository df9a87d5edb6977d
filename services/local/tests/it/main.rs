//! The whole installation, driven from outside as browsers and platforms do.

#![expect(clippy::unwrap_used, reason = "a test that unwraps nothing has failed")]

mod access;
mod bad_input;
mod changes;
mod crash;
mod demo_calls;
mod demo_year;
mod desk;
mod erasure;
mod faults;
mod filled;
mod imports;
mod integrity;
mod live;
mod pages;
mod panel;
mod privacy;
mod profiles;
mod race;
mod restore;
mod rolling;
mod runbooks;
mod second_salon;
mod settings;
mod stack;
mod tls;
mod trace;
mod voice_samples;
mod watch;
mod webhook;
