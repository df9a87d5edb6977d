//! Data keys, wrapped.

use caller::BusinessId;
use database::{Named, named};
use sea_orm::FromQueryResult;
use sealing::envelope::{DataKeyId, WrappedKey};
use uuid::Uuid;

use super::{InstallationTx, Tx, no_business, refused};
use crate::Error;

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

impl TryFrom<Row> for (BusinessId, WrappedKey) {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let key = WrappedKey { id: DataKeyId(row.id), master: row.master_key, sealed: row.sealed };
        Ok((BusinessId(row.business_id), key))
    }
}

impl Tx {
    /// The business this transaction is in.
    #[must_use]
    pub fn business_id(&self) -> BusinessId {
        self.business
    }

    /// The business's data key, if it has one.
    pub async fn data_key(&self) -> Result<Option<WrappedKey>, Error> {
        let found: Option<(BusinessId, WrappedKey)> =
            self.one::<Row, _>(OF_BUSINESS, named! { business_id: self.business.0 }).await?;
        Ok(found.map(|(_, key)| key))
    }

    /// Adds the business's data key, unless it has one by now.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn add_data_key(&self, key: &WrappedKey) -> Result<(), Error> {
        let new = named! { business_id: self.business.0, now: self.at() };
        let added = self.try_execute(ADD, wrapped(key).and(new)).await;
        added.map(drop).map_err(|error| refused(error, &[("data_key_business", no_business)]))
    }
}

impl InstallationTx {
    /// Up to a hundred data keys that another master key than `current` wraps, locked.
    pub async fn data_keys_not_under(&self, current: &str) -> Result<Vec<(BusinessId, WrappedKey)>, Error> {
        self.all::<Row, _>(UNDER_OTHERS, named! { current }).await
    }

    /// Stores a data key that was wrapped anew.
    pub async fn rewrap_data_key(&self, business: BusinessId, key: &WrappedKey) -> Result<(), Error> {
        self.execute(REWRAP, wrapped(key).and(named! { business_id: business.0 })).await.map(drop)
    }
}

fn wrapped(key: &WrappedKey) -> Named {
    named! { id: key.id.0, master_key: key.master.as_str(), sealed: key.sealed.clone() }
}
