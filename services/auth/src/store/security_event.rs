//! The record of what happened to accounts. It is added to and read; old entries are dropped
//! by a function of the tables' owner.

use caller::UserId;
use database::{from_db, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use crate::{Error, domain::security_event::NewSecurityEvent};

const ADD: &str = "INSERT INTO security_event
        (account_id, kind, at, address, browser, actor_id, business_id, detail)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
const PRUNE: &str = "SELECT prune_security_events($1, $2, $3)";
pub(super) const OF_PERSON: &str =
    "SELECT event.id, event.kind, event.at, COALESCE(event.address, '') AS address,
        event.browser, COALESCE(actor.name, '') AS actor_name, event.business_id, event.detail
    FROM security_event AS event LEFT JOIN account AS actor ON actor.id = event.actor_id
    WHERE event.account_id = $1 AND event.at >= $2 AND event.id < $3
    ORDER BY event.id DESC LIMIT $4";

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
        let values = [
            person.into(),
            event.kind.as_str().into(),
            to_db(now).into(),
            event.origin.address.map(|address| address.to_string()).into(),
            event.origin.browser.as_str().into(),
            event.actor.map(|actor| actor.0).into(),
            event.business.map(|business| business.0).into(),
            event.detail.as_str().into(),
        ];
        self.execute(ADD, values).await?;
        let most = i32::try_from(self.kept.most).unwrap_or(i32::MAX);
        let oldest = to_db(now - self.kept.age);
        self.execute(PRUNE, [person.into(), most.into(), oldest.into()]).await.map(drop)
    }

    /// A person's record, the latest first, `limit` entries from before one of them.
    pub async fn security_events(
        &self,
        person: UserId,
        before: i64,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<SecurityEvent>, Error> {
        let values =
            [person.0.into(), to_db(now - self.kept.age).into(), before.into(), i64::from(limit).into()];
        self.all::<Row, _>(OF_PERSON, values).await
    }
}
