//! Who works on a connection to a booking system, and how often it was called.

use database::{from_db, named, to_db};
use jiff::SignedDuration;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};

use super::Tx;
use crate::{
    domain::{ConnectionId, lease::Lease, provider::CallLimit},
    error::Error,
};

/// Each call moves `called_up_to` on by its share of a second. Before the last of those that are made at once, it may be
/// ahead of the clock by the burst.
const COUNT: &str = "UPDATE provider_connection
    SET called_up_to = GREATEST(called_up_to, :now) + :long_ms::bigint * interval '1 millisecond'
    WHERE business_id = :business_id AND id = :connection_id
        AND called_up_to <= :now::timestamptz + :ahead_ms::bigint * interval '1 millisecond'";
const CALLED: &str = "SELECT called_up_to FROM provider_connection
    WHERE business_id = :business_id AND id = :connection_id";
const REST: &str = "UPDATE provider_connection SET called_up_to = GREATEST(called_up_to, :until)
    WHERE business_id = :business_id AND id = :connection_id";
const TAKE: &str = "UPDATE provider_connection SET worker = :lease, working_until = :until
    WHERE business_id = :business_id AND id = :connection_id
        AND (working_until IS NULL OR working_until <= :now)";
const END: &str = "UPDATE provider_connection SET worker = NULL, working_until = NULL
    WHERE business_id = :business_id AND id = :connection_id AND worker = :lease";

#[derive(FromQueryResult)]
struct Called {
    called_up_to: DateTimeUtc,
}

impl Tx {
    /// Counts calls that are made at once; how long to wait instead, where the connection has used up its calls.
    pub async fn count_calls(
        &self,
        connection: ConnectionId,
        limit: CallLimit,
        calls: u32,
    ) -> Result<Option<SignedDuration>, Error> {
        let key = self.connection_key(connection);
        let long_ms = limit.gap_ms() * i64::from(calls);
        let ahead_ms = (limit.burst_ms() - long_ms + limit.gap_ms()).max(0);
        let values = named! { now: self.at(), long_ms, ahead_ms };
        if self.execute(COUNT, key.clone().and(values)).await? == 1 {
            return Ok(None);
        }
        let row = self.row::<Called>(CALLED, key).await?;
        let called = row.ok_or(Error::NotFound("provider connection"))?;
        let free = from_db(called.called_up_to) - SignedDuration::from_millis(ahead_ms);
        Ok(Some(free.duration_since(self.now()).max(SignedDuration::from_millis(limit.gap_ms()))))
    }

    /// Leaves a connection alone for some time.
    pub async fn rest_connection(
        &self,
        connection: ConnectionId,
        limit: CallLimit,
        wait: SignedDuration,
    ) -> Result<(), Error> {
        let until = to_db(self.now() + wait + SignedDuration::from_millis(limit.burst_ms()));
        self.execute(REST, self.connection_key(connection).and(named! { until })).await.map(drop)
    }

    /// Takes the turn to work on a connection; `false` when another worker has it.
    pub async fn take_connection(&self, connection: ConnectionId, lease: Lease) -> Result<bool, Error> {
        let values = named! { lease: lease.id, until: to_db(lease.until), now: self.at() };
        Ok(self.execute(TAKE, self.connection_key(connection).and(values)).await? == 1)
    }

    /// Ends a turn.
    pub async fn end_connection_turn(&self, connection: ConnectionId, lease: Lease) -> Result<(), Error> {
        self.execute(END, self.connection_key(connection).and(named! { lease: lease.id })).await.map(drop)
    }
}
