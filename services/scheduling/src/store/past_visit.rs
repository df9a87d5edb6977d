//! Visits of a salon that worked before it came here, many in a statement.

use database::named;
use engine::{appointment::State, id::VisitId, progress::Stage};
use jiff::Timestamp;
use proto::frontdesk::scheduling::v1::appointment_service_methods::{
    BOOK_APPOINTMENT, CANCEL_APPOINTMENT, MOVE_APPOINTMENT, SET_APPOINTMENT_STATE,
};
use sea_orm::JsonValue;
use serde_json::json;
use uuid::Uuid;

use super::{Tx, ledger::refused, progress::stage_name};
use crate::{Error, domain::past_visit::Remembered};

const KNOWN: &str = "SELECT id FROM appointment WHERE business_id = :business_id AND id = ANY(:ids::uuid[])";
const ADD_VISITS: &str = "INSERT INTO appointment (business_id, id, state, customer_id, call_id, starts_at, ends_at,
        price_minor, currency, notes, version, created_at, cancelled_at, cancelled_by, cancel_reason, late_cancellation)
    SELECT :business_id, v.id, v.state, v.customer_id, v.call_id, v.starts_at, v.ends_at, v.price_minor, v.currency,
        v.notes, v.version, v.created_at, v.cancelled_at, v.cancelled_by, v.cancel_reason, v.late
    FROM jsonb_to_recordset(:rows) AS v (id uuid, state text, customer_id uuid, call_id uuid, starts_at timestamptz,
        ends_at timestamptz, price_minor integer, currency text, notes text, version bigint, created_at timestamptz,
        cancelled_at timestamptz, cancelled_by text, cancel_reason text, late boolean)";
const ADD_ITEMS: &str = "INSERT INTO appointment_item (business_id, visit_id, position, service_id, employee_id,
        starts_at, ends_at, price_minor, extra_minutes)
    SELECT :business_id, i.visit_id, i.position, i.service_id, i.employee_id, i.starts_at, i.ends_at, i.price_minor,
        i.extra_minutes
    FROM jsonb_to_recordset(:rows) AS i (visit_id uuid, position smallint, service_id uuid, employee_id uuid,
        starts_at timestamptz, ends_at timestamptz, price_minor integer, extra_minutes smallint)";
const ADD_STATES: &str =
    "INSERT INTO state_change (business_id, visit_id, position, state, entered_at, entered_by,
        freed_at)
    SELECT :business_id, c.visit_id, c.position, c.state, c.entered_at, c.entered_by, c.freed_at
    FROM jsonb_to_recordset(:rows) AS c (visit_id uuid, position integer, state text, entered_at timestamptz,
        entered_by text, freed_at timestamptz)";
const ADD_PLACES: &str = "INSERT INTO place_change (business_id, visit_id, version, starts_at, ends_at, employee_ids,
        left_at, left_by)
    SELECT :business_id, p.visit_id, p.version, p.starts_at, p.ends_at, ARRAY[p.employee_id], p.left_at, p.left_by
    FROM jsonb_to_recordset(:rows) AS p (visit_id uuid, version bigint, starts_at timestamptz, ends_at timestamptz,
        employee_id uuid, left_at timestamptz, left_by text)";
const ADD_LEDGER: &str = "INSERT INTO ledger (business_id, id, subject_id, visit_id, kind, blocking, during,
        service_during, recorded)
    SELECT :business_id, r.id, r.subject_id, r.visit_id, 'BOOKING', true, tstzrange(r.from_at, r.to_at),
        tstzrange(r.serves_from, r.serves_to), tstzrange(r.since, r.until)
    FROM jsonb_to_recordset(:rows) AS r (id uuid, subject_id uuid, visit_id uuid, from_at timestamptz,
        to_at timestamptz, serves_from timestamptz, serves_to timestamptz, since timestamptz, until timestamptz)";
const ADD_AUDIT: &str = "INSERT INTO audit (business_id, id, at, actor, action, subject_id)
    SELECT :business_id, a.id, a.at, a.actor, a.action, a.subject_id
    FROM jsonb_to_recordset(:rows) AS a (id uuid, at timestamptz, actor text, action text, subject_id uuid)";

