//! A conversation with a caller: its tools change what is booked, and all of it is on record.

use proto::{
    error::Reason,
    frontdesk::telemetry::{internal::v1::CallFacts, v1::CallState},
};
use serde_json::{Map, Value, json};
use tokio::{sync::mpsc, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::{
    Conversation, Hands, Utterance,
    phrases::{self, Afterwards, Farewell},
};
use crate::voice::{
    delivery::{CallEvent, ToolCall},
    field::hash,
    intake::{Intake, is_done, is_fault},
    model::{ModelFault, Wanted},
    playbook::Language,
    tools::{Answer, Refused, TRANSFER_TO, Tool, asks_to_confirm},
};

/// A caller who hears "I'm sorry" more often than this is better served by a person.
const MOST_FAILURES: u32 = 2;

/// What follows a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// The caller speaks.
    Listen,
    /// The call ends.
    HangUp,
    /// The caller goes on with a person at this number.
    HandOver(String),
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
    /// The version of the agent's settings that the call runs on.
    pub agent_version: i32,
    /// What the conversation is in.
    pub language: Language,
}

impl Line {
    /// What the record of the call has of it.
    pub fn facts(&self) -> CallFacts {
        CallFacts {
            platform_call_id: self.platform_call_id.clone(),
            platform: self.platform.to_owned(),
            state: CallState::Live.into(),
            from_number: self.from.clone().unwrap_or_default(),
            to_number: self.to.clone().unwrap_or_default(),
            agent_version: self.agent_version,
            ..CallFacts::default()
        }
    }
}

/// The tools of a call, each on record.
#[derive(Debug)]
pub struct Telephone {
    intake: Intake,
    line: Line,
    /// Replies in a row that never came.
    failures: u32,
    /// Names the next tool call and the next record.
    count: u32,
    /// The number that the line is handed over to at the end of the turn.
    hands_over_to: Option<String>,
    /// The caller has spoken since something was last done for them.
    is_open: bool,
}

impl Telephone {
    pub fn new(intake: Intake, line: Line) -> Self {
        Self { intake, line, failures: 0, count: 0, hands_over_to: None, is_open: false }
    }

    fn tool_call(&mut self, wanted: &Wanted, arguments: Map<String, Value>) -> ToolCall {
        self.count += 1;
        let call = &self.line.platform_call_id;
        ToolCall {
            key: format!("{call}:tool:{}:{}", self.session_key(), self.count),
            id: wanted.id.clone(),
            facts: self.line.facts(),
            name: wanted.name.clone(),
            arguments,
            customer_number: self.line.from.clone(),
        }
    }

    /// Of a length that keys hold.
    fn session_key(&self) -> String {
        hash(self.line.session.as_bytes())
    }
}

impl Hands for Telephone {
    async fn run(&mut self, wanted: &Wanted, arguments: Map<String, Value>) -> String {
        let body = json!({"tool": wanted.name, "arguments": arguments}).to_string();
        let call = self.tool_call(wanted, arguments);
        let language = self.line.language;
        let tool = Tool::named(&wanted.name);
        let answer = self.intake.renewed(body.into()).answer(call).await;
        let answer = answer.unwrap_or_else(|status| {
            let refused = match tool {
                Some(Tool::TakeMessage) if is_fault(&status) => {
                    Refused::new(Reason::Unavailable, phrases::not_passed_on(language))
                }
                _ => status.into(),
            };
            Answer::refused(refused, language).to_json()
        });
        let told: Map<String, Value> = serde_json::from_str(&answer).unwrap_or_default();
        if tool == Some(Tool::TransferCall) {
            self.hands_over_to = told.get(TRANSFER_TO).and_then(Value::as_str).map(str::to_owned);
        }
        if tool.is_some_and(Tool::settles) && is_done(&answer) && !asks_to_confirm(&told) {
            self.is_open = false;
        }
        answer
    }
}

