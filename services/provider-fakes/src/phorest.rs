//! Phorest's third-party API for one branch: appointments, bookings, staff, services and the rota.

mod api;
mod book;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use boot::clock::Clock;
use jiff::Timestamp;

use crate::fault::{Fault, Faults};
use book::Book;
pub use book::{Appointment, Entry};

/// The business.
pub const BUSINESS: &str = "eTC3QY5W3pHmGHezKfxJw";
/// Its only branch.
pub const BRANCH: &str = "SE-J0emUgQnya14mOGdQSw";
/// The user of the API.
pub const USERNAME: &str = "global/desk@example.com";
/// And its password.
pub const PASSWORD: &str = "phorest-api-password";
/// Whom bookings may be for.
pub const CLIENT: &str = "client-walk-in";

/// The running system.
#[derive(Debug, Clone)]
pub struct Phorest {
    state: Arc<Mutex<State>>,
    clock: Clock,
}

#[derive(Debug)]
struct State {
    book: Book,
    faults: Faults,
    calls: usize,
}

impl Phorest {
    /// A branch with two employees, one who left, and two services.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let state = State { book: Book::default(), faults: Faults::default(), calls: 0 };
        Self { state: Arc::new(Mutex::new(state)), clock }
    }

    /// What it serves.
    pub fn router(&self) -> Router {
        api::routes(self.clone())
    }

    /// Enters, moves or deletes appointments as the salon's people do.
    pub fn edit<T>(&self, edit: impl FnOnce(&mut Book, Timestamp) -> T) -> T {
        let now = self.clock.now();
        edit(&mut self.lock().book, now)
    }

    /// The next `count` requests meet this fault.
    pub fn fail(&self, fault: Fault, count: usize) {
        self.lock().faults.add(fault, count);
    }

    /// Nothing goes wrong any more.
    pub fn mend(&self) {
        self.lock().faults = Faults::default();
    }

    /// How many requests came.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.lock().calls
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
