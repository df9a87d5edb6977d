//! Keys that sign access tokens.

use database::{from_db, named, to_db};
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};

use super::Tx;
use crate::{Error, domain::signing_key::StoredKey};

const ALL: &str = "SELECT kid, public_key, sealed_seed, signs_from FROM signing_key ORDER BY signs_from";
const ADD: &str = "INSERT INTO signing_key (kid, public_key, sealed_seed, signs_from)
    VALUES (:kid, :public_key, :sealed_seed, :signs_from)";
const FORGET: &str = "DELETE FROM signing_key WHERE kid = :kid";
const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtext('frontdesk.auth.signing_key'))";

#[derive(FromQueryResult)]
struct Row {
    kid: String,
    public_key: Vec<u8>,
    sealed_seed: Vec<u8>,
    signs_from: DateTimeUtc,
}

impl TryFrom<Row> for StoredKey {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            kid: row.kid,
            public: row.public_key.try_into().map_err(|_| Error::Stored("public key"))?,
            sealed_seed: row.sealed_seed,
            signs_from: from_db(row.signs_from),
        })
    }
}

impl Tx {
    /// Every key, those that sign first ahead.
    pub async fn signing_keys(&self) -> Result<Vec<StoredKey>, Error> {
        self.all::<Row, _>(ALL, []).await
    }

    /// Lets one replica at a time make keys, until this transaction ends.
    pub async fn lock_signing_keys(&self) -> Result<(), Error> {
        self.execute(LOCK, []).await.map(drop)
    }

    /// Adds a key.
    pub async fn add_signing_key(&self, key: &StoredKey) -> Result<(), Error> {
        let values = named! {
            kid: key.kid.as_str(),
            public_key: key.public.to_vec(),
            sealed_seed: key.sealed_seed.clone(),
            signs_from: to_db(key.signs_from),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// Forgets a key that nothing is verified with any more.
    pub async fn forget_signing_key(&self, kid: &str) -> Result<(), Error> {
        self.execute(FORGET, named! { kid }).await.map(drop)
    }
}
