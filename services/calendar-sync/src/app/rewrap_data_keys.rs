//! Wraps the stored data keys with the current master key.

use crate::{error::Error, store::Store, vault::Vault};

/// Wraps every data key that opens with the current master key, of businesses and of people.
///
/// # Errors
/// When the master key of one is not configured, or it can't be stored; those before it stay done.
pub async fn rewrap_data_keys(store: &Store, vault: &Vault) -> Result<(), Error> {
    store.rewrap_data_keys(vault.keys()).await?.log();
    store.rewrap_google_grants(vault).await?.log();
    Ok(())
}
