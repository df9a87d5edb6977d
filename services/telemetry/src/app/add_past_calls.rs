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
    store::{PastRow, Tx},
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
    let mut runs = vec![];
    let calls: Vec<_> = calls.into_iter().map(|call| call.tell(&tx, &mut runs)).collect();
    let mut opened = tx.open_past_calls(&calls).await?;
    runs.retain(|row| opened.contains(&row.run.call));
    let calls: Vec<_> =
        calls.into_iter().map(|(_, call)| call).filter(|call| opened.remove(&call.id)).collect();
    tx.add_past_runs(&runs).await?;
    tx.tell_past_calls(&calls).await?;
    tx.commit().await?;
    Ok(calls.len())
}

impl PastCall {
    /// The call as it was when it was over; `rows` are its runs.
    fn tell(self, tx: &Tx, rows: &mut Vec<PastRow>) -> (Identity, Call) {
        let Self { id, identity, told, runs, bookings } = self;
        let mut after = Call::seen_at(id, told.first_seen).learn(told);
        for (place, PastRun { at, name, arguments, answer, effect }) in runs.into_iter().enumerate() {
            let progress = Progress::Answered(answer.clone());
            let run = ToolCall { id: tx.new_id(), call: id, name, arguments, started: at, progress };
            after = after.answered(&run).credit(&effect, at);
            let event_key = format!("{}:{place}", identity.platform_call_id);
            let (connection, appointment) = (identity.connection, effect.appointment);
            rows.push(PastRow { connection, event_key, at, run, answer, appointment });
        }
        let call = bookings.into_iter().fold(after, |call, (id, visit)| call.booked(id, visit));
        (identity, call)
    }
}
