//! Ids, one type per kind.

use uuid::Uuid;

typed_id::typed_id! {
    /// Something a customer can book.
    ServiceId,
    /// An employee who serves customers; assigned by tenancy.
    EmployeeId,
    /// A customer; assigned by tenancy.
    CustomerId,
    /// A visit. A hold and the appointment made from it share it.
    VisitId,
    /// A telephone call; telemetry makes these.
    CallId,
    /// A busy fact from outside.
    FactId,
    /// Dates with other opening hours than the week's.
    OpeningExceptionId,
    /// Blocked time of an employee.
    BlockId,
    /// Time off of an employee.
    TimeOffId,
    /// A waitlist entry.
    WaitlistEntryId,
    /// A proposal: changes to one day, ready to be applied.
    ProposalId,
    /// One of them.
    ProposalLineId,
    /// A chair, a room or a machine.
    ResourceId,
    /// Visits that repeat.
    SeriesId,
    /// A rule between two services of a visit.
    DependencyId,
    /// An employee or a resource: what a visit occupies.
    SubjectId,
}

impl From<EmployeeId> for SubjectId {
    fn from(employee: EmployeeId) -> Self {
        Self(employee.0)
    }
}

impl From<ResourceId> for SubjectId {
    fn from(resource: ResourceId) -> Self {
        Self(resource.0)
    }
}

impl VisitId {
    /// What busy facts carry: they belong to no visit, and may overlap each other.
    pub const NONE: Self = Self(Uuid::nil());
}
