//! Time that outside calendars and booking systems take.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{id::EmployeeId, span::Span};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Tx, busy::source};
use crate::{Error, domain::busy::Origin};

/// What bookings lie under is a conflict, and takes no time here.
pub const BUSY_WITHIN: &str = "SELECT l.subject_id, l.starts_at, l.ends_at, f.origin, f.source_id
    FROM ledger l
    JOIN busy_fact f ON f.business_id = :business_id AND f.id = l.fact_id
    WHERE l.business_id = :business_id AND l.is_open AND l.kind = 'BUSY'
        AND l.starts_at >= :from::timestamptz - interval '25 hours' AND l.starts_at < :to
        AND l.ends_at > :from
    ORDER BY l.starts_at, l.id";

/// A span that an employee is busy elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BusySpan {
    /// Who.
    pub employee: EmployeeId,
    /// When.
    pub span: Span,
    /// What reports it.
    pub origin: Origin,
}

#[derive(FromQueryResult)]
struct Row {
    subject_id: Uuid,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    origin: String,
    source_id: Uuid,
}

impl TryFrom<Row> for BusySpan {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let span = Span::new(from_db(row.starts_at), from_db(row.ends_at));
        Ok(Self {
            employee: EmployeeId(row.subject_id),
            span: span.ok_or(Error::Stored("ledger row"))?,
            origin: source(&row.origin, row.source_id)?.origin,
        })
    }
}

impl Tx {
    /// What outside systems take of `within`, by start.
    pub(crate) async fn busy_within(&self, within: Span) -> Result<Vec<BusySpan>, Error> {
        let values = named! {
            business_id: self.business.0,
            from: to_db(within.starts_at()),
            to: to_db(within.ends_at()),
        };
        self.all::<Row, _>(BUSY_WITHIN, values).await
    }
}
