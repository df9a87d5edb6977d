//! What a tool works with.

use caller::Method;
use jiff::{Timestamp, Zoned};
use tonic::Status;

use super::{agreement::Agreement, dry_run::Salon, speech::Speech, writing::Writing};
use crate::voice::{
    agent::Agent,
    playbook::{Language, Permissions},
};

/// The agent's place during one tool call.
#[derive(Debug, Clone)]
pub struct Desk {
    pub agent: Agent,
    /// The telephone call, as telemetry names it.
    pub call_id: String,
    /// What a caller who is said to have agreed was asked.
    pub agreement: Agreement,
    /// The customer's number, E.164; `None` when withheld.
    pub customer_number: Option<String>,
    /// What becomes of what it writes.
    pub writing: Writing,
    /// What the salon lets its agent do.
    pub may: Permissions,
    /// The number that the line is handed over to when a tool says so; `None` where it can't be.
    pub hands_over_to: Option<String>,
    /// What the conversation is in.
    pub language: Language,
    /// The time in the business's zone.
    pub now: Zoned,
    /// Free times are looked for as they were then; `None` is now.
    pub as_of: Option<Timestamp>,
}

impl Desk {
    /// How the conversation sounds.
    pub fn speech(&self) -> Speech<'_> {
        Speech { language: self.language, now: &self.now }
    }

    /// The business, as messages name it.
    pub fn business_id(&self) -> String {
        self.agent.business_id()
    }

    /// The customer, where the services know of them: those of a trial they don't.
    pub fn stored_customer(&self, id: String) -> String {
        let tried = self.writing.dry_run().is_some_and(|run| !run.is_stored(&id));
        if tried { String::new() } else { id }
    }

    /// What a trial reads.
    pub(super) fn salon(&self) -> Salon<'_> {
        Salon { agent: &self.agent, now: self.now.timestamp(), as_of: self.as_of }
    }

    /// Calls a method that only reads.
    pub async fn read<Request, Response>(
        &self,
        method: &'static Method,
        message: Request,
    ) -> Result<Response, Status>
    where
        Request: prost::Message + Send + Sync + 'static,
        Response: prost::Message + Default + Send + Sync + 'static,
    {
        self.agent.call(method, None, message).await
    }
}
