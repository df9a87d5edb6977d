//! Calls of sample events: a test of a voice connection delivers one, and the voice door believes or refuses it and leaves it
//! at that. No platform names a call like this.

/// What the id of such a call begins with.
const PREFIX: &str = "frontdesk-test-";

/// The field in which the door answers the call's id, so that the tester knows that it was the door.
pub const ANSWER: &str = "testedCall";

/// The id of a sample's call.
#[must_use]
pub fn id(unique: &str) -> String {
    format!("{PREFIX}{unique}")
}

/// Whether a call is one of a sample.
#[must_use]
pub fn is_sample(call: &str) -> bool {
    call.starts_with(PREFIX)
}
