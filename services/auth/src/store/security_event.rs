//! The record of what happened to accounts. It is added to and read; old entries are dropped
//! by a function of the tables' owner.

use caller::UserId;
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use crate::{Error, domain::security_event::NewSecurityEvent};

const ADD: &str = "INSERT INTO security_event
        (account_id, kind, at, address, browser, actor_id, business_id, detail)
    VALUES (:account_id, :kind, :at, :address, :browser, :actor_id, :business_id, :detail)";
const PRUNE: &str = "SELECT prune_security_events(:account_id, :most, :oldest)";
pub(super) const OF_PERSON: &str =
    "SELECT event.id, event.kind, event.at, COALESCE(event.address, '') AS address,
        event.browser, COALESCE(actor.name, '') AS actor_name, event.business_id, event.detail
    FROM security_event AS event LEFT JOIN account AS actor ON actor.id = event.actor_id
    WHERE event.account_id = :account_id AND event.at >= :oldest AND event.id < :before
    ORDER BY event.id DESC LIMIT :limit";

/// An entry of an account's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityEvent {
    /// Its id, higher than of those before it.
    pub id: i64,
    /// The name of its kind.
    pub kind: String,
    /// When it happened.
    pub at: Timestamp,
    /// Where it came from; empty when unknown.
    pub address: String,
    /// Empty when unknown.
    pub browser: String,
    /// Who did it, when it was another person.
    pub actor_name: String,
    /// The business it was about.
    pub business: Option<Uuid>,
    /// What it was about.
    pub detail: String,
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    kind: String,
    at: DateTimeUtc,
    address: String,
    browser: String,
    actor_name: String,
    business_id: Option<Uuid>,
    detail: String,
}

impl TryFrom<Row> for SecurityEvent {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let Row { id, kind, at, address, browser, actor_name, business_id, detail } = row;
        let at = from_db(at);
        Ok(Self { id, kind, at, address, browser, actor_name, business: business_id, detail })
    }
}

impl Tx {
    /// Makes an entry in an account's record, and drops what the security profile no longer keeps.
    pub async fn record(&self, event: &NewSecurityEvent, now: Timestamp) -> Result<(), Error> {
        let person = event.person.0;
        let values = named! {
            account_id: person,
            kind: event.kind.as_str(),
            at: to_db(now),
            address: event.origin.address.map(|address| address.to_string()),
            browser: event.origin.browser.as_str(),
            actor_id: event.actor.map(|actor| actor.0),
            business_id: event.business.map(|business| business.0),
            detail: event.detail.as_str(),
        };
        self.execute(ADD, values).await?;
        let most = i32::try_from(self.kept.most).unwrap_or(i32::MAX);
        let oldest = to_db(now - self.kept.age);
        self.execute(PRUNE, named! { account_id: person, most, oldest }).await.map(drop)
    }

    /// A person's record, the latest first, `limit` entries from before one of them.
    pub async fn security_events(
        &self,
        person: UserId,
        before: i64,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<SecurityEvent>, Error> {
        let oldest = to_db(now - self.kept.age);
        let values = named! { account_id: person.0, oldest, before, limit: i64::from(limit) };
        self.all::<Row, _>(OF_PERSON, values).await
    }
}
