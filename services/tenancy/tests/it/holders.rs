//! Telemetry, scheduling and calendar-sync as their contract promises them: what they erase of a person.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use boot::{Host, peer::Peer};
use caller::BusinessScope;
use proto::{
    error::{Reason, refuse},
    frontdesk::{
        erasure::internal::v1::{
            ErasePersonRequest, ErasePersonResponse, PersonErasureServiceAdapter, PersonErasureServiceHandler,
        },
        scheduling::internal::v1::ContactReachServiceAdapter,
    },
};
use testkit::{Scheduling, host_on, peer, serve};
use tonic::{Status, async_trait, service::Routes};

/// Erase all, until a test says otherwise.
#[derive(Debug, Default)]
pub struct Holders(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    answers: BTreeMap<&'static str, Answer>,
    asked: Vec<(&'static str, ErasePersonRequest)>,
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

    /// Serves them, for a service on `host`, until that shuts down.
    pub async fn serve(self: &Arc<Self>, host: &Host) -> [Peer; 3] {
        let mut peers = vec![];
        let reach = Arc::<Scheduling>::default();
        for service in ["telemetry", "scheduling", "calendar-sync"] {
            let own = Host { shutdown: host.shutdown.clone(), ..host_on(service, host.clock.clone()) };
            let holder = Arc::new(Holder { service, all: self.clone() });
            let adapter = PersonErasureServiceAdapter::new(holder, own.gate.clone()).into_server();
            // Scheduling is asked whose numbers a person may see, too.
            let reach = ContactReachServiceAdapter::new(reach.clone(), own.gate.clone()).into_server();
            let routes = Routes::new(adapter).add_service(reach);
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
