//! Deliveries that name no call, each kept once.

use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};

use super::{Delivery, Tx};
use crate::{
    domain::{ConnectionId, NoticeId},
    error::Error,
};

/// So many are counted.
const MOST_COUNTED: i64 = 1_000;

const ADD: &str = "INSERT INTO notice (business_id, id, connection_id, event_key, kind, body, received_at)
    VALUES (:business_id, :id, :connection_id, :event_key, :kind, :body, :received_at)
    ON CONFLICT ON CONSTRAINT notice_once DO NOTHING";
pub(super) const NEWEST: &str = "SELECT newest.kind, newest.received_at,
        (SELECT count(*) FROM (SELECT FROM notice
            WHERE business_id = :business_id AND connection_id = :connection_id LIMIT :most) AS counted) AS notices
    FROM (SELECT kind, received_at FROM notice
        WHERE business_id = :business_id AND connection_id = :connection_id
        ORDER BY received_at DESC LIMIT 1) AS newest";
/// They name no person, so whose words are in them is not known.
const EMPTY: &str = "UPDATE notice SET body = '' WHERE business_id = :business_id AND body <> ''";

/// What a connection delivered that names no call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notices {
    /// How many, a thousand at most.
    pub count: i64,
    /// What the latest one tells of, as the platform names it.
    pub last_kind: String,
    /// When that one came in.
    pub last_received: Timestamp,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    kind: String,
    received_at: DateTimeUtc,
    notices: i64,
}

impl Tx {
    /// Keeps a delivery that names no call, unless its key was seen before.
    pub async fn add_notice(&self, delivery: Delivery, kind: &str) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: self.new_id::<NoticeId>().0,
            connection_id: delivery.connection.0,
            event_key: delivery.event_key,
            kind: kind,
            body: delivery.body,
            received_at: to_db(delivery.received_at),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// What a connection delivered that names no call, if there is any.
    pub async fn notices(&self, connection: ConnectionId) -> Result<Option<Notices>, Error> {
        let values = named! {
            business_id: self.business.0,
            connection_id: connection.0,
            most: MOST_COUNTED,
        };
        let row: Option<Row> = self.row(NEWEST, values).await?;
        Ok(row.map(|row| Notices {
            count: row.notices,
            last_kind: row.kind,
            last_received: from_db(row.received_at),
        }))
    }

    /// Forgets what notices say. That they came stays.
    pub async fn empty_notices(&self) -> Result<(), Error> {
        self.execute(EMPTY, named! { business_id: self.business.0 }).await.map(drop)
    }
}
