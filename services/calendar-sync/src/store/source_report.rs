//! What scheduling is told of how reading calendars goes.

use std::collections::BTreeMap;

use caller::{BusinessId, Worker};
use database::{from_db, named, to_db};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{
    Store,
    calendar::{is_known, kind},
};
use crate::{
    SERVICE,
    domain::{CalendarId, EmployeeId, calendar::Kind},
    error::Error,
};

/// How often scheduling is told that all is well.
const EVERY: SignedDuration = SignedDuration::from_secs(60);
/// When a report is tried again.
const AGAIN: SignedDuration = SignedDuration::from_secs(10);

/// Takes what is due, and makes it due again soon: a report may get lost.
pub(super) const CLAIM: &str = "
    WITH due AS MATERIALIZED (
        SELECT business_id, calendar_id FROM sync_state WHERE report_due_at <= :now AND NOT leaving
        ORDER BY report_due_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    UPDATE sync_state s SET report_due_at = :again
    FROM due JOIN calendar c ON c.business_id = due.business_id AND c.id = due.calendar_id
    WHERE s.business_id = due.business_id AND s.calendar_id = due.calendar_id
    RETURNING s.business_id, s.calendar_id, c.kind, c.employee_id, c.name, s.synced_at, s.last_error,
        COALESCE(s.failing_since, :now) AS failing_since";
/// What changed since the claim stays due.
const TOLD: &str = "UPDATE sync_state SET report_due_at = :next
    WHERE business_id = :business_id AND calendar_id = ANY(:calendars::uuid[]) AND report_due_at = :again";

/// How reading a calendar goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceReport {
    /// The calendar.
    pub calendar: CalendarId,
    /// Its kind.
    pub kind: Kind,
    /// Whose it is.
    pub employee: EmployeeId,
    /// What people call it.
    pub name: String,
    /// When it was last read through.
    pub read_at: Option<Timestamp>,
    /// Since when it can't be read, and why.
    pub failure: Option<(Timestamp, String)>,
}

/// Reports that are due, by business.
#[derive(Debug)]
pub struct DueReports {
    /// When all of it was so.
    pub at: Timestamp,
    /// The reports.
    pub of: BTreeMap<BusinessId, Vec<SourceReport>>,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    business_id: Uuid,
    calendar_id: Uuid,
    kind: String,
    employee_id: Uuid,
    name: String,
    synced_at: Option<DateTimeUtc>,
    last_error: Option<String>,
    failing_since: DateTimeUtc,
}

impl Store {
    /// Takes at most `limit` reports that are due, in every business.
    pub async fn claim_reports(&self, limit: usize) -> Result<DueReports, Error> {
        let tx = self.begin_for_all();
        let at = tx.now();
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let values = named! { now: to_db(at), again: to_db(at + AGAIN), limit };
        let rows = tx.rows::<Row>(CLAIM, values).await?;
        tx.commit().await?;
        let mut of: BTreeMap<BusinessId, Vec<SourceReport>> = BTreeMap::new();
        for row in rows.into_iter().filter(|row| is_known(row.calendar_id, &row.kind)) {
            of.entry(row.business_id.into()).or_default().push(report(row)?);
        }
        Ok(DueReports { at, of })
    }

    /// Keeps that scheduling took a business's reports, which were claimed at `at`.
    pub async fn save_reported(
        &self,
        business: BusinessId,
        at: Timestamp,
        reports: &[SourceReport],
    ) -> Result<(), Error> {
        let tx = self.begin(&Worker::new(SERVICE, business));
        let calendars: Vec<Uuid> = reports.iter().map(|report| report.calendar.0).collect();
        let values = named! {
            business_id: business.0,
            calendars,
            again: to_db(at + AGAIN),
            next: to_db(at + EVERY),
        };
        tx.execute(TOLD, values).await?;
        tx.commit().await
    }
}

fn report(row: Row) -> Result<SourceReport, Error> {
    Ok(SourceReport {
        calendar: CalendarId(row.calendar_id),
        kind: kind(row.calendar_id, &row.kind)?,
        employee: EmployeeId(row.employee_id),
        name: row.name,
        read_at: row.synced_at.map(from_db),
        failure: row.last_error.map(|reason| (from_db(row.failing_since), reason)),
    })
}
