//! Trusted devices and the codes that make them.

use caller::{SessionId, UserId};
use database::{from_db, to_db};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Tx, statement};
use crate::{
    Error,
    domain::{
        browser::Browser,
        device::{DeviceHash, DeviceId, DeviceToken},
        device_code,
    },
};

const ADD: &str = "INSERT INTO trusted_device (id, account_id, secret_hash, browser, trusted_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6)";
const FORGET_EXPIRED: &str = "DELETE FROM trusted_device WHERE account_id = $1 AND expires_at <= $2";
pub(super) const BY_ID: &str = "SELECT account_id, secret_hash FROM trusted_device
    WHERE id = $1 AND expires_at > $2";
pub(super) const OF_SESSION: &str = "SELECT device.id FROM session
    JOIN trusted_device AS device ON device.id = session.device_id
    WHERE session.id = $1 AND device.expires_at > $2";
const OF_PERSON: &str = "SELECT device.id, browser, trusted_at, expires_at,
        EXISTS (SELECT FROM session WHERE session.id = $3 AND device_id = device.id) AS current
    FROM trusted_device AS device WHERE account_id = $1 AND expires_at > $2
    ORDER BY trusted_at DESC, device.id";
const REVOKE: &str = "DELETE FROM trusted_device WHERE account_id = $1 AND id = $2";
const REVOKE_ALL: &str = "DELETE FROM trusted_device WHERE account_id = $1";

const LOCK_PERSON: &str = "SELECT id FROM account WHERE id = $1 FOR NO KEY UPDATE";
const FORGET_OLD_CODES: &str = "DELETE FROM device_code WHERE account_id = $1 AND asked_at <= $2";
const CODES_ASKED: &str = "SELECT count(*) AS asked FROM device_code WHERE account_id = $1";
const REPLACE_CODE: &str = "UPDATE device_code SET spent_at = $2 WHERE session_id = $1 AND spent_at IS NULL";
const ADD_CODE: &str = "INSERT INTO device_code (id, account_id, session_id, mac, asked_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6)";
const OPEN_CODE: &str = "SELECT id, mac FROM device_code
    WHERE session_id = $1 AND account_id = $2 AND spent_at IS NULL AND expires_at > $3 FOR UPDATE";
const WRONG_CODE: &str = "UPDATE device_code SET wrong = wrong + 1,
    spent_at = CASE WHEN wrong + 1 >= $3 THEN $2 END WHERE id = $1";
const SPEND_CODE: &str = "UPDATE device_code SET spent_at = $2 WHERE id = $1";

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCode {
    /// Its id.
    pub id: Uuid,
    /// What was kept of it.
    pub mac: Vec<u8>,
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
        self.execute(FORGET_EXPIRED, [person.0.into(), to_db(now).into()]).await?;
        let values = [
            device.id.0.into(),
            person.0.into(),
            device.hash().0.to_vec().into(),
            browser.as_str().into(),
            to_db(now).into(),
            to_db(now + crate::domain::device::LIFE).into(),
        ];
        self.execute(ADD, values).await.map(drop)
    }

    /// Whose trusted device this is.
    pub async fn device_owner(&self, device: &DeviceToken, now: Timestamp) -> Result<Option<UserId>, Error> {
        let sql = statement(BY_ID, [device.id.0.into(), to_db(now).into()]);
        let Some(row) = self.open().await?.query_one_raw(sql).await? else { return Ok(None) };
        let kept: Vec<u8> = row.try_get("", "secret_hash")?;
        let kept = DeviceHash(kept.try_into().map_err(|_| Error::Stored("device"))?);
        let owner = UserId(row.try_get("", "account_id")?);
        Ok(device.is_behind(&kept).then_some(owner))
    }

    /// The trusted device a session is on.
    pub async fn device_of(&self, session: SessionId, now: Timestamp) -> Result<Option<DeviceId>, Error> {
        let row = self
            .open()
            .await?
            .query_one_raw(statement(OF_SESSION, [session.0.into(), to_db(now).into()]))
            .await?;
        Ok(row.map(|row| row.try_get("", "id").map(DeviceId)).transpose()?)
    }

    /// A person's devices, the latest first, as one of their sessions sees them.
    pub async fn devices(
        &self,
        person: UserId,
        asking: SessionId,
        now: Timestamp,
    ) -> Result<Vec<Device>, Error> {
        self.all::<Row, _>(OF_PERSON, [person.0.into(), to_db(now).into(), asking.0.into()]).await
    }

    /// Revokes a device's trust.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such device of this person.
    pub async fn revoke_device(&self, person: UserId, device: DeviceId) -> Result<(), Error> {
        match self.execute(REVOKE, [person.0.into(), device.0.into()]).await? {
            0 => Err(Error::NotFound("device")),
            _ => Ok(()),
        }
    }

    /// Trusts no device of a person any more.
    pub async fn revoke_devices_of(&self, person: UserId) -> Result<(), Error> {
        self.execute(REVOKE_ALL, [person.0.into()]).await.map(drop)
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
        self.execute(LOCK_PERSON, [person.0.into()]).await?;
        let counted_from = to_db(now - device_code::ASKED_WITHIN);
        self.execute(FORGET_OLD_CODES, [person.0.into(), counted_from.into()]).await?;
        let asked = self.open().await?.query_one_raw(statement(CODES_ASKED, [person.0.into()])).await?;
        let asked: i64 = asked.map(|row| row.try_get("", "asked")).transpose()?.unwrap_or_default();
        if asked >= device_code::MOST_ASKED {
            return Err(Error::TooManyCodes);
        }
        self.execute(REPLACE_CODE, [session.0.into(), to_db(now).into()]).await?;
        let values = [
            id.into(),
            person.0.into(),
            session.0.into(),
            mac.to_vec().into(),
            to_db(now).into(),
            to_db(now + device_code::LIFE).into(),
        ];
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
        let values = [session.0.into(), person.0.into(), to_db(now).into()];
        let row =
            self.open().await?.query_one_raw(statement(OPEN_CODE, values)).await?.ok_or(Error::WrongCode)?;
        Ok(OpenCode { id: row.try_get("", "id")?, mac: row.try_get("", "mac")? })
    }

    /// Counts a wrong code; the fifth spends the right one.
    pub async fn wrong_device_code(&self, id: Uuid, now: Timestamp) -> Result<(), Error> {
        let values = [id.into(), to_db(now).into(), device_code::TRIES.into()];
        self.execute(WRONG_CODE, values).await.map(drop)
    }

    /// Spends a code.
    pub async fn spend_device_code(&self, id: Uuid, now: Timestamp) -> Result<(), Error> {
        self.execute(SPEND_CODE, [id.into(), to_db(now).into()]).await.map(drop)
    }
}