impl Tx {
    /// Those of these visits that there are.
    pub(crate) async fn visits_among(&self, ids: &[VisitId]) -> Result<Vec<VisitId>, Error> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let known: Vec<Uuid> =
            self.values(KNOWN, named! { business_id: self.business.0, ids }).await.map_err(Error::from)?;
        Ok(known.into_iter().map(VisitId).collect())
    }

    /// Adds visits whose days are taken, with all that is kept of them.
    ///
    /// # Errors
    /// SLOT_TAKEN.
    pub(crate) async fn add_remembered(&self, visits: &[Remembered]) -> Result<(), Error> {
        self.add_rows_of(ADD_VISITS, visits, |visit| vec![appointment(visit)]).await?;
        self.add_rows_of(ADD_ITEMS, visits, items).await?;
        self.add_rows_of(ADD_STATES, visits, states).await?;
        self.add_rows_of(ADD_PLACES, visits, place_left).await?;
        self.add_rows_of(ADD_LEDGER, visits, |visit| self.ledger_rows(visit)).await?;
        self.add_rows_of(ADD_AUDIT, visits, |visit| self.audit_rows(visit)).await
    }

    async fn add_rows_of(
        &self,
        sql: &str,
        visits: &[Remembered],
        rows: impl Fn(&Remembered) -> Vec<JsonValue>,
    ) -> Result<(), Error> {
        let rows: JsonValue = visits.iter().flat_map(rows).collect::<Vec<_>>().into();
        self.try_execute(sql, named! { business_id: self.business.0, rows }).await.map(drop).map_err(refused)
    }

    fn ledger_rows(&self, visit: &Remembered) -> Vec<JsonValue> {
        let row = |recorded: &crate::domain::past_visit::Recorded| {
            let (during, service) = (recorded.row.during, recorded.row.service);
            json!({
                "id": self.new_id::<Uuid>(), "subject_id": recorded.row.subject.0, "visit_id": visit.appointment.id.0,
                "from_at": during.starts_at(), "to_at": during.ends_at(),
                "serves_from": service.starts_at(), "serves_to": service.ends_at(),
                "since": recorded.since, "until": recorded.until,
            })
        };
        visit.rows.iter().map(row).collect()
    }

    fn audit_rows(&self, visit: &Remembered) -> Vec<JsonValue> {
        let row = |(at, actor, method): (Timestamp, &str, &caller::Method)| {
            let action = method.path.rsplit('/').next().unwrap_or_default();
            json!({
                "id": self.new_id::<Uuid>(), "at": at, "actor": actor, "action": action,
                "subject_id": visit.appointment.id.0,
            })
        };
        let moved = visit.before.iter().map(|(_, moved)| (moved.at, moved.by.as_str(), &MOVE_APPOINTMENT));
        let entered = visit.progress.entries().iter().map(|entry| {
            let method = match entry.stage {
                Stage::Booked => &BOOK_APPOINTMENT,
                Stage::Cancelled => &CANCEL_APPOINTMENT,
                _ => &SET_APPOINTMENT_STATE,
            };
            (entry.at, entry.by.as_str(), method)
        });
        entered.chain(moved).map(row).collect()
    }
}

fn appointment(visit: &Remembered) -> JsonValue {
    let it = &visit.appointment;
    let cancelled = match &it.state {
        State::Cancelled(cancelled) => Some(cancelled),
        _ => None,
    };
    json!({
        "id": it.id.0, "state": stage_name(it.state.stage()),
        "customer_id": it.occasion.customer.map(|customer| customer.0), "call_id": it.occasion.call.map(|call| call.0),
        "starts_at": it.starts_at, "ends_at": it.ends_at, "price_minor": it.price.minor,
        "currency": it.price.currency, "notes": it.occasion.notes, "version": it.version, "created_at": it.created_at,
        "cancelled_at": cancelled.map(|cancelled| cancelled.at), "cancelled_by": cancelled.map(|cancelled| &cancelled.by),
        "cancel_reason": cancelled.map(|cancelled| &cancelled.reason), "late": it.state.was_cancelled_late(),
    })
}

fn items(visit: &Remembered) -> Vec<JsonValue> {
    let item = |(place, item): (usize, &engine::visit::PlacedItem)| {
        json!({
            "visit_id": visit.appointment.id.0, "position": place + 1, "service_id": item.service.0,
            "employee_id": item.employee.0, "starts_at": item.starts_at, "ends_at": item.ends_at,
            "price_minor": item.price_minor, "extra_minutes": item.extra_minutes,
        })
    };
    visit.appointment.items.iter().enumerate().map(item).collect()
}

fn states(visit: &Remembered) -> Vec<JsonValue> {
    let state = |(place, entry): (usize, &engine::progress::Entry)| {
        json!({
            "visit_id": visit.appointment.id.0, "position": place + 1, "state": stage_name(entry.stage),
            "entered_at": entry.at, "entered_by": entry.by, "freed_at": entry.freed_at,
        })
    };
    visit.progress.entries().iter().enumerate().map(state).collect()
}

fn place_left(visit: &Remembered) -> Vec<JsonValue> {
    let place = |(before, moved): &(engine::appointment::Appointment, crate::domain::past_visit::Moved)| {
        json!({
            "visit_id": before.id.0, "version": before.version, "starts_at": before.starts_at,
            "ends_at": before.ends_at, "employee_id": before.items.first().map(|item| item.employee.0),
            "left_at": moved.at, "left_by": moved.by,
        })
    };
    visit.before.iter().map(place).collect()
}
