//! Compares the book with every calendar and with the booking system.

use core::time::Duration;
use std::collections::BTreeMap;

use boot::{clock::Clock, peer::Peer};
use caller::{BusinessScope, Tenant};
use futures::{StreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use proto::{
    frontdesk::scheduling::v1::{
        ListAppointmentsRequest, appointment_service_client::AppointmentServiceClient,
    },
    time::to_proto,
};

use super::read_calendar::MOST_CHANGES;
use crate::{
    domain::{
        AppointmentId, CalendarId,
        booking::{Booking, Part},
        busy::{Change, MOST_BYTES},
        calendar::{Calendar, Place},
        consistency::{Difference, Theirs, Window, differences, digest, ours_among},
        event::{Event, EventId},
    },
    error::Error,
    follow::booking,
    outside::{Cursor, Outside, ReadError, Then},
    store::{Checked, Planned, Store},
};

/// How far ahead is compared: as far as scheduling lists at once.
const AHEAD: SignedDuration = SignedDuration::from_hours(62 * 24);
/// How long before the present a visit began that may still be under way. Scheduling lists visits by their start; one of
/// several services lasts for days where there is a night between them.
const UNDER_WAY: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Sides read at once.
const AT_ONCE: usize = 8;
/// How long one side may take.
const PATIENCE: Duration = Duration::from_secs(120);
/// A side that has to be waited for longer is not read.
const LONG_WAIT: SignedDuration = SignedDuration::from_secs(5);
const CALL: Duration = Duration::from_secs(20);
const PAGE: i32 = 200;
/// Calendars of one business.
const MOST_CALENDARS: u32 = 500;

/// Checks.
#[derive(Debug, Clone)]
pub struct CheckConsistency {
    /// What is planned.
    pub store: Store,
    /// The sides.
    pub outside: Outside,
    /// The book.
    pub scheduling: Peer,
    /// Tells the time.
    pub clock: Clock,
}

/// What a check found.
#[derive(Debug)]
pub struct Found {
    /// Its summary.
    pub checked: Checked,
    /// Each side.
    pub sides: Vec<Side>,
    /// How events are planned.
    pub planned: BTreeMap<(CalendarId, EventId), Planned>,
}

/// A calendar, or an employee's appointments in the booking system, beside what they should be.
#[derive(Debug)]
pub struct Side {
    /// Which.
    pub calendar: Calendar,
    /// Events for appointments that it has in the window.
    pub count: usize,
    /// Over those.
    pub digest: String,
    /// Over those it should have.
    pub expected_digest: String,
    /// How it differs, or why it can't be read.
    pub differences: Result<Vec<Difference>, String>,
}

impl Side {
    /// One that appointments are not written to: it lacks none.
    fn only_read(calendar: Calendar) -> Self {
        let (digest, expected_digest) = (String::new(), String::new());
        Self { calendar, count: 0, digest, expected_digest, differences: Ok(vec![]) }
    }
}

impl CheckConsistency {
    /// Reads every side anew and compares.
    ///
    /// # Errors
    /// When the book can't be read; a side that can't be is a finding.
    pub async fn check(&self, scope: &BusinessScope) -> Result<Found, Error> {
        let now = self.clock.now();
        let window = Window { from: now, to: now + AHEAD };
        let parts = self.parts(scope, window).await?;
        let tx = self.store.begin(scope);
        let calendars = tx.calendars(None, MOST_CALENDARS).await?;
        tx.commit().await?;
        let sides = calendars.into_iter().map(|listed| self.side(scope, listed.calendar, &parts, window));
        let mut sides: Vec<Side> = stream::iter(sides).buffer_unordered(AT_ONCE).collect().await;
        sides.sort_by_key(|side| (side.calendar.employee, side.calendar.id));
        let checked = Checked {
            at: now,
            window,
            appointments: small(appointments(&parts)),
            differences: small(
                sides.iter().filter_map(|side| side.differences.as_ref().ok()).map(Vec::len).sum(),
            ),
            unread_sides: small(sides.iter().filter(|side| side.differences.is_err()).count()),
            digest: digest(&book(&parts)),
            in_step: None,
        };
        // What is planned is read after the sides: what was written meanwhile is not waiting any more.
        let tx = self.store.begin(scope);
        tx.save_check(&checked).await?;
        let in_step = tx.last_check().await?.and_then(|last| last.in_step);
        let planned = tx.planned(window.from).await?;
        tx.commit().await?;
        Ok(Found { checked: Checked { in_step, ..checked }, sides, planned })
    }

    /// What the book has each employee do in the window.
    async fn parts(
        &self,
        scope: &BusinessScope,
        window: Window,
    ) -> Result<Vec<(AppointmentId, Part)>, Error> {
        let mut parts = self.begun_within(scope, window.from - UNDER_WAY, window.from).await?;
        parts.extend(self.begun_within(scope, window.from, window.to).await?);
        parts.retain(|(_, part)| window.has(part.span));
        Ok(parts)
    }

    /// The same of visits that begin from one instant to before another.
    async fn begun_within(
        &self,
        scope: &BusinessScope,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<(AppointmentId, Part)>, Error> {
        let mut client = AppointmentServiceClient::new(self.scheduling.channel());
        let mut message = ListAppointmentsRequest {
            business_id: scope.business().to_string(),
            from: Some(to_proto(from)),
            to: Some(to_proto(to)),
            page_size: PAGE,
            page_token: String::new(),
        };
        let mut parts = vec![];
        loop {
            let request = self.scheduling.as_service(Some(scope.business()), message.clone(), CALL);
            let answer =
                client.list_appointments(request).await.map_err(|status| Error::Book(Box::new(status)))?;
            let answer = answer.into_inner();
            for appointment in &answer.appointments {
                let booking: Booking =
                    booking(appointment).map_err(|status| Error::Book(Box::new(status)))?;
                parts.extend(booking.parts().into_iter().map(|part| (booking.appointment, part)));
            }
            if answer.next_page_token.is_empty() {
                return Ok(parts);
            }
            message.page_token = answer.next_page_token;
        }
    }

    async fn side(
        &self,
        scope: &BusinessScope,
        calendar: Calendar,
        parts: &[(AppointmentId, Part)],
        window: Window,
    ) -> Side {
        if calendar.kind.is_read_only() {
            return Side::only_read(calendar);
        }
        let own = parts.iter().filter(|(_, part)| part.employee == calendar.employee);
        let expected: BTreeMap<EventId, Event> = own
            .map(|(appointment, part)| part.event_in(calendar.id, *appointment))
            .filter(|event| window.has(event.span))
            .map(|event| (event.id.clone(), event))
            .collect();
        let place = Place { business: scope.business(), calendar: calendar.id };
        let read = tokio::time::timeout(PATIENCE, self.read(&calendar, place)).await;
        let read = read.unwrap_or_else(|_| Err("it did not answer in time".to_owned()));
        let theirs: Result<BTreeMap<EventId, Theirs>, String> = read.map(ours_among);
        let within = theirs.as_ref().map(|theirs| {
            let near =
                |theirs: &&Theirs| expected.contains_key(&theirs.event.id) || window.has(theirs.event.span);
            theirs.values().filter(near).map(|theirs| &theirs.event).collect::<Vec<_>>()
        });
        let (count, of_theirs) = within.map_or((0, String::new()), |near| (near.len(), digest(near)));
        Side {
            count,
            digest: of_theirs,
            expected_digest: digest(expected.values()),
            differences: theirs
                .as_ref()
                .map(|theirs| differences(&expected, theirs, window))
                .map_err(Clone::clone),
            calendar,
        }
    }

    /// All there is on a side. A turn that another worker has is waited for.
    async fn read(&self, calendar: &Calendar, place: Place) -> Result<Vec<Change>, String> {
        let keeper = self.outside.keeper(calendar.kind);
        let (mut changes, mut bytes, mut cursor) = (vec![], 0, Cursor::Beginning);
        loop {
            let page = match keeper.changes(place, cursor.clone()).await {
                Err(ReadError::Later(wait)) if wait < LONG_WAIT => {
                    tokio::time::sleep(Duration::try_from(wait).unwrap_or_default()).await;
                    continue;
                }
                other => other.map_err(|error| error.to_string())?,
            };
            bytes += page.changes.iter().map(Change::bytes).sum::<usize>();
            changes.extend(page.changes);
            if changes.len() > MOST_CHANGES || bytes > MOST_BYTES {
                return Err("it lists more than can be compared".to_owned());
            }
            match page.then {
                Then::More(next) => cursor = Cursor::Next(next),
                Then::End(_) | Then::Whole(_) => return Ok(changes),
            }
        }
    }
}

/// The book's events, under ids of no calendar.
fn book(parts: &[(AppointmentId, Part)]) -> Vec<Event> {
    let none = CalendarId(uuid::Uuid::nil());
    parts.iter().map(|(appointment, part)| part.event_in(none, *appointment)).collect()
}

fn appointments(parts: &[(AppointmentId, Part)]) -> usize {
    let mut ids: Vec<_> = parts.iter().map(|(appointment, _)| appointment.0).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.len()
}

fn small(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
