//! Connected calendars.

use caller::{Actor, BusinessScope, InstallationScope, Tenant, UserId};
use jiff::Timestamp;
use proto::{
    error::invalid,
    frontdesk::calendarsync::v1::{
        CaldavAccount, CaldavCalendar, Calendar as WireCalendar, CalendarHealth as WireHealth, CalendarKind,
        CalendarServiceHandler, ChangeCaldavPasswordRequest, ChangeCaldavPasswordResponse,
        ChangeIcsAddressRequest, ChangeIcsAddressResponse, Cleanup as WireCleanup,
        ConnectCaldavCalendarRequest, ConnectCaldavCalendarResponse, ConnectCalendarRequest,
        ConnectCalendarResponse, ConnectGoogleCalendarRequest, ConnectGoogleCalendarResponse,
        ConnectIcsCalendarRequest, ConnectIcsCalendarResponse, DisconnectCalendarRequest,
        DisconnectCalendarResponse, EndingCalendar as WireEnding, EventShortfall, FindCaldavCalendarsRequest,
        FindCaldavCalendarsResponse, KeepCalendarRequest, KeepCalendarResponse, ListCalendarHealthRequest,
        ListCalendarHealthResponse, ListCalendarsRequest, ListCalendarsResponse, RetryCalendarRequest,
        RetryCalendarResponse, ShortfallReason, UnreadEntry, UnwrittenAppointment,
        calendar_service_methods::CONNECT_CALENDAR,
    },
    page::page,
    parse,
    time::to_proto,
};
use tonic::{Status, async_trait};
use url::Url;

use super::MAX_TEXT;
use crate::{
    app::{ConnectCaldav, ConnectCalendar, ConnectGoogle, ConnectIcs, may_connect_others},
    domain::{
        CalendarId, EmployeeId,
        busy::Aside,
        caldav::{Account, Found, Password},
        calendar::{Calendar, Kind, Listed, Unwritten},
        cleanup::{Cleanup, EndingCalendar, Written},
        event::Span,
        shortfall::Reason,
    },
    store::{After, CalendarHealth, Store},
};

/// Longest address.
const MAX_URL: usize = 1024;
/// Longest address that is a secret: some carry a long key.
pub(super) const MAX_ADDRESS: usize = 2048;
/// Longest password or token, in bytes.
const MAX_SECRET: usize = 1024;

/// Businesses that an administrator reads about at once.
const MOST_BUSINESSES: usize = 50;

/// Serves `CalendarService`.
#[derive(Debug)]
pub struct Calendars {
    store: Store,
    connect: ConnectCalendar,
    caldav: ConnectCaldav,
    google: ConnectGoogle,
    ics: ConnectIcs,
}

impl Calendars {
    /// The calendars in `store`.
    #[must_use]
    pub fn new(
        store: Store,
        connect: ConnectCalendar,
        caldav: ConnectCaldav,
        google: ConnectGoogle,
        ics: ConnectIcs,
    ) -> Self {
        Self { store, connect, caldav, google, ics }
    }

    fn parse(&self, actor: &Actor, request: &ConnectCalendarRequest) -> Result<Calendar, Status> {
        let id = parse::chosen_id("calendar_id", &request.calendar_id, actor)?;
        Ok(Calendar {
            id: id.unwrap_or_else(|| self.store.new_id()),
            kind: match kind(request.kind)? {
                Kind::Demo => Kind::Demo,
                Kind::Caldav | Kind::Provider | Kind::Google | Kind::Ics => {
                    return Err(invalid("kind", "is connected with an account"));
                }
            },
            employee: parse::id("employee_id", &request.employee_id)?,
            name: parse::line("name", &request.name, MAX_TEXT)?,
        })
    }
}

