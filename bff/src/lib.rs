//! The doors: what the outside reaches of the installation.
//!
//! The browser door serves the page, REST and the live socket to people; the
//! voice door takes what voice platforms deliver. Both are one process or two,
//! hold no data and decide nothing but who may come in.

pub mod config;
pub mod gateway;
pub mod refusal;

pub use config::Config;
pub use gateway::Gateway;
