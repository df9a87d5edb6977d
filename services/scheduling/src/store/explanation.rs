//! Why a start is free or not, with the records that stand in its way.

use chrono::{DateTime, Utc};
use database::from_db;
use engine::{
    explanation::{Record, Taken},
    id::{BlockId, FactId, SubjectId, VisitId},
    span::Span,
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::Error;

/// What takes time, whole days of it, as it is now.
pub const TAKEN: &str = "SELECT subject_id, kind, visit_id, fact_id, block_id, starts_at, ends_at FROM ledger
    WHERE business_id = :business_id AND is_open AND blocking
        AND starts_at >= :from::timestamptz - interval '25 hours' AND starts_at < :to AND ends_at > :from
        AND (kind <> 'HOLD' OR expires_at > :at)
    ORDER BY starts_at, id";

#[derive(FromQueryResult)]
pub(crate) struct TakenRow {
    subject_id: Uuid,
    kind: String,
    visit_id: Uuid,
    fact_id: Option<Uuid>,
    block_id: Option<Uuid>,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
}

impl TryFrom<TakenRow> for Taken {
    type Error = Error;
    fn try_from(row: TakenRow) -> Result<Self, Error> {
        let span = Span::new(from_db(row.starts_at), from_db(row.ends_at));
        let record = match (row.kind.as_str(), row.fact_id.or(row.block_id)) {
            ("BOOKING", None) => Record::Appointment(VisitId(row.visit_id)),
            ("HOLD", None) => Record::Hold(VisitId(row.visit_id)),
            ("BUSY", Some(fact)) => Record::Busy(FactId(fact)),
            ("BLOCK", Some(block)) => Record::Block(BlockId(block)),
            _ => return Err(Error::Stored("ledger row")),
        };
        let span = span.ok_or(Error::Stored("ledger row"))?;
        Ok(Self { subject: SubjectId(row.subject_id), span, record })
    }
}
