//! Calls that pass a filter.

use database::{Named, named, to_db};
use jiff::tz::TimeZone;
use uuid::Uuid;

use super::{
    After, Tx,
    call_list::{APPOINTMENTS, CUSTOMER, CUSTOMER_COLUMNS, LAST_HEARD, ListedRow},
};
use crate::{
    domain::{
        CallId, CustomerId, call::Listed, call_filter::CallFilter, latency, outcome::Outcome, span::Span,
    },
    error::Error,
};

/// The business's calls that pass a filter, newest first; the function looks past the policies, the rest does not.
pub(super) fn filtered_sql() -> String {
    format!(
        "SELECT c.*, {CUSTOMER_COLUMNS}, {APPOINTMENTS}, {LAST_HEARD}
         FROM search_calls(:from, :to, :live, :outcomes, :platform, :missed, :wanted, :failed, :service, :zone, :hour,
            CASE WHEN :customer_id::uuid IS NULL THEN NULL ELSE ARRAY(SELECT :customer_id::uuid UNION ALL
                SELECT id FROM customer WHERE business_id = :business_id AND merged_into = :customer_id) END,
            :words, :after_start, :after_id, :limit, :booked, :slow, :by_team) AS found (id)
         CROSS JOIN LATERAL (
            SELECT * FROM call WHERE business_id = :business_id AND id = found.id OFFSET 0
         ) AS c
         {CUSTOMER}
         ORDER BY c.started_at DESC, c.id DESC"
    )
}

/// Those with a look-up of a step or a longer one. The newest of each step are read by its index, and of these the newest
/// of all: however few there are, and however long ago they were, no other call is looked at.
pub(super) fn slow_sql() -> String {
    format!(
        "SELECT c.*, {CUSTOMER_COLUMNS}, {APPOINTMENTS}, {LAST_HEARD}
         FROM (
            SELECT newest.id FROM generate_series(:slow::integer, :slowest::integer) AS taken (step)
            CROSS JOIN LATERAL (
                SELECT id, started_at FROM call
                WHERE business_id = :business_id AND slowest_step = taken.step AND started_at >= :from
                    AND started_at < :to AND (started_at, id) < (:after_start, :after_id)
                ORDER BY started_at DESC, id DESC LIMIT :limit
            ) AS newest
            ORDER BY newest.started_at DESC, newest.id DESC LIMIT :limit
         ) AS found
         CROSS JOIN LATERAL (
            SELECT * FROM call WHERE business_id = :business_id AND id = found.id OFFSET 0
         ) AS c
         {CUSTOMER}
         ORDER BY c.started_at DESC, c.id DESC"
    )
}

fn slow_values(business: Uuid, step: u8, span: Span, after: After, limit: u32) -> Named {
    named! {
        business_id: business,
        slow: i32::from(step),
        slowest: i32::from(latency::step(i32::MAX)),
        from: to_db(span.from),
        to: to_db(span.to),
        after_start: to_db(after.started_at),
        after_id: after.id.0,
        limit: i64::from(limit),
    }
}

/// What a page of the list is of.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Those of this customer.
    pub customer: Option<CustomerId>,
    /// Those that pass it.
    pub filter: CallFilter,
    /// The business's zone, where the filter needs it.
    pub zone: Option<TimeZone>,
}

pub(super) fn values(business: Uuid, wanted: &Wanted, after: After, limit: u32) -> Named {
    let Wanted { customer, filter, zone } = wanted;
    let zone = zone.clone().unwrap_or(TimeZone::UTC);
    let span = filter.span(&zone);
    let outcomes: Vec<String> =
        filter.outcomes.iter().map(|outcome: &Outcome| outcome.name().to_owned()).collect();
    named! {
        business_id: business,
        from: to_db(span.from),
        to: to_db(span.to),
        live: filter.live,
        outcomes: (!outcomes.is_empty()).then_some(outcomes),
        platform: filter.platform.clone(),
        missed: filter.missed.map(|missed| missed.name()),
        wanted: filter.wanted_booking,
        failed: filter.failed_tool,
        service: filter.service.map(|service| service.0),
        booked: filter.service_booked,
        by_team: filter.booked_by_team,
        slow: filter.lookup_step.map(i32::from),
        zone: zone.iana_name().unwrap_or("UTC").to_owned(),
        hour: filter.hour.map(i32::from),
        customer_id: customer.map(|customer| customer.0),
        words: filter.words.clone(),
        after_start: to_db(after.started_at),
        after_id: after.id.0,
        limit: i64::from(limit),
    }
}

impl Tx {
    /// Calls that pass a filter, from the newest on, at most `limit`.
    pub async fn filtered_calls(
        &self,
        wanted: &Wanted,
        after: Option<After>,
        limit: u32,
    ) -> Result<Vec<Listed>, Error> {
        if wanted.filter.wants_all() {
            return self.calls(wanted.customer, after, limit).await;
        }
        let span = wanted.filter.span(wanted.zone.as_ref().unwrap_or(&TimeZone::UTC));
        // The index is entered where the page begins: from any later place it would be read up to the span's end.
        let after = after.unwrap_or(After { started_at: span.to, id: CallId(Uuid::nil()) });
        if let (Some(step), None) = (wanted.filter.slow_alone(), wanted.customer) {
            let values = slow_values(self.business.0, step, span, after, limit);
            return self.all::<ListedRow, _>(&slow_sql(), values).await;
        }
        self.all::<ListedRow, _>(&filtered_sql(), values(self.business.0, wanted, after, limit)).await
    }
}
