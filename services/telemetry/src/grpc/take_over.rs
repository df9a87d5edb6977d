//! Live calls that people take over.

use proto::{
    error::{Reason, refuse_with},
    frontdesk::telemetry::v1::{GetTakeOverResponse, TakeOverHindrance},
};
use tonic::Status;

use crate::domain::take_over::Hindrance;

/// Whether a call can be taken over.
pub(super) fn answer(found: Result<String, Hindrance>) -> GetTakeOverResponse {
    let hindrance = found.as_ref().err().map(|hindrance| wire(*hindrance)).unwrap_or_default();
    GetTakeOverResponse { hindrance: hindrance.into(), phone: found.unwrap_or_default() }
}

/// Refuses a call that can't be taken over.
pub(super) fn refused(hindrance: Hindrance) -> Status {
    let why = match hindrance {
        Hindrance::Ended => "the call has ended",
        Hindrance::UnderWay => "the call is being put through already",
        Hindrance::NoNumber => "the agent has no number to pass callers on to",
        Hindrance::Platform => "the platform does not put live calls through",
        Hindrance::NoApiKey => "there is no key for the platform's API",
    };
    refuse_with(Reason::WrongState, why.to_owned(), "hindrance", wire(hindrance).as_str_name())
}

fn wire(hindrance: Hindrance) -> TakeOverHindrance {
    match hindrance {
        Hindrance::Ended => TakeOverHindrance::Ended,
        Hindrance::UnderWay => TakeOverHindrance::UnderWay,
        Hindrance::NoNumber => TakeOverHindrance::NoNumber,
        Hindrance::Platform => TakeOverHindrance::Platform,
        Hindrance::NoApiKey => TakeOverHindrance::NoApiKey,
    }
}
