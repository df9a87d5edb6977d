//! The turns that a worker has taken, by server and business.

use std::sync::{Mutex, MutexGuard, PoisonError};

use caller::BusinessId;

use crate::domain::slots::{Bounds, Full, Slots};

/// The turns that are taken.
#[derive(Debug)]
pub struct TakenTurns(Mutex<Slots>);

impl TakenTurns {
    /// No turn is taken yet.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        Self(Mutex::new(Slots::new(bounds)))
    }

    /// How many are taken in one claim.
    pub(super) fn share(&self) -> usize {
        self.slots().share()
    }

    /// What a claim passes over.
    pub(super) fn full(&self) -> Full {
        self.slots().full()
    }

    /// A turn is taken.
    pub(super) fn take(&self, business: BusinessId, server: &str) {
        self.slots().take(business, server);
    }

    /// A turn that was taken, which ends when this is dropped.
    pub(super) fn held(&self, business: BusinessId, server: &str) -> HeldTurn<'_> {
        HeldTurn { turns: self, business, server: server.to_owned() }
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A turn that is taken, until it is dropped.
pub(super) struct HeldTurn<'t> {
    turns: &'t TakenTurns,
    business: BusinessId,
    server: String,
}

impl HeldTurn<'_> {
    /// The server answered, or it did not.
    pub(super) fn record(&self, answered: bool) {
        self.turns.slots().record(&self.server, answered);
    }
}

impl Drop for HeldTurn<'_> {
    fn drop(&mut self) {
        self.turns.slots().give_back(self.business, &self.server);
    }
}
