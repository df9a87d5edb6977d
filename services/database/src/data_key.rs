//! The data keys that a service's secrets are sealed with, as they are stored: wrapped, one a business.

use caller::BusinessId;
use sea_orm::{DbErr, FromQueryResult};
use sealing::envelope::{DataKeyId, WrappedKey};
use uuid::Uuid;

use crate::{Named, Tx, named};

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

impl<E: From<DbErr>> Tx<E> {
    /// The data key of the transaction's business, if it has one.
    pub async fn data_key(&self) -> Result<Option<WrappedKey>, E> {
        let business = self.business_id().map(|business| business.0);
        let found = self.row::<Row>(OF_BUSINESS, named! { business_id: business }).await?;
        Ok(found.map(|row| <(BusinessId, WrappedKey)>::from(row).1))
    }

    /// Adds the data key of the transaction's business, unless it has one by now.
    ///
    /// # Errors
    /// What Postgres refuses: the table's constraints are the service's.
    pub async fn add_data_key(&self, key: &WrappedKey) -> Result<(), DbErr> {
        let business = self.business_id().map(|business| business.0);
        let new = named! { business_id: business, now: self.at() };
        self.try_execute(ADD, wrapped(key).and(new)).await.map(drop)
    }

    /// Up to a hundred data keys of all businesses that another master key than `current` wraps, locked.
    pub async fn data_keys_not_under(&self, current: &str) -> Result<Vec<(BusinessId, WrappedKey)>, E> {
        Ok(self.rows::<Row>(UNDER_OTHERS, named! { current }).await?.into_iter().map(Into::into).collect())
    }

    /// Stores a data key that was wrapped anew.
    pub async fn rewrap_data_key(&self, business: BusinessId, key: &WrappedKey) -> Result<(), E> {
        self.execute(REWRAP, wrapped(key).and(named! { business_id: business.0 })).await.map(drop)
    }
}

fn wrapped(key: &WrappedKey) -> Named {
    named! { id: key.id.0, master_key: key.master.as_str(), sealed: key.sealed.clone() }
}
