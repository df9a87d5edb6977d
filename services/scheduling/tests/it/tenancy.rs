//! Tenancy as its contract promises it: who belongs to a business.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use boot::{Host, peer::Peer};
use caller::{BusinessScope, Tenant};
use proto::{
    error::{Reason, refuse},
    frontdesk::tenancy::{
        internal::v1::{
            DirectoryServiceAdapter, DirectoryServiceHandler, FindPatchTestsRequest, FindPatchTestsResponse,
            FindPeopleRequest, FindPeopleResponse, PatchTestRecordServiceAdapter,
            PatchTestRecordServiceHandler,
        },
        v1::{Customer, Employee, PatchTest},
    },
};
use testkit::{USER, host_on, peer, serve};
use tonic::{Status, async_trait, service::Routes};

use crate::values::{ANA, STRANGER, WILLOW};

/// Everyone whom a test names belongs to Willow, but [`STRANGER`]; Ana signs in as the tests' person.
#[derive(Debug, Default)]
pub struct Directory {
    /// How often it was asked.
    pub asked: AtomicUsize,
    /// Whether it refuses to answer.
    pub away: AtomicBool,
    /// Patch tests of each customer.
    pub patch_tests: Mutex<Vec<PatchTest>>,
}

#[async_trait]
impl DirectoryServiceHandler for Directory {
    async fn find_people(
        &self,
        scope: BusinessScope,
        request: FindPeopleRequest,
    ) -> Result<FindPeopleResponse, Status> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if self.away.load(Ordering::SeqCst) {
            return Err(refuse(Reason::Unavailable, "away"));
        }
        let known = |id: &&String| scope.business() == WILLOW && **id != STRANGER.to_string();
        let employee = |id: &String| Employee {
            id: id.clone(),
            user_id: if *id == ANA.to_string() { USER.to_string() } else { String::new() },
            ..Default::default()
        };
        let customer = |id: &String| Customer { id: id.clone(), ..Default::default() };
        Ok(FindPeopleResponse {
            employees: request.employee_ids.iter().filter(known).map(employee).collect(),
            customers: request.customer_ids.iter().filter(known).map(customer).collect(),
            time_zone: String::new(),
        })
    }
}

#[async_trait]
impl PatchTestRecordServiceHandler for Directory {
    async fn find_patch_tests(
        &self,
        _: BusinessScope,
        request: FindPatchTestsRequest,
    ) -> Result<FindPatchTestsResponse, Status> {
        if self.away.load(Ordering::SeqCst) {
            return Err(refuse(Reason::Unavailable, "away"));
        }
        let tests = self.patch_tests.lock().unwrap();
        let of_customer = tests.iter().filter(|test| test.customer_id == request.customer_id);
        Ok(FindPatchTestsResponse { patch_tests: of_customer.cloned().collect() })
    }
}

impl Directory {
    /// Serves it, for a service on `host`.
    pub async fn serve(self: &Arc<Self>, host: &Host) -> Peer {
        peer("tenancy", self.listen(host).await, host)
    }

    /// Serves it until `host` shuts down, by the same clock.
    pub async fn listen(self: &Arc<Self>, host: &Host) -> std::net::SocketAddr {
        let own = Host { shutdown: host.shutdown.clone(), ..host_on("tenancy", host.clock.clone()) };
        let adapter = DirectoryServiceAdapter::new(self.clone(), own.gate.clone());
        let tests = PatchTestRecordServiceAdapter::new(self.clone(), own.gate.clone());
        serve(Routes::new(adapter.into_server()).add_service(tests.into_server()), &own).await
    }
}
