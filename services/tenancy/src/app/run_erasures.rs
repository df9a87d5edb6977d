//! Has every service that keeps something of a person erase it. What each answered is saved before the next is asked, so
//! that a worker goes on where another one was stopped.

use core::time::Duration;
use std::sync::Arc;

use boot::{Host, peer::Peer};
use caller::{InstallationScope, Worker};
use jiff::SignedDuration;
use proto::frontdesk::erasure::internal::v1::{
    self as wire, ErasePersonRequest, ErasePersonResponse,
    person_erasure_service_client::PersonErasureServiceClient,
};
use tokio::sync::Notify;
use tonic::Status;
use uuid::Uuid;

use super::take_turns::take_turns;
use crate::{
    Error,
    domain::{CustomerId, Erasure, Holder, KnownRecord, OVERDUE},
    measure::Erasures,
    store::{ErasureTurn, Store, Tx},
};

/// How long no other worker looks at an erasure after one did: longer than a holder may take.
const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// How long a holder may take.
const PATIENCE: Duration = Duration::from_secs(45);
/// For how long the news of an export is left for the service that mails it.
const NEWS: SignedDuration = SignedDuration::from_mins(1);
/// How often those that do not end are counted.
const MEASURE: Duration = Duration::from_secs(30);
const WORKER: &str = "erasure";

/// Works on erasures, beside the workers of other replicas.
#[derive(Debug)]
pub struct ErasureWorker {
    /// Where they are kept.
    pub store: Store,
    /// Keeps calls.
    pub telemetry: Peer,
    /// Keeps visits.
    pub scheduling: Peer,
    /// Keeps entries in calendars.
    pub calendar_sync: Peer,
    /// Notified when an erasure may be due.
    pub hint: Arc<Notify>,
    /// Those that do not end.
    pub measure: Erasures,
}

impl ErasureWorker {
    /// Works until the host shuts down.
    pub async fn run(self, host: Host) {
        tokio::join!(
            take_turns(&host, &self.hint, "an erasure rests", || self.turn(&host)),
            self.count_overdue(&host),
        );
    }

    async fn count_overdue(&self, host: &Host) {
        while !host.shutdown.is_cancelled() {
            match self.overdue().await {
                Ok(count) => self.measure.overdue(count),
                Err(error) => tracing::warn!(%error, "erasures that do not end were not counted"),
            }
            tokio::select! {
                () = host.shutdown.cancelled() => {}
                () = tokio::time::sleep(MEASURE) => {}
            }
        }
    }

    async fn overdue(&self) -> Result<i64, Error> {
        let tx = self.store.begin_installation(&InstallationScope::worker(WORKER));
        let count = tx.open_erasures_from_before(tx.now() - OVERDUE).await?;
        tx.commit().await?;
        Ok(count)
    }

    /// Takes a turn at an erasure that is due; whether one was.
    async fn turn(&self, host: &Host) -> Result<bool, Error> {
        let tx = self.store.begin_installation(&InstallationScope::worker(WORKER));
        let lease: Uuid = tx.new_id();
        let claimed = tx.claim_erasure(lease, tx.now() + LEASE).await?;
        tx.commit().await?;
        let Some(turn) = claimed else { return Ok(false) };
        while !host.shutdown.is_cancelled() {
            if !self.step(&turn).await? {
                break;
            }
        }
        Ok(true)
    }

    /// Asks the next holder; whether another is to be asked at once.
    async fn step(&self, turn: &ErasureTurn) -> Result<bool, Error> {
        let tx = self.begin(turn);
        let Some(erasure) = tx.erasure(turn.customer).await? else { return Ok(false) };
        tx.commit().await?;
        let Some(holder) = erasure.next() else { return Ok(false) };
        // Nothing is locked while it is asked.
        let answer = match self.ask(turn, holder, &erasure).await {
            Ok(answer) => answer,
            Err(status) => {
                tracing::warn!(holder = holder.name(), %status, "a holder does not erase");
                waiting(&format!("{} to answer", holder.name()))
            }
        };
        let tx = self.begin(turn);
        let Some(erasure) = tx.take_leased_erasure(turn).await? else { return Ok(false) };
        let after = heard(&tx, erasure, holder, answer).await?;
        let on = after.finished_at.is_none() && after.next() != Some(holder);
        let due_at = tx.now() + if on { LEASE } else { after.pause(tx.now()) };
        tx.save_erasure(&after, due_at).await?;
        tx.commit().await?;
        Ok(on)
    }

