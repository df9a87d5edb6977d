//! Booking systems, one module each, and how an employee's appointments there are kept in step as a calendar is.

mod demo;
mod described;
mod employee;
mod fault;
mod its_ids;
mod paced;
mod square;
mod windows;

pub use demo::DemoProvider;
pub use described::Described;
pub use employee::EmployeeCalendar;
pub use paced::Paced;
pub use square::Square;

use std::sync::Arc;

use boot::clock::Clock;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use tonic::async_trait;
use url::Url;
use uuid::Uuid;

use super::{
    WriteError,
    web::{Web, WebError},
};
use crate::{
    domain::{
        AppointmentId,
        event::{Etag, Event, EventId},
        free_time::Minutes,
        profile::Profile,
        provider::{CallLimit, Credentials, LeftOut, Named, Outgoing, ProviderError, ProviderKind, System},
    },
    error::Error,
};

/// What one answer may say: a page.
const MOST_BYTES: usize = 2 << 20;
/// Employees or services of one system that are read.
const MOST_RECORDS: usize = 5_000;

/// A day by the salon's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// Which.
    pub date: Date,
    /// Whose clock.
    pub zone: TimeZone,
}

impl Day {
    /// Its first instant, and that of the next day.
    #[must_use]
    pub fn span(&self) -> Option<(Timestamp, Timestamp)> {
        let starts = |date: Date| self.zone.to_zoned(date.at(0, 0, 0, 0)).ok().map(|zoned| zoned.timestamp());
        Some((starts(self.date)?, starts(self.date.tomorrow().ok()?)?))
    }

    /// The minute of it at an instant; the first or the last of it for one of another day.
    #[must_use]
    pub fn minute(&self, at: Timestamp) -> i32 {
        let local = self.zone.to_datetime(at);
        match local.date().cmp(&self.date) {
            core::cmp::Ordering::Less => 0,
            core::cmp::Ordering::Greater => 1440,
            core::cmp::Ordering::Equal => i32::from(local.hour()) * 60 + i32::from(local.minute()),
        }
    }
}

/// An appointment of a booking system, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TheirAppointment {
    /// It is there.
    Standing {
        /// When, under its id there, and which of our appointments it is.
        event: Event,
        /// The id that we know it by, where that is another one.
        ours: Option<EventId>,
        /// When it was changed.
        changed_at: Timestamp,
        /// By whom.
        changed_by: Option<String>,
    },
    /// It was deleted.
    Deleted {
        /// Its id there.
        id: EventId,
        /// When.
        changed_at: Timestamp,
        /// By whom.
        changed_by: Option<String>,
    },
    /// It makes no sense; the others do.
    Unreadable {
        /// Its id there.
        id: EventId,
        /// Why.
        reason: String,
    },
}

impl TheirAppointment {
    /// Its id there.
    #[must_use]
    pub fn id(&self) -> &EventId {
        match self {
            Self::Standing { event, .. } => &event.id,
            Self::Deleted { id, .. } | Self::Unreadable { id, .. } => id,
        }
    }

    /// When it was changed, as far as that is known.
    #[must_use]
    pub fn changed_at(&self) -> Option<Timestamp> {
        match self {
            Self::Standing { changed_at, .. } | Self::Deleted { changed_at, .. } => Some(*changed_at),
            Self::Unreadable { .. } => None,
        }
    }

    /// Ours, its id there, and what it stands for, where it bears our mark.
    #[must_use]
    pub fn mark(&self) -> Option<(&EventId, &str, AppointmentId)> {
        match self {
            Self::Standing { event, ours: Some(ours), .. } => {
                Some((ours, event.id.0.as_str(), event.appointment?))
            }
            _ => None,
        }
    }
}

/// A page of changes of appointments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TheirPage {
    /// The changes of each employee who was asked for, in that order; each employee's oldest first.
    pub of_each: Vec<Vec<TheirAppointment>>,
    /// Where to go on.
    pub next: String,
    /// Whether there are more now.
    pub more: bool,
}

impl TheirPage {
    /// How many of its appointments are there.
    #[must_use]
    pub fn standing(&self) -> usize {
        self.of_each
            .iter()
            .flatten()
            .filter(|found| matches!(found, TheirAppointment::Standing { .. }))
            .count()
    }
}

/// A record as it is listed, or why it is left out.
pub type ListedRecord = Result<Named<String>, LeftOut>;

/// Refuses more records than are read.
fn bounded(records: &[ListedRecord]) -> Result<(), ProviderError> {
    if records.len() > MOST_RECORDS {
        return Err(ProviderError::Failed("it has too many records".to_owned()));
    }
    Ok(())
}

