//! How services do, counted from the visits of a span of time.
//!
//! Visits are entered by their start, and so are their items, which lie within a week of it: what
//! a report costs depends on its span, not on how long the business has been here.

use std::collections::BTreeMap;

use database::{named, to_db};
use engine::{
    id::{EmployeeId, ServiceId},
    span::Span,
};
use jiff::tz::TimeZone;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::intelligence::{Measured, Rebooking, Report, Tally},
};

/// Items of visits that start between `$from` and `:to`.
macro_rules! from_visits {
    ($from:literal) => {
        concat!(
            " FROM appointment a
            JOIN appointment_item i ON i.business_id = :business_id AND i.visit_id = a.id
                AND i.starts_at >= ",
            $from,
            " AND i.starts_at < :to::timestamptz + interval '7 days'
            WHERE a.business_id = :business_id AND a.starts_at >= ",
            $from,
            " AND a.starts_at < :to "
        )
    };
}

const SERVICES: &str =
    "SELECT id, name FROM service WHERE business_id = :business_id AND id > :after ORDER BY id LIMIT :rows";
const NAMES: &str =
    "SELECT id, name FROM employee WHERE business_id = :business_id AND id = ANY(:ids::uuid[])";
/// How many visits services had, and what they brought.
pub const TALLIES: &str = concat!(
    "WITH visit AS (
        SELECT i.service_id, a.state, a.currency, sum(i.price_minor) AS value,
            sum(extract(epoch FROM i.ends_at - i.starts_at)) / 60 AS minutes",
    from_visits!(":from"),
    "AND i.service_id = ANY(:service_ids::uuid[]) GROUP BY a.id, i.service_id, a.state, a.currency
    )
    SELECT service_id, currency, count(*) AS booked,
        count(*) FILTER (WHERE state = 'COMPLETED') AS completed,
        count(*) FILTER (WHERE state = 'CANCELLED') AS cancelled,
        count(*) FILTER (WHERE state = 'NO_SHOW') AS no_shows,
        COALESCE(sum(value) FILTER (WHERE state <> 'CANCELLED'), 0)::bigint AS value,
        COALESCE(sum(minutes) FILTER (WHERE state <> 'CANCELLED'), 0)::bigint AS planned_minutes
    FROM visit GROUP BY service_id, currency"
);
/// How long visits took. One of several services is left out: when its first service ended is unknown.
pub const MEASURED: &str = concat!(
    "SELECT i.service_id, count(*) AS visits,
        round(sum(extract(epoch FROM i.ends_at - i.starts_at)) / 60)::bigint AS planned_minutes,
        round(sum(extract(epoch FROM t.ended_at - t.began_at)) / 60)::bigint AS actual_minutes
    FROM (SELECT a.id AS visit_id, i.service_id, i.starts_at, i.ends_at",
    from_visits!(":from"),
    "AND a.state = 'COMPLETED' AND i.service_id = ANY(:service_ids::uuid[])
        AND NOT EXISTS (SELECT FROM appointment_item o
            WHERE o.business_id = :business_id AND o.visit_id = a.id AND o.position <> i.position)) i
    CROSS JOIN LATERAL (
        SELECT min(entered_at) FILTER (WHERE state = 'IN_SERVICE') AS began_at,
            max(entered_at) FILTER (WHERE state = 'COMPLETED') AS ended_at
        FROM state_change c WHERE c.business_id = :business_id AND c.visit_id = i.visit_id
            AND c.undone_at IS NULL
    ) t
    WHERE t.began_at < t.ended_at GROUP BY i.service_id"
);
const EMPLOYEES: &str = concat!(
    "SELECT i.service_id, i.employee_id, count(DISTINCT a.id) AS visits",
    from_visits!(":from"),
    "AND a.state <> 'CANCELLED' AND i.service_id = ANY(:service_ids::uuid[])
    GROUP BY i.service_id, i.employee_id ORDER BY visits DESC, i.employee_id"
);
/// Two visits on one day count as one.
const REBOOKINGS: &str = concat!(
    "WITH day AS (
        SELECT DISTINCT i.service_id, a.customer_id, (a.starts_at AT TIME ZONE :zone)::date AS day",
    from_visits!(":from::timestamptz - interval '366 days'"),
    "AND a.customer_id IS NOT NULL AND a.state NOT IN ('CANCELLED', 'NO_SHOW')
        AND i.service_id = ANY(:service_ids::uuid[])
    ),
    again AS (
        SELECT service_id, day, day - lag(day) OVER (PARTITION BY service_id, customer_id ORDER BY day) AS days
        FROM day
    )
    SELECT service_id, percentile_cont(0.5) WITHIN GROUP (ORDER BY days) AS days, count(*) AS pairs
    FROM again WHERE days IS NOT NULL AND day >= (:from::timestamptz AT TIME ZONE :zone)::date
        GROUP BY service_id"
);

