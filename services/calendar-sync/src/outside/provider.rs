//! Booking systems, one module each, and how an employee's appointments there are kept in step as a calendar is.

mod demo;
mod employee;
mod paced;

pub use demo::DemoProvider;
pub use employee::EmployeeCalendar;
pub use paced::Paced;

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp, civil::Date};
use tonic::async_trait;

use super::{WriteError, web::WebError};
use crate::{
    domain::{
        caldav::Password,
        event::{Etag, Event, EventId},
        free_time::Minutes,
        provider::{CallLimit, Named, Outgoing, ProviderKind},
    },
    error::Error,
};

/// An appointment of a booking system, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TheirAppointment {
    /// It is there.
    Standing {
        /// When, and which of ours it is.
        event: Event,
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

/// A page of changes of appointments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TheirPage {
    /// The changes, oldest first.
    pub appointments: Vec<TheirAppointment>,
    /// Where to go on.
    pub next: String,
    /// Whether there are more now.
    pub more: bool,
}

impl TheirPage {
    /// How many of its appointments are there.
    #[must_use]
    pub fn standing(&self) -> usize {
        self.appointments.iter().filter(|found| matches!(found, TheirAppointment::Standing { .. })).count()
    }
}

/// Why a booking system did not answer as it should.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// It refuses the token.
    #[error("the booking system refuses the token")]
    Token,
    /// It no longer knows up to where it was read.
    #[error("the booking system no longer knows up to where it was read")]
    Forgotten,
    /// It takes no more calls for now.
    #[error("the booking system takes no more calls for now")]
    Later(SignedDuration),
    /// It may answer later.
    #[error("{0}")]
    Failed(String),
}

impl From<WebError> for ProviderError {
    fn from(error: WebError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// A booking system: it is read by polling, and written with versions. Calls are limited and cut off by
/// host in [`super::web::Web`].
#[async_trait]
pub trait Provider: Send + Sync {
    /// How often one connection may be used.
    fn limit(&self) -> CallLimit;

    /// Whose account the token opens.
    async fn account(&self, token: &Password) -> Result<String, ProviderError>;

    /// Who works there.
    async fn employees(&self, token: &Password) -> Result<Vec<Named<String>>, ProviderError>;

    /// What is done there.
    async fn services(&self, token: &Password) -> Result<Vec<Named<String>>, ProviderError>;

    /// Changes of an employee's appointments after `after`; all there are, without.
    async fn appointments(
        &self,
        token: &Password,
        employee: &str,
        after: Option<&str>,
    ) -> Result<TheirPage, ProviderError>;

    /// Minutes of a day at which an employee is free.
    async fn free(&self, token: &Password, employee: &str, date: Date)
    -> Result<Vec<Minutes>, ProviderError>;

    /// Writes an appointment if its version is the expected one; `None` expects that there is none.
    async fn put(
        &self,
        token: &Password,
        outgoing: &Outgoing,
        expected: Option<&Etag>,
    ) -> Result<Etag, WriteError>;

    /// Deletes one if its version is the expected one; one that is not there is deleted.
    async fn delete(&self, token: &Password, id: &str, expected: Option<&Etag>) -> Result<(), WriteError>;
}

/// The booking systems that this installation reaches.
#[derive(Clone, Default)]
pub struct Providers {
    /// The demo booking system.
    pub demo: Option<Arc<dyn Provider>>,
}

impl core::fmt::Debug for Providers {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Providers").field("demo", &self.demo.is_some()).finish()
    }
}

impl Providers {
    /// Which kinds can be connected.
    #[must_use]
    pub fn available(&self) -> Vec<ProviderKind> {
        self.demo.iter().map(|_| ProviderKind::Demo).collect()
    }

    /// The system of a kind.
    ///
    /// # Errors
    /// [`Error::NoProvider`].
    pub fn of(&self, kind: ProviderKind) -> Result<Arc<dyn Provider>, Error> {
        match kind {
            ProviderKind::Demo => self.demo.clone().ok_or(Error::NoProvider),
        }
    }
}
