//! Calls, as lists show them.

use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Tx, call::Model};
use crate::{
    domain::{
        AppointmentId, CallId, CustomerId,
        call::{CallState, Listed},
        missed::Missed,
        outcome::Outcome,
        transcript::Transcript,
    },
    error::Error,
};

/// The appointments of the call `c`, in the order of the runs that touched them first.
pub(super) const APPOINTMENTS: &str =
    "(SELECT COALESCE(json_agg(a.appointment_id ORDER BY a.first, a.appointment_id), '[]')
    FROM (SELECT t.appointment_id, min(t.started_at) AS first FROM tool_call t
          WHERE t.business_id = c.business_id AND t.call_id = c.id AND t.appointment_id IS NOT NULL
          GROUP BY t.appointment_id) a) AS appointments";

/// Whose the call `c` is: the customer whom its own one is part of, or that one, by the names of today.
pub(super) const CUSTOMER: &str = "LEFT JOIN LATERAL (
        SELECT COALESCE(part.merged_into, part.id) AS id FROM customer part
        WHERE part.business_id = c.business_id AND part.id = c.customer_id
        -- By its key for each call, instead of all customers at once.
        OFFSET 0
    ) p ON true
    LEFT JOIN LATERAL (
        SELECT whole.id, whole.name FROM customer whole
        WHERE whole.business_id = c.business_id AND whole.id = p.id
        OFFSET 0
    ) w ON true";
pub(super) const CUSTOMER_COLUMNS: &str =
    "COALESCE(w.id, c.customer_id) AS whole_id, COALESCE(w.name, c.customer_name) AS whole_name";

/// When the platform last told of the call `c`, if that goes on: of one that has ended, its deliveries are not read.
pub(super) const LAST_HEARD: &str =
    "CASE WHEN c.outcome IS NULL THEN (SELECT max(d.received_at) FROM delivery d
        WHERE d.business_id = c.business_id AND d.call_id = c.id) END AS last_heard_at";

/// Where a page of the list begins: after this call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct After {
    /// When it started.
    pub started_at: Timestamp,
    /// Which.
    pub id: CallId,
}

impl Tx {
    /// Calls from the newest on, at most `limit`: all, or those of a customer and of those who are part of them.
    pub async fn calls(
        &self,
        customer: Option<CustomerId>,
        after: Option<After>,
        limit: u32,
    ) -> Result<Vec<Listed>, Error> {
        let after = after.unwrap_or(After { started_at: Timestamp::MAX, id: CallId(Uuid::max()) });
        let values = named! {
            business_id: self.business.0,
            after_start: to_db(after.started_at),
            after_id: after.id.0,
            limit: i64::from(limit),
        };
        match customer {
            None => self.all::<ListedRow, _>(&page_sql(), values).await,
            Some(customer) => {
                let values = values.and(named! { customer_id: customer.0 });
                self.all::<ListedRow, _>(&page_of_customer_sql(), values).await
            }
        }
    }

    /// One call as lists show it.
    ///
    /// # Errors
    /// When there is none.
    pub async fn listed(&self, id: CallId) -> Result<Listed, Error> {
        let sql = format!(
            "SELECT c.*, {CUSTOMER_COLUMNS}, {APPOINTMENTS}, {LAST_HEARD} FROM call c {CUSTOMER}
             WHERE c.business_id = :business_id AND c.id = :id"
        );
        let found = self.one::<ListedRow, _>(&sql, named! { business_id: self.business.0, id: id.0 }).await?;
        found.ok_or(Error::NotFound("call"))
    }
}

/// One page of the list.
pub(super) fn page_sql() -> String {
    page_where("")
}

/// One page of a customer's calls.
pub(super) fn page_of_customer_sql() -> String {
    page_where(
        "AND c.customer_id = ANY(ARRAY(SELECT :customer_id::uuid UNION ALL
            SELECT id FROM customer WHERE business_id = :business_id AND merged_into = :customer_id))",
    )
}

fn page_where(more: &str) -> String {
    format!(
        "SELECT c.*, {CUSTOMER_COLUMNS}, {APPOINTMENTS}, {LAST_HEARD} FROM call c {CUSTOMER}
         WHERE c.business_id = :business_id AND (c.started_at, c.id) < (:after_start, :after_id) {more}
         ORDER BY c.started_at DESC, c.id DESC LIMIT :limit"
    )
}

#[derive(Debug, FromQueryResult)]
pub(super) struct ListedRow {
    #[sea_orm(nested)]
    call: Model,
    whole_id: Option<Uuid>,
    whole_name: Option<String>,
    appointments: JsonValue,
    last_heard_at: Option<DateTimeUtc>,
}

impl TryFrom<ListedRow> for Listed {
    type Error = Error;

    fn try_from(
        ListedRow { call: row, whole_id, whole_name, appointments, last_heard_at }: ListedRow,
    ) -> Result<Self, Error> {
        let id = row.id;
        let unreadable = || Error::Unreadable { table: "call", id: id.to_string() };
        let appointments: Vec<Uuid> = serde_json::from_value(appointments).map_err(|_| unreadable())?;
        let decided =
            row.outcome.as_deref().map(|name| Outcome::parse(name).ok_or_else(unreadable)).transpose()?;
        let missed = row.missed_reason.as_deref().and_then(Missed::parse);
        let call = row.into_call(Transcript::default())?;
        let state = match (call.facts.ended_at(), decided) {
            (Some(at), Some(outcome)) => CallState::Ended { at, outcome },
            _ => CallState::Live,
        };
        Ok(Self {
            id: call.id,
            state,
            started_at: call.facts.started_at(),
            last_heard: last_heard_at.map(from_db),
            from: call.facts.from,
            to: call.facts.to,
            customer: whole_id.map(CustomerId).zip(whole_name),
            appointments: appointments.into_iter().map(AppointmentId).collect(),
            team_appointments: call.visits.of_team(),
            booked_by_team: call.visits.has_booking_of_team(),
            summary: call.facts.summary,
            agent_version: call.facts.agent_version,
            platform: call.facts.platform,
            missed,
            failed_runs: call.runs.failed,
            transferred: call.facts.transferred,
            taken_over: call.taken_over,
        })
    }
}
