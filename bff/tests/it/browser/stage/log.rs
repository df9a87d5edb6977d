//! An event log that a test writes.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use caller::{BusinessId, InstallationScope};
use futures::{StreamExt, stream};
use proto::{
    ResponseStream,
    frontdesk::events::v1::{
        Event, EventLogServiceHandler, FollowRequest, FollowResponse, event::Payload,
        follow_request::From as Begin,
    },
};
use tokio::sync::{broadcast, watch};
use tokio_stream::wrappers::BroadcastStream;
use tonic::{Status, async_trait};

/// Where every log begins.
const START: i64 = 1000;

/// One service's log.
pub struct Log {
    pub followed: AtomicUsize,
    /// Streams opened so far.
    pub readers: watch::Sender<usize>,
    hung_up: broadcast::Sender<()>,
    events: Mutex<Vec<Event>>,
    sender: broadcast::Sender<Event>,
}

impl Log {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            followed: AtomicUsize::default(),
            readers: watch::Sender::new(0),
            hung_up: broadcast::Sender::new(1),
            events: Mutex::default(),
            sender: broadcast::Sender::new(16_384),
        })
    }

    /// Ends every stream, as a service does that restarts.
    pub fn hang_up(&self) {
        // There may be no subscriber yet.
        drop(self.hung_up.send(()));
    }

    /// Commits an event.
    pub fn write(&self, business: Option<BusinessId>, payload: Payload) {
        let mut events = self.events.lock().unwrap();
        let event = Event {
            event_id: String::new(),
            position: START + 1 + i64::try_from(events.len()).unwrap(),
            business_id: business.map(|id| id.to_string()).unwrap_or_default(),
            payload: Some(payload),
            ..Event::default()
        };
        events.push(event.clone());
        // There may be no subscriber yet.
        drop(self.sender.send(event));
    }
}

fn response(event: Event) -> FollowResponse {
    FollowResponse { position: event.position, event: Some(event), reset: false, log: String::new() }
}

#[async_trait]
impl EventLogServiceHandler for Log {
    async fn follow(
        &self,
        scope: InstallationScope,
        request: FollowRequest,
    ) -> Result<ResponseStream<FollowResponse>, Status> {
        assert_eq!(scope.actor().to_string(), "service:bff");
        self.followed.fetch_add(1, Ordering::SeqCst);
        let events = self.events.lock().unwrap();
        let receiver = self.sender.subscribe();
        let mut hung_up = self.hung_up.subscribe();
        let head = events.last().map_or(START, |event| event.position);
        let after = match request.from {
            Some(Begin::After(after)) => after,
            _ => head,
        };
        let before: Vec<Event> = events.iter().filter(|event| event.position > after).cloned().collect();
        drop(events);
        self.readers.send_modify(|readers| *readers += 1);
        let hello = FollowResponse { event: None, position: after, reset: false, log: String::new() };
        let live = BroadcastStream::new(receiver).map(|event| Ok(response(event.unwrap())));
        let all = stream::iter([Ok(hello)])
            .chain(stream::iter(before).map(|event| Ok(response(event))))
            .chain(live);
        Ok(Box::pin(all.take_until(async move { drop(hung_up.recv().await) })))
    }
}