#[async_trait]
impl CalendarServiceHandler for Calendars {
    async fn list_calendars(
        &self,
        scope: BusinessScope,
        request: ListCalendarsRequest,
    ) -> Result<ListCalendarsResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let after =
            page.after.map(|(employee, id)| After { employee: EmployeeId(employee), id: CalendarId(id) });
        let tx = self.store.begin(&scope);
        let rows = tx.calendars(after, page.limit()).await?;
        let ending = if after.is_none() { tx.ending_calendars().await? } else { vec![] };
        tx.commit().await?;
        let key = |row: &Listed| (row.calendar.employee.0, row.calendar.id.0);
        let (calendars, next_page_token) = page.answer(rows, key, |row| calendar(row, &scope));
        let may_connect_others = may_connect_others(&scope);
        let ending = ending.into_iter().map(|row| ending_calendar(row, &scope)).collect();
        Ok(ListCalendarsResponse { calendars, next_page_token, may_connect_others, ending })
    }

    async fn connect_calendar(
        &self,
        scope: BusinessScope,
        request: ConnectCalendarRequest,
    ) -> Result<ConnectCalendarResponse, Status> {
        let wanted = self.parse(&scope.actor(), &request)?;
        self.connect.employees.check(&scope, wanted.employee).await?;
        let answer = self
            .store
            .idempotent(&scope, &CONNECT_CALENDAR, &request, async |tx| {
                let connected = self.connect.connect_in(tx, &scope, &wanted).await?;
                Ok(ConnectCalendarResponse { calendar: Some(calendar(connected, &scope)) })
            })
            .await?;
        self.connect.hint.notify_one();
        Ok(answer)
    }

    async fn find_caldav_calendars(
        &self,
        _: BusinessScope,
        request: FindCaldavCalendarsRequest,
    ) -> Result<FindCaldavCalendarsResponse, Status> {
        let calendars = self.caldav.find(&account(request.account.as_ref())?).await?;
        Ok(FindCaldavCalendarsResponse { calendars: calendars.into_iter().map(found).collect() })
    }

    async fn connect_caldav_calendar(
        &self,
        scope: BusinessScope,
        request: ConnectCaldavCalendarRequest,
    ) -> Result<ConnectCaldavCalendarResponse, Status> {
        let account = account(request.account.as_ref())?;
        let url = parse::text("url", &request.url, MAX_URL)?;
        let url: Url = url.parse().map_err(|_| invalid("url", "is no address"))?;
        let employee = parse::id("employee_id", &request.employee_id)?;
        let connected = self.caldav.connect(&scope, &account, &url, employee).await?;
        Ok(ConnectCaldavCalendarResponse { calendar: Some(calendar(connected, &scope)) })
    }

    async fn change_caldav_password(
        &self,
        scope: BusinessScope,
        request: ChangeCaldavPasswordRequest,
    ) -> Result<ChangeCaldavPasswordResponse, Status> {
        let calendar = parse::id("calendar_id", &request.calendar_id)?;
        let password = password("password", &request.password)?;
        self.caldav.change_password(&scope, calendar, password).await?;
        Ok(ChangeCaldavPasswordResponse {})
    }

    async fn connect_google_calendar(
        &self,
        scope: BusinessScope,
        request: ConnectGoogleCalendarRequest,
    ) -> Result<ConnectGoogleCalendarResponse, Status> {
        let external_id = parse::raw_text("external_id", &request.external_id, MAX_URL)?;
        let employee = parse::id("employee_id", &request.employee_id)?;
        let connected = self.google.connect(&scope, &external_id, employee).await?;
        Ok(ConnectGoogleCalendarResponse { calendar: Some(calendar(connected, &scope)) })
    }

    async fn connect_ics_calendar(
        &self,
        scope: BusinessScope,
        request: ConnectIcsCalendarRequest,
    ) -> Result<ConnectIcsCalendarResponse, Status> {
        let address = parse::text("address", &request.address, MAX_ADDRESS)?;
        let employee = parse::id("employee_id", &request.employee_id)?;
        let connected = self.ics.connect(&scope, &address, employee).await?;
        Ok(ConnectIcsCalendarResponse { calendar: Some(calendar(connected, &scope)) })
    }

    async fn change_ics_address(
        &self,
        scope: BusinessScope,
        request: ChangeIcsAddressRequest,
    ) -> Result<ChangeIcsAddressResponse, Status> {
        let calendar = parse::id("calendar_id", &request.calendar_id)?;
        let address = parse::text("address", &request.address, MAX_ADDRESS)?;
        self.ics.change_address(&scope, calendar, &address).await?;
        Ok(ChangeIcsAddressResponse {})
    }

    async fn retry_calendar(
        &self,
        scope: BusinessScope,
        request: RetryCalendarRequest,
    ) -> Result<RetryCalendarResponse, Status> {
        self.connect.retry(&scope, parse::id("calendar_id", &request.calendar_id)?).await?;
        Ok(RetryCalendarResponse {})
    }

    async fn disconnect_calendar(
        &self,
        scope: BusinessScope,
        request: DisconnectCalendarRequest,
    ) -> Result<DisconnectCalendarResponse, Status> {
        let calendar = parse::id("calendar_id", &request.calendar_id)?;
        self.connect.disconnect(&scope, calendar, written(request.take_out)).await?;
        Ok(DisconnectCalendarResponse {})
    }

    async fn keep_calendar(
        &self,
        scope: BusinessScope,
        request: KeepCalendarRequest,
    ) -> Result<KeepCalendarResponse, Status> {
        self.connect.keep(&scope, parse::id("calendar_id", &request.calendar_id)?).await?;
        Ok(KeepCalendarResponse {})
    }

    async fn list_calendar_health(
        &self,
        scope: InstallationScope,
        request: ListCalendarHealthRequest,
    ) -> Result<ListCalendarHealthResponse, Status> {
        let ids = parse::some_ids("business_ids", &request.business_ids, MOST_BUSINESSES)?;
        let calendars = self.store.calendar_health(&scope, &ids).await?;
        Ok(ListCalendarHealthResponse { calendars: calendars.iter().map(health).collect() })
    }
}

