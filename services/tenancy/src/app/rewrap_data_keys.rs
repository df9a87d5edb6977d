//! Wraps the stored data keys with the current master key.

use caller::InstallationScope;

use crate::{Error, store::Store, vault::Vault};

/// Wraps every data key with the current master key; says how many were not.
///
/// # Errors
/// When one can't be unwrapped or stored; those before it stay done.
pub async fn rewrap_data_keys(store: &Store, vault: &Vault) -> Result<usize, Error> {
    let mut done = 0;
    loop {
        let tx = store.begin_installation(&InstallationScope::worker("rewrap"));
        let stale = tx.data_keys_not_under(vault.current()).await?;
        if stale.is_empty() {
            return Ok(done);
        }
        for (business, wrapped) in &stale {
            tx.rewrap_data_key(*business, &vault.rewrap(*business, wrapped)?).await?;
        }
        tx.commit().await?;
        done += stale.len();
    }
}
