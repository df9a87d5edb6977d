//! Connected calendars.

use std::sync::Arc;

use boot::clock::Clock;
use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::calendarsync::v1::{
        Calendar as WireCalendar, CalendarKind, CalendarServiceHandler, ConnectCalendarRequest,
        ConnectCalendarResponse, ListCalendarsRequest, ListCalendarsResponse,
    },
    parse,
    time::to_proto,
};
use tokio::sync::Notify;
use tonic::{Status, async_trait};

use super::MAX_TEXT;
use crate::{
    domain::{
        CalendarId,
        calendar::{Calendar, Kind, Listed},
    },
    employees::Employees,
    store::{After, Store},
};

/// Serves `CalendarService`.
#[derive(Debug)]
pub struct Calendars {
    store: Store,
    employees: Employees,
    clock: Clock,
    hint: Arc<Notify>,
}

impl Calendars {
    /// The calendars in `store`; `hint` says that one may be due.
    #[must_use]
    pub fn new(store: Store, employees: Employees, clock: Clock, hint: Arc<Notify>) -> Self {
        Self { store, employees, clock, hint }
    }

    fn parse(&self, request: &ConnectCalendarRequest) -> Result<Calendar, Status> {
        let id = parse::optional_id("calendar_id", &request.calendar_id)?;
        Ok(Calendar {
            id: id.unwrap_or_else(|| CalendarId(self.clock.new_id())),
            kind: match CalendarKind::try_from(request.kind) {
                Ok(CalendarKind::Demo) => Kind::Demo,
                Ok(CalendarKind::Unspecified) | Err(_) => return Err(invalid("kind", "is required")),
            },
            employee: parse::id("employee_id", &request.employee_id)?,
            name: parse::text("name", &request.name, MAX_TEXT)?,
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
        let page = parse::page(request.page_size, &request.page_token)?;
        let after = page.after.as_deref().map(after).transpose()?;
        let tx = self.store.begin(&scope).await?;
        let mut calendars = tx.calendars(after, page.size + 1).await?;
        tx.commit().await?;
        let more = calendars.len() > page.size as usize;
        calendars.truncate(page.size as usize);
        let next_page_token = calendars.last().filter(|_| more).map(token).unwrap_or_default();
        let calendars = calendars.into_iter().map(calendar).collect();
        Ok(ListCalendarsResponse { calendars, next_page_token })
    }

    async fn connect_calendar(
        &self,
        scope: BusinessScope,
        request: ConnectCalendarRequest,
    ) -> Result<ConnectCalendarResponse, Status> {
        let wanted = self.parse(&request)?;
        self.employees.check(&scope, wanted.employee).await?;
        let tx = self.store.begin(&scope).await?;
        let connected = tx.connect(&wanted).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(ConnectCalendarResponse { calendar: Some(calendar(connected)) })
    }
}

fn token(listed: &Listed) -> String {
    parse::page_token(&format!("{}|{}", listed.calendar.employee, listed.calendar.id))
}

fn after(key: &str) -> Result<After, Status> {
    let refused = || invalid("page_token", "is not one this list gave out");
    let (employee, id) = key.split_once('|').ok_or_else(refused)?;
    Ok(After { employee: employee.parse().map_err(|_| refused())?, id: id.parse().map_err(|_| refused())? })
}

fn calendar(listed: Listed) -> WireCalendar {
    let kind = match listed.calendar.kind {
        Kind::Demo => CalendarKind::Demo,
    };
    WireCalendar {
        id: listed.calendar.id.to_string(),
        kind: kind.into(),
        employee_id: listed.calendar.employee.to_string(),
        name: listed.calendar.name,
        synced_at: listed.synced_at.map(to_proto),
        last_error: listed.last_error.unwrap_or_default(),
    }
}
