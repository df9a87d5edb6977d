//! The language model behind our own agent: any endpoint that speaks OpenAI's chat completions.

use core::time::Duration;
use std::{collections::BTreeMap, time::Instant};

use anyhow::{Context, ensure};
use async_openai::{
    Client,
    config::OpenAIConfig,
    error::OpenAIError,
    types::chat::{
        ChatCompletionMessageToolCallChunk, ChatCompletionRequestMessage, ChatCompletionResponseStream,
        ChatCompletionStreamOptions, ChatCompletionTools, CreateChatCompletionRequest,
    },
};
use boot::{config::Secret, faults::Faults};
use futures::StreamExt;
use opentelemetry::{global, metrics::Meter};
use tokio::time::timeout;

use super::metrics::ModelMetrics;

/// A person on the telephone takes silence of this length for the end of the line.
const PATIENCE: Duration = Duration::from_secs(8);
/// Two or three sentences, or the arguments of a tool.
const MOST_TOKENS: u32 = 400;
/// Close to the instructions.
const TEMPERATURE: f32 = 0.2;
/// More tools than this in one reply are a fault of the model.
const MOST_TOOLS: usize = 8;

/// Which model the agent of this installation speaks with.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ModelConfig {
    /// Address of an OpenAI-compatible API, as `https://api.openai.com/v1`. Without it the agent's own
    /// conversation, which Twilio's calls need, is off.
    #[arg(long, env = "AGENT_MODEL_URL")]
    pub agent_model_url: Option<String>,
    /// The model's name there.
    #[arg(long, env = "AGENT_MODEL")]
    pub agent_model: Option<String>,
    /// The API's key; none for a server that asks for none.
    #[arg(long, env = "AGENT_MODEL_KEY", hide_env_values = true)]
    pub agent_model_key: Option<Secret>,
}

impl ModelConfig {
    /// Adds what is wrong with it.
    pub(crate) fn check(&self, faults: &mut Faults) {
        let Some(Some(url)) = faults.judge("AGENT_MODEL_URL", self.url()) else { return };
        faults.require_https("AGENT_MODEL_URL", &url);
        faults.judge("AGENT_MODEL", self.name());
    }

    fn url(&self) -> anyhow::Result<Option<String>> {
        let Some(url) = self.agent_model_url.clone().filter(|url| !url.is_empty()) else { return Ok(None) };
        let address: http::Uri = url.parse().context("is no address")?;
        let host = address.authority().filter(|_| address.scheme().is_some());
        let host = host.context("names no scheme or host")?.as_str();
        ensure!(!host.contains('@'), "is an address with credentials");
        Ok(Some(url))
    }

    fn name(&self) -> anyhow::Result<String> {
        self.agent_model.clone().filter(|name| !name.is_empty()).context("is missing beside AGENT_MODEL_URL")
    }

    /// The model; `None` when none is configured.
    ///
    /// # Errors
    /// When it is configured in part.
    pub fn model(&self) -> anyhow::Result<Option<Model>> {
        let Some(url) = self.url().context("AGENT_MODEL_URL")? else { return Ok(None) };
        let name = self.name().context("AGENT_MODEL")?;
        let key = self.agent_model_key.as_ref().map_or("", Secret::expose);
        let config = OpenAIConfig::new().with_api_base(url.trim_end_matches('/')).with_api_key(key);
        let metrics = ModelMetrics::new(&global::meter("frontdesk"));
        Ok(Some(Model { client: Client::with_config(config), name, metrics }))
    }
}

/// A model to talk with.
#[derive(Debug, Clone)]
pub struct Model {
    client: Client<OpenAIConfig>,
    name: String,
    metrics: ModelMetrics,
}

/// A part of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// More of what is said.
    Text(String),
    /// The tools it wants used before it goes on.
    Tools(Vec<Wanted>),
    /// What the reply cost, with its prompt.
    Tokens(u32),
}

/// A tool that the model wants used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The model's own id of it.
    pub id: String,
    /// The tool's name, as the model writes it.
    pub name: String,
    /// JSON, as the model writes it.
    pub arguments: String,
}

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
pub enum ModelFault {
    /// Nothing came for as long as a caller waits.
    #[error("the model said nothing for {} seconds", PATIENCE.as_secs())]
    Silent,
    /// It wants more tools than a reply may.
    #[error("the model wants more than {MOST_TOOLS} tools at once")]
    TooManyTools,
    /// The API refused, or broke off.
    #[error(transparent)]
    Failed(#[from] OpenAIError),
}

impl ModelFault {
    /// The fault in metrics.
    fn name(&self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::TooManyTools => "too_many_tools",
            Self::Failed(_) => "failed",
        }
    }
}

