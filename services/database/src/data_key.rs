//! The data keys that a service's secrets are sealed with, as they are stored: wrapped, one a business.

use core::fmt;

use boot::random;
use caller::{BusinessId, InstallationScope};
use sea_orm::{DbErr, FromQueryResult};
use sealing::envelope::{DataKeyId, MasterKeys, SealError, WrappedKey};
use uuid::Uuid;

use crate::{Database, Named, Tx, named};

const OF_BUSINESS: &str = "SELECT id, business_id, master_key, sealed FROM data_key
    WHERE business_id = :business_id";
/// A business has one; of two that are added at once the first stays.
const ADD: &str = "INSERT INTO data_key (business_id, id, master_key, sealed, created_at)
    VALUES (:business_id, :id, :master_key, :sealed, :now) ON CONFLICT (business_id) DO NOTHING";
const UNDER_OTHERS: &str = "SELECT id, business_id, master_key, sealed FROM data_key
    WHERE master_key <> :current AND (:after::uuid IS NULL OR id > :after) ORDER BY id LIMIT 100 FOR UPDATE";
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

    /// Up to a hundred data keys of all businesses that another master key than `current` wraps, locked: those that
    /// come after a key, in the order of their ids.
    async fn data_keys_not_under(
        &self,
        current: &str,
        after: Option<DataKeyId>,
    ) -> Result<Vec<(BusinessId, WrappedKey)>, E> {
        let values = named! { current, after: after.map(|key| key.0) };
        Ok(self.rows::<Row>(UNDER_OTHERS, values).await?.into_iter().map(Into::into).collect())
    }

    /// Stores a data key that was wrapped anew.
    async fn rewrap_data_key(&self, business: BusinessId, key: &WrappedKey) -> Result<(), E> {
        self.execute(REWRAP, wrapped(key).and(named! { business_id: business.0 })).await.map(drop)
    }
}

impl Database {
    /// Wraps the data keys of all businesses with the current master key, a hundred at a time.
    ///
    /// # Errors
    /// When the master key of one is not configured, or it can't be stored; earlier hundreds stay done.
    pub async fn rewrap_data_keys<E>(&self, keys: &MasterKeys) -> Result<Rotation, E>
    where
        E: From<DbErr> + From<SealError>,
    {
        let mut rotation = Rotation::default();
        let mut after = None;
        loop {
            let tx = self.installation_tx::<E>(&InstallationScope::worker("rewrap"));
            let stale = tx.data_keys_not_under(keys.current(), after).await?;
            let Some((_, last)) = stale.last() else { return Ok(rotation) };
            after = Some(last.id);
            for (business, key) in &stale {
                let rewrapped = keys.rewrap(*business, key, random::bytes());
                if let Some(key) = rotation.count(business, rewrapped)? {
                    tx.rewrap_data_key(*business, &key).await?;
                }
            }
            tx.commit().await?;
        }
    }
}

/// What became of the data keys that another master key than the current one wrapped.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Rotation {
    /// How many the current master key wraps now.
    pub rewrapped: usize,
    /// How many were changed, so that no master key opens them: they stay as they are.
    pub broken: usize,
}

impl Rotation {
    /// Counts a data key of `owner`; `None` leaves it as it is.
    ///
    /// # Errors
    /// [`SealError::NoMasterKey`]: a key that is put back opens it.
    pub fn count(
        &mut self,
        owner: &impl fmt::Display,
        rewrapped: Result<WrappedKey, SealError>,
    ) -> Result<Option<WrappedKey>, SealError> {
        match rewrapped {
            Ok(key) => {
                self.rewrapped += 1;
                Ok(Some(key))
            }
            Err(SealError::Broken) => {
                tracing::error!(%owner, "a data key was changed: its owner's secrets don't open");
                self.broken += 1;
                Ok(None)
            }
            Err(missing @ SealError::NoMasterKey(_)) => Err(missing),
        }
    }

    /// Logs how many were wrapped anew, and how many were not.
    pub fn log(self) {
        let Self { rewrapped, broken } = self;
        if broken > 0 {
            tracing::error!(rewrapped, broken, "some data keys are not wrapped with the current master key");
        } else if rewrapped > 0 {
            tracing::info!(rewrapped, "data keys are wrapped with the current master key");
        }
    }
}

fn wrapped(key: &WrappedKey) -> Named {
    named! { id: key.id.0, master_key: key.master.as_str(), sealed: key.sealed.clone() }
}
