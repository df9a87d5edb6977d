//! A fake in the place of tenancy, as its contract promises it: the salon's employees, and a log of them.

use std::sync::Arc;

use boot::{Host, peer::Peer};
use caller::{BusinessScope, Tenant};
use proto::frontdesk::{
    events::v1::{Event, event::Payload},
    tenancy::{
        internal::v1::{
            DirectoryServiceAdapter, DirectoryServiceHandler, FindPeopleRequest, FindPeopleResponse,
        },
        v1::Employee,
    },
};
use testkit::{USER, event_log, host_on, peer, serve};
use tonic::{Status, async_trait};
use uuid::Uuid;

use crate::salon::{MIA, SALON, TOM};

/// Mia signs in as the person of the tests; Tom has no account.
fn employees() -> [(Uuid, String); 2] {
    [(MIA, USER.to_string()), (TOM, String::new())]
}

/// What a test has not added to its log never arrives: what is known is known because it was asked.
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

/// What the log tells of a record of the salon.
pub fn told(position: i64, aggregate: Uuid, payload: Payload) -> Event {
    event_log::event(position, SALON, aggregate, position, payload)
}

/// Serves it with this log, for a service on `host`.
pub async fn tenancy(host: &Host, log: &event_log::Events) -> Peer {
    let own = Host { shutdown: host.shutdown.clone(), ..host_on("tenancy", host.clock.clone()) };
    let directory = DirectoryServiceAdapter::new(Arc::new(Tenancy), own.gate.clone());
    let routes = event_log::routes(log, &own).add_service(directory.into_server());
    peer("tenancy", serve(routes, &own).await, host)
}
