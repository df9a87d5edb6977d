//! A telephone conversation that our own agent holds: what was said so far, what the model says next, and the tools
//! it uses on the way. It knows no socket: the session that carries the words calls it turn by turn.

mod guard;
mod instructions;
mod memory;

use core::time::Duration;

use proto::frontdesk::telemetry::{internal::v1::CallFacts, v1::CallState};
use serde_json::{Map, Value, json};
use tokio::{sync::mpsc, time::Instant};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use self::{guard::Guard, memory::Memory};
use super::{
    delivery::{CallEvent, ToolCall, hash},
    intake::Intake,
    model::{Model, ModelFault, Piece, Wanted},
    tools::{Answer, Refused, Tool},
};

pub use instructions::Salon;

/// Uses of tools, one after the other, before the caller hears something.
const MOST_ROUNDS: usize = 6;
/// Sentences of a caller in one call.
const MOST_PROMPTS: u32 = 120;
/// Tokens of one call, prompts included.
const MOST_TOKENS: u32 = 400_000;
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// A caller who hears "I'm sorry" more often than this is better served by a person.
const MOST_FAILURES: u32 = 2;
/// More of a caller's words than anyone says in one breath.
const LONGEST_PROMPT: usize = 2_000;

const SORRY: &str = "I'm sorry, I didn't catch that. Could you say it again?";
const GIVE_UP: &str = "I'm sorry, I'm having trouble today. I've asked the team to call you back. Goodbye.";
const TOO_LONG: &str =
    "I'm sorry, I have to end our call here. I've asked the team to call you back. Goodbye.";
const CLOSING: &str =
    "I'm very sorry, I have to end our call. I've asked the team to call you back. Goodbye.";

/// What follows a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The caller speaks.
    Listen,
    /// The call ends.
    HangUp,
}

/// Who is on the line, and by which name the platform knows the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The platform's id of the call.
    pub platform_call_id: String,
    /// The platform.
    pub platform: &'static str,
    /// This conversation, among those of the call.
    pub session: String,
    /// The caller's number; `None` when withheld.
    pub from: Option<String>,
    /// The salon's.
    pub to: Option<String>,
}

/// A conversation under way.
#[derive(Debug)]
pub struct Conversation {
    model: Model,
    intake: Intake,
    line: Line,
    memory: Memory,
    guard: Guard,
    began: Instant,
    /// Tokens spent.
    tokens: u32,
    prompts: u32,
    /// Replies in a row that never came.
    failures: u32,
    /// Names the next tool call and the next record.
    count: u32,
}

impl Conversation {
    /// A conversation in which the agent has said its greeting.
    pub fn begin(model: Model, intake: Intake, line: Line, salon: &Salon, greeting: &str) -> Self {
        let memory = Memory::begin(&salon.instructions(), greeting);
        let (began, guard) = (Instant::now(), Guard::default());
        Self { model, intake, line, memory, guard, began, tokens: 0, prompts: 0, failures: 0, count: 0 }
    }

    /// Answers what the caller said, word by word into `speak`, until it is `cut`.
    pub async fn answer(&mut self, said: &str, speak: mpsc::Sender<String>, cut: &CancellationToken) -> Next {
        let speak = &speak;
        self.prompts += 1;
        self.guard.next_turn();
        let said: String = said.chars().filter(|c| !c.is_control()).take(LONGEST_PROMPT).collect();
        self.memory.hear(&said);
        if self.is_too_long() {
            return self.leave(TOO_LONG, speak).await;
        }
        for _ in 0..MOST_ROUNDS {
            match self.round(speak, cut).await {
                Ok(Round::Said) => {
                    self.failures = 0;
                    return Next::Listen;
                }
                Ok(Round::Used) if cut.is_cancelled() => return Next::Listen,
                Ok(Round::Used) => {}
                Err(fault) => return self.failed(&fault, speak).await,
            }
        }
        self.failed(&ModelFault::TooManyTools, speak).await
    }

    /// The caller spoke before the agent was done: only so much of its turn was heard.
    pub fn interrupted(&mut self, heard: &str) {
        self.memory.cut(heard);
    }

    /// Says goodbye when the process can wait no longer, and leaves the salon a message.
    pub async fn close(&mut self, speak: mpsc::Sender<String>) -> Next {
        self.leave(CLOSING, &speak).await
    }

    /// What the record of the call gets now: all that was said, but for a turn that may still be cut.
    pub fn record(&mut self, over: bool) -> Record {
        self.count += 1;
        let turns = if over { self.memory.turns() } else { self.memory.settled() };
        let facts = CallFacts { turns, ..self.facts() };
        let body = json!({"session": self.line.session, "record": self.count, "over": over}).to_string();
        let key = format!("{}:said:{}:{}", self.line.platform_call_id, self.session_key(), self.count);
        Record { intake: self.intake.renewed(body.into()), event: CallEvent { key, facts, ended: false } }
    }

    fn is_too_long(&self) -> bool {
        self.prompts > MOST_PROMPTS || self.tokens > MOST_TOKENS || self.began.elapsed() > LONGEST
    }

