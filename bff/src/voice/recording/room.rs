//! Room for long bodies.

use std::{
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use caller::BusinessId;

use crate::{
    edge::{Share, Shares, busy, crowded},
    refusal::Refusal,
};

/// Long bodies at once; each takes a file of up to 48 MiB.
const MOST: usize = 4;
/// One in so many of them is for one network, or for one business: neither keeps the others out.
const PARTS: usize = 2;

/// The places for long bodies.
#[derive(Debug)]
pub struct Room {
    networks: Arc<Shares>,
    /// Whose bodies are being read.
    businesses: Mutex<Vec<BusinessId>>,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub struct Place {
    room: Arc<Room>,
    business: BusinessId,
    _share: Share,
}

impl Room {
    /// Room that is free.
    pub fn new() -> Arc<Self> {
        Arc::new(Self { networks: Shares::of(MOST, PARTS), businesses: Mutex::default() })
    }

    /// A place for a body from an address that is said to be of a business's call.
    ///
    /// # Errors
    /// When all places are taken, or as many as the network or the business may have.
    pub fn take(self: &Arc<Self>, address: IpAddr, business: BusinessId) -> Result<Place, Refusal> {
        let share = self.networks.take(address).ok_or_else(crowded)?;
        let mut businesses = self.businesses();
        let held = businesses.iter().filter(|held| **held == business).count();
        if businesses.len() >= MOST || held >= MOST / PARTS {
            return Err(busy());
        }
        businesses.push(business);
        Ok(Place { room: self.clone(), business, _share: share })
    }

    fn businesses(&self) -> MutexGuard<'_, Vec<BusinessId>> {
        self.businesses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut businesses = self.room.businesses();
        if let Some(at) = businesses.iter().position(|held| *held == self.business) {
            businesses.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn take(room: &Arc<Room>, network: u8, business: u128) -> Option<Place> {
        room.take([203, 0, 113, network].into(), BusinessId(Uuid::from_u128(business))).ok()
    }

    #[test]
    fn a_network_and_a_business_get_half_of_the_places_each() {
        let room = Room::new();
        let first = [take(&room, 1, 1), take(&room, 1, 2)];
        assert!(first.iter().all(Option::is_some));
        assert!(take(&room, 1, 3).is_none(), "the network has its half");
        let second = take(&room, 2, 1);
        assert!(second.is_some());
        assert!(take(&room, 3, 1).is_none(), "the business has its half");
        let third = take(&room, 3, 3);
        assert!(third.is_some());
        assert!(take(&room, 4, 4).is_none(), "all places are taken");
        drop(first);
        assert!(take(&room, 1, 1).is_some());
        drop((second, third));
        assert!(room.businesses().is_empty(), "a place that is free is known as free");
    }
}
