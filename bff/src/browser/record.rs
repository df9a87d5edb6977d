//! Notes of what people were refused, for auth's record of each account.
//!
//! A note never delays an answer: it waits in a queue of bounded length, and is
//! lost, and counted, when auth does not keep up. Who tries the same again within
//! a minute is noted once, whichever businesses they try.

use core::time::Duration;

use caller::{BusinessId, UserId};
use moka::future::Cache;
use opentelemetry::{global, metrics::Counter};
use proto::{
    error::{Reason, reason_of},
    frontdesk::auth::internal::v1::{
        Client, RecordRefusalRequest, RecordRefusalResponse, security_record_service_methods::RECORD_REFUSAL,
    },
};
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::timeout,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tonic::Status;

use crate::Gateway;

/// Notes that may wait.
const WAITING: usize = 256;
/// The same refusal within this time is one.
const REPEATED: Duration = Duration::from_secs(60);
const MOST_REMEMBERED: u64 = 10_000;
const PATIENCE: Duration = Duration::from_secs(3);

/// The key under which refusals are equal. The business is left out, because a client can make up any
/// number of ids.
type Refused = (UserId, &'static str, Reason);

/// Takes notes of refused calls.
#[derive(Debug)]
pub struct Record {
    queue: Sender<RecordRefusalRequest>,
    recent: Cache<Refused, ()>,
    lost: Counter<u64>,
    closing: CancellationToken,
    writing: TaskTracker,
}

impl Record {
    /// Begins to pass notes on; needs a runtime.
    #[must_use]
    pub fn start(gateway: Gateway) -> Self {
        let (queue, notes) = mpsc::channel(WAITING);
        let closing = CancellationToken::new();
        let writing = TaskTracker::new();
        writing.spawn(write(gateway, notes, closing.clone()));
        writing.close();
        let lost = global::meter("frontdesk")
            .u64_counter("frontdesk.door.refusal.lost")
            .with_description("Refused calls that were not noted, because auth did not keep up.")
            .with_unit("{refusal}")
            .build();
        lost.add(0, &[]);
        let recent = Cache::builder().max_capacity(MOST_REMEMBERED).time_to_live(REPEATED).build();
        Self { queue, recent, lost, closing, writing }
    }

    /// Notes that `user` was refused what is at `path`, a method's or `/ws`, if for want of a role, a
    /// membership or a trusted device.
    pub async fn note(
        &self,
        user: UserId,
        path: &'static str,
        business: Option<BusinessId>,
        status: &Status,
        client: &Client,
    ) {
        let reason = match reason_of(status) {
            Some(reason @ (Reason::RoleTooLow | Reason::NotFound | Reason::DeviceNotTrusted)) => reason,
            _ => return,
        };
        let Ok(place) = self.queue.try_reserve() else { return self.lost.add(1, &[]) };
        if !self.recent.entry((user, path, reason)).or_insert(()).await.is_fresh() {
            return;
        }
        place.send(RecordRefusalRequest {
            user_id: user.to_string(),
            business_id: business.map(|id| id.to_string()).unwrap_or_default(),
            method: path.to_owned(),
            reason: reason.name().to_owned(),
            client: Some(client.clone()),
        });
    }

    /// Passes on what still waits, for a few seconds at most.
    pub async fn close(&self) {
        self.closing.cancel();
        if timeout(PATIENCE, self.writing.wait()).await.is_err() {
            tracing::warn!("notes of refused calls were still waiting");
        }
    }
}

async fn write(gateway: Gateway, mut notes: Receiver<RecordRefusalRequest>, closing: CancellationToken) {
    loop {
        let note = tokio::select! {
            biased;
            Some(note) = notes.recv() => note,
            () = closing.cancelled() => return,
        };
        let (person, method, reason) = (note.user_id.clone(), note.method.clone(), note.reason.clone());
        let written: Result<RecordRefusalResponse, Status> =
            gateway.call_as_door(&RECORD_REFUSAL, None, PATIENCE, note).await;
        if let Err(error) = written {
            tracing::warn!(%error, person, method, reason, "a refused call was not noted");
        }
    }
}
