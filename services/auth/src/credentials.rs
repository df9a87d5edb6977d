//! Credentials: passwords under a limit of attempts, signing keys and tokens.

pub(crate) mod hashing;
pub(crate) mod issue;
pub(crate) mod limits;
pub(crate) mod password_check;
pub(crate) mod signing_keys;
