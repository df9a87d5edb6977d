//! A booked visit and its state.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    id::{CallId, CustomerId, EmployeeId, VisitId},
    item::Item,
    occurrence::Occurrence,
    policy::Policy,
    service::Price,
    visit::{PlacedItem, Placement},
};

/// The state of a visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Booked.
    Booked,
    /// The customer said they will come.
    Confirmed,
    /// The customer has arrived.
    Arrived,
    /// An employee is serving the customer.
    InService,
    /// The visit has ended.
    Completed,
    /// Cancelled; its time is free.
    Cancelled(Cancellation),
    /// The customer never came.
    NoShow,
}

/// A cancellation: who, when and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cancellation {
    /// When.
    pub at: Timestamp,
    /// The actor, as the audit trail names them.
    pub by: String,
    /// The reason, or empty.
    pub reason: String,
    /// Whether it came with less notice than the business requires.
    pub late: bool,
}

/// The side that cancels a visit: the customer or the salon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Canceller {
    /// The customer, through the voice agent: only before the deadline.
    Customer,
    /// A member of the salon's staff.
    Staff,
}

/// A request to cancel a visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancelRequest {
    /// When.
    pub at: Timestamp,
    /// The actor, as the audit trail names them.
    pub by: String,
    /// The side that cancels.
    pub canceller: Canceller,
    /// The reason, or empty.
    pub reason: String,
}

/// Why a visit can't be cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CancelError {
    /// It has begun, is over, or was cancelled before.
    #[error(transparent)]
    WrongState(#[from] WrongState),
    /// The customer's deadline has passed.
    #[error("customers could cancel this visit until {0}")]
    TooLate(Timestamp),
}

/// The visit is not in a state that allows this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("where the visit stands, this can't be done")]
pub struct WrongState;

impl State {
    /// Whether the visit was cancelled with less notice than the business requires.
    #[must_use]
    pub fn was_cancelled_late(&self) -> bool {
        matches!(self, Self::Cancelled(cancellation) if cancellation.late)
    }

    /// Whether the visit has yet to begin, so that it can be cancelled and moved.
    #[must_use]
    pub fn is_ahead(&self) -> bool {
        match self {
            Self::Booked | Self::Confirmed | Self::Arrived => true,
            Self::InService | Self::Completed | Self::Cancelled(_) | Self::NoShow => false,
        }
    }
}

/// The visit was changed after the caller read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the visit was changed in the meantime: it is at version {0}")]
pub struct Stale(pub i64);

/// Why a visit can't be rearranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RearrangeError {
    /// It has begun, is over, or was cancelled.
    #[error(transparent)]
    WrongState(#[from] WrongState),
    /// The number of employees differs from the number of services.
    #[error("must be as many as the visit has services")]
    Count,
    /// The number of lengths differs from the number of services.
    #[error("must be as many as the visit has services")]
    Lengths,
    /// Another employee would do what the customer wants this one alone to do.
    #[error("the customer asked for this employee and no one else")]
    Requested(EmployeeId),
}

/// Whether a customer agreed to another employee than the only one they asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Not as far as is known: such a service stays where it is.
    Unknown,
    /// Yes.
    Given,
}

/// What a booking is for, besides its time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BookingDetails {
    /// The customer; `None` for an unnamed walk-in.
    pub customer: Option<CustomerId>,
    /// The call it was booked in.
    pub call: Option<CallId>,
    /// What staff should know, or empty.
    pub notes: String,
    /// Its place in a series.
    pub occurrence: Option<Occurrence>,
}

/// A booked visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appointment {
    /// Its id, the same as that of the hold it came from.
    pub id: VisitId,
    /// Its state.
    pub state: State,
    /// What it is for.
    pub occasion: BookingDetails,
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
    /// Whether it was squeezed in and may overlap other visits of its employees.
    pub squeezed_in: bool,
}

