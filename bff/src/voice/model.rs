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
        CreateChatCompletionStreamResponse,
    },
};
use boot::{config::Secret, faults::Faults};
use futures::StreamExt;
use opentelemetry::{global, metrics::Meter};
use tokio::time::{self, timeout, timeout_at};

use super::metrics::ModelMetrics;

/// A person on the telephone takes silence of this length for the end of the line.
const PATIENCE: Duration = Duration::from_secs(8);
/// A reply that goes on for longer is none that a caller can follow.
const LONGEST_REPLY: Duration = Duration::from_secs(30);
/// More than [`MOST_TOKENS`] are long.
const MOST_BYTES: usize = 16 << 10;
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
    /// It does not come to an end, though it was told how long it may be.
    #[error("the model's reply has no end")]
    Endless,
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
            Self::Endless => "endless",
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
        let waiting = Some(began);
        Ok(Reply { waiting, ..Reply::of(stream, time::Instant::now() + LONGEST_REPLY, metrics) })
    }

    async fn begin(
        &self,
        request: CreateChatCompletionRequest,
    ) -> Result<ChatCompletionResponseStream, ModelFault> {
        let chat = self.client.chat();
        Ok(timeout(PATIENCE, chat.create_stream(request)).await.map_err(|_| ModelFault::Silent)??)
    }
}

/// A part of a reply as the API sends it.
type Chunk = Result<CreateChatCompletionStreamResponse, OpenAIError>;

/// A reply that is being made.
pub struct Reply {
    stream: ChatCompletionResponseStream,
    /// Tools by their place: their names and arguments come in parts.
    wanted: BTreeMap<u32, Wanted>,
    tokens: Option<u32>,
    /// Since when it is waited for, until its first part comes.
    waiting: Option<Instant>,
    /// When it must have ended.
    until: time::Instant,
    /// Of words, names and arguments so far.
    bytes: usize,
    metrics: ModelMetrics,
}

impl Reply {
    fn of(stream: ChatCompletionResponseStream, until: time::Instant, metrics: ModelMetrics) -> Self {
        Self { stream, wanted: BTreeMap::new(), tokens: None, waiting: None, until, bytes: 0, metrics }
    }

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
        while let Some(chunk) = self.chunk().await? {
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
                self.grow(text.len())?;
                return Ok(Some(Piece::Text(text)));
            }
        }
        if !self.wanted.is_empty() {
            let wanted = core::mem::take(&mut self.wanted);
            return Ok(Some(Piece::Tools(wanted.into_values().collect())));
        }
        Ok(self.tokens.take().map(Piece::Tokens))
    }

    /// The next of the stream. Chunks that come at once, or without a word, have no more time either.
    async fn chunk(&mut self) -> Result<Option<Chunk>, ModelFault> {
        let now = time::Instant::now();
        if now >= self.until {
            return Err(ModelFault::Endless);
        }
        let silent = now + PATIENCE;
        let until = silent.min(self.until);
        let fault = if silent < self.until { ModelFault::Silent } else { ModelFault::Endless };
        timeout_at(until, self.stream.next()).await.map_err(|_| fault)
    }

    fn grow(&mut self, bytes: usize) -> Result<(), ModelFault> {
        self.bytes += bytes;
        if self.bytes > MOST_BYTES { Err(ModelFault::Endless) } else { Ok(()) }
    }

    fn add(&mut self, part: ChatCompletionMessageToolCallChunk) -> Result<(), ModelFault> {
        let (id, function) = (part.id.unwrap_or_default(), part.function);
        let (name, arguments) = function.map_or((None, None), |function| (function.name, function.arguments));
        let (name, arguments) = (name.unwrap_or_default(), arguments.unwrap_or_default());
        self.grow(id.len() + name.len() + arguments.len())?;
        let wanted = self.wanted.entry(part.index).or_default();
        wanted.id.push_str(&id);
        wanted.name.push_str(&name);
        wanted.arguments.push_str(&arguments);
        if self.wanted.len() > MOST_TOOLS { Err(ModelFault::TooManyTools) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use futures::stream;
    use serde_json::{Value, json};

    use super::*;

    /// A reply of these deltas, over and over.
    fn endless(delta: Value, until: time::Instant) -> Reply {
        let chunk = json!({"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "small",
            "choices": [{"index": 0, "delta": delta}]});
        let chunk: CreateChatCompletionStreamResponse = serde_json::from_value(chunk).unwrap();
        let stream = Box::pin(stream::repeat_with(move || Chunk::Ok(chunk.clone())));
        Reply::of(stream, until, ModelMetrics::new(&global::meter("frontdesk")))
    }

    #[tokio::test]
    async fn a_reply_without_an_end_is_given_up_whether_it_says_nothing_or_too_much() {
        let now = time::Instant::now();
        let fault = endless(json!({}), now).next().await.unwrap_err();
        assert!(matches!(fault, ModelFault::Endless), "{fault}");
        let later = now + Duration::from_secs(3600);
        let arguments = json!({"tool_calls": [{"index": 0, "function": {"arguments": "x".repeat(1000)}}]});
        let fault = endless(arguments, later).next().await.unwrap_err();
        assert!(matches!(fault, ModelFault::Endless), "{fault}");
        let mut words = endless(json!({"content": "x".repeat(1000)}), later);
        let mut heard = 0;
        while words.next().await.is_ok() {
            heard += 1;
        }
        assert_eq!(heard, MOST_BYTES / 1000);
    }

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
