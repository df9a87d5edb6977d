//! Room for our own agent's conversations, of which no salon takes all.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use caller::BusinessId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// One business holds at most one in so many of the places.
const PARTS: usize = 2;

type Held = Mutex<HashMap<BusinessId, usize>>;

/// The places of this process.
#[derive(Debug, Clone)]
pub(super) struct Room {
    all: Arc<Semaphore>,
    most_of_one: usize,
    /// How many each business has; one without any is forgotten.
    held: Arc<Held>,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    business: BusinessId,
    held: Arc<Held>,
    _permit: OwnedSemaphorePermit,
}

impl Room {
    /// Room for `most` conversations at once.
    pub(super) fn of(most: usize) -> Self {
        let most_of_one = most.div_ceil(PARTS).max(1);
        Self { all: Arc::new(Semaphore::new(most)), most_of_one, held: Arc::default() }
    }

    /// A place for a conversation of `business`; `None` while it has its share, or all are taken.
    pub(super) fn take(&self, business: BusinessId) -> Option<Place> {
        let permit = self.all.clone().try_acquire_owned().ok()?;
        let mut held = lock(&self.held);
        let has = held.entry(business).or_default();
        if *has >= self.most_of_one {
            return None;
        }
        *has += 1;
        Some(Place { business, held: self.held.clone(), _permit: permit })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = lock(&self.held);
        if let Some(has) = held.get_mut(&self.business) {
            *has -= 1;
            if *has == 0 {
                held.remove(&self.business);
            }
        }
    }
}

fn lock(held: &Held) -> MutexGuard<'_, HashMap<BusinessId, usize>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_salon_with_many_calls_leaves_room_for_the_calls_of_others() {
        let [willow, linde, harbour] = [1, 2, 3].map(|n| BusinessId(Uuid::from_u128(n)));
        let room = Room::of(4);
        let mut held = vec![room.take(willow).unwrap(), room.take(willow).unwrap()];
        assert!(room.take(willow).is_none());
        held.extend([room.take(linde).unwrap(), room.take(linde).unwrap()]);
        assert!(room.take(harbour).is_none(), "all are taken");
        held.remove(0);
        assert!(room.take(willow).is_some());
        drop(held);
        assert!(lock(&room.held).is_empty(), "a business without a conversation is forgotten");
        assert!(Room::of(1).take(willow).is_some());
        assert!(Room::of(0).take(willow).is_none());
    }
}
