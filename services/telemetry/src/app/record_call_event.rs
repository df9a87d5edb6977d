//! Records what a platform says of a call.

use crate::{
    domain::{
        CallId,
        call::{Call, Identity},
        facts::Facts,
        recording::Source,
        tool_call::end_on_fault,
    },
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
    /// Whether it tells of the end of a call that ended on a fault of ours, without a message.
    pub left_unanswered: bool,
}

impl RecordCallEvent {
    /// Keeps the delivery, and what is new in it. A repeated delivery changes nothing.
    pub async fn run(self, tx: Tx, ended: &Ended) -> Result<RecordedCallEvent, Error> {
        let Self { delivery, identity, told, recording } = self;
        let tells_of_end = told.ended.is_some();
        let before = tx.call(&identity, delivery.received_at).await?;
        let upload = match &recording {
            Some(Source::Upload(upload)) => Some(*upload),
            Some(Source::Address(_) | Source::Platform(_)) | None => None,
        };
        if let Arrival::Again { call, .. } = tx.add_delivery(delivery.kept_of(&before), before.id).await? {
            let left_unanswered = tells_of_end && call == before.id && is_unanswered(&tx, &before).await?;
            // Each delivery of a recording uploads it anew. A key that another call used changes nothing at all.
            if let Some(upload) = upload.filter(|_| call == before.id) {
                tx.drop_unnamed_pieces(call, upload).await?;
                tx.commit().await?;
            }
            return Ok(RecordedCallEvent { call, duplicate: true, left_unanswered });
        }
        let after = before.clone().learn(told);
        if after != before || before.version == 0 {
            tx.save_call(&before, &after).await?;
        }
        if let Some(source) = recording.filter(|_| after.erased_at.is_none()) {
            tx.await_recording(after.id, &source).await?;
        }
        // The recording is known already, or its person is erased.
        if let Some(upload) = upload {
            tx.drop_unnamed_pieces(after.id, upload).await?;
        }
        let left_unanswered = tells_of_end && is_unanswered(&tx, &after).await?;
        tx.commit().await?;
        ended.count(&before, &after);
        Ok(RecordedCallEvent { call: after.id, duplicate: false, left_unanswered })
    }
}

/// Whether a fault of ours was the last that the caller heard, of a tool or of a person.
async fn is_unanswered(tx: &Tx, call: &Call) -> Result<bool, Error> {
    if call.was_transferred() || call.erased_at.is_some() {
        return Ok(false);
    }
    Ok(end_on_fault(&tx.tool_calls(call.id).await?))
}
