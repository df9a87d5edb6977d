//! Another service's event log, which a test writes.

use std::sync::Arc;

use boot::{Host, peer::Peer};
use caller::{BusinessId, InstallationScope};
use proto::{
    ResponseStream,
    frontdesk::events::v1::{
        Event, EventLogServiceAdapter, EventLogServiceHandler, FollowRequest, FollowResponse, event::Payload,
        follow_request::From as Begin,
    },
};
use tokio::sync::watch;
use tonic::{Status, async_trait, service::Routes};
use uuid::Uuid;

use crate::{host_on, peer, serve};

/// The events so far, by ascending position.
pub type Events = watch::Sender<Vec<Event>>;

/// What a log says at `position` of a record of `business`.
///
/// # Panics
/// When the position is negative.
#[must_use]
pub fn event(position: i64, business: BusinessId, aggregate: Uuid, version: i64, payload: Payload) -> Event {
    let number = u128::try_from(position).expect("a log has no negative position");
    Event {
        event_id: Uuid::from_u128(number).to_string(),
        position,
        business_id: business.to_string(),
        aggregate_id: aggregate.to_string(),
        version,
        payload: Some(payload),
        ..Event::default()
    }
}

/// Serves `events` as the log of the service on `host`.
#[must_use]
pub fn routes(events: &Events, host: &Host) -> Routes {
    let log = Arc::new(Log(events.clone()));
    Routes::new(EventLogServiceAdapter::new(log, host.gate.clone()).into_server())
}

/// The service called `name` with this log alone, as `host` calls it.
pub async fn service(name: &'static str, events: &Events, host: &Host) -> Peer {
    let own = host_on(name, host.clock.clone());
    peer(name, serve(routes(events, &own), &own).await, host)
}

struct Log(Events);

#[async_trait]
impl EventLogServiceHandler for Log {
    async fn follow(
        &self,
        _: InstallationScope,
        request: FollowRequest,
    ) -> Result<ResponseStream<FollowResponse>, Status> {
        let Some(Begin::After(after)) = request.from else { panic!("a follower knows its position") };
        // Stays open at the end of the log, as a real one does.
        let responses = futures::stream::unfold((self.0.subscribe(), after), |(mut log, after)| async move {
            let next = {
                let events = log.wait_for(|events| next(events, after).is_some()).await.ok()?;
                next(&events, after)?.clone()
            };
            let position = next.position;
            let response = FollowResponse { position, event: Some(next), ..FollowResponse::default() };
            Some((Ok(response), (log, position)))
        });
        Ok(Box::pin(responses))
    }
}

/// The first event after a position.
fn next(events: &[Event], after: i64) -> Option<&Event> {
    events.get(events.partition_point(|event| event.position <= after))
}