impl Appointment {
    /// Books a placed visit.
    #[must_use]
    pub fn book(id: VisitId, placement: &Placement, occasion: BookingDetails, now: Timestamp) -> Self {
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
            squeezed_in: false,
        }
    }

    /// Returns the visit if `version` is its current version, or if no version is given.
    ///
    /// # Errors
    /// [`Stale`] with the current version.
    pub fn seen_at(self, version: Option<i64>) -> Result<Self, Stale> {
        match version {
            Some(version) if version != self.version => Err(Stale(self.version)),
            Some(_) | None => Ok(self),
        }
    }

    /// The services of a visit to be moved, each with its employee in `employees` (`None` for any), or
    /// with the present employees. One that the customer wants of its employee alone stays with them.
    ///
    /// # Errors
    /// If the visit has begun, ended or been cancelled, if `employees` has another length than the
    /// services, or if it has another employee for one whom the customer asked for alone.
    pub fn rearranged(&self, employees: Option<&[Option<EmployeeId>]>) -> Result<Vec<Item>, RearrangeError> {
        self.rearranged_with(employees, Consent::Unknown)
    }

    /// As [`Self::rearranged`], by whom the customer may have agreed to.
    ///
    /// # Errors
    /// As [`Self::rearranged`].
    pub fn rearranged_with(
        &self,
        employees: Option<&[Option<EmployeeId>]>,
        consent: Consent,
    ) -> Result<Vec<Item>, RearrangeError> {
        if !self.state.is_ahead() {
            return Err(WrongState.into());
        }
        let now: Vec<_> = self.items.iter().map(|item| Some(item.employee)).collect();
        let employees = employees.unwrap_or(&now);
        if employees.len() != self.items.len() {
            return Err(RearrangeError::Count);
        }
        let item = |(item, &employee): (&PlacedItem, &Option<EmployeeId>)| {
            let is_locked = consent == Consent::Unknown && item.wish.locks(item.employee);
            let employee = match employee {
                Some(other) if is_locked && other != item.employee => {
                    return Err(RearrangeError::Requested(item.employee));
                }
                None if is_locked => Some(item.employee),
                wanted => wanted,
            };
            Ok(Item {
                service: item.service,
                employee,
                preferred: employee.is_none().then(|| item.wish.employee()).flatten(),
                guest: item.guest,
                customer: self.occasion.customer.filter(|_| item.guest == 0),
                extra_minutes: item.extra_minutes,
                wish: item.wish,
            })
        };
        self.items.iter().zip(employees).map(item).collect()
    }

    /// As [`Self::rearranged_with`], with each service extended by its number of minutes.
    ///
    /// # Errors
    /// As [`Self::rearranged_with`]; also if the number of lengths differs from the number of services.
    pub fn resized(
        &self,
        employees: Option<&[Option<EmployeeId>]>,
        extra_minutes: &[i16],
        consent: Consent,
    ) -> Result<Vec<Item>, RearrangeError> {
        let items = self.rearranged_with(employees, consent)?;
        if extra_minutes.len() != items.len() {
            return Err(RearrangeError::Lengths);
        }
        let lengths = items.into_iter().zip(extra_minutes);
        Ok(lengths.map(|(item, &extra_minutes)| Item { extra_minutes, ..item }).collect())
    }

    /// The visit at its new placement, in free time. Agreed prices are kept.
    #[must_use]
    pub fn moved_to(self, placement: &Placement) -> Self {
        let mut agreed = self.items.clone();
        let price = |item: &PlacedItem| {
            let same = agreed.iter().position(|old| (old.service, old.guest) == (item.service, item.guest));
            let price_minor = same.map_or(item.price_minor, |same| agreed.swap_remove(same).price_minor);
            PlacedItem { price_minor, ..item.clone() }
        };
        let items = placement.items.iter().map(price).collect();
        Self {
            items,
            starts_at: placement.starts_at,
            ends_at: placement.ends_at,
            version: self.version + 1,
            squeezed_in: false,
            ..self
        }
    }

    /// Cancels the visit.
    ///
    /// # Errors
    /// If the visit has begun, ended or been cancelled; for a customer, also after the deadline of the
    /// policy.
    pub fn cancel(self, request: CancelRequest, policy: &Policy) -> Result<Self, CancelError> {
        if !self.state.is_ahead() {
            return Err(WrongState.into());
        }
        let missed = policy.cancellable_until(self.starts_at).filter(|until| request.at > *until);
        if let (Some(until), Canceller::Customer) = (missed, request.canceller) {
            return Err(CancelError::TooLate(until));
        }
        let CancelRequest { at, by, reason, .. } = request;
        let cancellation = Cancellation { at, by, reason, late: missed.is_some() };
        Ok(self.cancelled_as(cancellation)?)
    }

    /// Has a cancellation that was decided on before count again.
    ///
    /// # Errors
    /// If the visit has begun, ended or been cancelled.
    pub fn cancelled_as(self, cancellation: Cancellation) -> Result<Self, WrongState> {
        if !self.state.is_ahead() {
            return Err(WrongState);
        }
        Ok(Self { state: State::Cancelled(cancellation), version: self.version + 1, ..self })
    }
}

#[cfg(test)]
mod tests;
