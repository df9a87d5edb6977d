//! Checks platforms for lost calls.

use caller::BusinessId;
use chrono::{DateTime, Utc};
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{InstallationTx, Tx};
use crate::{
    Error,
    domain::{CallCheckStatus, PublicationError, PublicationFault, Span, VoiceConnectionId},
};

const EXPECT: &str = "INSERT INTO call_check (business_id, connection_id, first_at, seen_until, due_at)
    VALUES (:business_id, :connection_id, :now, :now, :now)
    ON CONFLICT (business_id, connection_id) DO UPDATE SET due_at = excluded.due_at, failures = 0";
/// What another agent did is not the salon's here: a check that is under way is over.
const EXPECT_ANEW: &str = "INSERT INTO call_check (business_id, connection_id, first_at, seen_until, due_at)
    VALUES (:business_id, :connection_id, :now, :now, :now)
    ON CONFLICT (business_id, connection_id) DO UPDATE SET first_at = excluded.first_at,
        seen_until = excluded.seen_until, due_at = excluded.due_at, failures = 0, fault = NULL, detail = '',
        failed_at = NULL, lease_id = NULL, leased_until = NULL";
const EXPECT_NONE: &str = "INSERT INTO call_check (business_id, connection_id, first_at, seen_until)
    VALUES (:business_id, :connection_id, :now, :now) ON CONFLICT (business_id, connection_id) DO NOTHING";
/// Connections of a release that knew no checks.
const EXPECT_ALL: &str = "INSERT INTO call_check (business_id, connection_id, first_at, seen_until, due_at)
    SELECT c.business_id, c.id, :now, :now, :now FROM voice_connection c
    WHERE NOT EXISTS (SELECT FROM call_check k WHERE k.business_id = c.business_id AND k.connection_id = c.id)
    ON CONFLICT (business_id, connection_id) DO NOTHING";
