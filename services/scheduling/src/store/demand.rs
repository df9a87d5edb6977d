//! Searches that found nothing: counted in memory, written in batches.

use std::sync::{Mutex, PoisonError};

use caller::{BusinessId, Worker};
use chrono::NaiveDate;
use database::{Named, named};
use engine::{dates::DateRange, id::ServiceId, part_of_day::PartOfDay};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Store, Tx, day::naive};
use crate::{
    Error,
    domain::demand::{Demand, Waiting},
};

/// Most kinds of demand of a business and a day; what is new beyond is not counted.
const MOST_A_DAY: i64 = 500;
/// Most that a report shows.
const MOST_SHOWN: i64 = 50;

/// In one order for everybody, so that replicas that write at once never deadlock.
const ADD: &str = "INSERT INTO unmet_demand AS known (business_id, day, service_ids, day_part, searches)
    SELECT :business_id, d.day, string_to_array(d.services, ',')::uuid[], d.part, d.searches
    FROM unnest(:days::date[], :services::text[], :parts::text[], :searches::bigint[])
        AS d (day, services, part, searches)
    WHERE (SELECT count(*) FROM unmet_demand u WHERE u.business_id = :business_id AND u.day = d.day) < :most
        OR EXISTS (SELECT FROM unmet_demand u WHERE u.business_id = :business_id AND u.day = d.day
            AND u.service_ids = string_to_array(d.services, ',')::uuid[] AND u.day_part = d.part)
    ORDER BY d.day, d.services, d.part
    ON CONFLICT (business_id, day, service_ids, day_part)
    DO UPDATE SET searches = known.searches + excluded.searches";
/// The most frequent searches that found nothing.
pub const UNMET_DEMAND: &str = "SELECT service_ids, day_part, sum(searches)::bigint AS searches
    FROM unmet_demand WHERE business_id = :business_id AND day >= :first AND day <= :last
    GROUP BY service_ids, day_part ORDER BY searches DESC, service_ids, day_part LIMIT :rows";

/// Unmet demand, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmet {
    /// The services, ascending.
    pub services: Vec<ServiceId>,
    /// When of the day.
    pub part: Option<PartOfDay>,
    /// How many searches.
    pub searches: i64,
}

#[derive(FromQueryResult)]
struct Row {
    service_ids: Vec<Uuid>,
    day_part: String,
    searches: i64,
}

impl TryFrom<Row> for Unmet {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let parts = PartOfDay::ALL.map(Some);
        let part = parts.into_iter().chain([None]).find(|part| part_name(*part) == row.day_part);
        Ok(Self {
            services: row.service_ids.into_iter().map(ServiceId).collect(),
            part: part.ok_or(Error::Stored("demand"))?,
            searches: row.searches,
        })
    }
}

fn part_name(part: Option<PartOfDay>) -> &'static str {
    match part {
        None => "ANY",
        Some(PartOfDay::Morning) => "MORNING",
        Some(PartOfDay::Afternoon) => "AFTERNOON",
        Some(PartOfDay::Evening) => "EVENING",
    }
}

/// Demand of all businesses that waits to be written.
#[derive(Debug, Default)]
pub(crate) struct Counts(Mutex<Waiting<BusinessId>>);

impl Counts {
    fn within<R>(&self, change: impl FnOnce(&mut Waiting<BusinessId>) -> R) -> R {
        // A count that a panic left half made is a count all the same.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Store {
    /// Counts a search that found nothing. Never waits for anything, and can't fail: it is written
    /// later, or lost with the process.
    pub fn count_demand(&self, business: BusinessId, demand: Demand) {
        self.measure.unmet_demand();
        self.demand.within(|waiting| waiting.count(business, demand));
    }

    /// Writes what was counted here and not yet written.
    ///
    /// # Errors
    /// What the database refused last; what was to be written then is lost.
    pub async fn write_demand(&self) -> Result<(), Error> {
        let mut written = Ok(());
        for (business, batch) in self.demand.within(Waiting::take) {
            written = self.write_batch(business, &batch).await.and(written);
        }
        written
    }

    async fn write_batch(&self, business: BusinessId, batch: &[(Demand, u32)]) -> Result<(), Error> {
        let tx = self.database.tx::<Error>(&Worker::new("demand", business));
        tx.execute(ADD, columns(business, batch)).await?;
        tx.commit().await
    }
}

impl Tx {
    /// The most frequent searches on `dates` that found nothing.
    pub async fn unmet_demand(&self, dates: DateRange) -> Result<Vec<Unmet>, Error> {
        let values = named! {
            business_id: self.business.0,
            first: naive(dates.first()),
            last: naive(dates.last()),
            rows: MOST_SHOWN,
        };
        self.all::<Row, _>(UNMET_DEMAND, values).await
    }
}

fn columns(business: BusinessId, batch: &[(Demand, u32)]) -> Named {
    let days: Vec<NaiveDate> = batch.iter().map(|(demand, _)| naive(demand.day)).collect();
    let services: Vec<String> = batch.iter().map(|(demand, _)| joined(&demand.services)).collect();
    let parts: Vec<String> = batch.iter().map(|(demand, _)| part_name(demand.part).to_owned()).collect();
    let searches: Vec<i64> = batch.iter().map(|(_, count)| i64::from(*count)).collect();
    named! {
        business_id: business.0,
        days,
        services,
        parts,
        searches,
        most: MOST_A_DAY,
    }
}

/// An array of arrays must have rows of one length, so each travels as text.
fn joined(services: &[ServiceId]) -> String {
    services.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
