//! No demo in production: its accounts have a password that is written down.

use anyhow::ensure;
use boot::environment::Environment;
use caller::BusinessId;
use uuid::Uuid;

use crate::store::Store;

/// The business of the demo's accounts, the same in every installation.
const DEMO: BusinessId = BusinessId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001));

/// Refuses to serve a demo's accounts in production.
///
/// # Errors
/// When there are any, or Postgres can't be asked.
pub async fn refuse_demo(store: &Store, environment: Environment) -> anyhow::Result<()> {
    if environment != Environment::Production {
        return Ok(());
    }
    let tx = store.begin();
    let demo = tx.has_members(DEMO).await?;
    tx.commit().await?;
    ensure!(!demo, "DATABASE_URL: this database holds the demo's accounts, which production does not serve");
    Ok(())
}
