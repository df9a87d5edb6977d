//! A third party's booking system for salons: a small server with its own employees, services and
//! appointments, an API over HTTP with a token, faults on request, and a page on which its people edit.

mod api;
mod book;
mod fault;
mod page;

use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::{
    Router,
    extract::{Request, State as Extracted},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use boot::clock::Clock;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use book::{Appointment, Book, Booking, Person, Treatment};
pub use fault::{Fault, Faults};

/// The token of a new book.
pub const TOKEN: &str = "demo-booking-system-token";

/// The running system.
#[derive(Debug, Clone)]
pub struct DemoProvider {
    state: Arc<Mutex<State>>,
    clock: Clock,
}

#[derive(Debug)]
struct State {
    book: Book,
    faults: Faults,
    at_once: usize,
    most_at_once: usize,
}

impl DemoProvider {
    /// A system with this book.
    #[must_use]
    pub fn new(book: Book, clock: Clock) -> Self {
        Self {
            state: Arc::new(Mutex::new(State {
                book,
                faults: Faults::default(),
                at_once: 0,
                most_at_once: 0,
            })),
            clock,
        }
    }

    /// What it serves: the API under `/api`, and the page.
    pub fn router(&self) -> Router {
        let counted = from_fn_with_state(self.clone(), count_at_once);
        api::routes().layer(counted).merge(page::routes()).with_state(self.clone())
    }

    /// Serves until `shutdown`.
    ///
    /// # Errors
    /// When the port fails.
    pub async fn serve(self, listener: TcpListener, shutdown: CancellationToken) -> std::io::Result<()> {
        axum::serve(listener, self.router()).with_graceful_shutdown(shutdown.cancelled_owned()).await
    }

    /// Changes the book as its people do.
    pub fn edit<T>(&self, edit: impl FnOnce(&mut Book) -> T) -> T {
        edit(&mut self.lock().book)
    }

    /// The next `count` requests of the API meet this fault.
    pub fn fail(&self, fault: Fault, count: u32) {
        self.lock().faults.add(fault, count);
    }

    /// Nothing goes wrong any more.
    pub fn mend(&self) {
        self.lock().faults = Faults::default();
    }

    /// How many requests of the API were answered at the same time, at most.
    #[must_use]
    pub fn most_at_once(&self) -> usize {
        self.lock().most_at_once
    }

    /// Counts from now on.
    pub fn forget_concurrency(&self) {
        self.lock().most_at_once = 0;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers after a moment, so that requests at once would be seen.
async fn count_at_once(Extracted(system): Extracted<DemoProvider>, request: Request, next: Next) -> Response {
    {
        let mut state = system.lock();
        state.at_once += 1;
        state.most_at_once = state.most_at_once.max(state.at_once);
    }
    tokio::time::sleep(Duration::from_millis(2)).await;
    let response = next.run(request).await;
    system.lock().at_once -= 1;
    response
}
