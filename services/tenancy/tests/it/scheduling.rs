//! Scheduling as its contract promises it: whose telephone numbers and e-mail addresses an employee may see.

use std::sync::{Arc, Mutex};

use boot::{Host, peer::Peer};
use caller::BusinessScope;
use proto::{
    error::{Reason, refuse},
    frontdesk::scheduling::internal::v1::{
        ContactReachServiceAdapter, ContactReachServiceHandler, FindContactReachRequest,
        FindContactReachResponse,
    },
};
use testkit::{host_on, peer, serve};
use tonic::{Status, async_trait, service::Routes};
use uuid::Uuid;

/// Shows employees all, until a test says otherwise.
#[derive(Debug)]
pub struct Scheduling(Mutex<Option<FindContactReachResponse>>);

impl Default for Scheduling {
    fn default() -> Self {
        Self(Mutex::new(Some(FindContactReachResponse { all: true, customer_ids: vec![] })))
    }
}

#[async_trait]
impl ContactReachServiceHandler for Scheduling {
    async fn find_contact_reach(
        &self,
        _: BusinessScope,
        request: FindContactReachRequest,
    ) -> Result<FindContactReachResponse, Status> {
        assert!(request.user_id.parse::<Uuid>().is_ok(), "it is asked about the person who calls");
        self.0.lock().unwrap().clone().ok_or_else(|| refuse(Reason::Unavailable, "away"))
    }
}

impl Scheduling {
    /// From now on employees may see those of these customers alone.
    pub fn limit_to<T: ToString>(&self, customers: &[T]) {
        let customer_ids = customers.iter().map(ToString::to_string).collect();
        *self.0.lock().unwrap() = Some(FindContactReachResponse { all: false, customer_ids });
    }

    /// From now on it does not answer.
    pub fn leave(&self) {
        *self.0.lock().unwrap() = None;
    }

    /// Serves it, for a service on `host`, until that shuts down, by the same clock.
    pub async fn serve(self: &Arc<Self>, host: &Host) -> Peer {
        let own = Host { shutdown: host.shutdown.clone(), ..host_on("scheduling", host.clock.clone()) };
        let adapter = ContactReachServiceAdapter::new(self.clone(), own.gate.clone());
        peer("scheduling", serve(Routes::new(adapter.into_server()), &own).await, host)
    }
}
