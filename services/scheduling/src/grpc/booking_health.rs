//! How bookings go, for administrators.

use caller::InstallationScope;
use jiff::SignedDuration;
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, BookingHealthServiceHandler, ListBookingHealthRequest, ListBookingHealthResponse,
    },
    parse,
    time::required,
};
use tonic::{Status, async_trait};

use crate::store::{BookingHealth, Store};

/// Businesses that an administrator reads about at once.
const MOST_BUSINESSES: usize = 50;
/// How far from now visits are counted; an hour more for the way.
const FARTHEST: SignedDuration = SignedDuration::from_hours(31 * 24 + 1);

/// Serves `BookingHealthService`.
#[derive(Debug)]
pub(crate) struct Health {
    store: Store,
}

impl Health {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl BookingHealthServiceHandler for Health {
    async fn list_booking_health(
        &self,
        scope: InstallationScope,
        request: ListBookingHealthRequest,
    ) -> Result<ListBookingHealthResponse, Status> {
        let ids = parse::some_ids("business_ids", &request.business_ids, MOST_BUSINESSES)?;
        let since = required("since", request.since.as_ref())?;
        let until = required("until", request.until.as_ref())?;
        let now = self.store.now();
        if now.duration_since(since) > FARTHEST {
            return Err(invalid("since", "must be at most 31 days ago"));
        }
        if until.duration_since(now) > FARTHEST {
            return Err(invalid("until", "must be at most 31 days ahead"));
        }
        let bookings = self.store.booking_health(&scope, &ids, (since, until)).await?;
        Ok(ListBookingHealthResponse { bookings: bookings.iter().map(health).collect() })
    }
}

fn health(health: &BookingHealth) -> pb::BookingHealth {
    let count = |rows: i64| i32::try_from(rows).unwrap_or(i32::MAX);
    pb::BookingHealth {
        business_id: health.business_id.to_string(),
        service_count: count(health.services),
        open_day_count: count(health.open_days),
        scheduled_employee_count: count(health.scheduled_employees),
        past_visit_count: count(health.past_visits),
        coming_visit_count: count(health.coming_visits),
        open_conflict_count: count(health.open_conflicts),
        bookable_service_count: count(health.bookable_services),
    }
}
