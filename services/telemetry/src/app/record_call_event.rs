//! Records what a platform says of a call.

use crate::{
    domain::{CallId, call::Identity, facts::Facts, recording::Source},
    error::Error,
    measure::Ended,
    store::{Arrival, Delivery, Tx},
};

/// A delivery that says something of a call.
#[derive(Debug)]
pub struct RecordCallEvent {
    /// As it arrived.
    pub delivery: Delivery,
    /// The call.
    pub identity: Identity,
    /// What it says.
    pub told: Facts,
    /// Where its recording is to be had.
    pub recording: Option<Source>,
}

/// A delivery that is kept.
#[derive(Debug)]
pub struct RecordedCallEvent {
    /// The call it belongs to.
    pub call: CallId,
    /// Whether it had arrived before.
    pub duplicate: bool,
}

impl RecordCallEvent {
    /// Keeps the delivery, and what is new in it. A repeated delivery changes nothing.
    pub async fn run(self, tx: Tx, ended: &Ended) -> Result<RecordedCallEvent, Error> {
        let Self { delivery, identity, told, recording } = self;
        let before = tx.call(&identity, delivery.received_at).await?;
        if let Arrival::Again { call, .. } = tx.add_delivery(delivery.kept_of(&before), before.id).await? {
            return Ok(RecordedCallEvent { call, duplicate: true });
        }
        let after = before.clone().learn(told);
        if after != before || before.version == 0 {
            tx.save_call(&before, &after).await?;
        }
        if let Some(source) = recording.filter(|_| after.erased_at.is_none()) {
            tx.await_recording(after.id, &source).await?;
        }
        tx.commit().await?;
        ended.count(&before, &after);
        Ok(RecordedCallEvent { call: after.id, duplicate: false })
    }
}
