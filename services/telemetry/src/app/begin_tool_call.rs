//! Begins a run of a tool, once however often its delivery is repeated.

use crate::{
    domain::{
        CallId, ToolCallId,
        call::Identity,
        facts::Facts,
        tool_call::{Progress, Repeat, ToolCall, questions},
    },
    error::Error,
    measure::Ended,
    store::{Arrival, Delivery, DeliveryId, Tx},
};

/// The arguments of a run in a call whose customer was erased.
const NOTHING: &str = "{}";

/// A delivery that asks for a run.
#[derive(Debug)]
pub struct BeginToolCall {
    /// As it arrived.
    pub delivery: Delivery,
    /// The call.
    pub identity: Identity,
    /// What the delivery says of the call.
    pub told: Facts,
    /// The tool's name.
    pub name: String,
    /// JSON.
    pub arguments: String,
    /// The caller is said to have agreed to what the tool asked.
    pub confirms: bool,
}

/// A run that the caller executes, or that was answered before.
#[derive(Debug)]
pub struct BegunToolCall {
    /// The call it belongs to.
    pub call: CallId,
    /// The run.
    pub id: ToolCallId,
    /// The first answer; the tool is not run again then.
    pub result: Option<String>,
    /// What the tool asked the caller to confirm before it began, where the caller is said to have agreed.
    pub questions: Vec<String>,
}

impl BeginToolCall {
    /// Opens the record of the run, or finds it by its first delivery.
    ///
    /// # Errors
    /// [`Error::StillRunning`]; [`Error::EventKeyTaken`] when the key is that of another call's delivery, or of one that
    /// asked for no run.
    pub async fn run(self, tx: Tx, ended: &Ended) -> Result<BegunToolCall, Error> {
        let Self { delivery, identity, told, name, arguments, confirms } = self;
        let started = delivery.received_at;
        let before = tx.call(&identity, started).await?;
        let delivery = match tx.add_delivery(delivery.kept_of(&before), before.id).await? {
            Arrival::First(delivery) => delivery,
            Arrival::Again { first, call } if call == before.id => return repeat(tx, first, confirms).await,
            Arrival::Again { .. } => return Err(Error::EventKeyTaken),
        };
        let after = before.clone().learn(told);
        tx.save_call(&before, &after).await?;
        let questions = if confirms { asked(&tx, after.id, &name).await? } else { vec![] };
        let arguments = if after.erased_at.is_some() { NOTHING.to_owned() } else { arguments };
        let progress = Progress::Running { since: tx.now() };
        let tool_call = ToolCall { id: tx.new_id(), call: after.id, name, arguments, started, progress };
        tx.add_tool_call(&tool_call, delivery).await?;
        tx.commit().await?;
        ended.count(&before, &after);
        Ok(BegunToolCall { call: after.id, id: tool_call.id, result: None, questions })
    }
}

/// Answers a repeated delivery: the tool runs once.
async fn repeat(tx: Tx, first: DeliveryId, confirms: bool) -> Result<BegunToolCall, Error> {
    let ToolCall { id, call, name, progress, .. } = tx.tool_call_of(first).await?;
    let (result, questions) = match progress.on_repeat(tx.now()) {
        Repeat::Answer(result) => (Some(result.to_owned()), vec![]),
        Repeat::Wait(left) => return Err(Error::StillRunning(left)),
        Repeat::TakeOver => {
            let questions = if confirms { asked(&tx, call, &name).await? } else { vec![] };
            tx.restart_tool_call(id).await?;
            tx.commit().await?;
            (None, questions)
        }
    };
    Ok(BegunToolCall { call, id, result, questions })
}

/// What a tool asked the caller of a call to confirm so far.
async fn asked(tx: &Tx, call: CallId, name: &str) -> Result<Vec<String>, Error> {
    Ok(questions(tx.tool_calls_of(call, name).await?))
}
