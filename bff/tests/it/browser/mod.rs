//! The browser door from a browser's side.

mod edge;
mod live;
mod page;
mod rest;
mod session;
mod stage;
mod telemetry;
mod tokens;
mod xsrf;
