//! The rules of accounts, sessions and tokens. Pure: time and random bytes come in as arguments.

pub mod access_token;
pub mod account;
pub mod browser;
pub mod client;
pub mod code_flow;
pub mod decoy_account;
pub mod device;
pub mod device_code;
pub mod email;
pub mod handoff;
pub mod identity;
pub mod letter;
pub mod link;
pub mod mail;
pub mod mail_limit;
pub mod one_time_token;
pub mod password;
mod purpose;
pub mod refresh;
pub mod refresh_token;
pub mod security_event;
pub mod sign_in_limit;
pub mod signing_key;