fn health(health: &CalendarHealth) -> WireHealth {
    let count = |calendars: i64| i32::try_from(calendars).unwrap_or(i32::MAX);
    WireHealth {
        business_id: health.business.to_string(),
        calendar_count: count(health.calendars),
        failing_count: count(health.failing),
        synced_at: health.synced_at.map(to_proto),
    }
}

/// The kind a request names.
pub(super) fn kind(wire: i32) -> Result<Kind, Status> {
    match CalendarKind::try_from(wire) {
        Ok(CalendarKind::Demo) => Ok(Kind::Demo),
        Ok(CalendarKind::Caldav) => Ok(Kind::Caldav),
        Ok(CalendarKind::Google) => Ok(Kind::Google),
        Ok(CalendarKind::Ics) => Ok(Kind::Ics),
        Ok(CalendarKind::Provider) => Err(invalid("kind", "is connected as a booking system")),
        Ok(CalendarKind::Unspecified) | Err(_) => Err(invalid("kind", "is required")),
    }
}

/// The kind as it is answered.
pub(super) fn wire_kind(kind: Kind) -> CalendarKind {
    match kind {
        Kind::Demo => CalendarKind::Demo,
        Kind::Caldav => CalendarKind::Caldav,
        Kind::Provider => CalendarKind::Provider,
        Kind::Google => CalendarKind::Google,
        Kind::Ics => CalendarKind::Ics,
    }
}

/// What becomes of the appointments to come in what is disconnected.
pub(super) fn written(take_out: bool) -> Written {
    if take_out { Written::TakenOut } else { Written::Left }
}

/// How far taking appointments out is, as it is answered.
pub(super) fn wire_cleanup(cleanup: Cleanup) -> WireCleanup {
    WireCleanup {
        begun_at: Some(to_proto(cleanup.begun_at)),
        event_count: cleanup.events,
        left_count: cleanup.left,
        refused_count: cleanup.refused,
        fault: cleanup.fault.unwrap_or_default(),
    }
}

