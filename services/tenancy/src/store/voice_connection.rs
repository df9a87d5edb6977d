//! Voice connections.

use caller::BusinessId;
use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue};
use sealing::envelope::{DataKeyId, WrappedKey};
use serde_json::json;
use uuid::Uuid;

use super::{Added, InstallationTx, Tx, no_business, page, refused};
use crate::{
    Error,
    domain::{Listing, VoiceConnection, VoiceConnectionId, VoicePlatform, WebhookCheck, Zone},
};

/// A page.
pub const VOICE_CONNECTIONS_BY_LABEL: &str = "SELECT id, platform, label, webhook_check, hmac, account,
        platform_agent, voice, sealed_api_key IS NOT NULL AS has_api_key
    FROM voice_connection WHERE business_id = :business_id AND (label, id) > (:after_name, :after_id)
    ORDER BY label, id LIMIT :limit";

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT c.id, c.business_id, c.platform, c.label, c.webhook_check, c.hmac, c.account, c.platform_agent, c.voice,
                c.sealed_api_key IS NOT NULL AS has_api_key, c.sealed_secret, c.sealed_api_key,
                c.sealed_old_secret, c.old_secret_until,
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
    "INSERT INTO voice_connection (business_id, id, platform, label, webhook_check, hmac, account, platform_agent, voice,
        data_key_id, sealed_secret, sealed_api_key, created_at)
    VALUES (:business_id, :id, :platform, :label, :webhook_check, :hmac, :account, :platform_agent, :voice,
        :data_key_id, :sealed_secret, :sealed_api_key, :now)
    ON CONFLICT (business_id, id) DO NOTHING";

const RENAME: &str =
    "UPDATE voice_connection SET label = :label, platform_agent = :platform_agent, voice = :voice
    WHERE business_id = :business_id AND id = :id";
const ROTATE: &str = "UPDATE voice_connection SET data_key_id = :data_key_id, sealed_secret = :sealed_secret,
        sealed_api_key = COALESCE(:sealed_api_key, sealed_api_key),
        sealed_old_secret = COALESCE(:sealed_old_secret, sealed_old_secret),
        old_secret_until = COALESCE(:old_secret_until, old_secret_until)
    WHERE business_id = :business_id AND id = :id";
const DELETE: &str = "DELETE FROM voice_connection WHERE business_id = :business_id AND id = :id";

#[derive(FromQueryResult)]
pub(super) struct Row {
    id: Uuid,
    platform: String,
    label: String,
    webhook_check: String,
    hmac: Option<JsonValue>,
    account: String,
    platform_agent: String,
    voice: String,
    has_api_key: bool,
}

impl TryFrom<Row> for VoiceConnection {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let platform: VoicePlatform =
            row.platform.parse().map_err(|error| Error::Stored("voice platform", Box::new(error)))?;
        Ok(Self {
            id: VoiceConnectionId(row.id),
            platform,
            label: row.label,
            check: read_check(&row.webhook_check, row.hmac)?,
            account: row.account,
            platform_agent: row.platform_agent,
            voice: row.voice,
            has_api_key: row.has_api_key || platform.has_one_key(),
        })
    }
}

/// A check's name, and its format where it has one.
fn written(check: &WebhookCheck) -> (&'static str, Option<JsonValue>) {
    match check {
        WebhookCheck::PlatformSignature => ("PLATFORM_SIGNATURE", None),
        WebhookCheck::Bearer => ("BEARER", None),
        WebhookCheck::Hmac(format) => ("HMAC", Some(json!(format))),
    }
}

