//! Refusals as `google.rpc.Status` with one machine-readable reason.

use core::time::Duration;
use std::collections::HashMap;

use caller::Denied;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

pub use crate::frontdesk::error::v1::Reason;

/// `ErrorInfo.domain` of every refusal.
pub const DOMAIN: &str = "frontdesk";

impl Reason {
    /// The name as clients see it, without the enum's prefix.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.as_str_name().trim_start_matches("REASON_")
    }

    /// The reason that clients see under `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::from_str_name(&format!("REASON_{name}"))
    }

    /// Whether our own system failed. A request that was refused by a rule is no fault.
    #[must_use]
    pub fn is_fault(self) -> bool {
        matches!(self, Self::Unavailable | Self::Busy | Self::Internal)
    }

    /// The gRPC code a refusal for this reason carries.
    #[must_use]
    pub fn code(self) -> Code {
        match self {
            Self::Unspecified | Self::Internal => Code::Internal,
            Self::InvalidField | Self::TooLarge => Code::InvalidArgument,
            Self::NotFound => Code::NotFound,
            Self::RoleTooLow | Self::Xsrf | Self::DeviceNotTrusted | Self::WrongAccount => {
                Code::PermissionDenied
            }
            Self::Unauthenticated
            | Self::WrongCredentials
            | Self::BadSignature
            | Self::TokenSpent
            | Self::PassportRefused => Code::Unauthenticated,
            Self::Blocked | Self::RateLimited => Code::ResourceExhausted,
            Self::Busy | Self::Unavailable => Code::Unavailable,
            Self::SlotTaken
            | Self::IdempotencyKeyReused
            | Self::HoldGone
            | Self::WrongState
            | Self::Stale => Code::Aborted,
            Self::AlreadyExists | Self::AccountExists | Self::Overlaps => Code::AlreadyExists,
            Self::NotWorking
            | Self::CancellationWindow
            | Self::NotYet
            | Self::EmployeeRequested
            | Self::NoLonger
            | Self::EarlierVisit
            | Self::NotSkilled
            | Self::TooSoon
            | Self::TooFar
            | Self::TooManyHolds
            | Self::WrongCode
            | Self::ProviderRefused
            | Self::LastOne
            | Self::NoResource
            | Self::NotTogether
            | Self::Contradiction
            | Self::InUse => Code::FailedPrecondition,
        }
    }
}

/// Refuses for `reason`; the message is for people.
#[must_use]
pub fn refuse(reason: Reason, message: impl Into<String>) -> Status {
    let details = ErrorDetails::with_error_info(reason.name(), DOMAIN, HashMap::new());
    Status::with_error_details(reason.code(), message, details)
}

/// As [`refuse`], with one thing more that clients may want to know, under `key` in the metadata.
#[must_use]
pub fn refuse_with(
    reason: Reason,
    message: impl Into<String>,
    key: &'static str,
    value: impl ToString,
) -> Status {
    let about = HashMap::from([(key.to_owned(), value.to_string())]);
    let details = ErrorDetails::with_error_info(reason.name(), DOMAIN, about);
    Status::with_error_details(reason.code(), message, details)
}

/// Refuses one field. `description` continues the sentence the field's name begins.
#[must_use]
pub fn invalid(field: &str, description: &str) -> Status {
    let mut details = ErrorDetails::with_error_info(Reason::InvalidField.name(), DOMAIN, HashMap::new());
    details.add_bad_request_violation(field, description);
    Status::with_error_details(Code::InvalidArgument, format!("{field} {description}"), details)
}

/// Refuses several fields at once.
#[must_use]
pub fn invalid_fields(faults: &[FieldFault]) -> Status {
    let mut details = ErrorDetails::with_error_info(Reason::InvalidField.name(), DOMAIN, HashMap::new());
    let mut sentences = vec![];
    for FieldFault { field, description } in faults {
        details.add_bad_request_violation(field, description);
        sentences.push(format!("{field} {description}"));
    }
    Status::with_error_details(Code::InvalidArgument, sentences.join("; "), details)
}

/// What is wrong with one field of many records, one of which must not stop the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldFault {
    /// The field.
    pub field: String,
    /// Continues the sentence the field's name begins.
    pub description: String,
}

impl FieldFault {
    /// A fault of `field`.
    #[must_use]
    pub fn new(field: &str, description: &str) -> Self {
        Self { field: field.to_owned(), description: description.to_owned() }
    }

    /// The fault a refusal is about; one that names no field says what it says.
    #[must_use]
    pub fn of(status: &Status) -> Self {
        let violations = status.get_details_bad_request().map(|details| details.field_violations);
        match violations.unwrap_or_default().into_iter().next() {
            Some(violation) => Self { field: violation.field, description: violation.description },
            None => Self::new("", status.message()),
        }
    }
}

/// As [`refuse`], naming the field that it is about.
#[must_use]
pub fn refuse_field(reason: Reason, field: &str, description: &str) -> Status {
    let mut details = ErrorDetails::with_error_info(reason.name(), DOMAIN, HashMap::new());
    details.add_bad_request_violation(field, description);
    Status::with_error_details(reason.code(), format!("{field}: {description}"), details)
}

/// Refuses for now.
#[must_use]
pub fn retry_later(reason: Reason, message: impl Into<String>, after: Duration) -> Status {
    let mut details = ErrorDetails::with_error_info(reason.name(), DOMAIN, HashMap::new());
    details.set_retry_info(Some(after));
    Status::with_error_details(reason.code(), message, details)
}

/// The reason a status carries.
#[must_use]
pub fn reason_of(status: &Status) -> Option<Reason> {
    let info = status.get_details_error_info()?;
    Reason::named(&info.reason)
}

/// A gate's refusal on the wire.
#[must_use]
pub fn denied(denied: Denied) -> Status {
    match denied {
        Denied::Passport(_) => refuse(Reason::PassportRefused, denied.to_string()),
        Denied::OtherBusiness => refuse(Reason::NotFound, "there is no such business"),
        Denied::RoleTooLow(_) | Denied::WrongCaller => refuse(Reason::RoleTooLow, denied.to_string()),
        Denied::BusinessId => invalid("business_id", "is not a UUID"),
        Denied::IdempotencyKey => invalid("Idempotency-Key", "must be 1 to 255 visible ASCII characters"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_carries_its_reason_across_the_wire() {
        let status = refuse(Reason::SlotTaken, "this time is taken");
        assert_eq!(reason_of(&status), Some(Reason::SlotTaken));
        assert_eq!(status.get_details_error_info().unwrap().reason, "SLOT_TAKEN");
    }

    #[test]
    fn an_invalid_field_is_named() {
        let status = invalid("starts_at", "is required");
        assert_eq!(FieldFault::of(&status), FieldFault::new("starts_at", "is required"));
        let violation = &status.get_details_bad_request().unwrap().field_violations[0];
        assert_eq!((violation.field.as_str(), violation.description.as_str()), ("starts_at", "is required"));
    }

    #[test]
    fn a_passport_that_is_not_believed_says_nothing_of_a_session() {
        let status = denied(Denied::Passport("expired passport"));
        assert_eq!(reason_of(&status), Some(Reason::PassportRefused));
    }

    #[test]
    fn a_foreign_business_reads_as_missing() {
        assert_eq!(denied(Denied::OtherBusiness).code(), Code::NotFound);
        assert_eq!(denied(Denied::RoleTooLow(caller::Role::Owner)).code(), Code::PermissionDenied);
    }
}
