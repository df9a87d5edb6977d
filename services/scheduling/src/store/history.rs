//! What customers have had, and are booked for.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{
    history::{Had, Need, admits, admitted},
    id::{CustomerId, ServiceId},
    item::{Item, Wish},
    refusal::Refusal,
    schedule::Schedule,
    span::Span,
    visit::{PlacedItem, VisitRequest},
};
use jiff::{SignedDuration, Timestamp};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::Error;

/// Longest visit that begins before the span it ends in.
const LONGEST: SignedDuration = SignedDuration::from_hours(48);

/// What customers have had of some services, as known at an instant.
pub const HAD: &str = "SELECT c.id AS customer_id, i.service_id, i.ends_at
    FROM unnest(:customer_ids::uuid[]) AS c (id)
    CROSS JOIN LATERAL (
        SELECT c.id UNION ALL
        SELECT p.id FROM customer p WHERE p.business_id = :business_id AND p.merged_into = c.id
    ) AS part (id)
    CROSS JOIN LATERAL (
        SELECT id FROM appointment
        WHERE business_id = :business_id AND customer_id = part.id AND starts_at >= :from AND starts_at < :to
            AND created_at <= :at AND state <> 'NO_SHOW' AND (cancelled_at IS NULL OR cancelled_at > :at)
        -- Keeps the planner from reading all of the business's visits in that time.
        OFFSET 0
    ) a
    JOIN appointment_item i ON i.business_id = :business_id AND i.visit_id = a.id AND i.guest = 0
        AND i.service_id = ANY(:service_ids::uuid[])";

/// What customers have had that matters to some requests.
#[derive(Debug, Default)]
pub(crate) struct Histories(BTreeMap<CustomerId, Vec<Had>>);

impl Histories {
    /// The request of whom it is for.
    pub fn complete(&self, request: VisitRequest) -> VisitRequest {
        let had = self.of(request.needs());
        request.after(had)
    }

    /// When a visit may start that needs this of its customer; whenever, where it needs nothing.
    pub fn admitted(&self, needs: &[Need]) -> Option<Vec<Span>> {
        admitted(needs, self.of(needs))
    }

    fn of(&self, needs: &[Need]) -> &[Had] {
        let customer = needs.iter().find_map(|need| need.customer);
        customer.and_then(|customer| self.0.get(&customer)).map_or(&[], Vec::as_slice)
    }
}

#[derive(FromQueryResult)]
struct Row {
    customer_id: Uuid,
    service_id: Uuid,
    ends_at: DateTime<Utc>,
}

impl From<Row> for (CustomerId, Had) {
    fn from(row: Row) -> Self {
        let had = Had { service: ServiceId(row.service_id), ended_at: from_db(row.ends_at) };
        (CustomerId(row.customer_id), had)
    }
}

impl Tx {
    /// What a visit of `items` that starts within `starts` needs of the salon and of its
    /// customer's earlier visits.
    ///
    /// # Errors
    /// As [`Schedule::request`].
    pub(crate) async fn request(
        &self,
        schedule: &Schedule,
        items: &[Item],
        starts: Span,
    ) -> Result<VisitRequest, Error> {
        self.request_as_of(schedule, items, starts, self.now()).await
    }

    /// As [`Self::request`], with the earlier visits as they were known at `at`.
    ///
    /// # Errors
    /// As [`Schedule::request`].
    pub(crate) async fn request_as_of(
        &self,
        schedule: &Schedule,
        items: &[Item],
        starts: Span,
        at: Timestamp,
    ) -> Result<VisitRequest, Error> {
        let request = schedule.request(items)?;
        Ok(self.histories(request.needs(), starts, at).await?.complete(request))
    }

    /// What customers have had before visits that start within `starts`, as known at `at`. Runs one
    /// query, or none if `needs` is empty.
    pub(crate) async fn histories<'a>(
        &self,
        needs: impl IntoIterator<Item = &'a Need>,
        starts: Span,
        at: Timestamp,
    ) -> Result<Histories, Error> {
        let needs: Vec<Need> = needs.into_iter().copied().collect();
        let customers: BTreeSet<_> = needs.iter().filter_map(|need| need.customer).map(|one| one.0).collect();
        if customers.is_empty() {
            return Ok(Histories::default());
        }
        let services: BTreeSet<_> = needs.iter().map(|need| need.service.0).collect();
        let most = needs.iter().map(|need| need.most).max().unwrap_or_default();
        let values = named! {
            business_id: self.business.0,
            customer_ids: customers.into_iter().collect::<Vec<_>>(),
            service_ids: services.into_iter().collect::<Vec<_>>(),
            from: to_db(starts.starts_at() - most - LONGEST),
            to: to_db(starts.ends_at()),
            at: to_db(at),
        };
        let mut histories = Histories::default();
        for (customer, had) in self.all::<Row, (CustomerId, Had)>(HAD, values).await? {
            histories.0.entry(customer).or_default().push(had);
        }
        Ok(histories)
    }

    /// Makes sure that a customer has had what a visit needs that was placed without them.
    ///
    /// # Errors
    /// EARLIER_VISIT.
    pub(crate) async fn admit_customer(
        &self,
        schedule: &Schedule,
        items: &[PlacedItem],
        customer: Option<CustomerId>,
    ) -> Result<(), Error> {
        let start = items.iter().map(|item| item.starts_at).min().ok_or(Error::Stored("hold"))?;
        let item = |item: &PlacedItem| Item {
            service: item.service,
            employee: Some(item.employee),
            preferred: None,
            guest: item.guest,
            customer: customer.filter(|_| item.guest == 0),
            extra_minutes: item.extra_minutes,
            wish: Wish::Anyone,
        };
        let items: Vec<_> = items.iter().map(item).collect();
        // Of the rest of the schedule nothing is asked again: what is kept is kept.
        let is_admitted = self.is_admitted(schedule, &items, start).await?;
        if is_admitted { Ok(()) } else { Err(Refusal::EarlierVisit.into()) }
    }

    /// Whether the customer of a visit of `items` at `start` has had what it needs before.
    pub(crate) async fn is_admitted(
        &self,
        schedule: &Schedule,
        items: &[Item],
        start: Timestamp,
    ) -> Result<bool, Error> {
        let needs = schedule.needs(items);
        let histories = self.histories(&needs, Span::at(start), self.now()).await?;
        Ok(admits(histories.admitted(&needs).as_deref(), start))
    }
}
