//! Calls that platforms list and do not tell.

use chrono::{DateTime, Utc};
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{PublishedConnection, UnreadCall, VoiceConnectionId},
};

const ONE: &str = "SELECT platform_call_id, attempts, reason, attempted_at, next_at FROM unread_call
    WHERE business_id = :business_id AND connection_id = :connection_id AND platform_call_id = :call";
const SAVE: &str = "INSERT INTO unread_call AS known
        (business_id, connection_id, platform_call_id, attempts, reason, attempted_at, next_at)
    VALUES (:business_id, :connection_id, :call, :attempts, :reason, :attempted_at, :next_at)
    ON CONFLICT (business_id, connection_id, platform_call_id) DO UPDATE SET attempts = excluded.attempts,
        reason = excluded.reason, attempted_at = excluded.attempted_at, next_at = excluded.next_at";
const FORGET: &str = "DELETE FROM unread_call
    WHERE business_id = :business_id AND connection_id = :connection_id AND platform_call_id = :call";
const FORGET_ALL: &str = "DELETE FROM unread_call
    WHERE business_id = :business_id AND connection_id = :connection_id AND attempted_at < :before";
const GIVEN_UP: &str = "SELECT platform_call_id FROM unread_call
    WHERE business_id = :business_id AND connection_id = :connection_id AND next_at IS NULL
        AND platform_call_id = ANY(:calls)";

/// Of each of some connections, how many calls are given up, and the ten latest of them.
const SHOWN: &str = "SELECT c.id AS connection_id,
        (SELECT count(*) FROM unread_call n WHERE n.business_id = :business_id AND n.connection_id = c.id
            AND n.next_at IS NULL) AS total,
        u.platform_call_id, u.attempts, u.reason, u.attempted_at, u.next_at
    FROM unnest(:connections::uuid[]) AS c (id)
    CROSS JOIN LATERAL (
        SELECT platform_call_id, attempts, reason, attempted_at, next_at FROM unread_call
        WHERE business_id = :business_id AND connection_id = c.id AND next_at IS NULL
        ORDER BY attempted_at DESC LIMIT 10) u
    ORDER BY c.id, u.attempted_at DESC";

#[derive(FromQueryResult)]
struct ShownRow {
    connection_id: Uuid,
    total: i64,
    #[sea_orm(nested)]
    call: Row,
}

#[derive(FromQueryResult)]
struct Row {
    platform_call_id: String,
    attempts: i32,
    reason: String,
    attempted_at: DateTime<Utc>,
    next_at: Option<DateTime<Utc>>,
}

impl From<Row> for UnreadCall {
    fn from(row: Row) -> Self {
        Self {
            id: row.platform_call_id,
            attempts: row.attempts,
            reason: row.reason,
            at: from_db(row.attempted_at),
            next: row.next_at.map(from_db),
        }
    }
}

#[derive(FromQueryResult)]
struct GivenUp {
    platform_call_id: String,
}

impl Tx {
    /// What is known of a call that was asked for in vain.
    pub async fn unread_call(
        &self,
        connection: VoiceConnectionId,
        call: &str,
    ) -> Result<Option<UnreadCall>, Error> {
        let row: Option<Row> = self.row(ONE, self.unread(connection).and(named! { call })).await?;
        Ok(row.map(UnreadCall::from))
    }

    /// Those of some calls that are given up.
    pub async fn given_up_calls(
        &self,
        connection: VoiceConnectionId,
        calls: &[String],
    ) -> Result<Vec<String>, Error> {
        let values = self.unread(connection).and(named! { calls: calls.to_vec() });
        let rows: Vec<GivenUp> = self.rows(GIVEN_UP, values).await?;
        Ok(rows.into_iter().map(|row| row.platform_call_id).collect())
    }

    /// Keeps that a call was asked for in vain.
    pub async fn save_unread_call(
        &self,
        connection: VoiceConnectionId,
        call: &UnreadCall,
    ) -> Result<(), Error> {
        let values = named! {
            call: call.id.as_str(),
            attempts: call.attempts,
            reason: call.reason.as_str(),
            attempted_at: to_db(call.at),
            next_at: call.next.map(to_db),
        };
        self.execute(SAVE, self.unread(connection).and(values)).await.map(drop)
    }

    /// The call was read.
    pub async fn forget_unread_call(&self, connection: VoiceConnectionId, call: &str) -> Result<(), Error> {
        self.execute(FORGET, self.unread(connection).and(named! { call })).await.map(drop)
    }

    /// Forgets all that were last asked for before a time.
    pub async fn forget_unread_calls(
        &self,
        connection: VoiceConnectionId,
        before: Timestamp,
    ) -> Result<(), Error> {
        let values = self.unread(connection).and(named! { before: to_db(before) });
        self.execute(FORGET_ALL, values).await.map(drop)
    }

    /// Adds to connections the calls that were given up over them.
    pub(super) async fn add_unread_calls(
        &self,
        connections: &mut [PublishedConnection],
    ) -> Result<(), Error> {
        let ids: Vec<Uuid> = connections.iter().map(|published| published.connection.id.0).collect();
        let values = named! { business_id: self.business.0, connections: ids };
        let rows: Vec<ShownRow> = self.rows(SHOWN, values).await?;
        for row in rows {
            let of = |published: &&mut PublishedConnection| published.connection.id.0 == row.connection_id;
            if let Some(published) = connections.iter_mut().find(of) {
                published.calls.unread_count = row.total;
                published.calls.unread.push(row.call.into());
            }
        }
        Ok(())
    }

    fn unread(&self, connection: VoiceConnectionId) -> Named {
        named! { business_id: self.business.0, connection_id: connection.0 }
    }
}
