//! Events in demo calendars, as their owners see and change them.

use caller::BusinessScope;
use jiff::Timestamp;
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
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::MAX_TEXT;
use crate::{
    app::ManageDemoEvents,
    domain::{
        demo_event::{SpanError, span},
        event::{Event, EventId},
    },
    store::AfterEvent,
};

/// Serves `DemoCalendarService`.
#[derive(Debug)]
pub struct DemoEvents {
    events: ManageDemoEvents,
}

impl DemoEvents {
    /// Serves `events`.
    #[must_use]
    pub fn new(events: ManageDemoEvents) -> Self {
        Self { events }
    }

    fn parse(&self, request: &PutDemoEventRequest) -> Result<Event, Status> {
        let id = parse::optional_text("event_id", &request.event_id, MAX_TEXT)?;
        let starts = micros(required("starts_at", request.starts_at.as_ref())?);
        let ends = micros(required("ends_at", request.ends_at.as_ref())?);
        Ok(Event {
            id: EventId(id.unwrap_or_else(|| self.events.store.new_id::<Uuid>().simple().to_string())),
            title: parse::line("title", &request.title, MAX_TEXT)?,
            span: span(starts, ends).map_err(refused)?,
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
        let rows = self.events.list(&scope, calendar, after, page.limit()).await?;
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
        let event = self.events.put(&scope, calendar, event).await?;
        Ok(PutDemoEventResponse { event: Some(wire(event)) })
    }

    async fn delete_demo_event(
        &self,
        scope: BusinessScope,
        request: DeleteDemoEventRequest,
    ) -> Result<DeleteDemoEventResponse, Status> {
        let calendar = parse::id("calendar_id", &request.calendar_id)?;
        let id = EventId(parse::text("event_id", &request.event_id, MAX_TEXT)?);
        self.events.delete(&scope, calendar, &id).await?;
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

fn refused(error: SpanError) -> Status {
    let field = match error {
        SpanError::StartOutOfRange => "starts_at",
        SpanError::EndOutOfRange | SpanError::NotAfterStart | SpanError::TooLong => "ends_at",
    };
    invalid(field, &error.to_string())
}

/// As precise as it will be kept: what is compared must not differ by less.
fn micros(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at)
}