fn read_check(name: &str, hmac: Option<JsonValue>) -> Result<WebhookCheck, Error> {
    let unreadable = |error| Error::Stored("webhook check", error);
    match (name, hmac) {
        ("PLATFORM_SIGNATURE", None) => Ok(WebhookCheck::PlatformSignature),
        ("BEARER", None) => Ok(WebhookCheck::Bearer),
        ("HMAC", Some(format)) => match serde_json::from_value(format) {
            Ok(format) => Ok(WebhookCheck::Hmac(format)),
            Err(error) => Err(unreadable(Box::new(error))),
        },
        _ => Err(unreadable(format!("{name:?} with another format").into())),
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
    /// The key for the platform's API, sealed.
    pub api_key: Option<Vec<u8>>,
    /// The replaced secret, sealed, and until when it counts.
    pub old_secret: Option<(Vec<u8>, Timestamp)>,
}

impl SealedConnection {
    /// Whether deliveries may still be checked with the replaced secret.
    #[must_use]
    pub fn takes_old_secret(&self, now: Timestamp) -> bool {
        self.old_secret.as_ref().is_some_and(|(_, until)| now < *until)
    }
}

/// New secrets of a connection, sealed.
#[derive(Debug)]
pub struct RotatedSecrets {
    /// The key they are sealed with: the one of the business.
    pub key: DataKeyId,
    /// What deliveries are checked with.
    pub secret: Vec<u8>,
    /// The key for the platform's API; `None` keeps the one there is.
    pub api_key: Option<Vec<u8>>,
    /// The replaced secret, and until when it counts; `None` where it is the same.
    pub old: Option<(Vec<u8>, Timestamp)>,
}

/// The secrets of a new connection, sealed.
#[derive(Debug)]
pub struct SealedSecrets {
    /// The key they are sealed with.
    pub key: DataKeyId,
    /// What deliveries are checked with.
    pub secret: Vec<u8>,
    /// The key for the platform's API.
    pub api_key: Option<Vec<u8>>,
}

#[derive(FromQueryResult)]
struct SealedRow {
    #[sea_orm(nested)]
    connection: Row,
    business_id: Uuid,
    sealed_secret: Vec<u8>,
    sealed_api_key: Option<Vec<u8>>,
    sealed_old_secret: Option<Vec<u8>>,
    old_secret_until: Option<DateTime<Utc>>,
    key_id: Uuid,
    master_key: String,
    sealed_key: Vec<u8>,
    time_zone: String,
}

impl TryFrom<SealedRow> for SealedConnection {
    type Error = Error;
    fn try_from(row: SealedRow) -> Result<Self, Error> {
        Ok(Self {
            connection: row.connection.try_into()?,
            business: BusinessId(row.business_id),
            zone: row.time_zone.parse().map_err(|error| Error::Stored("time zone", Box::new(error)))?,
            key: WrappedKey { id: DataKeyId(row.key_id), master: row.master_key, sealed: row.sealed_key },
            secret: row.sealed_secret,
            api_key: row.sealed_api_key,
            old_secret: row.sealed_old_secret.zip(row.old_secret_until.map(from_db)),
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
        sealed: SealedSecrets,
    ) -> Result<Added<SealedConnection>, Error> {
        let (webhook_check, hmac) = written(&connection.check);
        let values = named! {
            business_id: self.business.0,
            id: connection.id.0,
            platform: connection.platform.as_str(),
            label: connection.label.as_str(),
            webhook_check,
            hmac,
            account: connection.account.as_str(),
            platform_agent: connection.platform_agent.as_str(),
            voice: connection.voice.as_str(),
            data_key_id: sealed.key.0,
            sealed_secret: sealed.secret,
            sealed_api_key: sealed.api_key,
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

impl Tx {
    /// A connection with what it takes to open its secrets.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn sealed_voice_connection(&self, id: VoiceConnectionId) -> Result<SealedConnection, Error> {
        let key = named! { business_id: self.business.0, id: id.0 };
        let found = self.one::<SealedRow, _>(SEALED_CONNECTION, key).await?;
        found.ok_or(Error::NotFound("voice connection"))
    }

    /// Changes what a connection is called, which agent it is of and how that one sounds.
    pub async fn rename_voice_connection(
        &self,
        id: VoiceConnectionId,
        label: &str,
        platform_agent: &str,
        voice: &str,
    ) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, id: id.0, label, platform_agent, voice };
        self.execute(RENAME, values).await.map(drop)
    }

    /// Replaces the secrets of a connection.
    pub async fn rotate_voice_secret(
        &self,
        id: VoiceConnectionId,
        rotated: RotatedSecrets,
    ) -> Result<(), Error> {
        let (old, until) = rotated.old.unzip();
        let values = named! {
            business_id: self.business.0,
            id: id.0,
            data_key_id: rotated.key.0,
            sealed_secret: rotated.secret,
            sealed_api_key: rotated.api_key,
            sealed_old_secret: old,
            old_secret_until: until.map(to_db),
        };
        self.execute(ROTATE, values).await.map(drop)
    }

    /// Removes a connection, if it is there.
    pub async fn delete_voice_connection(&self, id: VoiceConnectionId) -> Result<(), Error> {
        self.execute(DELETE, named! { business_id: self.business.0, id: id.0 }).await.map(drop)
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
