//! Which calls a service takes when there are more than it can work on.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use boot::{Host, grpc::Limits, peer::Peer};
use caller::{BusinessId, PASSPORT_HEADER, Role};
use futures::future::join_all;
use tokio::{
    sync::{Semaphore, mpsc},
    task::JoinHandle,
};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;
use uuid::Uuid;

use testkit::{
    as_agent, as_service, as_user,
    echo::{Echo, SAY, call, send},
};

const LIMITS: Limits = Limits {
    in_flight: 10,
    streams_per_connection: 1024,
    drain: Duration::from_secs(10),
    connection_age: Duration::from_secs(300),
};
const BUSINESS: BusinessId = BusinessId(Uuid::from_u128(7));

/// A service whose calls say "wait" until they are let go, and any other word at once.
struct Stuck {
    host: Host,
    address: SocketAddr,
    peer: Peer,
    entered: mpsc::UnboundedReceiver<()>,
    gone: Arc<Semaphore>,
}

impl Stuck {
    async fn serve(service: &'static str) -> Self {
        let (host, _) = testkit::host(service);
        let (enter, entered) = mpsc::unbounded_channel();
        let gone = Arc::new(Semaphore::new(0));
        let going = gone.clone();
        let routes = Echo::routes(move |request: Request<String>| {
            let (enter, going) = (enter.clone(), going.clone());
            async move {
                if request.get_ref() == "wait" {
                    enter.send(()).unwrap();
                    going.acquire().await.unwrap().forget();
                }
                Ok(request.into_inner())
            }
        });
        let address = testkit::serve_within(routes, &host, LIMITS).await;
        let peer = testkit::peer(service, address, &host);
        Self { host, address, peer, entered, gone }
    }

    fn request(&self, word: &str) -> Request<String> {
        as_user(&self.host, Role::Owner, BUSINESS, word.to_owned())
    }

    fn agents(&self, word: &str) -> Request<String> {
        as_agent(&self.host, Uuid::from_u128(4), BUSINESS, word.to_owned())
    }

    /// Holds as many calls open as `requests` are taken.
    async fn hold(
        &mut self,
        requests: impl IntoIterator<Item = Request<String>>,
    ) -> Vec<JoinHandle<Result<String, Status>>> {
        let mut held = vec![];
        for request in requests {
            let peer = self.peer.clone();
            held.push(tokio::spawn(async move { send(&peer, SAY, request).await }));
            self.entered.recv().await.expect("it is taken");
        }
        held
    }

    async fn send(&self, request: Request<String>) -> Result<String, Status> {
        send(&self.peer, SAY, request).await
    }

    async fn let_go(&self, held: Vec<JoinHandle<Result<String, Status>>>) {
        self.gone.add_permits(held.len());
        assert!(join_all(held).await.into_iter().all(|call| call.unwrap().is_ok()));
    }
}

fn assert_busy(answer: Result<String, Status>) {
    let refused = answer.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable);
    assert_eq!(refused.get_details_error_info().unwrap().reason, "BUSY");
    assert!(refused.get_details_retry_info().unwrap().retry_delay.is_some());
}

#[tokio::test]
async fn an_agents_call_gets_in_while_people_hold_all_that_they_may() {
    let mut service = Stuck::serve("scheduling").await;
    let people: Vec<_> = (0..8).map(|_| service.request("wait")).collect();
    let held = service.hold(people).await;
    assert_busy(service.send(service.request("hello")).await);
    assert_eq!(service.send(service.agents("hello")).await.unwrap(), "hello");

    // The reserve has an end as well, and people get none of it.
    let agents = [service.agents("wait"), service.agents("wait")];
    let reserve = service.hold(agents).await;
    assert_busy(service.send(service.agents("hello")).await);
    service.let_go(held).await;
    assert_eq!(service.send(service.request("hello")).await.unwrap(), "hello");
    service.let_go(reserve).await;
}

#[tokio::test]
async fn what_is_not_signed_as_voice_is_not_taken_for_it() {
    let mut service = Stuck::serve("scheduling").await;
    let people: Vec<_> = (0..8).map(|_| service.request("wait")).collect();
    let held = service.hold(people).await;

    let mut forged = service.agents("hello");
    let token = forged.metadata().get(PASSPORT_HEADER).unwrap().to_str().unwrap();
    let (claims, _signature) = token.rsplit_once('.').unwrap();
    let token = format!("{claims}.forged").parse().unwrap();
    forged.metadata_mut().insert(PASSPORT_HEADER, token);
    let mut elsewhere = service.agents("hello");
    let other = as_agent(&testkit::host("telemetry").0, Uuid::from_u128(4), BUSINESS, String::new());
    elsewhere.metadata_mut().insert(PASSPORT_HEADER, other.metadata().get(PASSPORT_HEADER).unwrap().clone());
    for request in [
        forged,
        elsewhere,
        as_service("bff", &service.host, Some(BUSINESS), "hello".to_owned()),
        Request::new("hello".to_owned()),
    ] {
        assert_busy(service.send(request).await);
    }
    service.let_go(held).await;
}

#[tokio::test]
async fn a_service_that_an_agent_called_calls_others_with_the_agents_priority() {
    let mut tenancy = Stuck::serve("tenancy").await;
    let (scheduling, _) = testkit::host("scheduling");
    let onward = testkit::peer("tenancy", tenancy.address, &scheduling);
    let routes = Echo::routes(move |_| {
        let onward = onward.clone();
        async move { call(&onward, SAY).await }
    });
    let front = testkit::peer("scheduling", testkit::serve(routes, &scheduling).await, &scheduling);

    let people: Vec<_> = (0..8).map(|_| tenancy.request("wait")).collect();
    let held = tenancy.hold(people).await;
    let agent = as_agent(&scheduling, Uuid::from_u128(4), BUSINESS, String::new());
    assert_eq!(send(&front, SAY, agent).await.unwrap(), "hello");
    let person = as_user(&scheduling, Role::Owner, BUSINESS, String::new());
    assert_busy(send(&front, SAY, person).await);
    tenancy.let_go(held).await;
}
