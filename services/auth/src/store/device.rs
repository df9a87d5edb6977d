//! Trusted devices and the codes that make them.

use caller::{SessionId, UserId};
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        browser::Browser,
        device::{DeviceHash, DeviceId, DeviceToken},
        device_code,
    },
};

const ADD: &str = "INSERT INTO trusted_device (id, account_id, secret_hash, browser, trusted_at, expires_at)
    VALUES (:id, :account_id, :secret_hash, :browser, :trusted_at, :expires_at)";
const FORGET_EXPIRED: &str =
    "DELETE FROM trusted_device WHERE account_id = :account_id AND expires_at <= :now";
pub(super) const BY_ID: &str = "SELECT account_id, secret_hash FROM trusted_device
    WHERE id = :id AND expires_at > :now";
pub(super) const OF_SESSION: &str = "SELECT device.id FROM session
    JOIN trusted_device AS device ON device.id = session.device_id
    WHERE session.id = :session_id AND device.expires_at > :now";
const OF_PERSON: &str = "SELECT device.id, browser, trusted_at, expires_at,
        EXISTS (SELECT FROM session WHERE session.id = :session_id AND device_id = device.id) AS current
    FROM trusted_device AS device WHERE account_id = :account_id AND expires_at > :now
    ORDER BY trusted_at DESC, device.id";
const REVOKE: &str = "DELETE FROM trusted_device WHERE account_id = :account_id AND id = :id";
const REVOKE_ALL: &str = "DELETE FROM trusted_device WHERE account_id = :account_id";

const LOCK_PERSON: &str = "SELECT id FROM account WHERE id = :account_id FOR NO KEY UPDATE";
const FORGET_OLD_CODES: &str =
    "DELETE FROM device_code WHERE account_id = :account_id AND asked_at <= :counted_from";
const CODES_ASKED: &str = "SELECT count(*) FROM device_code WHERE account_id = :account_id";
const REPLACE_CODE: &str =
    "UPDATE device_code SET spent_at = :now WHERE session_id = :session_id AND spent_at IS NULL";
const ADD_CODE: &str = "INSERT INTO device_code (id, account_id, session_id, mac, asked_at, expires_at)
    VALUES (:id, :account_id, :session_id, :mac, :asked_at, :expires_at)";
const OPEN_CODE: &str = "SELECT id, mac FROM device_code
    WHERE session_id = :session_id AND account_id = :account_id AND spent_at IS NULL AND expires_at > :now
    FOR UPDATE";
const WRONG_CODE: &str = "UPDATE device_code SET wrong = wrong + 1,
    spent_at = CASE WHEN wrong + 1 >= :tries THEN :now END WHERE id = :id";
const SPEND_CODE: &str = "UPDATE device_code SET spent_at = :now WHERE id = :id";

/// A device as its person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Its id.
    pub id: Uuid,
    /// Empty when unknown.
    pub browser: String,
    /// When the code was shown.
    pub trusted_at: Timestamp,
    /// When it is trusted no more.
    pub expires_at: Timestamp,
    /// Whether the asking session is on it.
    pub current: bool,
}

/// A code that can be shown still.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct OpenCode {
    /// Its id.
    pub id: Uuid,
    /// What was kept of it.
    pub mac: Vec<u8>,
}

#[derive(FromQueryResult)]
struct OwnerRow {
    account_id: Uuid,
    secret_hash: Vec<u8>,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    browser: String,
    trusted_at: DateTimeUtc,
    expires_at: DateTimeUtc,
    current: bool,
}

impl TryFrom<Row> for Device {
    type Error = Error;
    fn try_from(Row { id, browser, trusted_at, expires_at, current }: Row) -> Result<Self, Error> {
        Ok(Self { id, browser, trusted_at: from_db(trusted_at), expires_at: from_db(expires_at), current })
    }
}

