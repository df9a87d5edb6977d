//! Credentials: hashes of passwords, limits of attempts, signing keys and tokens.

pub(crate) mod hashing;
pub(crate) mod issue;
pub(crate) mod limits;
pub(crate) mod signing_keys;
