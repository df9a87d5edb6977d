//! Voice connections.

use caller::BusinessId;
use database::named;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Added, InstallationTx, Tx, no_business, page, refused};
use crate::{
    Error,
    domain::{
        Listing, VoiceConnection, VoiceConnectionId, Zone,
        seal::{DataKeyId, WrappedKey},
    },
};

/// A page.
pub const VOICE_CONNECTIONS_BY_LABEL: &str = "SELECT id, platform, label FROM voice_connection
    WHERE business_id = :business_id AND (label, id) > (:after_name, :after_id)
    ORDER BY label, id LIMIT :limit";

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT c.id, c.business_id, c.platform, c.label, c.sealed_secret,
                k.id AS key_id, k.master_key, k.sealed AS sealed_key, b.time_zone
            FROM voice_connection c
            JOIN data_key k ON k.business_id = c.business_id AND k.id = c.data_key_id
            JOIN business b ON b.business_id = c.business_id ",
            $rest
        )
    };
}

/// Those of an id, of whichever business.
pub const SEALED_CONNECTIONS: &str = select!("WHERE c.id = :id");
const SEALED_CONNECTION: &str = select!("WHERE c.business_id = :business_id AND c.id = :id");
const ADD: &str =
    "INSERT INTO voice_connection (business_id, id, platform, label, data_key_id, sealed_secret, created_at)
    VALUES (:business_id, :id, :platform, :label, :data_key_id, :sealed_secret, :now)
    ON CONFLICT (business_id, id) DO NOTHING";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    platform: String,
    label: String,
}

impl TryFrom<Row> for VoiceConnection {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: VoiceConnectionId(row.id),
            platform: row
                .platform
                .parse()
                .map_err(|error| Error::Stored("voice platform", Box::new(error)))?,
            label: row.label,
        })
    }
}

/// A connection with what it takes to open its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedConnection {
    /// The connection.
    pub connection: VoiceConnection,
    /// Whose it is.
    pub business: BusinessId,
    /// The business's zone.
    pub zone: Zone,
    /// The key the secret is sealed with.
    pub key: WrappedKey,
    /// The secret, sealed.
    pub secret: Vec<u8>,
}

#[derive(FromQueryResult)]
struct SealedRow {
    id: Uuid,
    business_id: Uuid,
    platform: String,
    label: String,
    sealed_secret: Vec<u8>,
    key_id: Uuid,
    master_key: String,
    sealed_key: Vec<u8>,
    time_zone: String,
}

impl TryFrom<SealedRow> for SealedConnection {
    type Error = Error;
    fn try_from(row: SealedRow) -> Result<Self, Error> {
        Ok(Self {
            connection: Row { id: row.id, platform: row.platform, label: row.label }.try_into()?,
            business: BusinessId(row.business_id),
            zone: row.time_zone.parse().map_err(|error| Error::Stored("time zone", Box::new(error)))?,
            key: WrappedKey { id: DataKeyId(row.key_id), master: row.master_key, sealed: row.sealed_key },
            secret: row.sealed_secret,
        })
    }
}

impl Tx {
    /// A page of connections by label, and one more if there are more.
    pub async fn voice_connections(&self, listing: &Listing) -> Result<Vec<VoiceConnection>, Error> {
        let values = page(listing).and(named! { business_id: self.business.0 });
        self.all::<Row, _>(VOICE_CONNECTIONS_BY_LABEL, values).await
    }

    /// Adds a connection with its sealed secret, unless its id is there.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn add_voice_connection(
        &self,
        connection: &VoiceConnection,
        key: DataKeyId,
        sealed_secret: Vec<u8>,
    ) -> Result<Added<SealedConnection>, Error> {
        let values = named! {
            business_id: self.business.0,
            id: connection.id.0,
            platform: connection.platform.as_str(),
            label: connection.label.as_str(),
            data_key_id: key.0,
            sealed_secret,
            now: self.at(),
        };
        let added = self
            .try_execute(ADD, values)
            .await
            .map_err(|error| refused(error, &[("voice_connection_business", no_business)]))?;
        let key = named! { business_id: self.business.0, id: connection.id.0 };
        let stored: Option<SealedConnection> = self.one::<SealedRow, _>(SEALED_CONNECTION, key).await?;
        let stored = stored.ok_or(Error::NotFound("voice connection"))?;
        Ok(if added == 0 { Added::Before(stored) } else { Added::New(stored) })
    }
}

impl InstallationTx {
    /// A connection of any business, with what it takes to open its secret.
    ///
    /// # Errors
    /// [`Error::NotFound`], also if two businesses have one of this id: a webhook must not reach either by chance.
    pub async fn sealed_connection(&self, id: VoiceConnectionId) -> Result<SealedConnection, Error> {
        let mut found = self.all::<SealedRow, _>(SEALED_CONNECTIONS, named! { id: id.0 }).await?;
        if found.len() > 1 {
            tracing::error!(%id, businesses = found.len(), "voice connection refused: its id is not unique");
            return Err(Error::NotFound("voice connection"));
        }
        found.pop().ok_or(Error::NotFound("voice connection"))
    }
}