    async fn ask(
        &self,
        turn: &ErasureTurn,
        holder: Holder,
        erasure: &Erasure,
    ) -> Result<ErasePersonResponse, Status> {
        let peer = match holder {
            Holder::Tenancy => return Ok(self.erase_here(turn, erasure).await?),
            Holder::Telemetry => &self.telemetry,
            Holder::Scheduling => &self.scheduling,
            Holder::CalendarSync => &self.calendar_sync,
        };
        let traces = &erasure.traces;
        let message = ErasePersonRequest {
            business_id: turn.business.to_string(),
            customers: traces.customers.iter().map(to_wire).collect(),
            names: traces.names.clone(),
            phones: traces.phones.clone(),
            emails: traces.emails.clone(),
            visits: traces.visits.iter().map(to_wire).collect(),
            call_ids: traces.calls.iter().map(Uuid::to_string).collect(),
        };
        let request = peer.as_service(Some(turn.business), message, PATIENCE);
        let answer = PersonErasureServiceClient::new(peer.channel()).erase_person(request).await?;
        Ok(answer.into_inner())
    }

    /// What is left of the person after the erasure began: events, kept answers, lines of imports.
    async fn erase_here(&self, turn: &ErasureTurn, erasure: &Erasure) -> Result<ErasePersonResponse, Error> {
        let ids: Vec<Uuid> = erasure.traces.customers.iter().map(|record| record.id).collect();
        let customers: Vec<CustomerId> = ids.iter().copied().map(CustomerId).collect();
        let tx = self.begin(turn);
        let lines = tx.erase_import_lines(&erasure.traces).await?;
        let told = [ids.iter().map(Uuid::to_string).collect(), erasure.traces.phones.clone()].concat();
        tx.forget_answers([told, erasure.traces.emails.clone()].concat()).await?;
        let exports = tx.exports_of(&customers).await?;
        let news_until = tx.now() - NEWS;
        tx.commit().await?;
        if !self.store.forget_events(turn.business, ids, exports, news_until).await? {
            return Ok(waiting("the letter to the owners about an export"));
        }
        let records = i32::try_from(lines).unwrap_or(i32::MAX).saturating_add(small(customers.len()));
        Ok(ErasePersonResponse { record_count: records, ..ErasePersonResponse::default() })
    }

    fn begin(&self, turn: &ErasureTurn) -> Tx {
        self.store.begin(&Worker::new(WORKER, turn.business))
    }
}

/// The erasure after a holder's answer.
async fn heard(
    tx: &Tx,
    mut erasure: Erasure,
    holder: Holder,
    answer: ErasePersonResponse,
) -> Result<Erasure, Error> {
    let unreadable = |status: Status| Error::Stored("answer of a holder", Box::new(status));
    let cancelled = answer.cancelled_count;
    erasure.cancelled = erasure.cancelled.saturating_add(cancelled);
    if !answer.waiting_for.is_empty() {
        return Ok(erasure.waiting(holder, &answer.waiting_for));
    }
    match holder {
        Holder::Scheduling => {
            let visits = answer.visits.iter().map(from_wire);
            erasure.traces.visits = visits.collect::<Result<_, _>>().map_err(unreadable)?;
        }
        Holder::Telemetry => {
            let calls = answer.call_ids.iter().map(|id| proto::parse::id("call_ids", id));
            erasure.traces.calls = calls.collect::<Result<_, _>>().map_err(unreadable)?;
            // What was said in these calls may stand in follow-ups.
            let gone = tx.delete_follow_ups_of(&[], &erasure.traces.calls, &[]).await?;
            tx.erase_changes(&[], gone).await?;
            tx.forget_answers(erasure.traces.calls.iter().map(Uuid::to_string).collect()).await?;
        }
        Holder::Tenancy | Holder::CalendarSync => {}
    }
    Ok(erasure.confirmed(holder, answer.record_count, tx.now()))
}

fn waiting(waiting_for: &str) -> ErasePersonResponse {
    ErasePersonResponse { waiting_for: waiting_for.to_owned(), ..ErasePersonResponse::default() }
}

fn to_wire(record: &KnownRecord) -> wire::KnownRecord {
    wire::KnownRecord { id: record.id.to_string(), version: record.version }
}

fn from_wire(record: &wire::KnownRecord) -> Result<KnownRecord, Status> {
    Ok(KnownRecord { id: proto::parse::id("visits.id", &record.id)?, version: record.version })
}

fn small(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