impl Model {
    /// The model, measured with a meter of one's own.
    #[must_use]
    pub fn measured(self, meter: &Meter) -> Self {
        Self { metrics: ModelMetrics::new(meter), ..self }
    }

    /// Begins a reply to a conversation.
    ///
    /// # Errors
    /// When the API does not begin to answer.
    pub async fn reply(
        &self,
        messages: Vec<ChatCompletionRequestMessage>,
        tools: Vec<ChatCompletionTools>,
    ) -> Result<Reply, ModelFault> {
        let request = CreateChatCompletionRequest {
            model: self.name.clone(),
            messages,
            tools: Some(tools),
            temperature: Some(TEMPERATURE),
            max_completion_tokens: Some(MOST_TOKENS),
            stream_options: Some(ChatCompletionStreamOptions {
                include_usage: Some(true),
                include_obfuscation: None,
            }),
            ..CreateChatCompletionRequest::default()
        };
        let began = Instant::now();
        let stream = self.begin(request).await.inspect_err(|fault| self.metrics.failed(fault.name()))?;
        let metrics = self.metrics.clone();
        Ok(Reply { stream, wanted: BTreeMap::new(), tokens: None, waiting: Some(began), metrics })
    }

    async fn begin(
        &self,
        request: CreateChatCompletionRequest,
    ) -> Result<ChatCompletionResponseStream, ModelFault> {
        let chat = self.client.chat();
        Ok(timeout(PATIENCE, chat.create_stream(request)).await.map_err(|_| ModelFault::Silent)??)
    }
}

/// A reply that is being made.
pub struct Reply {
    stream: ChatCompletionResponseStream,
    /// Tools by their place: their names and arguments come in parts.
    wanted: BTreeMap<u32, Wanted>,
    tokens: Option<u32>,
    /// Since when it is waited for, until its first part comes.
    waiting: Option<Instant>,
    metrics: ModelMetrics,
}

impl Reply {
    /// The next part; `None` at the end.
    ///
    /// # Errors
    /// When it breaks off.
    pub async fn next(&mut self) -> Result<Option<Piece>, ModelFault> {
        let piece = self.read().await;
        if let Err(fault) = &piece {
            self.metrics.failed(fault.name());
        }
        piece
    }

    async fn read(&mut self) -> Result<Option<Piece>, ModelFault> {
        while let Some(chunk) = timeout(PATIENCE, self.stream.next()).await.map_err(|_| ModelFault::Silent)? {
            let chunk = chunk?;
            self.tokens = chunk.usage.map(|usage| usage.total_tokens).or(self.tokens);
            let Some(choice) = chunk.choices.into_iter().next() else { continue };
            let says = choice.delta.tool_calls.is_some()
                || choice.delta.content.as_ref().is_some_and(|text| !text.is_empty());
            if let Some(began) = self.waiting.take_if(|_| says) {
                self.metrics.began(began.elapsed());
            }
            for part in choice.delta.tool_calls.into_iter().flatten() {
                self.add(part)?;
            }
            if let Some(text) = choice.delta.content.filter(|text| !text.is_empty()) {
                return Ok(Some(Piece::Text(text)));
            }
        }
        if !self.wanted.is_empty() {
            let wanted = core::mem::take(&mut self.wanted);
            return Ok(Some(Piece::Tools(wanted.into_values().collect())));
        }
        Ok(self.tokens.take().map(Piece::Tokens))
    }

    fn add(&mut self, part: ChatCompletionMessageToolCallChunk) -> Result<(), ModelFault> {
        let wanted = self.wanted.entry(part.index).or_default();
        wanted.id.push_str(&part.id.unwrap_or_default());
        if let Some(function) = part.function {
            wanted.name.push_str(&function.name.unwrap_or_default());
            wanted.arguments.push_str(&function.arguments.unwrap_or_default());
        }
        if self.wanted.len() > MOST_TOOLS { Err(ModelFault::TooManyTools) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(url: &str, name: &str) -> anyhow::Result<Option<Model>> {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let config =
            ModelConfig { agent_model_url: text(url), agent_model: text(name), agent_model_key: None };
        config.model()
    }

    #[test]
    fn a_model_is_configured_whole_or_not_at_all() {
        assert!(model("", "").unwrap().is_none());
        assert!(model("https://api.test/v1", "small").unwrap().is_some());
        assert!(model("https://api.test/v1", "").is_err());
        assert!(model("not an address", "small").is_err());
    }
}
