//! How each error is told to callers.

use core::time::Duration;

use boot::causes;
use engine::{
    applying::LineError, appointment::Stale, id::DependencyId, proposal, refusal::Refusal, window::Untimely,
};
use proto::error::{Reason, invalid, refuse, refuse_field, refuse_with, retry_later};
use tonic::Status;

use super::Error;

/// The reason that callers know a refusal by.
pub(crate) fn reason(refusal: Refusal) -> Reason {
    match refusal {
        Refusal::SlotTaken => Reason::SlotTaken,
        Refusal::NotWorking => Reason::NotWorking,
        Refusal::NotSkilled => Reason::NotSkilled,
        Refusal::TooSoon => Reason::TooSoon,
        Refusal::TooFar => Reason::TooFar,
        Refusal::NoResource => Reason::NoResource,
        Refusal::NotTogether => Reason::NotTogether,
        Refusal::EarlierVisit => Reason::EarlierVisit,
    }
}

fn reason_of_line(why: LineError) -> Reason {
    match why {
        LineError::Stale(_) => Reason::Stale,
        LineError::WrongState => Reason::WrongState,
        LineError::Refused(refusal) => reason(refusal),
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        let soon = Duration::from_secs(1);
        match &error {
            Error::Invalid { field, rule } => invalid(field, rule),
            Error::NotFound(_) => refuse(Reason::NotFound, message),
            Error::UnknownService(item) => {
                refuse_field(Reason::NotFound, &format!("items[{item}].service_id"), &message)
            }
            Error::Length(item) => invalid(&format!("items[{item}].extra_minutes"), &message),
            Error::Refused(refusal) => refuse(reason(*refusal), message),
            Error::Occurrence { number, refusal } => {
                refuse_with(reason(*refusal), message, "occurrence", number)
            }
            Error::HoldGone => refuse(Reason::HoldGone, message),
            Error::UnknownPerson { field, what } => {
                invalid(field, &format!("names no {what} of this business"))
            }
            Error::UnknownCall => invalid("call_id", "names no call of this business"),
            Error::Tenancy(source) => {
                tracing::warn!(error = %source, "tenancy did not say who belongs to a business");
                retry_later(Reason::Unavailable, message, soon)
            }
            Error::TooManyOwnHolds(_) | Error::TooManyHolds => refuse(Reason::TooManyHolds, message),
            Error::WrongState(_)
            | Error::TimeOffDecided(_)
            | Error::NotStranded
            | Error::NotWaiting(_)
            | Error::ProposalClosed(_) => refuse(Reason::WrongState, message),
            Error::Line { line, why } => {
                refuse_field(reason_of_line(*why), &format!("line_ids[{line}]"), &why.to_string())
            }
            Error::NotTheirs
            | Error::NotOwnTimeOff
            | Error::NotOwnTime
            | Error::NotOwnBlock
            | Error::NotThemselves
            | Error::SqueezeIn => refuse(Reason::RoleTooLow, message),
            Error::Stale(Stale(version)) | Error::ProposalStale(proposal::Stale(version)) => {
                refuse_with(Reason::Stale, message, "version", version)
            }
            Error::ChangedSince(_) => refuse(Reason::Stale, message),
            Error::CancellationWindow(until) => {
                refuse_with(Reason::CancellationWindow, message, "until", until)
            }
            Error::Requested(employee) => {
                refuse_with(Reason::EmployeeRequested, message, "employee_id", employee)
            }
            Error::Untimely(Untimely::NotYet(from)) => refuse_with(Reason::NotYet, message, "from", from),
            Error::Untimely(Untimely::NoLonger(until)) => {
                refuse_with(Reason::NoLonger, message, "until", until)
            }
            Error::Overlaps { id, .. } => refuse_with(Reason::Overlaps, message, "id", id),
            Error::Contradiction(found) => {
                let ids: Vec<_> = found.rules().iter().map(DependencyId::to_string).collect();
                refuse_with(Reason::Contradiction, message, "ids", ids.join(","))
            }
            Error::Repeats { id, .. } => refuse_with(Reason::AlreadyExists, message, "id", id),
            Error::InUse { id, .. } => refuse_with(Reason::InUse, message, "id", id),
            Error::KeyReused => refuse(Reason::IdempotencyKeyReused, message),
            Error::NameTaken(_) | Error::Exists(_) => refuse(Reason::AlreadyExists, message),
            Error::BusinessUnknown | Error::CustomersUnknown | Error::Unsettled | Error::Optimising => {
                retry_later(Reason::Unavailable, message, soon)
            }
            Error::Busy(source) => {
                tracing::warn!(error = %source, "the database is busy");
                retry_later(Reason::Unavailable, message, soon)
            }
            Error::Database(_) | Error::Stored(_) | Error::Optimiser(_) => {
                tracing::error!(error = causes::line(&error), "a request failed");
                refuse(Reason::Internal, "an internal error")
            }
        }
    }
}
