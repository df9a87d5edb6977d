//! Appointments that stand in time off.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{
    id::{TimeOffId, VisitId},
    span::Span,
};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{Error, domain::time_off::TimeOff};

/// The first appointments that stand in each of several times off.
pub const VISITS_IN_TIME_OFF: &str = "SELECT t.id AS time_off_id, v.id, v.starts_at, v.is_stranded,
        c.name AS customer_name, n.service_names
    FROM unnest(:ids::uuid[], :employee_ids::uuid[], :starts::timestamptz[], :ends::timestamptz[])
        AS t (id, employee_id, from_at, to_at)
    CROSS JOIN LATERAL (
        SELECT DISTINCT a.starts_at, a.id, a.customer_id, a.state IN ('BOOKED', 'CONFIRMED') AS is_stranded
        FROM ledger l
        JOIN appointment a ON a.business_id = :business_id AND a.id = l.visit_id
        WHERE l.business_id = :business_id AND l.is_open AND l.kind = 'BOOKING'
            AND l.subject_id = t.employee_id
            AND l.starts_at >= t.from_at - interval '25 hours' AND l.starts_at < t.to_at
            AND l.ends_at > t.from_at
            AND lower(l.service_during) < t.to_at AND upper(l.service_during) > t.from_at
            AND a.state IN ('BOOKED', 'CONFIRMED', 'ARRIVED', 'IN_SERVICE')
        ORDER BY a.starts_at, a.id LIMIT 200
    ) v
    -- One by one: a salon has more customers than come then.
    LEFT JOIN LATERAL (
        SELECT customer.name FROM customer
        WHERE customer.business_id = :business_id AND customer.id = v.customer_id LIMIT 1
    ) c ON true
    CROSS JOIN LATERAL (
        SELECT array_agg(s.name ORDER BY i.position) AS service_names
        FROM appointment_item i
        JOIN service s ON s.business_id = :business_id AND s.id = i.service_id
        WHERE i.business_id = :business_id AND i.visit_id = v.id
    ) n
    ORDER BY v.starts_at, v.id";

/// An appointment that stands in time off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverlappingVisit {
    /// The appointment.
    pub appointment: VisitId,
    /// When the customer comes.
    pub starts_at: Timestamp,
    /// The customer has not arrived.
    pub is_stranded: bool,
    /// Empty for an unnamed customer.
    pub customer_name: String,
    /// What is done, in order.
    pub services: Vec<String>,
}

#[derive(FromQueryResult)]
struct Row {
    time_off_id: Uuid,
    id: Uuid,
    starts_at: DateTime<Utc>,
    is_stranded: bool,
    customer_name: Option<String>,
    service_names: Option<Vec<String>>,
}

impl From<Row> for (TimeOffId, OverlappingVisit) {
    fn from(row: Row) -> Self {
        let visits = OverlappingVisit {
            appointment: VisitId(row.id),
            starts_at: from_db(row.starts_at),
            is_stranded: row.is_stranded,
            customer_name: row.customer_name.unwrap_or_default(),
            services: row.service_names.unwrap_or_default(),
        };
        (TimeOffId(row.time_off_id), visits)
    }
}

impl Tx {
    /// The appointments that stand in each of these times off, with one query for all.
    pub(crate) async fn visits_in_time_off(
        &self,
        time_off_list: &[(&TimeOff, Span)],
    ) -> Result<HashMap<TimeOffId, Vec<OverlappingVisit>>, Error> {
        let values = named! {
            business_id: self.business.0,
            ids: time_off_list.iter().map(|(off, _)| off.id.0).collect::<Vec<_>>(),
            employee_ids: time_off_list.iter().map(|(off, _)| off.employee.0).collect::<Vec<_>>(),
            starts: time_off_list.iter().map(|(_, span)| to_db(span.starts_at())).collect::<Vec<_>>(),
            ends: time_off_list.iter().map(|(_, span)| to_db(span.ends_at())).collect::<Vec<_>>(),
        };
        let mut visits: HashMap<_, Vec<_>> = HashMap::new();
        for (id, one) in self.all::<Row, (TimeOffId, OverlappingVisit)>(VISITS_IN_TIME_OFF, values).await? {
            visits.entry(id).or_default().push(one);
        }
        Ok(visits)
    }
}
