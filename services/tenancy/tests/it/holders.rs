//! Telemetry, scheduling and calendar-sync as their contract promises them: what they erase of a person, and which calls
//! there are.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use boot::{Host, peer::Peer};
use caller::{BusinessScope, Tenant};
use proto::{
    error::{Reason, refuse},
    frontdesk::{
        erasure::internal::v1::{
            ErasePersonRequest, ErasePersonResponse, PersonErasureServiceAdapter, PersonErasureServiceHandler,
        },
        scheduling::internal::v1::ContactReachServiceAdapter,
        telemetry::internal::v1::{
            CallDirectoryServiceAdapter, CallDirectoryServiceHandler, FindCallRequest, FindCallResponse,
        },
    },
};
use testkit::{Scheduling, host_on, peer, serve};
use tonic::{Status, async_trait, service::Routes};
use uuid::Uuid;

use crate::stage::WILLOW;

/// The only call that Willow does not have; other businesses have none.
pub const UNKNOWN_CALL: Uuid = Uuid::from_u128(0xdead);

/// Erase all, until a test says otherwise.
#[derive(Debug, Default)]
pub struct Holders(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    answers: BTreeMap<&'static str, Answer>,
    asked: Vec<(&'static str, ErasePersonRequest)>,
    calls_looked_up: usize,
}

/// What a holder answers; nothing where it is away.
pub type Answer = Option<ErasePersonResponse>;

struct Holder {
    service: &'static str,
    all: Arc<Holders>,
}

impl Holders {
    /// From now on a holder answers so.
    pub fn answer(&self, service: &'static str, answer: Answer) {
        self.0.lock().unwrap().answers.insert(service, answer);
    }

    /// What was asked of whom, in order, without what was asked again.
    pub fn asked(&self) -> Vec<(&'static str, ErasePersonRequest)> {
        let mut asked = self.0.lock().unwrap().asked.clone();
        asked.dedup();
        asked
    }

    /// How often telemetry was asked for a call.
    pub fn calls_looked_up(&self) -> usize {
        self.0.lock().unwrap().calls_looked_up
    }

    /// Serves them, for a service on `host`, until that shuts down.
    pub async fn serve(self: &Arc<Self>, host: &Host) -> [Peer; 3] {
        let mut peers = vec![];
        let reach = Arc::<Scheduling>::default();
        for service in ["telemetry", "scheduling", "calendar-sync"] {
            let own = Host { shutdown: host.shutdown.clone(), ..host_on(service, host.clock.clone()) };
            let holder = Arc::new(Holder { service, all: self.clone() });
            let adapter = PersonErasureServiceAdapter::new(holder.clone(), own.gate.clone()).into_server();
            // Scheduling is asked whose numbers a person may see, too.
            let reach = ContactReachServiceAdapter::new(reach.clone(), own.gate.clone()).into_server();
            let calls = CallDirectoryServiceAdapter::new(holder, own.gate.clone()).into_server();
            let routes = Routes::new(adapter).add_service(reach).add_service(calls);
            peers.push(peer(service, serve(routes, &own).await, host));
        }
        peers.try_into().expect("one for each")
    }
}

#[async_trait]
impl PersonErasureServiceHandler for Holder {
    async fn erase_person(
        &self,
        _: BusinessScope,
        request: ErasePersonRequest,
    ) -> Result<ErasePersonResponse, Status> {
        let mut state = self.all.0.lock().unwrap();
        state.asked.push((self.service, request));
        let answer = state.answers.get(self.service).cloned().unwrap_or_else(|| Some(Default::default()));
        answer.ok_or_else(|| refuse(Reason::Unavailable, "away"))
    }
}

#[async_trait]
impl CallDirectoryServiceHandler for Holder {
    async fn find_call(
        &self,
        scope: BusinessScope,
        request: FindCallRequest,
    ) -> Result<FindCallResponse, Status> {
        let mut state = self.all.0.lock().unwrap();
        state.calls_looked_up += 1;
        if state.answers.get(self.service) == Some(&None) {
            return Err(refuse(Reason::Unavailable, "away"));
        }
        let is_known = scope.business() == WILLOW && request.call_id != UNKNOWN_CALL.to_string();
        Ok(FindCallResponse { is_known })
    }
}
