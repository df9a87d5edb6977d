//! How much is worked on at the same time, with a reserve for calls that a person on the telephone
//! waits for.

use std::sync::Arc;

use caller::Priority;
use opentelemetry::{KeyValue, global, metrics::Counter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// One in so many places is kept for voice.
const RESERVED: usize = 5;

/// Places for calls. Nothing waits for one: what finds none is refused at once.
#[derive(Debug, Clone)]
pub struct Admission {
    shared: Arc<Semaphore>,
    reserve: Arc<Semaphore>,
    reserved: usize,
    shed: Counter<u64>,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub struct Place {
    _permit: OwnedSemaphorePermit,
}

impl Admission {
    /// So many places altogether. Must be made after telemetry has started, or it counts nothing.
    #[must_use]
    pub fn of(places: usize) -> Self {
        let reserve = places / RESERVED;
        let shed = global::meter("frontdesk")
            .u64_counter("frontdesk.admission.shed")
            .with_description("Calls and requests refused because too many were under way.")
            .with_unit("{call}")
            .build();
        for priority in [Priority::Normal, Priority::Voice] {
            shed.add(0, &[KeyValue::new("frontdesk.priority", priority.as_str())]);
        }
        Self {
            shared: Arc::new(Semaphore::new(places - reserve)),
            reserve: Arc::new(Semaphore::new(reserve)),
            reserved: reserve,
            shed,
        }
    }

    /// Places that only voice may take.
    #[must_use]
    pub fn reserved(&self) -> usize {
        self.reserved
    }

    /// A place that anyone may take.
    #[must_use]
    pub fn shared(&self) -> Option<Place> {
        take(&self.shared)
    }

    /// A place of the reserve.
    #[must_use]
    pub fn reserve(&self) -> Option<Place> {
        take(&self.reserve)
    }

    /// A place for a call, the last ones for voice alone; `None`, and counted, when there is none.
    #[must_use]
    pub fn admit(&self, priority: Priority) -> Option<Place> {
        let place = self.shared().or_else(|| match priority {
            Priority::Voice => self.reserve(),
            Priority::Normal => None,
        });
        if place.is_none() {
            self.shed(priority);
        }
        place
    }

    /// Counts a refused call.
    pub fn shed(&self, priority: Priority) {
        self.shed.add(1, &[KeyValue::new("frontdesk.priority", priority.as_str())]);
    }
}

fn take(places: &Arc<Semaphore>) -> Option<Place> {
    places.clone().try_acquire_owned().ok().map(|permit| Place { _permit: permit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_fifth_is_for_voice_alone() {
        let admission = Admission::of(10);
        let mut held: Vec<_> = core::iter::from_fn(|| admission.admit(Priority::Normal)).collect();
        assert_eq!(held.len(), 8);
        held.extend(core::iter::from_fn(|| admission.admit(Priority::Voice)));
        assert_eq!(held.len(), 10);
        held.remove(0);
        assert!(admission.admit(Priority::Normal).is_some());
    }

    #[test]
    fn voice_may_take_every_place() {
        let admission = Admission::of(10);
        let held: Vec<_> = core::iter::from_fn(|| admission.admit(Priority::Voice)).collect();
        assert_eq!(held.len(), 10);
    }

    #[test]
    fn one_place_alone_is_for_all() {
        let admission = Admission::of(1);
        assert!(admission.admit(Priority::Normal).is_some());
    }
}
