//! Outside calendars, one module per provider.

mod apart;
pub mod caldav;
mod demo;
pub mod google;
pub mod ics;
pub mod provider;

use std::sync::Arc;

use boot::clock::Clock;
use jiff::SignedDuration;
use outgoing::Web;
pub use outgoing::web;
use tonic::async_trait;

use crate::{
    domain::{
        busy::Change,
        calendar::{Kind, Place, Token},
        event::{Etag, Event, EventId},
    },
    store::Store,
    vault::Vault,
};
use caldav::CaldavCalendar;
use demo::DemoCalendar;
use google::{Google, GoogleCalendar};
use ics::IcsCalendar;
use provider::EmployeeCalendar;

/// Where to read on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cursor {
    /// From the beginning: all there is.
    Beginning,
    /// What changed since.
    Since(Token),
    /// The next page of either.
    Next(String),
}

/// One page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Changes, oldest first.
    pub changes: Vec<Change>,
    /// What comes after it.
    pub then: Then,
}

/// What comes after a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Then {
    /// Another one.
    More(String),
    /// Nothing; reading goes on from here the next time.
    End(Token),
    /// Nothing, and what was read is all there is, whatever was asked for.
    Whole(Token),
}

/// Why a calendar was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The token is too old or was never given out: read from the beginning.
    #[error("the calendar no longer knows up to where it was read")]
    InvalidToken,
    /// It may work later.
    #[error("the calendar can't be read: {0}")]
    Failed(String),
    /// Its server answers, but does not give this account the calendar.
    #[error("the calendar can't be read: {0}")]
    Refused(String),
    /// Its server wants to be left alone for so long.
    #[error("the calendar can't be read: the server asks to come back later")]
    Resting(SignedDuration),
    /// It is not its turn; nothing is wrong.
    #[error("the calendar is read later")]
    Later(SignedDuration),
}

/// Why an event was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Its version is not the expected one.
    #[error("the event was changed in the calendar")]
    Changed(Etag),
    /// It may work later.
    #[error("the event can't be written: {0}")]
    Failed(String),
    /// The calendar takes no event now; it may later.
    #[error("the calendar can't be reached: {0}")]
    Unreachable(String),
    /// It is not its turn; nothing is wrong.
    #[error("the event is written later")]
    Later(SignedDuration),
    /// The calendar does not take this event, however often it is sent.
    #[error("{0}")]
    Refused(String),
}

/// A keeper of calendars.
#[async_trait]
pub trait OutsideCalendar: Send + Sync {
    /// One page of changes. Gone events are told only after a token, and may come
    /// without the marker they had.
    async fn changes(&self, place: Place, cursor: Cursor) -> Result<Page, ReadError>;

    /// Puts an event under its id if its version is the expected one; `None` expects
    /// that there never was one.
    async fn put(&self, place: Place, event: Event, expected: Option<Etag>) -> Result<Etag, WriteError>;

    /// Deletes an event if its version is the expected one; an event that is not there is deleted.
    async fn delete(&self, place: Place, event: &EventId, expected: Option<Etag>) -> Result<(), WriteError>;

    /// Ends what is open there for a calendar that is being disconnected, as far as its keeper answers.
    async fn leave(&self, _: Place) {}
}

/// Every keeper, by kind.
#[derive(Clone)]
pub struct Outside {
    demo: Arc<dyn OutsideCalendar>,
    caldav: Arc<dyn OutsideCalendar>,
    provider: Arc<EmployeeCalendar>,
    google: Arc<dyn OutsideCalendar>,
    ics: Arc<dyn OutsideCalendar>,
}

/// What is beyond this installation, as it is configured.
#[derive(Debug, Clone)]
pub struct Reached {
    /// Booking systems.
    pub providers: provider::Providers,
    /// Google, where we are known there.
    pub google: Option<Google>,
}

impl core::fmt::Debug for Outside {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Outside").finish_non_exhaustive()
    }
}

impl Outside {
    /// The keepers this installation reaches, by `web`.
    #[must_use]
    pub fn new(store: Store, vault: Vault, web: Web, clock: Clock, reached: Reached) -> Self {
        let Reached { providers, google } = reached;
        Self {
            demo: Arc::new(DemoCalendar::new(store.clone())),
            provider: Arc::new(EmployeeCalendar {
                providers,
                store: store.clone(),
                vault: vault.clone(),
                clock: clock.clone(),
            }),
            google: Arc::new(GoogleCalendar { store: store.clone(), clock: clock.clone(), google }),
            ics: Arc::new(IcsCalendar {
                store: store.clone(),
                vault: vault.clone(),
                web: web.clone(),
                clock: clock.clone(),
            }),
            caldav: Arc::new(CaldavCalendar { store, vault, web, clock }),
        }
    }

    /// The keeper of employees' appointments in booking systems, which are read together.
    #[must_use]
    pub fn employees(&self) -> &EmployeeCalendar {
        &self.provider
    }

    /// The keeper of calendars of a kind.
    #[must_use]
    pub fn keeper(&self, kind: Kind) -> &dyn OutsideCalendar {
        match kind {
            Kind::Demo => self.demo.as_ref(),
            Kind::Caldav => self.caldav.as_ref(),
            Kind::Provider => self.provider.as_ref(),
            Kind::Google => self.google.as_ref(),
            Kind::Ics => self.ics.as_ref(),
        }
    }
}
