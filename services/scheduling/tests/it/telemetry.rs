//! Telemetry as its contract promises it: which calls a business has.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use boot::{Host, peer::Peer};
use caller::{BusinessScope, Tenant};
use proto::{
    error::{Reason, refuse},
    frontdesk::telemetry::internal::v1::{
        CallDirectoryServiceAdapter, CallDirectoryServiceHandler, FindCallRequest, FindCallResponse,
    },
};
use testkit::{host_on, peer, serve};
use tonic::{Status, async_trait, service::Routes};

use crate::values::{CALL, WILLOW};

/// Willow has the one call, [`CALL`].
#[derive(Debug, Default)]
pub struct Calls {
    /// How often it was asked.
    pub asked: AtomicUsize,
    /// Whether it refuses to answer.
    pub away: AtomicBool,
}

#[async_trait]
impl CallDirectoryServiceHandler for Calls {
    async fn find_call(
        &self,
        scope: BusinessScope,
        request: FindCallRequest,
    ) -> Result<FindCallResponse, Status> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if self.away.load(Ordering::SeqCst) {
            return Err(refuse(Reason::Unavailable, "away"));
        }
        let is_known = scope.business() == WILLOW && request.call_id == CALL.to_string();
        Ok(FindCallResponse { is_known })
    }
}

impl Calls {
    /// Serves it until `host` shuts down, by the same clock.
    pub async fn serve(self: &Arc<Self>, host: &Host) -> Peer {
        let own = Host { shutdown: host.shutdown.clone(), ..host_on("telemetry", host.clock.clone()) };
        let adapter = CallDirectoryServiceAdapter::new(self.clone(), own.gate.clone());
        peer("telemetry", serve(Routes::new(adapter.into_server()), &own).await, host)
    }
}
