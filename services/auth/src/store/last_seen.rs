//! Where sessions are: their browsers, addresses and devices.

use caller::{SessionId, UserId};
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{browser::Browser, client::Origin, device::DeviceId},
};

const ALIVE: &str = "SELECT session.id, COALESCE(address, '') AS address, session.browser, created_at,
        rotated_at, session.expires_at, device.id IS NOT NULL AS trusted
    FROM session LEFT JOIN trusted_device AS device ON device.id = device_id AND device.expires_at > :now
    WHERE session.account_id = :account_id AND ended_at IS NULL AND session.expires_at > :now
    ORDER BY rotated_at DESC, session.id";
const ORIGIN: &str = "SELECT address, browser FROM session WHERE id = :id";
const SET_DEVICE: &str = "UPDATE session SET device_id = :device_id WHERE id = :id";

/// A session as its person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AliveSession {
    /// Its id.
    pub id: SessionId,
    /// Where it was last refreshed; empty when unknown.
    pub address: String,
    /// Empty when unknown.
    pub browser: String,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it was last refreshed.
    pub used_at: Timestamp,
    /// When it ends whatever happens.
    pub expires_at: Timestamp,
    /// Whether it is on a trusted device.
    pub trusted: bool,
}

#[derive(FromQueryResult)]
struct AliveRow {
    id: Uuid,
    address: String,
    browser: String,
    created_at: DateTimeUtc,
    rotated_at: DateTimeUtc,
    expires_at: DateTimeUtc,
    trusted: bool,
}

impl TryFrom<AliveRow> for AliveSession {
    type Error = Error;
    fn try_from(row: AliveRow) -> Result<Self, Error> {
        let AliveRow { id, address, browser, created_at, rotated_at, expires_at, trusted } = row;
        let [opened_at, used_at, expires_at] = [created_at, rotated_at, expires_at].map(from_db);
        Ok(Self { id: SessionId(id), address, browser, opened_at, used_at, expires_at, trusted })
    }
}

#[derive(FromQueryResult)]
struct OriginRow {
    address: Option<String>,
    browser: String,
}

impl TryFrom<OriginRow> for Origin {
    type Error = Error;
    fn try_from(row: OriginRow) -> Result<Self, Error> {
        let address = row.address.as_deref().map(str::parse).transpose();
        let address = address.map_err(|_| Error::Stored("address"))?;
        Ok(Self { address, browser: Browser::stored(row.browser) })
    }
}

impl Tx {
    /// A person's sessions that are alive, the latest used first.
    pub async fn alive_sessions(&self, person: UserId, now: Timestamp) -> Result<Vec<AliveSession>, Error> {
        self.all::<AliveRow, _>(ALIVE, named! { account_id: person.0, now: to_db(now) }).await
    }

    /// Where a session's browser was last seen.
    pub async fn origin_of(&self, session: SessionId) -> Result<Origin, Error> {
        let found = self.one::<OriginRow, _>(ORIGIN, named! { id: session.0 }).await?;
        Ok(found.unwrap_or_default())
    }

    /// Puts a session on a trusted device.
    pub async fn set_device(&self, session: SessionId, device: DeviceId) -> Result<(), Error> {
        self.execute(SET_DEVICE, named! { id: session.0, device_id: device.0 }).await.map(drop)
    }
}
