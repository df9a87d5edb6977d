//! Reads appointments and working time as a profile says.

use std::collections::BTreeMap;

use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, DateTime, Time},
};
use serde_json::Value;

use super::{Described, MOST_PAGES, calls::of_settings};
use crate::{
    domain::{
        event::{Event, EventId, Span},
        free_time::Minutes,
        mark::mark_of,
        profile::{has_any, records, text_at, texts_at},
        provider::Credentials,
    },
    outside::provider::{
        Day, ProviderError, TheirAppointment,
        windows::{Window, WindowPage},
    },
};

impl Described {
    /// A page of one window of a reading.
    pub(super) async fn page_of_window(
        &self,
        with: &Credentials,
        employees: &[&str],
        window: Window,
    ) -> Result<WindowPage, ProviderError> {
        let appointments = &self.profile.appointments;
        let page = window.page.as_deref().and_then(|page| page.parse().ok()).unwrap_or(0);
        let mut filled = of_settings(with);
        filled.extend([("from", window.from.to_string()), ("to", window.to().to_string())]);
        let mut query = self.page_query(page);
        query.extend(appointments.query.clone());
        if let [employee] = employees {
            filled.insert("employee", (*employee).to_owned());
        }
        if let Some(since) = window.since {
            filled.insert("since", since.strftime("%FT%TZ").to_string());
            query.extend(appointments.since.clone());
        } else if employees.len() == 1 {
            query.extend(appointments.of_employee.clone());
        }
        let answer = self.read(with, &appointments.path, query, &filled).await?;
        let listed = records(&answer, &appointments.list);
        // Of all there is, what is another employee's says nothing; as a change, it may have been this one's before.
        let counts = |record: &Value, employee: &str| {
            employees.len() == 1 || window.since.is_some() || !self.is_of_other(record, employee)
        };
        let of = |employee: &&str| {
            let own = listed.iter().filter(|record| counts(record, employee));
            own.filter_map(|record| self.their_appointment(record, employee)).collect()
        };
        let next = (page + 1 < self.pages(&answer)).then(|| (page + 1).to_string());
        Ok((employees.iter().map(of).collect(), next))
    }

    fn is_of_other(&self, record: &Value, employee: &str) -> bool {
        text_at(record, &self.profile.appointments.employee).is_none_or(|found| found != employee)
    }

    /// An appointment; `None` for one without an id.
    fn their_appointment(&self, record: &Value, employee: &str) -> Option<TheirAppointment> {
        let appointments = &self.profile.appointments;
        let id = EventId(text_at(record, &appointments.id)?);
        let changed_at = text_at(record, &appointments.changed_at)
            .and_then(|text| text.parse().ok())
            .unwrap_or_else(|| self.clock.now());
        if self.is_of_other(record, employee) || has_any(record, &appointments.gone) {
            return Some(TheirAppointment::Deleted { id, changed_at, changed_by: None });
        }
        Some(match self.span(record) {
            Err(reason) => TheirAppointment::Unreadable { id, reason: reason.to_owned() },
            Ok(span) => {
                let note = text_at(record, &appointments.note).unwrap_or_default();
                let (ours, appointment) = mark_of(&note).unzip();
                // A title names what is done there; ours says more, which no profile has a place for.
                let title =
                    if ours.is_some() { String::new() } else { texts_at(record, &appointments.title) };
                let event = Event { id, title, span, appointment };
                TheirAppointment::Standing { event, ours, changed_at, changed_by: None }
            }
        })
    }

    fn span(&self, record: &Value) -> Result<Span, &'static str> {
        let appointments = &self.profile.appointments;
        let starts = text_at(record, &appointments.starts).ok_or("has no start")?;
        let ends = text_at(record, &appointments.ends).ok_or("has no end")?;
        let (starts, ends) = match &appointments.date {
            None => (instant(&starts)?, instant(&ends)?),
            Some(pointer) => {
                let date: Date = text_at(record, pointer)
                    .and_then(|date| date.parse().ok())
                    .ok_or("has no day that can be read")?;
                let (starts, ends) = (time(&starts)?, time(&ends)?);
                // One that ends before it starts ends on the next day.
                let until =
                    if ends < starts { date.saturating_add(SignedDuration::from_hours(24)) } else { date };
                (self.at(date.to_datetime(starts))?, self.at(until.to_datetime(ends))?)
            }
        };
        Span::new(starts, ends).ok_or("ends before it starts")
    }

    fn at(&self, local: DateTime) -> Result<Timestamp, &'static str> {
        let zoned = self.zone().to_zoned(local).map_err(|_| "is out of range")?;
        Ok(zoned.timestamp())
    }

    /// Minutes of a day that are booked.
    pub(super) async fn booked(
        &self,
        with: &Credentials,
        employee: &str,
        day: &Day,
    ) -> Result<Vec<Minutes>, ProviderError> {
        let appointments = &self.profile.appointments;
        let out_of_range = || ProviderError::Failed("the day is out of range".to_owned());
        let (starts, ends) = day.span().ok_or_else(out_of_range)?;
        let mut filled = of_settings(with);
        filled.extend([
            ("from", self.local(starts).date().to_string()),
            ("to", self.local(ends).date().to_string()),
            ("employee", employee.to_owned()),
        ]);
        let mut taken = vec![];
        for page in 0..MOST_PAGES {
            let mut query = self.page_query(page);
            query.extend(appointments.query.clone());
            query.extend(appointments.of_employee.clone());
            let answer = self.read(with, &appointments.path, query, &filled).await?;
            let found = records(&answer, &appointments.list).iter();
            for their in found.filter_map(|record| self.their_appointment(record, employee)) {
                if let TheirAppointment::Standing { event, .. } = their {
                    taken.push((day.minute(event.span.starts()), day.minute(event.span.ends())));
                }
            }
            if page + 1 >= self.pages(&answer) {
                return Ok(taken);
            }
        }
        Err(ProviderError::Failed("it has too many appointments on one day".to_owned()))
    }

    /// Minutes of a day at which an employee works.
    pub(super) async fn working(
        &self,
        with: &Credentials,
        employee: &str,
        day: &Day,
    ) -> Result<Vec<Minutes>, ProviderError> {
        let working = &self.profile.working;
        let date = day.date.to_string();
        let mut filled = of_settings(with);
        filled.insert("date", date.clone());
        let query: BTreeMap<String, String> = working.query.clone();
        let answer = self.read(with, &working.path, query, &filled).await?;
        let own = records(&answer, &working.list).iter();
        let own = own.filter(|record| text_at(record, &working.employee).as_deref() == Some(employee));
        let slots = own.flat_map(|record| records(record, &working.slots));
        let of_day = slots.filter(|slot| {
            text_at(slot, &working.date).is_none_or(|found| found == date)
                && (working.only.is_empty() || has_any(slot, &working.only))
        });
        let minutes = of_day.filter_map(|slot| {
            let at = |pointer: &str| text_at(slot, pointer).and_then(|text| time(&text).ok()).map(minute);
            Some((at(&working.starts)?, at(&working.ends)?))
        });
        Ok(minutes.collect())
    }
}

fn instant(text: &str) -> Result<Timestamp, &'static str> {
    text.parse().map_err(|_| "has a time that can't be read")
}

fn time(text: &str) -> Result<Time, &'static str> {
    text.parse().map_err(|_| "has a time that can't be read")
}

fn minute(time: Time) -> i32 {
    i32::from(time.hour()) * 60 + i32::from(time.minute())
}
