//! Finishes a run of a tool: keeps its answer, and what that makes of the call.

use crate::{
    domain::{
        ConnectionId, ToolCallId,
        tool_call::{Answer, Effect, Progress, ToolCall},
    },
    error::Error,
    store::Tx,
};

/// The answer of a run.
#[derive(Debug)]
pub struct FinishToolCall {
    /// The run.
    pub id: ToolCallId,
    /// The connection whose call it belongs to.
    pub connection: ConnectionId,
    /// How it was answered.
    pub answer: Answer,
    /// What it found or did.
    pub effect: Effect,
}

impl FinishToolCall {
    /// Keeps the first answer, which is the one that was given; a later one changes nothing.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the connection has no such run.
    pub async fn run(self, tx: Tx) -> Result<(), Error> {
        let Self { id, connection, answer, effect } = self;
        let tool_call = tx.tool_call(id, connection).await?;
        // The call is locked first, as everywhere, so that two runs that finish at once don't deadlock.
        let before = tx.call_by_id(tool_call.call).await?;
        let answer =
            if before.erased_at.is_some() { Answer { result: "{}".to_owned(), ..answer } } else { answer };
        if tx.answer_tool_call(id, answer.clone(), effect.appointment).await? {
            let started = tool_call.started;
            let answered = ToolCall { progress: Progress::Answered(answer), ..tool_call };
            let after = before.clone().answered(&answered).credit(&effect, started);
            tx.save_call(&before, &after).await?;
            tx.commit().await?;
        }
        Ok(())
    }
}
