//! Raw deliveries, each kept once.

use std::collections::BTreeSet;

use database::{named, to_db};
use jiff::Timestamp;
use sea_orm::{DbErr, FromQueryResult};
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{CallId, ConnectionId, call::Call},
    error::Error,
};

typed_id::typed_id! {
    /// A stored delivery.
    DeliveryId,
}

/// A webhook body as it arrived.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// The voice connection it came in on.
    pub connection: ConnectionId,
    /// Unique within the connection.
    pub event_key: String,
    /// As it arrived.
    pub body: Vec<u8>,
    /// When.
    pub received_at: Timestamp,
}

impl Delivery {
    /// As much of it as is kept: of a call whose customer was erased, that it came.
    #[must_use]
    pub fn kept_of(self, call: &Call) -> Self {
        if call.erased_at.is_some() { Self { body: vec![], ..self } } else { self }
    }
}

/// Whether a delivery is news.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// The first under its key; stored.
    First(DeliveryId),
    /// Its key was seen before.
    Again {
        /// The first one.
        first: DeliveryId,
        /// The call that one belongs to.
        call: CallId,
    },
}

pub(super) const FIRST_OF: &str = "SELECT id, call_id FROM delivery
    WHERE business_id = :business_id AND connection_id = :connection_id AND event_key = :event_key";

#[derive(FromQueryResult)]
struct First {
    id: Uuid,
    call_id: Uuid,
}

impl From<First> for Arrival {
    fn from(First { id, call_id }: First) -> Self {
        Self::Again { first: DeliveryId(id), call: CallId(call_id) }
    }
}

/// What was delivered under some keys.
pub(super) const KEPT: &str = "SELECT event_key AS name FROM delivery
    WHERE business_id = :business_id AND connection_id = :connection_id AND event_key = ANY(:names)";
/// Which of some calls have ended.
pub(super) const ENDED: &str = "SELECT platform_call_id AS name FROM call
    WHERE business_id = :business_id AND connection_id = :connection_id AND platform_call_id = ANY(:names)
        AND end_seen_at IS NOT NULL";

#[derive(FromQueryResult)]
struct Name {
    name: String,
}

impl Tx {
    /// Those of some event keys under which something was delivered.
    pub async fn kept_keys(
        &self,
        connection: ConnectionId,
        keys: Vec<String>,
    ) -> Result<BTreeSet<String>, Error> {
        self.names(KEPT, connection, keys).await
    }

    /// Those of some calls, by the platform's ids, of which it is known that they have ended.
    pub async fn ended_calls(
        &self,
        connection: ConnectionId,
        calls: Vec<String>,
    ) -> Result<BTreeSet<String>, Error> {
        self.names(ENDED, connection, calls).await
    }

    async fn names(
        &self,
        sql: &str,
        connection: ConnectionId,
        names: Vec<String>,
    ) -> Result<BTreeSet<String>, Error> {
        if names.is_empty() {
            return Ok(BTreeSet::new());
        }
        let values = named! { business_id: self.business.0, connection_id: connection.0, names };
        let found = self.all::<Name, _>(sql, values).await?;
        Ok(found.into_iter().map(|found: Name| found.name).collect())
    }

    /// Adds a delivery for a call, unless its key was seen before.
    pub async fn add_delivery(&self, delivery: Delivery, call: CallId) -> Result<Arrival, Error> {
        let id = self.new_id::<DeliveryId>();
        let sql = "INSERT INTO delivery
                   (business_id, id, connection_id, event_key, call_id, body, received_at)
                   VALUES (:business_id, :id, :connection_id, :event_key, :call_id, :body, :received_at)
                   ON CONFLICT ON CONSTRAINT delivery_once DO NOTHING";
        let key = named! {
            business_id: self.business.0,
            connection_id: delivery.connection.0,
            event_key: delivery.event_key,
        };
        let new = named! {
            id: id.0,
            call_id: call.0,
            body: delivery.body,
            received_at: to_db(delivery.received_at),
        };
        if self.execute(sql, key.clone().and(new)).await? == 1 {
            return Ok(Arrival::First(id));
        }
        let first = self.one::<First, _>(FIRST_OF, key).await?;
        Ok(first.ok_or_else(|| DbErr::RecordNotFound("delivery".to_owned()))?)
    }
}
