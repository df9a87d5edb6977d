//! What a customer's past visits add up to.

use chrono::{DateTime, Utc};
use database::{Named, from_db, named, to_db};
use engine::id::{CustomerId, ServiceId};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::Error;

/// Rows of a customer's appointments, and of those who are part of them.
macro_rules! of_customer {
    ($columns:literal, $joins:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM appointment a ",
            $joins,
            " WHERE a.business_id = :business_id
            AND a.customer_id = ANY(ARRAY(SELECT :customer_id::uuid UNION ALL
                SELECT id FROM customer WHERE business_id = :business_id AND merged_into = :customer_id))
            AND ",
            $rest
        )
    };
}

/// How often, from when to when, and for how much, by currency.
pub const VISITS_OF_CUSTOMER: &str = of_customer!(
    "a.currency, sum(a.price_minor)::bigint AS price_minor, count(*) AS visits, min(a.starts_at) AS first_at,
        max(a.starts_at) AS last_at",
    "",
    "a.ends_at <= :now AND a.state NOT IN ('CANCELLED', 'NO_SHOW') GROUP BY a.currency ORDER BY a.currency"
);
const USUAL_SERVICES: &str = of_customer!(
    "i.service_id, s.name, count(DISTINCT a.id) AS visits, max(a.starts_at) AS last_at",
    "JOIN appointment_item i ON i.business_id = :business_id AND i.visit_id = a.id AND i.guest = 0
    JOIN service s ON s.business_id = :business_id AND s.id = i.service_id",
    "a.ends_at <= :now AND a.state NOT IN ('CANCELLED', 'NO_SHOW') GROUP BY i.service_id, s.name
    ORDER BY visits DESC, last_at DESC, i.service_id LIMIT 3"
);
const NO_SHOWS: &str = of_customer!(
    "a.starts_at, count(*) OVER () AS total",
    "",
    "a.state = 'NO_SHOW' ORDER BY a.starts_at DESC, a.id LIMIT 20"
);

/// Visits that took place in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visits {
    /// ISO 4217.
    pub currency: String,
    /// What they were priced at.
    pub price_minor: i64,
    /// How many.
    pub count: i64,
    /// When the first of them started.
    pub first_at: Timestamp,
    /// When the last of them started.
    pub last_at: Timestamp,
}

/// A service that a customer had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsualService {
    /// Which.
    pub service: ServiceId,
    /// What it is called.
    pub name: String,
    /// In how many visits.
    pub visits: i64,
    /// When the last of them started.
    pub last_at: Timestamp,
}

/// What a customer's past visits add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerFigures {
    /// Visits that took place, by currency.
    pub visits: Vec<Visits>,
    /// The most frequent services.
    pub usual: Vec<UsualService>,
    /// When they were expected and did not come, the latest first.
    pub no_shows: Vec<Timestamp>,
    /// How often that was.
    pub no_show_count: i64,
}

#[derive(FromQueryResult)]
struct VisitsRow {
    currency: String,
    price_minor: i64,
    visits: i64,
    first_at: DateTime<Utc>,
    last_at: DateTime<Utc>,
}

#[derive(FromQueryResult)]
struct UsualRow {
    service_id: Uuid,
    name: String,
    visits: i64,
    last_at: DateTime<Utc>,
}

#[derive(FromQueryResult)]
struct NoShowRow {
    starts_at: DateTime<Utc>,
    total: i64,
}

impl From<VisitsRow> for Visits {
    fn from(row: VisitsRow) -> Self {
        Self {
            currency: row.currency,
            price_minor: row.price_minor,
            count: row.visits,
            first_at: from_db(row.first_at),
            last_at: from_db(row.last_at),
        }
    }
}

impl From<UsualRow> for UsualService {
    fn from(row: UsualRow) -> Self {
        Self {
            service: ServiceId(row.service_id),
            name: row.name,
            visits: row.visits,
            last_at: from_db(row.last_at),
        }
    }
}

impl From<NoShowRow> for (Timestamp, i64) {
    fn from(row: NoShowRow) -> Self {
        (from_db(row.starts_at), row.total)
    }
}

impl Tx {
    /// What a customer's past visits add up to.
    pub async fn customer_figures(&self, customer: CustomerId) -> Result<CustomerFigures, Error> {
        let values = || -> Named {
            named! { business_id: self.business.0, customer_id: customer.0 }
        };
        let past = || values().and(named! { now: to_db(self.now()) });
        let no_shows: Vec<(Timestamp, i64)> = self.all::<NoShowRow, _>(NO_SHOWS, values()).await?;
        Ok(CustomerFigures {
            visits: self.all::<VisitsRow, _>(VISITS_OF_CUSTOMER, past()).await?,
            usual: self.all::<UsualRow, _>(USUAL_SERVICES, past()).await?,
            no_show_count: no_shows.first().map_or(0, |(_, total)| *total),
            no_shows: no_shows.into_iter().map(|(at, _)| at).collect(),
        })
    }
}
