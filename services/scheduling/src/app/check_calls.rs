//! The calls that people book from: this is the one place where they are checked.

use boot::peer::Peer;
use caller::BusinessScope;
use engine::id::CallId;
use known_calls::KnownCalls;

use crate::Error;

/// Knows the calls of businesses by asking telemetry.
#[derive(Debug, Clone)]
pub struct Calls(KnownCalls);

impl Calls {
    /// The calls that `telemetry` has.
    #[must_use]
    pub fn new(telemetry: Peer) -> Self {
        Self(KnownCalls::new(telemetry))
    }

    /// Refuses a person's request that names a call which the business does not have. Telemetry drops the link of a call
    /// that could not be looked up and does not exist.
    ///
    /// # Errors
    /// [`Error::UnknownCall`].
    pub async fn check(&self, scope: &BusinessScope, call: Option<CallId>) -> Result<(), Error> {
        match self.0.may_name(scope, call.map(Into::into)).await {
            true => Ok(()),
            false => Err(Error::UnknownCall),
        }
    }
}
