//! The whole installation, driven from outside as browsers and platforms do.

mod crash;
mod person;
mod race;
mod stack;
mod trace;
mod webhook;