impl Tx {
    /// Trusts a device of a person for 90 days.
    pub async fn add_device(
        &self,
        person: UserId,
        device: &DeviceToken,
        browser: &Browser,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.execute(FORGET_EXPIRED, named! { account_id: person.0, now: to_db(now) }).await?;
        let values = named! {
            id: device.id.0,
            account_id: person.0,
            secret_hash: device.hash().0.to_vec(),
            browser: browser.as_str(),
            trusted_at: to_db(now),
            expires_at: to_db(now + crate::domain::device::LIFE),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// Whose trusted device this is.
    pub async fn device_owner(&self, device: &DeviceToken, now: Timestamp) -> Result<Option<UserId>, Error> {
        let values = named! { id: device.id.0, now: to_db(now) };
        let Some(row) = self.row::<OwnerRow>(BY_ID, values).await? else { return Ok(None) };
        let kept = DeviceHash(row.secret_hash.try_into().map_err(|_| Error::Stored("device"))?);
        Ok(device.is_behind(&kept).then_some(UserId(row.account_id)))
    }

    /// The trusted device a session is on.
    pub async fn device_of(&self, session: SessionId, now: Timestamp) -> Result<Option<DeviceId>, Error> {
        let values = named! { session_id: session.0, now: to_db(now) };
        Ok(self.value(OF_SESSION, values).await?.map(DeviceId))
    }

    /// A person's devices, the latest first, as one of their sessions sees them.
    pub async fn devices(
        &self,
        person: UserId,
        asking: SessionId,
        now: Timestamp,
    ) -> Result<Vec<Device>, Error> {
        let values = named! { account_id: person.0, now: to_db(now), session_id: asking.0 };
        self.all::<Row, _>(OF_PERSON, values).await
    }

    /// Revokes a device's trust.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such device of this person.
    pub async fn revoke_device(&self, person: UserId, device: DeviceId) -> Result<(), Error> {
        match self.execute(REVOKE, named! { account_id: person.0, id: device.0 }).await? {
            0 => Err(Error::NotFound("device")),
            _ => Ok(()),
        }
    }

    /// Trusts no device of a person any more.
    pub async fn revoke_devices_of(&self, person: UserId) -> Result<(), Error> {
        self.execute(REVOKE_ALL, named! { account_id: person.0 }).await.map(drop)
    }

    /// Keeps a code for a session, in place of the one before.
    ///
    /// # Errors
    /// [`Error::TooManyCodes`].
    pub async fn add_device_code(
        &self,
        id: Uuid,
        person: UserId,
        session: SessionId,
        mac: [u8; 32],
        now: Timestamp,
    ) -> Result<(), Error> {
        // Sessions that ask at once take turns, so that they are counted.
        self.execute(LOCK_PERSON, named! { account_id: person.0 }).await?;
        let counted_from = to_db(now - device_code::ASKED_WITHIN);
        self.execute(FORGET_OLD_CODES, named! { account_id: person.0, counted_from }).await?;
        let asked: Option<i64> = self.value(CODES_ASKED, named! { account_id: person.0 }).await?;
        if asked.unwrap_or_default() >= device_code::MOST_ASKED {
            return Err(Error::TooManyCodes);
        }
        self.execute(REPLACE_CODE, named! { session_id: session.0, now: to_db(now) }).await?;
        let values = named! {
            id,
            account_id: person.0,
            session_id: session.0,
            mac: mac.to_vec(),
            asked_at: to_db(now),
            expires_at: to_db(now + device_code::LIFE),
        };
        self.execute(ADD_CODE, values).await.map(drop)
    }

    /// The code that was mailed to a session, locked until this transaction ends.
    ///
    /// # Errors
    /// [`Error::WrongCode`] if there is none.
    pub async fn open_device_code(
        &self,
        person: UserId,
        session: SessionId,
        now: Timestamp,
    ) -> Result<OpenCode, Error> {
        let values = named! { session_id: session.0, account_id: person.0, now: to_db(now) };
        self.row(OPEN_CODE, values).await?.ok_or(Error::WrongCode)
    }

    /// Counts a wrong code; the fifth spends the right one.
    pub async fn wrong_device_code(&self, id: Uuid, now: Timestamp) -> Result<(), Error> {
        let values = named! { id, now: to_db(now), tries: device_code::TRIES };
        self.execute(WRONG_CODE, values).await.map(drop)
    }

    /// Spends a code.
    pub async fn spend_device_code(&self, id: Uuid, now: Timestamp) -> Result<(), Error> {
        self.execute(SPEND_CODE, named! { id, now: to_db(now) }).await.map(drop)
    }
}
