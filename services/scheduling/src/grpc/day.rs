//! Days as people look at them.

use std::collections::BTreeSet;

use caller::{BusinessScope, Tenant};
use engine::{
    attendance::Attendance,
    dates::DateRange,
    id::{EmployeeId, VisitId},
    visit::PlacedItem,
};
use jiff::{SignedDuration, Timestamp};
use proto::{
    contact::ContactReach,
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, DayServiceHandler, DayUnavailableReason, GetDayRequest, GetDayResponse, GetMonthRequest,
        GetMonthResponse, ListStrandedAppointmentsRequest, ListStrandedAppointmentsResponse,
        RecordContactRequest, RecordContactResponse, day_service_methods::RECORD_CONTACT,
    },
    page::{MAX_PAGE, page_of},
    parse::{id, optional_id, optional_text},
};
use tonic::{Status, async_trait};

use super::{
    busy_source::sources,
    fields,
    schedule::zone_name,
    stranding::{self, contacts},
};
use crate::{
    app::{
        Column, DayLoad, ListStranded, Named, OpeningOn, People, ReadDay, ReadMonth, RecordContact,
        Unavailable, VisitOn, Why,
    },
    contract::{FromEngine, day_spans, step},
    domain::contact::Outcome,
    store::{Store, StoredBlock, Stranded},
};

/// Most days from the first to the last.
const MOST_DAYS: SignedDuration = SignedDuration::from_hours(13 * 24);
const MAX_NOTE: usize = 200;

/// Serves `DayService`.
#[derive(Debug)]
pub(crate) struct Days {
    store: Store,
    people: People,
}

impl Days {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }
}

#[async_trait]
impl DayServiceHandler for Days {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(self.store.contact_reach(scope).await?)
    }

    async fn get_day(&self, scope: BusinessScope, request: GetDayRequest) -> Result<GetDayResponse, Status> {
        let employee: Option<EmployeeId> = optional_id("employee_id", &request.employee_id)?;
        self.people.check(&scope, Named::employee("employee_id", employee)).await?;
        let dates = dates(&request)?;
        let read = ReadDay { dates, employee, viewer: scope.actor(), role: scope.role() };
        let tx = self.store.begin(&scope);
        let view = read.run(&tx).await?;
        let shown = view.columns.iter().map(|column| column.employee).collect();
        let sources = sources(&view.sources, &shown, &view.schedule, tx.now());
        tx.release();
        Ok(GetDayResponse {
            time_zone: zone_name(&view.zone),
            days: view.openings.iter().map(pb::DayOpening::from).collect(),
            columns: view.columns.iter().map(pb::DayColumn::from).collect(),
            visits: view.visits.iter().map(pb::DayVisit::from).collect(),
            blocks: view.blocks.iter().map(block).collect(),
            may_squeeze_in: view.may_squeeze_in,
            sources,
        })
    }

    async fn get_month(
        &self,
        scope: BusinessScope,
        request: GetMonthRequest,
    ) -> Result<GetMonthResponse, Status> {
        let dates = fields::month("month", &request.month)?;
        let employee: Option<EmployeeId> = optional_id("employee_id", &request.employee_id)?;
        self.people.check(&scope, Named::employee("employee_id", employee)).await?;
        let tx = self.store.begin(&scope);
        let month = ReadMonth { dates, employee }.run(&tx).await?;
        tx.release();
        Ok(GetMonthResponse {
            time_zone: zone_name(&month.zone),
            days: month.days.iter().map(pb::MonthDay::from).collect(),
        })
    }

    async fn list_stranded_appointments(
        &self,
        scope: BusinessScope,
        request: ListStrandedAppointmentsRequest,
    ) -> Result<ListStrandedAppointmentsResponse, Status> {
        let employee: Option<EmployeeId> = optional_id("employee_id", &request.employee_id)?;
        self.people.check(&scope, Named::employee("employee_id", employee)).await?;
        let visit: Option<VisitId> = optional_id("appointment_id", &request.appointment_id)?;
        let page = page_of(request.page_size, &request.page_token, MAX_PAGE, MAX_PAGE)?;
        let after = page.after.map(|(at, id)| (at, VisitId(id)));
        let among = visit.map(|visit| BTreeSet::from([visit]));
        let tx = self.store.begin(&scope);
        let open = ListStranded { employee, among }.page(&tx, after, page.limit() as usize).await?;
        tx.release();
        let key = |line: &&Stranded| (line.starts_at, line.appointment.0);
        let (stranded, next_page_token) = page.answer(&open.lines, key, stranding::line);
        let total = i32::try_from(open.total).unwrap_or(i32::MAX);
        Ok(ListStrandedAppointmentsResponse { stranded, next_page_token, total })
    }

    async fn record_contact(
        &self,
        scope: BusinessScope,
        request: RecordContactRequest,
    ) -> Result<RecordContactResponse, Status> {
        let visit: VisitId = id("appointment_id", &request.appointment_id)?;
        let outcome = outcome(request.outcome())?;
        let note = optional_text("note", &request.note, MAX_NOTE)?.unwrap_or_default();
        self.store
            .idempotent(&scope, &RECORD_CONTACT, &request, async |tx| {
                let (contact, change) = RecordContact { visit, outcome, note }.run(tx).await?;
                let contact = Some(pb::Contact::from(&contact));
                Ok(RecordContactResponse { contact, change_id: change.to_string() })
            })
            .await
    }
}

