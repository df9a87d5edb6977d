//! The rules of accounts, sessions and tokens. Pure: time and random bytes come in as arguments.

pub mod access_token;
pub mod account;
pub mod email;
pub mod lifetimes;
pub mod one_time_token;
pub mod password;
pub mod refresh;
pub mod refresh_token;
pub mod sealing;
pub mod signing_key;
