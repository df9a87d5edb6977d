//! Visits that repeat.

use caller::BusinessScope;
use engine::{
    appointment::BookingDetails,
    id::{SeriesId, VisitId},
};
use proto::{
    contact::ContactReach,
    frontdesk::scheduling::v1::{
        self as pb, BookSeriesRequest, BookSeriesResponse, CancelRestOfSeriesRequest,
        CancelRestOfSeriesResponse, GetSeriesRequest, GetSeriesResponse, MoveRestOfSeriesRequest,
        MoveRestOfSeriesResponse, PlanSeriesRequest, PlanSeriesResponse, SeriesServiceHandler,
        series_service_methods::{BOOK_SERIES, CANCEL_REST_OF_SERIES, MOVE_REST_OF_SERIES},
    },
    parse::{id, optional_id, optional_text},
};
use tonic::{Status, async_trait};

use super::{
    appointment_request::{consent, employees, extra_minutes},
    fields::{self, MAX_NOTES, MAX_REASON},
    recurrence::{changes, planned_occurrence, recurrence},
    schedule::zone_name,
};
use crate::{
    Error,
    app::{BookSeries, Calls, CancelRestOfSeries, MoveRestOfSeries, Named, People, PlanSeries},
    store::{Store, Tx},
};

/// Serves `SeriesService`.
#[derive(Debug)]
pub(crate) struct SeriesBook {
    store: Store,
    people: People,
    calls: Calls,
}

impl SeriesBook {
    pub(crate) fn new(store: Store, people: People, calls: Calls) -> Self {
        Self { store, people, calls }
    }
}

#[async_trait]
impl SeriesServiceHandler for SeriesBook {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(self.store.contact_reach(scope).await?)
    }

    async fn plan_series(
        &self,
        scope: BusinessScope,
        request: PlanSeriesRequest,
    ) -> Result<PlanSeriesResponse, Status> {
        let customer = optional_id("customer_id", &request.customer_id)?;
        let (items, recurrence) = (fields::items(&request.items, customer)?, recurrence(request.recurrence)?);
        let start = fields::start(request.starts_at.as_ref())?;
        self.people.check(&scope, Named::customer("customer_id", customer).in_items(&items)).await?;
        let tx = self.store.begin(&scope);
        let (schedule, outlook) = PlanSeries { items, recurrence, start }.run(&tx).await?;
        tx.release();
        let occurrences = outlook.iter().map(|one| planned_occurrence(one, &schedule)).collect();
        Ok(PlanSeriesResponse { occurrences, time_zone: zone_name(&schedule.zone) })
    }

    async fn book_series(
        &self,
        scope: BusinessScope,
        request: BookSeriesRequest,
    ) -> Result<BookSeriesResponse, Status> {
        let (changes, occasion) = (changes(&request.changes)?, occasion(&request)?);
        let items = fields::items(&request.items, occasion.customer)?;
        let recurrence = recurrence(request.recurrence)?;
        let start = fields::start(request.starts_at.as_ref())?;
        self.people.check(&scope, Named::customer("customer_id", occasion.customer).in_items(&items)).await?;
        self.calls.check(&scope, occasion.call).await?;
        self.store
            .idempotent(&scope, &BOOK_SERIES, &request, async |tx| {
                let booking = BookSeries { items, recurrence, start, changes, occasion };
                let (id, change) = booking.run(tx).await?;
                Ok(BookSeriesResponse { series: Some(answer(tx, id).await?), change_id: change.to_string() })
            })
            .await
    }

    async fn get_series(
        &self,
        scope: BusinessScope,
        request: GetSeriesRequest,
    ) -> Result<GetSeriesResponse, Status> {
        let id: SeriesId = id("series_id", &request.series_id)?;
        let tx = self.store.begin(&scope);
        let series = answer(&tx, id).await?;
        let time_zone = zone_name(&tx.zone().await?);
        tx.release();
        Ok(GetSeriesResponse { series: Some(series), time_zone })
    }

    async fn move_rest_of_series(
        &self,
        scope: BusinessScope,
        request: MoveRestOfSeriesRequest,
    ) -> Result<MoveRestOfSeriesResponse, Status> {
        let series: SeriesId = id("series_id", &request.series_id)?;
        let from: VisitId = id("from_appointment_id", &request.from_appointment_id)?;
        let start = request.starts_at.as_ref().map(|start| fields::start(Some(start))).transpose()?;
        let employees = employees(&request.employee_ids)?;
        let extra_minutes = extra_minutes(&request.extra_minutes)?;
        let whole = request.whole_series;
        self.people
            .check(&scope, Named::employees("employee_ids", employees.iter().flatten().copied()))
            .await?;
        self.store
            .idempotent(&scope, &MOVE_REST_OF_SERIES, &request, async |tx| {
                let moving = MoveRestOfSeries {
                    series,
                    from,
                    start,
                    employees,
                    extra_minutes,
                    consent: consent(request.customer_agreed),
                    whole,
                    leave_taken: request.leave_taken,
                };
                let (left, change) = moving.run(tx).await?;
                Ok(MoveRestOfSeriesResponse {
                    series: Some(answer(tx, series).await?),
                    left_appointment_ids: left.iter().map(VisitId::to_string).collect(),
                    change_id: change.to_string(),
                })
            })
            .await
    }

    async fn cancel_rest_of_series(
        &self,
        scope: BusinessScope,
        request: CancelRestOfSeriesRequest,
    ) -> Result<CancelRestOfSeriesResponse, Status> {
        let series: SeriesId = id("series_id", &request.series_id)?;
        let from: VisitId = id("from_appointment_id", &request.from_appointment_id)?;
        let reason = optional_text("reason", &request.reason, MAX_REASON)?.unwrap_or_default();
        let whole = request.whole_series;
        self.store
            .idempotent(&scope, &CANCEL_REST_OF_SERIES, &request, async |tx| {
                let change = CancelRestOfSeries { series, from, whole, reason }.run(tx).await?;
                Ok(CancelRestOfSeriesResponse {
                    series: Some(answer(tx, series).await?),
                    change_id: change.to_string(),
                })
            })
            .await
    }
}

async fn answer(tx: &Tx, id: SeriesId) -> Result<pb::Series, Error> {
    Ok(pb::Series::from(&tx.series(id).await?))
}

fn occasion(request: &BookSeriesRequest) -> Result<BookingDetails, Status> {
    Ok(BookingDetails {
        customer: optional_id("customer_id", &request.customer_id)?,
        call: optional_id("call_id", &request.call_id)?,
        notes: optional_text("notes", &request.notes, MAX_NOTES)?.unwrap_or_default(),
        ..BookingDetails::default()
    })
}
