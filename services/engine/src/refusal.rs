//! Why a visit is not placed.

/// An outcome a caller must be able to tell from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The time is occupied.
    #[error("this time is taken")]
    SlotTaken,
    /// Outside opening hours or the employees' working time.
    #[error("this is outside working time")]
    NotWorking,
    /// The requested employee does not do the service, or no employee does.
    #[error("none of the requested employees does this service")]
    NotSkilled,
    /// In the past, or within the lead time.
    #[error("this is too soon to book")]
    TooSoon,
    /// Beyond the booking horizon.
    #[error("this is too far ahead to book")]
    TooFar,
    /// The salon has no resource of a kind that a service needs.
    #[error("there is no resource of a kind that a service needs")]
    NoResource,
    /// The rules between the services can't be kept in one visit.
    #[error("these services can't be done in one visit")]
    NotTogether,
    /// A service needs an earlier visit that the customer has not had in time.
    #[error("a service needs an earlier visit, which the customer has not had in time")]
    EarlierVisit,
}
