//! Takes over the calls of a salon that worked before it came here.

use jiff::Timestamp;

use crate::{
    domain::{
        AppointmentId, CallId,
        call::{Call, Identity},
        facts::Facts,
        tool_call::{Answer, Effect, Progress, ToolCall},
        visit::Visit,
    },
    error::Error,
    store::{Arrival, Delivery, Tx},
};

/// A call that is over.
#[derive(Debug)]
pub struct PastCall {
    /// Unique in the installation.
    pub id: CallId,
    /// What it was known by on its platform.
    pub identity: Identity,
    /// What the platform told of it.
    pub told: Facts,
    /// What the agent's tools did, by time.
    pub runs: Vec<PastRun>,
    /// The visits that were booked in it.
    pub bookings: Vec<(AppointmentId, Visit)>,
}

/// A run of a tool, and how it was answered.
#[derive(Debug)]
pub struct PastRun {
    /// When it began.
    pub at: Timestamp,
    /// The tool.
    pub name: String,
    /// JSON.
    pub arguments: String,
    /// Its answer.
    pub answer: Answer,
    /// What it found or did.
    pub effect: Effect,
}

/// Adds calls that are not known, and counts them; returns how many.
///
/// # Errors
/// [`Error::EventKeyTaken`] where two calls share what their platform calls them.
pub async fn add_past_calls(tx: Tx, calls: Vec<PastCall>) -> Result<usize, Error> {
    let mut added = 0;
    for call in calls {
        if let Some(before) = tx.open_call(&call.identity, call.id, call.told.first_seen).await? {
            call.add(&tx, before).await?;
            added += 1;
        }
    }
    tx.commit().await?;
    Ok(added)
}

impl PastCall {
    async fn add(self, tx: &Tx, before: Call) -> Result<(), Error> {
        let Self { identity, told, runs, bookings, .. } = self;
        let mut after = before.clone().learn(told);
        for (place, run) in runs.into_iter().enumerate() {
            let delivery = Delivery {
                connection: identity.connection,
                event_key: format!("{}:{place}", identity.platform_call_id),
                body: vec![],
                received_at: run.at,
            };
            let Arrival::First(delivery) = tx.add_delivery(delivery, before.id).await? else {
                return Err(Error::EventKeyTaken);
            };
            let PastRun { at, name, arguments, answer, effect } = run;
            let progress = Progress::Running { since: at };
            let begun = ToolCall { id: tx.new_id(), call: before.id, name, arguments, started: at, progress };
            tx.add_tool_call(&begun, delivery).await?;
            tx.answer_tool_call(begun.id, answer.clone(), effect.appointment).await?;
            let answered = ToolCall { progress: Progress::Answered(answer), ..begun };
            after = after.answered(&answered).credit(&effect, at);
        }
        let after = bookings.into_iter().fold(after, |call, (id, visit)| call.booked(id, visit));
        tx.save_call(&before, &after).await
    }
}
