//! What proves who somebody is, and what a session is given: passwords under a limit, signing keys, tokens.

pub(crate) mod hashing;
pub(crate) mod issue;
pub(crate) mod limits;
pub(crate) mod password_check;
pub(crate) mod signing_keys;
