//! Wraps the stored data keys with the current master key.

use crate::{error::Error, store::Store, vault::Vault};

/// Wraps every data key with the current master key.
///
/// # Errors
/// When the master key of one is not configured, or it can't be stored; those before it stay done.
pub async fn rewrap_data_keys(store: &Store, vault: &Vault) -> Result<(), Error> {
    let mut rewrapped = 0;
    loop {
        let count =
            store.rewrap_data_keys(vault.current(), |business, key| vault.rewrap(business, key)).await?;
        if count == 0 {
            break;
        }
        rewrapped += count;
    }
    loop {
        let count = store
            .rewrap_google_grants(vault.current(), |user, key| vault.rewrap_of_person(user, key))
            .await?;
        if count == 0 {
            break;
        }
        rewrapped += count;
    }
    if rewrapped > 0 {
        tracing::info!(rewrapped, "data keys are wrapped with the current master key");
    }
    Ok(())
}
