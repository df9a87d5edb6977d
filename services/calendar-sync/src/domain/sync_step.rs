//! What happens to the events of an appointment.

/// One thing that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The appointment changed here.
    Planned,
    /// The event was written.
    Written,
    /// An attempt failed.
    Failed,
    /// The calendar refused it.
    Parked,
    /// A person asked for another attempt.
    Retried,
    /// The event was taken out.
    Removed,
    /// A person had a difference repaired.
    Repaired,
}

impl Step {
    const ALL: [Self; 7] = [
        Self::Planned,
        Self::Written,
        Self::Failed,
        Self::Parked,
        Self::Retried,
        Self::Removed,
        Self::Repaired,
    ];

    /// Its name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Planned => "PLANNED",
            Self::Written => "WRITTEN",
            Self::Failed => "FAILED",
            Self::Parked => "PARKED",
            Self::Retried => "RETRIED",
            Self::Removed => "REMOVED",
            Self::Repaired => "REPAIRED",
        }
    }

    /// The step of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }
}
