//! A fake in the place of tenancy, as its contract promises it: the salon's employees, and a log of them.

use std::sync::Arc;

use boot::{Host, peer::Peer};
use caller::{BusinessScope, InstallationScope, Tenant};
use proto::{
    ResponseStream,
    frontdesk::{
        events::v1::{
            Event, EventLogServiceAdapter, EventLogServiceHandler, FollowRequest, FollowResponse,
            event::Payload, follow_request::From as Begin,
        },
        tenancy::{
            internal::v1::{
                DirectoryServiceAdapter, DirectoryServiceHandler, FindPeopleRequest, FindPeopleResponse,
            },
            v1::Employee,
        },
    },
};
use testkit::{USER, host_on, peer, serve};
use tokio::sync::watch;
use tonic::{Status, async_trait, service::Routes};
use uuid::Uuid;

use crate::salon::{MIA, SALON, TOM};

/// Mia signs in as the person of the tests; Tom has no account.
fn employees() -> [(Uuid, String); 2] {
    [(MIA, USER.to_string()), (TOM, String::new())]
}

/// What a test has not added to its log never arrives: what is known is known because it was asked.
#[derive(Debug)]
struct Tenancy {
    events: watch::Receiver<Vec<Event>>,
}

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
        request: FollowRequest,
    ) -> Result<ResponseStream<FollowResponse>, Status> {
        let Some(Begin::After(after)) = request.from else { panic!("a follower knows its position") };
        let after = usize::try_from(after).unwrap();
        let stream = futures::stream::unfold((self.events.clone(), after), |(mut log, after)| async move {
            let next = {
                let events = log.wait_for(|events| events.len() > after).await.ok()?;
                events[after].clone()
            };
            let response =
                FollowResponse { position: next.position, event: Some(next), ..FollowResponse::default() };
            Some((Ok(response), (log, after + 1)))
        });
        Ok(Box::pin(stream))
    }
}

/// What the log tells of a record of the salon.
pub fn told(position: i64, aggregate_id: String, payload: Payload) -> Event {
    Event {
        event_id: Uuid::from_u128(position.unsigned_abs().into()).to_string(),
        position,
        business_id: SALON.to_string(),
        aggregate_id,
        version: position,
        payload: Some(payload),
        ..Event::default()
    }
}

/// Serves it with this log, for a service on `host`.
pub async fn tenancy(host: &Host, log: &watch::Sender<Vec<Event>>) -> Peer {
    let own = Host { shutdown: host.shutdown.clone(), ..host_on("tenancy", host.clock.clone()) };
    let tenancy = Arc::new(Tenancy { events: log.subscribe() });
    let routes = Routes::new(DirectoryServiceAdapter::new(tenancy.clone(), own.gate.clone()).into_server())
        .add_service(EventLogServiceAdapter::new(tenancy, own.gate.clone()).into_server());
    peer("tenancy", serve(routes, &own).await, host)
}
