//! Whose turn it is to read a calendar, and up to where it was read.

use std::collections::BTreeSet;

use caller::Worker;
use core::time::Duration;
use database::to_db;
use jiff::{SignedDuration, Timestamp};
use sea_orm::{ConnectionTrait, FromQueryResult, JsonValue};
use uuid::Uuid;

use super::{Store, Tx, calendar::kind};
use crate::{
    SERVICE,
    domain::{
        CalendarId, EmployeeId,
        busy::Fact,
        calendar::{Kind, Place, Token},
        event::EventId,
        lease::Lease,
        shortfall::Shortfall,
    },
    error::Error,
};

/// One calendar to read, and the turn to do it.
#[derive(Debug, Clone)]
pub struct ReadTurn {
    /// Where.
    pub place: Place,
    /// The kind of calendar.
    pub kind: Kind,
    /// Whose it is.
    pub employee: EmployeeId,
    /// The turn.
    pub lease: Lease,
    /// Up to where it was read; `None` before the first time.
    pub token: Option<Token>,
    /// Attempts in a row that failed.
    pub failures: i32,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    business_id: Uuid,
    calendar_id: Uuid,
    kind: String,
    employee_id: Uuid,
    token: Option<String>,
    failures: i32,
}

/// Takes the turn of what has been due longest, and makes it due again after the
/// interval: a hint that comes meanwhile makes it due earlier.
pub(super) const CLAIM: &str = "
    WITH due AS MATERIALIZED (
        SELECT business_id, calendar_id FROM sync_state
        WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
        ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    UPDATE sync_state s SET lease = $3, leased_until = $4, due_at = $5 FROM due JOIN calendar c
        ON c.business_id = due.business_id AND c.id = due.calendar_id
    WHERE s.business_id = due.business_id AND s.calendar_id = due.calendar_id
    RETURNING s.business_id, s.calendar_id, c.kind, c.employee_id, s.token, s.failures";

impl Tx {
    /// Makes a calendar due now.
    pub async fn hint(&self, calendar: CalendarId) -> Result<(), Error> {
        let sql =
            "UPDATE sync_state SET due_at = LEAST(due_at, $3) WHERE business_id = $1 AND calendar_id = $2";
        let values = [self.business.0.into(), calendar.0.into(), self.at()];
        self.execute(sql, values).await?;
        Ok(())
    }
}

impl Store {
    /// Takes the turn of at most `limit` calendars that are due, in every business.
    pub async fn claim_reads(&self, limit: usize, interval: Duration) -> Result<Vec<ReadTurn>, Error> {
        let now = self.database.clock().now();
        let lease = Lease::begin(self.database.clock().new_id(), now);
        let again = now + SignedDuration::try_from(interval).unwrap_or(SignedDuration::ZERO);
        let tx = self.begin_for_all();
        let values = [
            to_db(now).into(),
            i64::try_from(limit).unwrap_or(i64::MAX).into(),
            lease.id.into(),
            to_db(lease.until).into(),
            to_db(again).into(),
        ];
        let rows = tx.rows::<Row>(CLAIM, values).await?;
        tx.commit().await?;
        rows.into_iter().map(|row| turn(row, lease)).collect()
    }

    /// The events scheduling may have been told of.
    pub async fn told(&self, place: Place) -> Result<BTreeSet<EventId>, Error> {
        let tx = self.begin(&Worker::new(SERVICE, place.business));
        let sql = "SELECT event_id FROM told_event WHERE business_id = $1 AND calendar_id = $2";
        let values = [place.business.0.into(), place.calendar.0.into()];
        let rows = tx.open().await?.query_all_raw(database::statement(sql, values)).await?;
        tx.commit().await?;
        rows.iter().map(|row| Ok(EventId(row.try_get("", "event_id")?))).collect()
    }

    /// Remembers what scheduling is about to be told.
    pub async fn will_tell(&self, place: Place, facts: &[Fact]) -> Result<(), Error> {
        let busy = ids(facts.iter().filter(|fact| fact.busy.is_some()));
        let tx = self.begin(&Worker::new(SERVICE, place.business));
        let sql = "INSERT INTO told_event (business_id, calendar_id, event_id)
                   SELECT $1, $2, jsonb_array_elements_text($3) ON CONFLICT DO NOTHING";
        let values = [place.business.0.into(), place.calendar.0.into(), busy.into()];
        tx.execute(sql, values).await?;
        tx.commit().await
    }

    /// Records that scheduling took the facts, all but the shortfalls, and up to where the
    /// calendar was read; nothing when the turn was lost.
    pub async fn read(
        &self,
        turn: &ReadTurn,
        facts: &[Fact],
        shortfalls: &[Shortfall],
        token: &Token,
    ) -> Result<(), Error> {
        let tx = self.begin(&Worker::new(SERVICE, turn.place.business));
        let sql = "UPDATE sync_state SET token = $4, synced_at = $5, last_error = NULL, failures = 0,
                       lease = NULL, leased_until = NULL
                   WHERE business_id = $1 AND calendar_id = $2 AND lease = $3";
        let [business, calendar, lease] = turn.key();
        let values =
            [business, calendar, lease, token.0.as_str().into(), to_db(self.database.clock().now()).into()];
        let kept = tx.execute(sql, values).await? == 1;
        let free = ids(facts.iter().filter(|fact| fact.busy.is_none()));
        if kept {
            let sql = "DELETE FROM told_event WHERE business_id = $1 AND calendar_id = $2
                       AND event_id IN (SELECT jsonb_array_elements_text($3))";
            let [business, calendar, _] = turn.key();
            tx.execute(sql, [business, calendar, free.into()]).await?;
            tx.save_shortfalls(turn, facts, shortfalls).await?;
        }
        tx.commit().await
    }

    /// Records what stopped a read, and when to try again.
    pub async fn read_failed(&self, turn: &ReadTurn, error: &str, again: Timestamp) -> Result<(), Error> {
        let tx = self.begin(&Worker::new(SERVICE, turn.place.business));
        let sql = "UPDATE sync_state SET last_error = $4, due_at = $5, failures = failures + 1,
                       lease = NULL, leased_until = NULL
                   WHERE business_id = $1 AND calendar_id = $2 AND lease = $3";
        let [business, calendar, lease] = turn.key();
        let values = [business, calendar, lease, error.into(), to_db(again).into()];
        tx.execute(sql, values).await?;
        tx.commit().await
    }
}

impl ReadTurn {
    fn key(&self) -> [sea_orm::Value; 3] {
        [self.place.business.0.into(), self.place.calendar.0.into(), self.lease.id.into()]
    }
}

fn ids<'a>(facts: impl Iterator<Item = &'a Fact>) -> JsonValue {
    facts.map(|fact| fact.id.0.clone()).collect::<Vec<_>>().into()
}

fn turn(row: Row, lease: Lease) -> Result<ReadTurn, Error> {
    Ok(ReadTurn {
        place: Place { business: row.business_id.into(), calendar: CalendarId(row.calendar_id) },
        kind: kind(row.calendar_id, &row.kind)?,
        employee: EmployeeId(row.employee_id),
        lease,
        token: row.token.map(Token),
        failures: row.failures,
    })
}
