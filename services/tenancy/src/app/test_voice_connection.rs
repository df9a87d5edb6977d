//! Sends a sample event to a connection's public address, as the platform would.

use std::{sync::Arc, time::Instant};

use http::{HeaderName, StatusCode};
use outgoing::{Answer, Ask, Login, Web, WebError};
use proto::sample_call;
use serde_json::Value;
use url::Url;

use crate::{
    Error,
    domain::{VoiceConnectionId, WebhookSample},
    store::Tx,
    vault::Vault,
    webhook_url::WebhookUrls,
};

/// What became of a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SampleOutcome {
    /// The door believed it.
    Accepted,
    /// The door refused it, for this reason.
    Refused(String),
    /// Something else answered.
    Elsewhere,
    /// Nothing answered, for this reason.
    Unreachable(String),
}

/// What a test showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookTest {
    /// Where the sample was sent.
    pub url: String,
    /// What became of it.
    pub outcome: SampleOutcome,
    /// The status of the answer.
    pub status: Option<u16>,
    /// From sending it to the answer.
    pub elapsed: core::time::Duration,
}

/// Sends samples.
#[derive(Debug, Clone)]
pub struct TestVoiceConnection {
    /// Opens secrets.
    pub vault: Arc<Vault>,
    /// Where platforms deliver.
    pub webhooks: WebhookUrls,
    /// Calls this installation's own address, wherever that is.
    pub web: Web,
}

impl TestVoiceConnection {
    /// Tests a connection.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn run(&self, tx: Tx, id: VoiceConnectionId) -> Result<WebhookTest, Error> {
        let sealed = tx.sealed_voice_connection(id).await?;
        let (now, sample_id) = (tx.now(), tx.new_id::<uuid::Uuid>());
        tx.commit().await?;
        let secret = self.vault.open(&sealed)?.secret;
        let url = self.webhooks.of(&sealed.connection);
        let sample = WebhookSample::of(&sealed.connection, &secret, &url, &sample_id.to_string(), now);
        let began = Instant::now();
        let answer = self.send(&url, &sample).await;
        let elapsed = began.elapsed();
        let status = answer.as_ref().ok().map(|answer| answer.status.as_u16());
        Ok(WebhookTest { url, outcome: outcome(answer, &sample.call), status, elapsed })
    }

    async fn send(&self, url: &str, sample: &WebhookSample) -> Result<Answer, WebError> {
        let url = Url::parse(url).map_err(|error| WebError::Unreachable(error.to_string()))?;
        let header =
            |(name, value): &(String, String)| Some((name.parse::<HeaderName>().ok()?, value.clone()));
        let mut headers = sample.headers.iter().filter_map(header);
        let (name, value) =
            headers.next().ok_or_else(|| WebError::Unreachable("nothing is signed".to_owned()))?;
        let ask = Ask::new("POST", url, Login::Key(name, value));
        let ask = headers.fold(ask, |ask, (name, value)| ask.header(name, &value));
        self.web.send(ask.body(sample.content_type, sample.body.clone())).await
    }
}

fn outcome(answer: Result<Answer, WebError>, call: &str) -> SampleOutcome {
    let answer = match answer {
        Ok(answer) => answer,
        Err(WebError::Forbidden(reason) | WebError::Unknown(reason) | WebError::Unreachable(reason)) => {
            return SampleOutcome::Unreachable(reason);
        }
    };
    let body: Value = serde_json::from_str(&answer.body).unwrap_or_default();
    let refusal = body["message"].as_str().filter(|_| body["details"].is_array());
    match StatusCode::from_u16(answer.status.as_u16()) {
        Ok(StatusCode::OK) if body[sample_call::ANSWER] == call => SampleOutcome::Accepted,
        Ok(status) if !status.is_success() => match refusal {
            Some(reason) => SampleOutcome::Refused(reason.to_owned()),
            None => SampleOutcome::Elsewhere,
        },
        _ => SampleOutcome::Elsewhere,
    }
}
