//! What a tool works with.

use caller::{IdempotencyKey, Method};
use jiff::Zoned;
use tonic::Status;

use crate::voice::agent::Agent;

/// The agent's place during one tool call.
#[derive(Debug, Clone)]
pub struct Desk {
    pub agent: Agent,
    /// The telephone call, as telemetry names it.
    pub call_id: String,
    /// The customer's number, E.164; `None` when withheld.
    pub customer_number: Option<String>,
    /// Names this call of the tool to the services it writes to.
    pub key: IdempotencyKey,
    /// The time in the business's zone.
    pub now: Zoned,
}

impl Desk {
    /// The business, as messages name it.
    pub fn business_id(&self) -> String {
        self.agent.business_id()
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

    /// Calls a method that writes, so that a repeated tool call has the same effect.
    pub async fn write<Request, Response>(
        &self,
        method: &'static Method,
        message: Request,
    ) -> Result<Response, Status>
    where
        Request: prost::Message + Send + Sync + 'static,
        Response: prost::Message + Default + Send + Sync + 'static,
    {
        self.agent.call(method, Some(&self.key), message).await
    }
}
