//! Raw deliveries, each kept once.

use database::to_db;
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{CallId, ConnectionId},
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
    WHERE business_id = $1 AND connection_id = $2 AND event_key = $3";

impl Tx {
    /// Stores a delivery for a call, unless its key was seen before.
    pub async fn store(&self, delivery: Delivery, call: CallId) -> Result<Arrival, Error> {
        let id = self.new_id::<Uuid>();
        let Delivery { connection, event_key, body, received_at } = delivery;
        let sql =
            "INSERT INTO delivery (business_id, id, connection_id, event_key, call_id, body, received_at)
                   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT delivery_once DO NOTHING";
        let values = [
            self.business.0.into(),
            id.into(),
            connection.0.into(),
            event_key.clone().into(),
            call.0.into(),
            body.into(),
            to_db(received_at).into(),
        ];
        match self.execute(sql, values).await? {
            0 => self.first_of(connection, event_key).await,
            _ => Ok(Arrival::First(DeliveryId(id))),
        }
    }

    async fn first_of(&self, connection: ConnectionId, event_key: String) -> Result<Arrival, Error> {
        let values = [self.business.0.into(), connection.0.into(), event_key.into()];
        let row = self.open().await?.query_one_raw(database::statement(FIRST_OF, values)).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("delivery".to_owned()))?;
        let (first, call): (Uuid, Uuid) = (row.try_get("", "id")?, row.try_get("", "call_id")?);
        Ok(Arrival::Again { first: DeliveryId(first), call: CallId(call) })
    }
}
