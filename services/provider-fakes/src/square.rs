//! Square's Bookings, Team and Catalog APIs for one location of a seller who has Appointments Plus.

mod api;
mod book;
mod listing;
mod refused;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use base64::{Engine, prelude::BASE64_STANDARD};
use boot::clock::Clock;
use hmac::{Hmac, Mac};
use jiff::Timestamp;
use serde_json::json;
use sha2::Sha256;

use crate::fault::{Fault, Faults};
use book::Book;
pub use book::{Booking, Segment};

/// The seller's access token.
pub const TOKEN: &str = "EAAA-square-access-token";
/// The only location.
pub const LOCATION: &str = "LOCATION1";
/// The variation of the service that a test books.
pub const CUT: &str = "VARIATION-CUT";

/// A hint that was pushed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Push {
    /// What it says.
    pub body: String,
    /// The header `x-square-hmacsha256-signature`.
    pub signature: String,
}

/// Where hints are pushed to, and the key that they are signed with.
#[derive(Debug, Clone)]
struct Subscription {
    url: String,
    key: String,
}

/// The running system.
#[derive(Debug, Clone)]
pub struct Square {
    state: Arc<Mutex<State>>,
    clock: Clock,
}

#[derive(Debug)]
struct State {
    book: Book,
    faults: Faults,
    subscription: Option<Subscription>,
    pushes: Vec<Push>,
    /// Bookings on a page at most.
    page: usize,
}

impl Square {
    /// A location with two team members and two services.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let (book, faults) = (Book::default(), Faults::default());
        let state = State { book, faults, subscription: None, pushes: vec![], page: 100 };
        Self { state: Arc::new(Mutex::new(state)), clock }
    }

    /// What it serves.
    pub fn router(&self) -> Router {
        api::routes(self.clone())
    }

    /// Makes, moves or cancels bookings as the salon's people do.
    pub fn edit<T>(&self, edit: impl FnOnce(&mut Book, Timestamp) -> T) -> T {
        let now = self.clock.now();
        let mut state = self.lock();
        let before = state.book.changes;
        let edited = edit(&mut state.book, now);
        if state.book.changes != before {
            state.push(now);
        }
        edited
    }

    /// Subscribes an address to changes of bookings.
    pub fn subscribe(&self, url: &str, key: &str) {
        self.lock().subscription = Some(Subscription { url: url.to_owned(), key: key.to_owned() });
    }

    /// What was pushed since the last time; who takes it delivers it, twice, or not at all.
    pub fn take_pushes(&self) -> Vec<Push> {
        core::mem::take(&mut self.lock().pushes)
    }

    /// A page has at most so many bookings.
    pub fn page_of(&self, bookings: usize) {
        self.lock().page = bookings;
    }

    /// The next `count` requests meet this fault.
    pub fn fail(&self, fault: Fault, count: usize) {
        self.lock().faults.add(fault, count);
    }

    /// Nothing goes wrong any more.
    pub fn mend(&self) {
        self.lock().faults = Faults::default();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn push(&mut self, now: Timestamp) {
        let Some(Subscription { url, key }) = &self.subscription else { return };
        let body = json!({
            "merchant_id": "MERCHANT1",
            "type": "booking.updated",
            "event_id": format!("event-{}", self.book.changes),
            "created_at": now,
            "data": { "type": "booking", "id": self.book.last },
        });
        let body = body.to_string();
        let signature = sign(key, url, &body);
        self.pushes.push(Push { body, signature });
    }
}

/// The signature of a body that is pushed to an address.
fn sign(key: &str, url: &str, body: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key.as_bytes()) else { return String::new() };
    mac.update(url.as_bytes());
    mac.update(body.as_bytes());
    BASE64_STANDARD.encode(mac.finalize().into_bytes())
}