#[derive(FromQueryResult)]
struct NameRow {
    id: Uuid,
    name: String,
}

impl From<NameRow> for (Uuid, String) {
    fn from(row: NameRow) -> Self {
        (row.id, row.name)
    }
}

#[derive(FromQueryResult)]
struct TallyRow {
    service_id: Uuid,
    currency: String,
    booked: i64,
    completed: i64,
    cancelled: i64,
    no_shows: i64,
    value: i64,
    planned_minutes: i64,
}

impl From<TallyRow> for (ServiceId, Tally, String, i64) {
    fn from(row: TallyRow) -> Self {
        let TallyRow { booked, completed, cancelled, no_shows, planned_minutes, .. } = row;
        let tally = Tally { booked, completed, cancelled, no_shows, planned_minutes };
        (ServiceId(row.service_id), tally, row.currency, row.value)
    }
}

#[derive(FromQueryResult)]
struct MeasuredRow {
    service_id: Uuid,
    visits: i64,
    planned_minutes: i64,
    actual_minutes: i64,
}

impl From<MeasuredRow> for (ServiceId, Measured) {
    fn from(row: MeasuredRow) -> Self {
        let MeasuredRow { service_id, visits, planned_minutes, actual_minutes } = row;
        (ServiceId(service_id), Measured { visits, planned_minutes, actual_minutes })
    }
}

#[derive(FromQueryResult)]
struct EmployeeRow {
    service_id: Uuid,
    employee_id: Uuid,
    visits: i64,
}

impl From<EmployeeRow> for (ServiceId, EmployeeId, i64) {
    fn from(row: EmployeeRow) -> Self {
        (ServiceId(row.service_id), EmployeeId(row.employee_id), row.visits)
    }
}

#[derive(FromQueryResult)]
struct RebookingRow {
    service_id: Uuid,
    days: f64,
    pairs: i64,
}

impl From<RebookingRow> for (ServiceId, Rebooking) {
    fn from(row: RebookingRow) -> Self {
        (ServiceId(row.service_id), Rebooking { days: row.days, pairs: row.pairs })
    }
}

impl Tx {
    /// Services after `after`, by id, and what each is called.
    pub async fn service_names(
        &self,
        after: ServiceId,
        rows: u32,
    ) -> Result<Vec<(ServiceId, String)>, Error> {
        let values = named! { business_id: self.business.0, after: after.0, rows: i64::from(rows) };
        let rows: Vec<(Uuid, String)> = self.all::<NameRow, _>(SERVICES, values).await?;
        Ok(rows.into_iter().map(|(id, name)| (ServiceId(id), name)).collect())
    }

    /// What employees are called, as far as that is known here.
    pub async fn employee_names(&self, ids: &[EmployeeId]) -> Result<BTreeMap<EmployeeId, String>, Error> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        let rows: Vec<(Uuid, String)> =
            self.all::<NameRow, _>(NAMES, named! { business_id: self.business.0, ids }).await?;
        Ok(rows.into_iter().map(|(id, name)| (EmployeeId(id), name)).collect())
    }

    /// How each of `services` does in visits that start within `span`, with one query for each kind
    /// of number.
    pub async fn reports(
        &self,
        services: &[ServiceId],
        span: Span,
        zone: &TimeZone,
    ) -> Result<Vec<Report>, Error> {
        let mut reports: BTreeMap<_, _> =
            services.iter().map(|service| (*service, Report::of(*service))).collect();
        let values = named! {
            business_id: self.business.0,
            from: to_db(span.starts_at()),
            to: to_db(span.ends_at()),
            service_ids: services.iter().map(|service| service.0).collect::<Vec<_>>(),
        };
        for (service, tally, currency, value) in self.all::<TallyRow, _>(TALLIES, values.clone()).await? {
            reports.entry(service).and_modify(|report| report.add(&tally, currency, value));
        }
        for (service, measured) in self.all::<MeasuredRow, _>(MEASURED, values.clone()).await? {
            reports.entry(service).and_modify(|report| report.measured = Some(measured));
        }
        for (service, employee, visits) in self.all::<EmployeeRow, _>(EMPLOYEES, values.clone()).await? {
            reports.entry(service).and_modify(|report| report.employees.push((employee, visits)));
        }
        let zone = zone.iana_name().ok_or(Error::Stored("time zone"))?;
        let rebookings = self.all::<RebookingRow, _>(REBOOKINGS, values.and(named! { zone }));
        for (service, rebooking) in rebookings.await? {
            reports.entry(service).and_modify(|report| report.rebooking = Some(rebooking));
        }
        Ok(reports.into_values().collect())
    }
}
