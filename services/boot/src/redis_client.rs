//! Clients of Redis, opened by address.

use anyhow::Context;

use crate::secret::Secret;

/// A client that connects later; the error shows nothing of the URL, which may hold a password.
pub(crate) fn open_redis(url: &Secret) -> anyhow::Result<redis::Client> {
    redis::Client::open(url.expose()).ok().context("is no address such as redis://host:6379")
}
