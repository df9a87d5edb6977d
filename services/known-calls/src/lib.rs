//! Whether a business has the call that a person names: telemetry says, which has the calls.

use core::time::Duration;

use boot::peer::Peer;
use caller::{Actor, BusinessScope, Tenant};
use proto::frontdesk::telemetry::internal::v1::{
    FindCallRequest, call_directory_service_client::CallDirectoryServiceClient,
};
use uuid::Uuid;

/// How long telemetry may take: a customer may be waiting on the telephone.
const PATIENCE: Duration = Duration::from_secs(1);

/// Asks telemetry.
#[derive(Debug, Clone)]
pub struct KnownCalls {
    telemetry: Peer,
}

impl KnownCalls {
    /// The calls that `telemetry` has.
    #[must_use]
    pub fn new(telemetry: Peer) -> Self {
        Self { telemetry }
    }

    /// Whether a request may name the call. A person's may not when the business does not have it; while that can't be
    /// looked up it may, since no customer is kept waiting for a link. The voice door names the call that it takes, and
    /// is not asked about it.
    pub async fn may_name(&self, scope: &BusinessScope, call: Option<Uuid>) -> bool {
        let (Some(call), Actor::Person { .. }) = (call, scope.actor()) else { return true };
        let message =
            FindCallRequest { business_id: scope.business().to_string(), call_id: call.to_string() };
        let patience = scope.remaining().map_or(PATIENCE, |left| left.min(PATIENCE));
        let request = self.telemetry.as_service(Some(scope.business()), message, patience);
        match CallDirectoryServiceClient::new(self.telemetry.channel()).find_call(request).await {
            Ok(answer) => answer.get_ref().is_known,
            Err(status) => {
                tracing::warn!(%status, "a call that a person names can't be looked up");
                true
            }
        }
    }
}