fn ending_calendar(ending: EndingCalendar, scope: &BusinessScope) -> WireEnding {
    WireEnding {
        id: ending.calendar.id.to_string(),
        kind: wire_kind(ending.calendar.kind).into(),
        employee_id: ending.calendar.employee.to_string(),
        name: ending.calendar.name,
        cleanup: Some(wire_cleanup(ending.cleanup)),
        authorization_required: ending.authorization_required,
        access_withdrawn: ending.access_withdrawn,
        own_account: ending.account_of.is_some_and(|owner| is_caller(scope, owner)),
    }
}

fn is_caller(scope: &BusinessScope, owner: UserId) -> bool {
    matches!(scope.actor(), Actor::Person { user, .. } if user == owner)
}

fn calendar(listed: Listed, scope: &BusinessScope) -> WireCalendar {
    WireCalendar {
        authorization_required: listed.authorization_required,
        own_account: listed.account_of.is_some_and(|owner| is_caller(scope, owner)),
        is_read_only: listed.calendar.kind.is_read_only(),
        shown_address: listed.host.map(|host| format!("{host}/\u{2026}")).unwrap_or_default(),
        id: listed.calendar.id.to_string(),
        kind: wire_kind(listed.calendar.kind).into(),
        employee_id: listed.calendar.employee.to_string(),
        name: listed.calendar.name,
        synced_at: listed.synced_at.map(to_proto),
        last_error: listed.last_error.unwrap_or_default(),
        shortfall_count: listed.shortfall_count,
        shortfalls: listed.shortfalls.into_iter().map(shortfall).collect(),
        unread_count: listed.unread_count,
        unread: listed.unread.into_iter().map(unread).collect(),
        unwritten_count: listed.unwritten_count,
        unwritten: listed.unwritten.into_iter().map(unwritten).collect(),
        entries_read: listed.entries_read,
        written_count: listed.written_count,
    }
}

fn unread((aside, since): (Aside, Timestamp)) -> UnreadEntry {
    UnreadEntry { id: aside.id.0, reason: aside.reason, since: Some(to_proto(since)) }
}

fn account(request: Option<&CaldavAccount>) -> Result<Account, Status> {
    let account = request.ok_or_else(|| invalid("account", "is required"))?;
    Ok(Account {
        server: parse::text("account.server", &account.server, MAX_URL)?,
        username: parse::text("account.username", &account.username, MAX_TEXT)?,
        password: password("account.password", &account.password)?,
    })
}

/// A password is kept as it is.
pub(super) fn password(field: &str, text: &str) -> Result<Password, Status> {
    if text.is_empty() {
        return Err(invalid(field, "is required"));
    }
    if text.len() > MAX_SECRET || text.chars().any(char::is_control) {
        return Err(invalid(field, "must be at most 1024 bytes, without control characters"));
    }
    Ok(Password::new(text.to_owned()))
}

fn found(found: Found) -> CaldavCalendar {
    CaldavCalendar { url: found.url.into(), name: found.name, is_writable: found.is_writable }
}

fn unwritten(unwritten: Unwritten) -> UnwrittenAppointment {
    UnwrittenAppointment {
        appointment_id: unwritten.appointment.to_string(),
        title: unwritten.title,
        starts_at: Some(to_proto(unwritten.starts_at)),
        fault: unwritten.fault,
        is_refused: unwritten.refused,
        is_removal: unwritten.removed,
    }
}

fn shortfall((span, reason): (Span, Reason)) -> EventShortfall {
    let wire = EventShortfall {
        starts_at: Some(to_proto(span.starts())),
        ends_at: Some(to_proto(span.ends())),
        ..EventShortfall::default()
    };
    match reason {
        Reason::TooLong(until) => EventShortfall {
            reason: ShortfallReason::TooLong.into(),
            held_until: Some(to_proto(until)),
            ..wire
        },
        Reason::OutOfRange => EventShortfall { reason: ShortfallReason::OutOfRange.into(), ..wire },
        Reason::Refused(fault) => EventShortfall { reason: ShortfallReason::Refused.into(), fault, ..wire },
    }
}