    async fn round(
        &mut self,
        speak: &mpsc::Sender<String>,
        cut: &CancellationToken,
    ) -> Result<Round, ModelFault> {
        let tools = Tool::ALL.into_iter().map(memory::tool).collect();
        let mut reply = tokio::select! {
            reply = self.model.reply(self.memory.messages(), tools) => reply?,
            () = cut.cancelled() => return Ok(Round::Said),
        };
        let mut text = String::new();
        let mut used = None;
        loop {
            let piece = tokio::select! {
                biased;
                () = cut.cancelled() => break,
                piece = reply.next() => piece,
            };
            match piece {
                Ok(Some(Piece::Text(more))) => {
                    text.push_str(&more);
                    // Who carries the words is gone; what was begun is still finished.
                    let _ = speak.send(more).await;
                }
                Ok(Some(Piece::Tools(wanted))) => used = Some(wanted),
                Ok(Some(Piece::Tokens(tokens))) => self.tokens = self.tokens.saturating_add(tokens),
                Ok(None) => break,
                // What was said was heard, and is not said again.
                Err(fault) => {
                    self.memory.say(&text);
                    return Err(fault);
                }
            }
        }
        match used {
            Some(wanted) => {
                self.use_tools(text, wanted).await;
                Ok(Round::Used)
            }
            None => {
                self.memory.say(&text);
                Ok(Round::Said)
            }
        }
    }

    /// Runs each tool to its end, even when the caller speaks meanwhile: what is done must be known.
    async fn use_tools(&mut self, text: String, wanted: Vec<Wanted>) {
        let mut results = Vec::with_capacity(wanted.len());
        for wanted in wanted {
            let result = self.use_tool(&wanted).await;
            results.push((wanted, result));
        }
        self.memory.used(&text, results);
    }

    async fn use_tool(&mut self, wanted: &Wanted) -> String {
        let arguments: Option<Map<String, Value>> = match wanted.arguments.trim() {
            "" => Some(Map::new()),
            text => serde_json::from_str(text).ok(),
        };
        let Some(arguments) = arguments else {
            return Answer::refused(Refused::malformed("the arguments are no JSON object")).to_json();
        };
        let arguments = match self.guard.admit(Tool::named(&wanted.name), arguments) {
            Ok(arguments) => arguments,
            Err(refused) => return Answer::refused(refused).to_json(),
        };
        let body = json!({"tool": wanted.name, "arguments": arguments}).to_string();
        let call = self.tool_call(wanted, arguments.clone());
        let answer = self.intake.renewed(body.into()).answer(call).await;
        let answer = answer.unwrap_or_else(|status| Answer::refused(status.into()).to_json());
        self.guard.learn(Tool::named(&wanted.name), &arguments, &answer);
        answer
    }

    fn tool_call(&mut self, wanted: &Wanted, arguments: Map<String, Value>) -> ToolCall {
        self.count += 1;
        let call = &self.line.platform_call_id;
        ToolCall {
            key: format!("{call}:tool:{}:{}", self.session_key(), self.count),
            id: wanted.id.clone(),
            facts: self.facts(),
            name: wanted.name.clone(),
            arguments,
            customer_number: self.line.from.clone(),
        }
    }

    /// Of a length that keys hold.
    fn session_key(&self) -> String {
        hash(self.line.session.as_bytes())
    }

    fn facts(&self) -> CallFacts {
        CallFacts {
            platform_call_id: self.line.platform_call_id.clone(),
            platform: self.line.platform.to_owned(),
            state: CallState::Live.into(),
            from_number: self.line.from.clone().unwrap_or_default(),
            to_number: self.line.to.clone().unwrap_or_default(),
            ..CallFacts::default()
        }
    }

    async fn failed(&mut self, fault: &ModelFault, speak: &mpsc::Sender<String>) -> Next {
        self.failures += 1;
        tracing::warn!(error = %fault, failures = self.failures, "the agent's model gave no reply");
        if self.failures >= MOST_FAILURES {
            return self.leave(GIVE_UP, speak).await;
        }
        self.say(SORRY, speak).await;
        Next::Listen
    }

    /// Ends the call with a message to the salon, so that every caller has an answer.
    async fn leave(&mut self, words: &str, speak: &mpsc::Sender<String>) -> Next {
        let heard = self.memory.last_heard();
        let message = if heard.is_empty() {
            "The call had to end early. Please call back.".to_owned()
        } else {
            format!("The call had to end early. Please call back. They last said: {heard}")
        };
        let wanted = Wanted {
            id: "farewell".to_owned(),
            name: Tool::TakeMessage.name().to_owned(),
            arguments: json!({ "message": message }).to_string(),
        };
        self.use_tool(&wanted).await;
        self.say(words, speak).await;
        Next::HangUp
    }

    async fn say(&mut self, words: &str, speak: &mpsc::Sender<String>) {
        let _ = speak.send(words.to_owned()).await;
        self.memory.say(words);
    }
}

/// What a round of the model came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    /// The caller heard its end.
    Said,
    /// Tools were used, and it goes on.
    Used,
}

/// What is to be kept of a conversation at some moment.
#[derive(Debug, Clone)]
pub struct Record {
    intake: Intake,
    event: CallEvent,
}

impl Record {
    /// Keeps it. Each holds all of the transcript so far, so one that is lost is made good by the next.
    ///
    /// # Errors
    /// When telemetry does not take it.
    pub async fn keep(self) -> Result<(), Status> {
        self.intake.record(self.event).await
    }
}