fn outcome(outcome: pb::ContactOutcome) -> Result<Outcome, Status> {
    match outcome {
        pb::ContactOutcome::Unspecified => Err(invalid("outcome", "is required")),
        pb::ContactOutcome::Told => Ok(Outcome::Told),
        pb::ContactOutcome::NoAnswer => Ok(Outcome::NoAnswer),
    }
}

/// `None` for today.
fn dates(request: &GetDayRequest) -> Result<Option<DateRange>, Status> {
    if request.first_date.is_empty() && request.last_date.is_empty() {
        return Ok(None);
    }
    let last = if request.last_date.is_empty() { &request.first_date } else { &request.last_date };
    let dates = fields::dates(&request.first_date, last)?;
    if dates.last().duration_since(dates.first()) > MOST_DAYS {
        return Err(invalid("last_date", "must lie at most 13 days after first_date"));
    }
    Ok(Some(dates))
}

impl From<&OpeningOn> for pb::DayOpening {
    fn from(opening: &OpeningOn) -> Self {
        Self {
            date: opening.date.to_string(),
            spans: day_spans(&opening.spans),
            label: opening.label.clone(),
        }
    }
}

impl From<&DayLoad> for pb::MonthDay {
    fn from(load: &DayLoad) -> Self {
        let figure = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        Self {
            opening: Some(pb::DayOpening::from(&load.opening)),
            bookable_minutes: figure(load.bookable),
            booked_minutes: figure(load.booked),
            visits: figure(load.visits),
        }
    }
}

impl From<&Column> for pb::DayColumn {
    fn from(column: &Column) -> Self {
        Self {
            date: column.date.to_string(),
            employee_id: column.employee.to_string(),
            employee_name: column.name.clone(),
            working: day_spans(&column.working),
            unavailable: column.unavailable.iter().map(pb::DayUnavailable::from).collect(),
            weekly: day_spans(&column.weekly),
            has_own_hours: column.has_own_hours,
            may_block: column.may_block,
            own: column.own,
        }
    }
}

impl From<&Unavailable> for pb::DayUnavailable {
    fn from(unavailable: &Unavailable) -> Self {
        let because = |reason: DayUnavailableReason| Self {
            from_minute: unavailable.span.from.into(),
            to_minute: unavailable.span.to.into(),
            reason: reason.into(),
            ..Self::default()
        };
        match unavailable.why {
            Why::Closed => because(DayUnavailableReason::Closed),
            Why::NotWorking => because(DayUnavailableReason::NotWorking),
            Why::TimeOff(kind) => Self {
                time_off_kind: pb::TimeOffKind::from(kind).into(),
                ..because(DayUnavailableReason::TimeOff)
            },
            Why::Blocked(block) => {
                Self { block_id: block.to_string(), ..because(DayUnavailableReason::Blocked) }
            }
            Why::Busy(origin) => Self {
                busy_origin: pb::BusyOrigin::from(origin).into(),
                ..because(DayUnavailableReason::Busy)
            },
        }
    }
}

impl From<&VisitOn> for pb::DayVisit {
    fn from(visit: &VisitOn) -> Self {
        let items = visit.stored.appointment.items.iter().zip(&visit.items);
        Self {
            items: items
                .map(|(placed, (attendance, is_stranded))| item(placed, attendance, *is_stranded))
                .collect(),
            steps: visit.steps.iter().map(|(stage, window)| step(*stage, *window)).collect(),
            delay_window: visit.delay_window.map(pb::DelayWindow::from_engine),
            appointment: Some(pb::Appointment::from(&visit.stored)),
            contacts: contacts(&visit.contacts),
        }
    }
}

fn block((block, may_unblock): &(StoredBlock, bool)) -> pb::DayBlock {
    pb::DayBlock { block: Some(pb::Block::from(block)), may_unblock: *may_unblock }
}

fn item(placed: &PlacedItem, attendance: &Attendance, is_stranded: bool) -> pb::DayItem {
    // Items and buffers take less than a day.
    let minutes = |length: SignedDuration| i32::try_from(length.as_mins()).unwrap_or(i32::MAX);
    let since = |at: Timestamp| minutes(at.duration_since(placed.starts_at));
    let processing = attendance
        .processing
        .iter()
        .map(|span| pb::DaySpan { from_minute: since(span.starts_at()), to_minute: since(span.ends_at()) });
    pb::DayItem {
        processing: processing.collect(),
        buffer_before_minutes: minutes(attendance.buffer_before),
        buffer_after_minutes: minutes(attendance.buffer_after),
        is_stranded,
    }
}
