//! A fake in the place of tenancy, as its contract promises it: the salon's employees, and a log of them.

use std::sync::Arc;

use boot::{Host, peer::Peer};
use caller::{BusinessScope, InstallationScope, Tenant};
use proto::{
    ResponseStream,
    frontdesk::{
        events::v1::{EventLogServiceAdapter, EventLogServiceHandler, FollowRequest, FollowResponse},
        tenancy::{
            internal::v1::{
                DirectoryServiceAdapter, DirectoryServiceHandler, FindPeopleRequest, FindPeopleResponse,
            },
            v1::Employee,
        },
    },
};
use testkit::{USER, host_on, peer, serve};
use tonic::{Status, async_trait, service::Routes};
use uuid::Uuid;

use crate::salon::{MIA, SALON, TOM};

/// Mia signs in as the person of the tests; Tom has no account.
fn employees() -> [(Uuid, String); 2] {
    [(MIA, USER.to_string()), (TOM, String::new())]
}

/// Its log never arrives: what is known is known because it was asked.
#[derive(Debug)]
struct Tenancy;

#[async_trait]
impl DirectoryServiceHandler for Tenancy {
    async fn find_people(
        &self,
        scope: BusinessScope,
        request: FindPeopleRequest,
    ) -> Result<FindPeopleResponse, Status> {
        let of_salon = employees().into_iter().filter(|_| scope.business() == SALON);
        let asked = of_salon.filter(|(id, _)| request.employee_ids.contains(&id.to_string()));
        let employee =
            |(id, user_id): (Uuid, String)| Employee { id: id.to_string(), user_id, ..Default::default() };
        Ok(FindPeopleResponse {
            employees: asked.map(employee).collect(),
            customers: vec![],
            time_zone: "Europe/London".to_owned(),
        })
    }
}

#[async_trait]
impl EventLogServiceHandler for Tenancy {
    async fn follow(
        &self,
        _: InstallationScope,
        _: FollowRequest,
    ) -> Result<ResponseStream<FollowResponse>, Status> {
        Ok(Box::pin(tokio_stream::pending()))
    }
}

/// Serves it, for a service on `host`.
pub async fn tenancy(host: &Host) -> Peer {
    let own = Host { shutdown: host.shutdown.clone(), ..host_on("tenancy", host.clock.clone()) };
    let routes = Routes::new(DirectoryServiceAdapter::new(Arc::new(Tenancy), own.gate.clone()).into_server())
        .add_service(EventLogServiceAdapter::new(Arc::new(Tenancy), own.gate.clone()).into_server());
    peer("tenancy", serve(routes, &own).await, host)
}
