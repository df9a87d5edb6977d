//! A voice platform's side of the webhook, delivery by delivery, for load runs
//! and tests.

use core::time::Duration;

use anyhow::ensure;
use bff::voice::retell::signature;
use boot::clock::Clock;
use proto::webhook;
use reqwest::{Client, Response};
use serde_json::{Value, json};

const TIMEOUT: Duration = Duration::from_secs(10);

/// A connection's line into the voice door.
#[derive(Debug, Clone)]
pub struct Telephone {
    client: Client,
    clock: Clock,
    url: String,
    secret: String,
}

impl Telephone {
    /// The line of `connection`, signing with `secret`.
    ///
    /// # Errors
    /// When no HTTP client can be made.
    pub fn new(base_url: &str, connection: &str, secret: &str) -> anyhow::Result<Self> {
        Ok(Self {
            client: Client::builder().timeout(TIMEOUT).build()?,
            clock: Clock::system(),
            url: format!("{base_url}{}", webhook::voice("retell", connection)),
            secret: secret.to_owned(),
        })
    }

    /// Delivers `body` signed as of now.
    ///
    /// # Errors
    /// When the door can't be reached.
    pub async fn deliver(&self, body: &str) -> reqwest::Result<Response> {
        let signature = signature::sign(&self.secret, body.as_bytes(), self.clock.now());
        self.deliver_as(body, Some(&signature)).await
    }

    /// Delivers `body` with a signature of one's own, or none.
    ///
    /// # Errors
    /// When the door can't be reached.
    pub async fn deliver_as(&self, body: &str, signature: Option<&str>) -> reqwest::Result<Response> {
        let mut request = self.client.post(&self.url).header("content-type", "application/json");
        if let Some(signature) = signature {
            request = request.header(signature::HEADER, signature);
        }
        request.body(body.to_owned()).send().await
    }

    /// The body of a tool call in the call `call_id`.
    #[must_use]
    pub fn tool_call(&self, call_id: &str, name: &str, arguments: &Value) -> String {
        json!({"name": name, "args": arguments, "call": self.call(call_id)}).to_string()
    }

    /// The body of a call event.
    #[must_use]
    pub fn event(&self, call_id: &str, event: &str) -> String {
        json!({"event": event, "call": self.call(call_id)}).to_string()
    }

    fn call(&self, call_id: &str) -> Value {
        json!({
            "call_type": "phone_call",
            "call_id": call_id,
            "agent_id": "agent_front_desk",
            "agent_version": 1,
            "call_status": "ongoing",
            "direction": "inbound",
            "from_number": "+447700900123",
            "to_number": "+442079460014",
            "start_timestamp": self.clock.now().as_millisecond(),
        })
    }

    /// Delivers a tool call that must be answered.
    ///
    /// # Errors
    /// When the door can't be reached or refuses.
    pub async fn use_tool(&self, call_id: &str, name: &str, arguments: &Value) -> anyhow::Result<Value> {
        let answer = self.deliver(&self.tool_call(call_id, name, arguments)).await?;
        ensure!(answer.status().is_success(), "{name}: {}", answer.status());
        Ok(answer.json().await?)
    }
}