impl From<WebError> for ProviderError {
    fn from(error: WebError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// A booking system: it is read by polling, and written with versions. Calls are limited and cut off by
/// connection in [`super::web::Web`].
#[async_trait]
pub trait Provider: Send + Sync {
    /// How it is offered.
    fn system(&self) -> System;

    /// How often one connection may be used.
    fn limit(&self) -> CallLimit;

    /// Whose account the credentials open.
    async fn account(&self, with: &Credentials) -> Result<String, ProviderError>;

    /// Who works there.
    async fn employees(&self, with: &Credentials) -> Result<Vec<ListedRecord>, ProviderError>;

    /// What is done there.
    async fn services(&self, with: &Credentials) -> Result<Vec<ListedRecord>, ProviderError>;

    /// Changes of employees' appointments after `after`; all there are, without. For several employees, all of the
    /// connection's are listed, in as many calls as for one.
    async fn appointments(
        &self,
        with: &Credentials,
        employees: &[&str],
        after: Option<&str>,
    ) -> Result<TheirPage, ProviderError>;

    /// After what several employees' appointments are read together who were read up to these, each of them; `None`
    /// where that is from the beginning.
    fn earliest(&self, read_up_to: &[&str]) -> Option<String>;

    /// How many calls the page of appointments after `after` takes.
    fn calls(&self, _after: Option<&str>) -> u32 {
        1
    }

    /// Minutes of a day at which an employee is free.
    async fn free(
        &self,
        with: &Credentials,
        employee: &str,
        day: &Day,
    ) -> Result<Vec<Minutes>, ProviderError>;

    /// How it is written.
    fn writing(&self) -> Writing<'_>;
}

/// How a system is written: under whose ids it keeps appointments.
#[derive(Clone, Copy)]
pub enum Writing<'p> {
    /// By ours.
    OurIds(&'p dyn TakesIds),
    /// By its own.
    ItsIds(&'p dyn GivesIds),
}

/// A system whose appointments have the ids that they are sent with: writing twice is writing once.
#[async_trait]
pub trait TakesIds: Send + Sync {
    /// Writes an appointment if its version is the expected one; `None` expects that there is none.
    async fn put(
        &self,
        with: &Credentials,
        outgoing: &Outgoing,
        expected: Option<&Etag>,
    ) -> Result<Etag, WriteError>;

    /// Deletes one if its version is the expected one; one that is not there is deleted.
    async fn delete(&self, with: &Credentials, id: &str, expected: Option<&Etag>) -> Result<(), WriteError>;
}

/// A system that gives each appointment an id when it is created.
#[async_trait]
pub trait GivesIds: Send + Sync {
    /// Creates an appointment, and says its id. The same key creates it once, where the system knows such keys.
    async fn create(&self, with: &Credentials, outgoing: &Outgoing, key: Uuid) -> Result<String, Uncreated>;

    /// Changes one if its version is the expected one.
    async fn update(
        &self,
        with: &Credentials,
        id: &str,
        outgoing: &Outgoing,
        expected: &Etag,
    ) -> Result<(), Unwritten>;

    /// Cancels one if its version is the expected one.
    async fn cancel(&self, with: &Credentials, id: &str, expected: &Etag) -> Result<(), Unwritten>;

    /// Whether the same key creates an appointment once, for as long as its answer may be waited for.
    fn knows_keys(&self) -> bool {
        false
    }

    /// The version of one; `None` for one that is not there, or cancelled.
    async fn version(&self, with: &Credentials, id: &str) -> Result<Option<Etag>, ProviderError>;
}

/// Why an appointment under an id of the system's was not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unwritten {
    /// It has another version, or is not there.
    Stale,
    /// The system refuses it, however often it is sent.
    Refused(String),
    /// It may work later.
    Provider(ProviderError),
}

/// Why an appointment was not created.
#[derive(Debug)]
pub enum Uncreated {
    /// Something else was created with its key.
    KeySpent,
    /// It was not written.
    Unwritten(WriteError),
}

impl<E: Into<WriteError>> From<E> for Uncreated {
    fn from(error: E) -> Self {
        Self::Unwritten(error.into())
    }
}

impl From<ProviderError> for Unwritten {
    fn from(error: ProviderError) -> Self {
        Self::Provider(error)
    }
}

impl From<WebError> for Unwritten {
    fn from(error: WebError) -> Self {
        Self::Provider(error.into())
    }
}

/// The booking systems that this installation reaches.
#[derive(Clone)]
pub struct Providers {
    systems: Arc<Vec<Arc<dyn Provider>>>,
}

impl core::fmt::Debug for Providers {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.systems.iter().map(|provider| provider.system().name)).finish()
    }
}

impl Providers {
    /// Square, the systems that profiles describe, and the demo booking system where there is one.
    #[must_use]
    pub fn new(web: &Web, clock: &Clock, demo: Option<Url>, profiles: Vec<Profile>) -> Self {
        let mut systems: Vec<Arc<dyn Provider>> = vec![];
        if let Some(base) = demo {
            systems.push(Arc::new(DemoProvider { web: web.clone(), base }));
        }
        systems.push(Arc::new(Square { web: web.clone(), clock: clock.clone() }));
        for profile in profiles {
            systems.push(Arc::new(Described { profile, web: web.clone(), clock: clock.clone() }));
        }
        Self { systems: Arc::new(systems) }
    }

    /// What can be connected.
    #[must_use]
    pub fn systems(&self) -> Vec<System> {
        self.systems.iter().map(|provider| provider.system()).collect()
    }

    /// The system of a kind.
    ///
    /// # Errors
    /// [`Error::NoProvider`].
    pub fn of(&self, kind: &ProviderKind) -> Result<Arc<dyn Provider>, Error> {
        let found = self.systems.iter().find(|provider| provider.system().kind == *kind);
        found.cloned().ok_or(Error::NoProvider)
    }
}
