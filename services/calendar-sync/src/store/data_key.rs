//! Data keys, wrapped.

use caller::{BusinessId, InstallationScope};
use database::{Named, named};
use sea_orm::FromQueryResult;
use sealing::envelope::{DataKeyId, WrappedKey};
use uuid::Uuid;

use super::{Store, Tx};
use crate::error::Error;

const OF_BUSINESS: &str = "SELECT id, business_id, master_key, sealed FROM data_key
    WHERE business_id = :business_id";
/// A business has one; of two that are added at once the first stays.
const ADD: &str = "INSERT INTO data_key (business_id, id, master_key, sealed, created_at)
    VALUES (:business_id, :id, :master_key, :sealed, :now) ON CONFLICT (business_id) DO NOTHING";
const UNDER_OTHERS: &str = "SELECT id, business_id, master_key, sealed FROM data_key
    WHERE master_key <> :current ORDER BY id LIMIT 100 FOR UPDATE";
const REWRAP: &str = "UPDATE data_key SET master_key = :master_key, sealed = :sealed
    WHERE business_id = :business_id AND id = :id";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    business_id: Uuid,
    master_key: String,
    sealed: Vec<u8>,
}

impl From<Row> for (BusinessId, WrappedKey) {
    fn from(row: Row) -> Self {
        let key = WrappedKey { id: DataKeyId(row.id), master: row.master_key, sealed: row.sealed };
        (BusinessId(row.business_id), key)
    }
}

impl Tx {
    /// The business's data key, if it has one.
    pub async fn data_key(&self) -> Result<Option<WrappedKey>, Error> {
        let found = self.row::<Row>(OF_BUSINESS, named! { business_id: self.business.0 }).await?;
        Ok(found.map(|row| <(BusinessId, WrappedKey)>::from(row).1))
    }

    /// Adds the business's data key, unless it has one by now.
    pub async fn add_data_key(&self, key: &WrappedKey) -> Result<(), Error> {
        let new = named! { business_id: self.business.0, now: self.at() };
        self.execute(ADD, wrapped(key).and(new)).await.map(drop)
    }
}

impl Store {
    /// Wraps up to a hundred data keys that another master key than `current` wraps; says how many there were.
    pub async fn rewrap_data_keys(
        &self,
        current: &str,
        rewrap: impl Fn(BusinessId, &WrappedKey) -> Result<WrappedKey, Error>,
    ) -> Result<usize, Error> {
        let tx = self.database.installation_tx::<Error>(&InstallationScope::worker("rewrap"));
        let stale = tx.rows::<Row>(UNDER_OTHERS, named! { current }).await?;
        let count = stale.len();
        for (business, key) in stale.into_iter().map(<(BusinessId, WrappedKey)>::from) {
            let key = rewrap(business, &key)?;
            tx.execute(REWRAP, wrapped(&key).and(named! { business_id: business.0 })).await?;
        }
        tx.commit().await?;
        Ok(count)
    }
}

fn wrapped(key: &WrappedKey) -> Named {
    named! { id: key.id.0, master_key: key.master.as_str(), sealed: key.sealed.clone() }
}
