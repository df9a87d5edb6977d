//! Data keys, wrapped.

use caller::BusinessId;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{InstallationTx, Tx, no_business, refused};
use crate::{
    Error,
    domain::seal::{DataKeyId, WrappedKey},
};

const OF_BUSINESS: &str = "SELECT id, business_id, master_key, sealed FROM data_key WHERE business_id = $1";
/// A business has one; of two that are added at once the first stays.
const ADD: &str = "INSERT INTO data_key (business_id, id, master_key, sealed, created_at)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (business_id) DO NOTHING";
const UNDER_OTHERS: &str = "SELECT id, business_id, master_key, sealed FROM data_key
    WHERE master_key <> $1 ORDER BY id LIMIT 100 FOR UPDATE";
const REWRAP: &str = "UPDATE data_key SET master_key = $2, sealed = $3 WHERE id = $1";

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
            self.one::<Row, _>(OF_BUSINESS, [self.business.0.into()]).await?;
        Ok(found.map(|(_, key)| key))
    }

    /// Adds the business's data key, unless it has one by now.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn add_data_key(&self, key: &WrappedKey) -> Result<(), Error> {
        let values = [
            self.business.0.into(),
            key.id.0.into(),
            key.master.as_str().into(),
            key.sealed.clone().into(),
            self.at(),
        ];
        let added = self.try_execute(ADD, values).await;
        added.map(drop).map_err(|error| refused(error, &[("data_key_business", no_business)]))
    }
}

impl InstallationTx {
    /// Up to a hundred data keys that another master key than `current` wraps, locked.
    pub async fn data_keys_not_under(&self, current: &str) -> Result<Vec<(BusinessId, WrappedKey)>, Error> {
        self.all::<Row, _>(UNDER_OTHERS, [current.into()]).await
    }

    /// Stores a data key that was wrapped anew.
    pub async fn rewrap_data_key(&self, key: &WrappedKey) -> Result<(), Error> {
        let values = [key.id.0.into(), key.master.as_str().into(), key.sealed.clone().into()];
        self.execute(REWRAP, values).await?;
        Ok(())
    }
}
