//! Events in demo calendars, as their owners see and change them.

use core::ops::RangeInclusive;
use std::sync::Arc;

use boot::clock::Clock;
use caller::BusinessScope;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use proto::{
    error::invalid,
    frontdesk::calendarsync::v1::{
        DeleteDemoEventRequest, DeleteDemoEventResponse, DemoCalendarServiceHandler, DemoEvent,
        ListDemoEventsRequest, ListDemoEventsResponse, PutDemoEventRequest, PutDemoEventResponse,
    },
    page::page,
    parse,
    time::{required, to_proto},
};
use tokio::sync::Notify;
use tonic::{Status, async_trait};

use super::MAX_TEXT;
use crate::{
    domain::event::{Event, EventId, Span},
    employees::own_or_manager,
    store::{AfterEvent, Store},
};

/// Years of demo events.
const YEARS: RangeInclusive<i16> = 2000..=2199;
/// Longest demo event: a year and a day.
const MAX_LENGTH: SignedDuration = SignedDuration::from_hours(366 * 24);

/// Serves `DemoCalendarService`.
#[derive(Debug)]
pub struct DemoEvents {
    store: Store,
    clock: Clock,
    hint: Arc<Notify>,
}

impl DemoEvents {
    /// The events in `store`; `hint` says that a calendar may be due.
    #[must_use]
    pub fn new(store: Store, clock: Clock, hint: Arc<Notify>) -> Self {
        Self { store, clock, hint }
    }

    fn parse(&self, request: &PutDemoEventRequest) -> Result<Event, Status> {
        let id = parse::optional_text("event_id", &request.event_id, MAX_TEXT)?;
        let starts = micros(required("starts_at", request.starts_at.as_ref())?);
        let ends = micros(required("ends_at", request.ends_at.as_ref())?);
        Ok(Event {
            id: EventId(id.unwrap_or_else(|| self.clock.new_id().simple().to_string())),
            title: parse::line("title", &request.title, MAX_TEXT)?,
            span: span(starts, ends)?,
            appointment: None,
        })
    }
}

#[async_trait]
impl DemoCalendarServiceHandler for DemoEvents {
    async fn list_demo_events(
        &self,
        scope: BusinessScope,
        request: ListDemoEventsRequest,
    ) -> Result<ListDemoEventsResponse, Status> {
        let calendar = parse::id("calendar_id", &request.calendar_id)?;
        let page = page(request.page_size, &request.page_token)?;
        let after = page.after.clone().map(|(starts, id)| AfterEvent { starts, id: EventId(id) });
        let tx = self.store.begin(&scope);
        own_or_manager(&tx, &scope, calendar).await?;
        let rows = tx.demo_events(calendar, after, page.limit()).await?;
        tx.commit().await?;
        let key = |event: &Event| (event.span.starts(), event.id.0.clone());
        let (events, next_page_token) = page.answer(rows, key, wire);
        Ok(ListDemoEventsResponse { events, next_page_token })
    }

    async fn put_demo_event(
        &self,
        scope: BusinessScope,
        request: PutDemoEventRequest,
    ) -> Result<PutDemoEventResponse, Status> {
        let calendar = parse::id("calendar_id", &request.calendar_id)?;
        let event = self.parse(&request)?;
        let tx = self.store.begin(&scope);
        own_or_manager(&tx, &scope, calendar).await?;
        let event = tx.put_demo_event(calendar, event).await?;
        tx.hint(calendar).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(PutDemoEventResponse { event: Some(wire(event)) })
    }

    async fn delete_demo_event(
        &self,
        scope: BusinessScope,
        request: DeleteDemoEventRequest,
    ) -> Result<DeleteDemoEventResponse, Status> {
        let calendar = parse::id("calendar_id", &request.calendar_id)?;
        let id = EventId(parse::text("event_id", &request.event_id, MAX_TEXT)?);
        let tx = self.store.begin(&scope);
        own_or_manager(&tx, &scope, calendar).await?;
        tx.delete_demo_event(calendar, &id).await?;
        tx.hint(calendar).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(DeleteDemoEventResponse {})
    }
}

fn wire(event: Event) -> DemoEvent {
    DemoEvent {
        id: event.id.0,
        title: event.title,
        starts_at: Some(to_proto(event.span.starts())),
        ends_at: Some(to_proto(event.span.ends())),
        appointment_id: event.appointment.map(|id| id.to_string()).unwrap_or_default(),
    }
}

/// A span that is as long and as near as what scheduling holds.
fn span(starts: Timestamp, ends: Timestamp) -> Result<Span, Status> {
    let year = |at: Timestamp| TimeZone::UTC.to_datetime(at).year();
    for (field, at) in [("starts_at", starts), ("ends_at", ends)] {
        if !YEARS.contains(&year(at)) {
            return Err(invalid(field, "lies outside the years 2000 to 2199"));
        }
    }
    let span = Span::new(starts, ends).ok_or_else(|| invalid("ends_at", "is not after starts_at"))?;
    match ends.duration_since(starts) <= MAX_LENGTH {
        true => Ok(span),
        false => Err(invalid("ends_at", "is more than 366 days after starts_at")),
    }
}

/// As precise as it will be kept: what is compared must not differ by less.
fn micros(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at)
}
