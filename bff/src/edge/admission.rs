//! Which requests are worked on when there are more than the door can do.
//!
//! Voice comes first, but a delivery is voice's only when its platform's signature was checked, for
//! which its body has to be read. So a request to the voice door that finds the shared places taken gets
//! one of the reserve on probation; few are on probation at the same time, and of one network half of
//! these, so that unsigned requests can't use the reserve up.

use core::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::Request;
use boot::admission::{Admission, Place};
use caller::Priority;
use proto::webhook;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::per_network_limits::{Share, Shares};

/// One in so many of the reserve's places is for requests on probation.
const PARTS: usize = 2;

/// The door's places.
#[derive(Debug)]
pub(super) struct DoorAdmission {
    places: Admission,
    probation: Arc<Semaphore>,
    shares: Arc<Shares>,
}

/// What a request on probation holds until it is believed, as a request extension.
#[derive(Debug, Clone)]
pub struct Probation {
    held: Arc<Mutex<Option<(OwnedSemaphorePermit, Share)>>>,
}

impl Probation {
    /// Ends the probation of `request`, if it is on any: its sender is known.
    pub fn passed(extensions: &http::Extensions) {
        if let Some(Self { held }) = extensions.get() {
            drop(held.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}

impl DoorAdmission {
    pub(super) fn of(places: usize) -> Self {
        let places = Admission::of(places);
        let probation = (places.reserved() / PARTS).max(1);
        Self { probation: Arc::new(Semaphore::new(probation)), shares: Shares::of(probation, PARTS), places }
    }

    /// A place for `request` from `address`; `None`, and counted, when there is none.
    pub(super) fn admit(&self, address: IpAddr, request: &mut Request) -> Option<Place> {
        if let Some(place) = self.places.shared() {
            return Some(place);
        }
        if !request.uri().path().starts_with(webhook::BELOW_VOICE) {
            self.places.shed(Priority::Normal);
            return None;
        }
        let place = self.on_probation(address, request);
        if place.is_none() {
            self.places.shed(Priority::Voice);
        }
        place
    }

    fn on_probation(&self, address: IpAddr, request: &mut Request) -> Option<Place> {
        let permit = self.probation.clone().try_acquire_owned().ok()?;
        let share = self.shares.take(address)?;
        let place = self.places.reserve()?;
        request.extensions_mut().insert(Probation { held: Arc::new(Mutex::new(Some((permit, share)))) });
        Some(place)
    }
}
