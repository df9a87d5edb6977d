//! A booked visit and where it stands.

use jiff::Timestamp;

use super::{
    id::{CallId, CustomerId, VisitId},
    service::Price,
    visit::{PlacedItem, Placement},
};

/// Where a visit stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Booked.
    Booked,
    /// The customer said they will come.
    Confirmed,
    /// The customer is here.
    Arrived,
    /// Somebody is at work.
    InService,
    /// Done.
    Completed,
    /// Called off; its time is free.
    Cancelled(Cancellation),
    /// The customer never came.
    NoShow,
}

/// Who called a visit off, when and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cancellation {
    /// When.
    pub at: Timestamp,
    /// Who, as the audit trail names them.
    pub by: String,
    /// Why, or empty.
    pub reason: String,
}

/// The visit is not in a state that allows this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the visit has begun, is over, or was cancelled before")]
pub struct WrongState;

impl State {
    /// Whether the visit can still be called off.
    fn may_cancel(&self) -> bool {
        match self {
            Self::Booked | Self::Confirmed | Self::Arrived => true,
            Self::InService | Self::Completed | Self::Cancelled(_) | Self::NoShow => false,
        }
    }
}

/// What a booking is for, beside its time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Occasion {
    /// Who comes; nobody named for a walk-in.
    pub customer: Option<CustomerId>,
    /// The call it was booked in.
    pub call: Option<CallId>,
    /// What staff should know, or empty.
    pub notes: String,
}

/// A booked visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appointment {
    /// Its id, the same as that of the hold it came from.
    pub id: VisitId,
    /// Where it stands.
    pub state: State,
    /// What it is for.
    pub occasion: Occasion,
    /// When the customer comes.
    pub starts_at: Timestamp,
    /// When the customer goes.
    pub ends_at: Timestamp,
    /// What is done, in order.
    pub items: Vec<PlacedItem>,
    /// What it costs.
    pub price: Price,
    /// Grows by one with each change.
    pub version: i64,
    /// When it was booked.
    pub created_at: Timestamp,
}

impl Appointment {
    /// Books a placed visit.
    #[must_use]
    pub fn book(id: VisitId, placement: &Placement, occasion: Occasion, now: Timestamp) -> Self {
        Self {
            id,
            state: State::Booked,
            occasion,
            starts_at: placement.starts_at,
            ends_at: placement.ends_at,
            items: placement.items.clone(),
            price: placement.price.clone(),
            version: 1,
            created_at: now,
        }
    }

    /// Calls the visit off.
    ///
    /// # Errors
    /// Once it has begun, is over, or was cancelled.
    pub fn cancel(self, cancellation: Cancellation) -> Result<Self, WrongState> {
        if !self.state.may_cancel() {
            return Err(WrongState);
        }
        Ok(Self { state: State::Cancelled(cancellation), version: self.version + 1, ..self })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn appointment(state: State) -> Appointment {
        let at = Timestamp::UNIX_EPOCH;
        let price = Price { minor: 4500, currency: "GBP".to_owned() };
        let placement = Placement { starts_at: at, ends_at: at, items: vec![], occupied: vec![], price };
        let booked = Appointment::book(VisitId(Uuid::from_u128(1)), &placement, Occasion::default(), at);
        Appointment { state, ..booked }
    }

    fn cancellation() -> Cancellation {
        Cancellation { at: Timestamp::UNIX_EPOCH, by: "user:1".to_owned(), reason: String::new() }
    }

    #[test]
    fn a_visit_can_be_cancelled_until_it_begins() {
        for state in [State::Booked, State::Confirmed, State::Arrived] {
            let cancelled = appointment(state).cancel(cancellation()).unwrap();
            assert_eq!((cancelled.state, cancelled.version), (State::Cancelled(cancellation()), 2));
        }
    }

    #[test]
    fn a_visit_that_began_or_ended_stays() {
        for state in [State::InService, State::Completed, State::NoShow, State::Cancelled(cancellation())] {
            assert_eq!(appointment(state).cancel(cancellation()), Err(WrongState));
        }
    }
}
