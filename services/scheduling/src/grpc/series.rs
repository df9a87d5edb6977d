//! Visits that repeat.

use caller::BusinessScope;
use engine::{
    appointment::{Appointment, BookingDetails, CancelRequest, Canceller},
    id::{SeriesId, VisitId},
    occurrence::Occurrence,
    series::{Planned, Series, Shift, changed},
    visit::Placement,
};
use proto::{
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
    appointment_request::employees,
    fields::{self, MAX_NOTES, MAX_REASON},
    recurrence::{changes, misplaced, planned_occurrence, recurrence},
    schedule::zone_name,
};
use crate::{
    Error,
    app::TakenRemainder,
    people::{Named, People},
    store::{Store, Tx},
};

/// Serves `SeriesService`.
#[derive(Debug)]
pub(crate) struct SeriesBook {
    store: Store,
    people: People,
}

impl SeriesBook {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }
}

#[async_trait]
impl SeriesServiceHandler for SeriesBook {
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
        let schedule = tx.settled_schedule().await?;
        let planned = recurrence.planned(start, &schedule.zone);
        let outlook = tx.series_outlook(&items, &planned).await?;
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
        self.store
            .idempotent(&scope, &BOOK_SERIES, &request, async |tx| {
                let schedule = tx.settled_schedule().await?;
                let planned =
                    changed(&recurrence.planned(start, &schedule.zone), &changes).map_err(misplaced)?;
                let placements = tx
                    .place_series(&schedule, &planned.iter().map(|one| one.of(&items)).collect::<Vec<_>>())
                    .await?;
                let series = Series { id: tx.new_id(), recurrence, booked_at: tx.now() };
                tx.add_series(&series).await?;
                book(tx, series, &planned, &placements, &occasion).await?;
                let response = BookSeriesResponse { series: Some(answer(tx, series.id).await?) };
                tx.audit(&BOOK_SERIES, series.id).await?;
                Ok(response)
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
        let start = fields::start(request.starts_at.as_ref())?;
        let employees = employees(&request.employee_ids)?;
        self.people
            .check(&scope, Named::employees("employee_ids", employees.iter().flatten().copied()))
            .await?;
        self.store
            .idempotent(&scope, &MOVE_REST_OF_SERIES, &request, async |tx| {
                let rest = tx.take_remainder(series, from).await?;
                let shift = Shift::new(rest.from, start, &rest.schedule.zone);
                let wanted = rest.wanted(&shift, employees.as_deref())?;
                let (moved, left) = tx.move_remainder(&rest, &wanted, request.leave_taken).await?;
                for id in moved {
                    tx.publish_appointment(&MOVE_REST_OF_SERIES, id).await?;
                }
                let response = MoveRestOfSeriesResponse {
                    series: Some(answer(tx, series).await?),
                    left_appointment_ids: left.iter().map(VisitId::to_string).collect(),
                };
                tx.audit(&MOVE_REST_OF_SERIES, series).await?;
                Ok(response)
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
        self.store
            .idempotent(&scope, &CANCEL_REST_OF_SERIES, &request, async |tx| {
                let rest = tx.take_remainder(series, from).await?;
                cancel_remainder(tx, rest, &reason).await?;
                let response = CancelRestOfSeriesResponse { series: Some(answer(tx, series).await?) };
                tx.audit(&CANCEL_REST_OF_SERIES, series).await?;
                Ok(response)
            })
            .await
    }
}

async fn answer(tx: &Tx, id: SeriesId) -> Result<pb::Series, Error> {
    Ok(pb::Series::from(&tx.series(id).await?))
}

async fn book(
    tx: &Tx,
    series: Series,
    planned: &[Planned],
    placements: &[Placement],
    occasion: &BookingDetails,
) -> Result<(), Error> {
    for (planned, placement) in planned.iter().zip(placements) {
        // One that is booked elsewhere was meant to be there: the rest takes it along.
        let planned_at = placement.starts_at;
        let occurrence = Some(Occurrence { series: series.id, number: planned.number, planned_at });
        let occasion = BookingDetails { occurrence, ..occasion.clone() };
        let appointment = Appointment::book(tx.new_id(), placement, occasion, tx.now());
        tx.add_appointment(&appointment, &placement.occupied).await?;
        tx.publish_appointment(&BOOK_SERIES, appointment.id).await?;
    }
    Ok(())
}

async fn cancel_remainder(tx: &Tx, rest: TakenRemainder, reason: &str) -> Result<(), Error> {
    let cancel = |(appointment, rows): (Appointment, _)| {
        let wish = CancelRequest {
            at: tx.now(),
            by: tx.actor().to_owned(),
            canceller: Canceller::Staff,
            reason: reason.to_owned(),
        };
        Ok::<_, Error>((appointment.cancel(wish, &rest.schedule.policy)?, rows))
    };
    let cancelled = rest.visits.into_iter().map(cancel).collect::<Result<Vec<_>, _>>()?;
    tx.save_called_off(&rest.schedule, &cancelled).await?;
    for (appointment, _) in &cancelled {
        tx.publish_appointment(&CANCEL_REST_OF_SERIES, appointment.id).await?;
    }
    Ok(())
}

fn occasion(request: &BookSeriesRequest) -> Result<BookingDetails, Status> {
    Ok(BookingDetails {
        customer: optional_id("customer_id", &request.customer_id)?,
        notes: optional_text("notes", &request.notes, MAX_NOTES)?.unwrap_or_default(),
        ..BookingDetails::default()
    })
}