/// The check that is due longest; other doors skip a row that is being claimed.
const CLAIM: &str = "UPDATE call_check SET lease_id = :lease, leased_until = :until
    WHERE (business_id, connection_id) = (
        SELECT business_id, connection_id FROM call_check
        WHERE due_at <= :now AND (leased_until IS NULL OR leased_until <= :now)
        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING business_id, connection_id, first_at, seen_until,
        (SELECT p.live_version FROM agent_publication p
         WHERE p.business_id = call_check.business_id AND p.connection_id = call_check.connection_id) AS live_version,
        (SELECT p.live_at FROM agent_publication p
         WHERE p.business_id = call_check.business_id AND p.connection_id = call_check.connection_id) AS live_at";
const REST: &str = "UPDATE call_check SET due_at = NULL, fault = NULL, detail = '', failed_at = NULL,
        lease_id = NULL, leased_until = NULL
    WHERE business_id = :business_id AND connection_id = :connection_id AND lease_id = :lease";
const CHECKED: &str = "UPDATE call_check SET seen_until = :seen_until, due_at = :due_at, checked_at = :now,
        taken_count = taken_count + :taken, taken_at = CASE WHEN :taken > 0 THEN :now ELSE taken_at END,
        failures = 0, fault = NULL, detail = '', failed_at = NULL, lease_id = NULL, leased_until = NULL
    WHERE business_id = :business_id AND connection_id = :connection_id AND lease_id = :lease";
/// Those that could be kept are not looked for again; the rest is. After a failure of the platform, it is due as that says.
const INCOMPLETE: &str = "UPDATE call_check
    SET due_at = CASE WHEN leased_until IS NULL THEN due_at ELSE :due_at END, taken_count = taken_count + :taken,
        taken_at = CASE WHEN :taken > 0 THEN :now ELSE taken_at END, lease_id = NULL, leased_until = NULL
    WHERE business_id = :business_id AND connection_id = :connection_id AND lease_id = :lease";
const FAILURES: &str = "SELECT failures FROM call_check
    WHERE business_id = :business_id AND connection_id = :connection_id AND lease_id = :lease FOR UPDATE";
/// The lease's id stays, by which the door reports what it took in before.
const FAILED: &str = "UPDATE call_check SET due_at = :due_at, failures = failures + 1, fault = :fault,
        detail = :detail, failed_at = :now, leased_until = NULL
    WHERE business_id = :business_id AND connection_id = :connection_id AND lease_id = :lease";

/// A check for calls, for as long as the lease is held.
#[derive(Debug, Clone)]
pub struct CallCheckTurn {
    /// Whose.
    pub business: BusinessId,
    /// Over which connection.
    pub connection: VoiceConnectionId,
    /// Names the lease.
    pub lease: Uuid,
}

/// A check that was just leased.
#[derive(Debug, Clone)]
pub struct ClaimedCallCheck {
    /// The check.
    pub turn: CallCheckTurn,
    /// Since when the connection is the salon's.
    pub first_at: Timestamp,
    /// Up to where calls have been looked for.
    pub seen_until: Timestamp,
    /// The version that the platform has, and since when.
    pub live: Option<(i32, Timestamp)>,
}

#[derive(FromQueryResult)]
struct ClaimedRow {
    business_id: Uuid,
    connection_id: Uuid,
    first_at: DateTime<Utc>,
    seen_until: DateTime<Utc>,
    live_version: Option<i32>,
    live_at: Option<DateTime<Utc>>,
}

#[derive(FromQueryResult)]
struct Failures {
    failures: i32,
}

/// The columns of a check that a connection is read with.
#[derive(FromQueryResult)]
pub(super) struct StatusRow {
    call_due_at: Option<DateTime<Utc>>,
    call_checked_at: Option<DateTime<Utc>>,
    call_taken_count: Option<i32>,
    call_taken_at: Option<DateTime<Utc>>,
    call_fault: Option<String>,
    call_detail: Option<String>,
    call_failed_at: Option<DateTime<Utc>>,
    call_unread_at: Option<DateTime<Utc>>,
}

impl From<StatusRow> for CallCheckStatus {
    fn from(row: StatusRow) -> Self {
        Self {
            checked_at: row.call_checked_at.map(from_db),
            taken: row.call_taken_count.unwrap_or_default(),
            taken_at: row.call_taken_at.map(from_db),
            due_at: row.call_due_at.map(from_db),
            error: row.call_fault.zip(row.call_failed_at).map(|(fault, at)| PublicationError {
                fault,
                detail: row.call_detail.unwrap_or_default(),
                at: from_db(at),
            }),
            unread: vec![],
            unread_count: 0,
            unread_at: row.call_unread_at.map(from_db),
        }
    }
}

impl InstallationTx {
    /// Has calls looked for over every connection that was never looked at; how many those are.
    pub async fn expect_all_calls(&self) -> Result<u64, Error> {
        self.execute(EXPECT_ALL, named! { now: self.at() }).await
    }

    /// Leases the check that is due longest, so that no other door takes it until then.
    pub async fn claim_call_check(
        &self,
        lease: Uuid,
        until: Timestamp,
    ) -> Result<Option<ClaimedCallCheck>, Error> {
        let values = named! { lease, until: to_db(until), now: self.at() };
        let claimed: Option<ClaimedRow> = self.row(CLAIM, values).await?;
        Ok(claimed.map(|row| ClaimedCallCheck {
            turn: CallCheckTurn {
                business: BusinessId(row.business_id),
                connection: VoiceConnectionId(row.connection_id),
                lease,
            },
            first_at: from_db(row.first_at),
            seen_until: from_db(row.seen_until),
            live: row.live_version.zip(row.live_at.map(from_db)),
        }))
    }

    /// No calls are looked for over the connection until it is changed.
    pub async fn rest_call_check(&self, turn: &CallCheckTurn) -> Result<(), Error> {
        self.execute(REST, key(turn)).await.map(drop)
    }
}

impl Tx {
    /// Has calls looked for over a connection from now on, or at once over one that was changed.
    pub async fn expect_calls(&self, connection: VoiceConnectionId) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, connection_id: connection.0, now: self.at() };
        self.execute(EXPECT, values).await.map(drop)
    }

    /// Has calls looked for over a connection from now on, and none from before: it is of another agent.
    pub async fn expect_calls_anew(&self, connection: VoiceConnectionId) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, connection_id: connection.0, now: self.at() };
        self.execute(EXPECT_ANEW, values).await?;
        self.forget_unread_calls(connection, Timestamp::MAX).await
    }

    /// Has no calls looked for over a connection until it is changed.
    pub async fn expect_no_calls(&self, connection: VoiceConnectionId) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, connection_id: connection.0, now: self.at() };
        self.execute(EXPECT_NONE, values).await.map(drop)
    }

    /// A check has covered all of a span.
    pub async fn save_checked(
        &self,
        turn: &CallCheckTurn,
        span: Span,
        taken: i32,
        due_at: Timestamp,
    ) -> Result<(), Error> {
        let (seen_until, due_at, now) = (to_db(span.until), to_db(due_at), self.at());
        self.execute(CHECKED, key(turn).and(named! { seen_until, due_at, taken, now })).await.map(drop)
    }

    /// A check did not keep all it found.
    pub async fn save_incomplete(
        &self,
        turn: &CallCheckTurn,
        taken: i32,
        due_at: Timestamp,
    ) -> Result<(), Error> {
        let (due_at, now) = (to_db(due_at), self.at());
        self.execute(INCOMPLETE, key(turn).and(named! { due_at, taken, now })).await.map(drop)
    }

    /// Failures in a row before this one; `None` when the lease has passed to another door.
    pub async fn call_check_failures(&self, turn: &CallCheckTurn) -> Result<Option<i32>, Error> {
        let found: Option<Failures> = self.row(FAILURES, key(turn)).await?;
        Ok(found.map(|found| found.failures))
    }

    /// The platform did not tell.
    pub async fn save_check_failed(
        &self,
        turn: &CallCheckTurn,
        fault: &PublicationFault,
        due_at: Timestamp,
    ) -> Result<(), Error> {
        let (due_at, now) = (to_db(due_at), self.at());
        let values = named! { due_at, now, fault: fault.name(), detail: fault.detail() };
        self.execute(FAILED, key(turn).and(values)).await.map(drop)
    }
}

fn key(turn: &CallCheckTurn) -> Named {
    named! { business_id: turn.business.0, connection_id: turn.connection.0, lease: turn.lease }
}