impl Conversation<Telephone> {
    /// Answers what the caller said, word by word into `speak`, until it is `cut`.
    pub async fn answer(
        &mut self,
        said: &str,
        speak: mpsc::Sender<Utterance>,
        cut: &CancellationToken,
    ) -> Next {
        self.hear(said);
        self.hands.is_open = true;
        if self.is_too_long() {
            return self.leave(Farewell::TooLong, &speak).await;
        }
        self.hands.hands_over_to = None;
        match (self.respond(&speak, cut).await, self.hands.hands_over_to.take()) {
            (Ok(()), number) => {
                self.hands.intake.metrics().turned(true);
                self.hands.failures = 0;
                number.map_or(Next::Listen, Next::HandOver)
            }
            // The caller waits for a person, and hears it from us where the model is silent.
            (Err(fault), Some(number)) => {
                tracing::warn!(error = %fault, "the agent's model said nothing before it handed a call over");
                self.say(phrases::putting_through(self.playbook.language), &speak).await;
                Next::HandOver(number)
            }
            (Err(fault), None) => self.failed(&fault, &speak).await,
        }
    }

    /// The caller spoke into the agent's turn: only so much of it was heard.
    pub fn cut_short(&mut self, heard: &str) {
        self.hands.intake.metrics().interrupted();
        self.interrupted(heard);
    }

    /// Says goodbye to a caller who may be silent, since the call's time is up or the process can wait no longer.
    pub async fn close(&mut self, why: Farewell, speak: mpsc::Sender<Utterance>) -> Next {
        self.leave(why, &speak).await
    }

    /// What the record of the call gets now: all that was said, but for a turn that may still be cut.
    pub fn record(&mut self, over: bool) -> Record {
        let turns = if over { self.memory.turns() } else { self.memory.settled() };
        let Telephone { intake, line, count, .. } = &mut self.hands;
        *count += 1;
        let body = json!({"session": line.session, "record": count, "over": over}).to_string();
        let intake = intake.renewed(body.into());
        let facts = CallFacts { turns, ..line.facts() };
        let (call, session, count) =
            (&self.hands.line.platform_call_id, self.hands.session_key(), self.hands.count);
        let key = format!("{call}:said:{session}:{count}");
        Record { intake, event: CallEvent { key, facts, ended: false } }
    }

    async fn failed(&mut self, fault: &ModelFault, speak: &mpsc::Sender<Utterance>) -> Next {
        self.hands.intake.metrics().turned(false);
        self.hands.failures += 1;
        let failures = self.hands.failures;
        tracing::warn!(error = %fault, failures, "the agent's model gave no reply");
        if failures >= MOST_FAILURES {
            return self.leave(Farewell::Trouble, speak).await;
        }
        self.say(phrases::sorry(self.playbook.language), speak).await;
        Next::Listen
    }

    /// Ends the call with a message to the salon where it takes any, so that every caller has an answer; a call that has
    /// lasted its time needs none once all is done. A call back is promised only once the message is there.
    async fn leave(&mut self, why: Farewell, speak: &mpsc::Sender<Utterance>) -> Next {
        let afterwards = if why == Farewell::TooLong && !self.hands.is_open {
            Afterwards::Done
        } else if self.playbook.may.take_messages && self.leave_message().await {
            Afterwards::CalledBack
        } else {
            Afterwards::CallAgain
        };
        let words = phrases::farewell(why, self.playbook.language, afterwards);
        self.say(&words, speak).await;
        Next::HangUp
    }

    /// Whether the salon has the message.
    async fn leave_message(&mut self) -> bool {
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
        is_done(&self.use_tool(&wanted).await)
    }
}

/// What is to be kept of a conversation at some moment.
#[derive(Debug)]
pub struct Record {
    intake: Intake,
    event: CallEvent,
}

impl Record {
    /// Keeps it behind what follows. Each holds all of the transcript so far, so one that is lost is made good by the next.
    pub fn keep(self) -> JoinHandle<()> {
        self.intake.record_behind(self.event)
    }
}
