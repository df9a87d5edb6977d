//! A conversation that our own agent holds: what was said so far, what the model says next, and the tools it uses on
//! the way. It knows neither socket nor page: what carries the words calls it turn by turn.

mod guard;
mod instructions;
mod memory;
mod phrases;
mod rehearsal;
mod replay;
mod telephone;

use core::time::Duration;
use std::sync::Arc;

use jiff::Zoned;
use serde_json::{Map, Value};
use tokio::{sync::mpsc, time::Instant};
use tokio_util::sync::CancellationToken;

use self::{guard::Guard, memory::Memory};
use super::{
    model::{Model, ModelFault, Piece, Wanted},
    playbook::Playbook,
    tools::{Answer, Refused, Tool},
};

pub use phrases::{Farewell, Instead, no_answer, unserved};
pub use rehearsal::{Carried, Failed, Part, Rehearsal, Said};
pub use replay::{PastCall, PastTool, PastWords, ReplayPart};
pub use telephone::{Line, Next, Telephone};

/// Uses of tools, one after the other, before the caller hears something.
const MOST_ROUNDS: usize = 6;
/// Sentences of a caller in one call.
const MOST_PROMPTS: u32 = 120;
/// Tokens of one call, prompts included.
const MOST_TOKENS: u32 = 400_000;
/// More of a caller's words than anyone says in one breath.
const LONGEST_PROMPT: usize = 2_000;

/// What the tools of a conversation work with.
pub trait Hands: Send {
    /// Runs a tool and answers in JSON.
    fn run(&mut self, wanted: &Wanted, arguments: Map<String, Value>) -> impl Future<Output = String> + Send;
}

/// What the agent does in its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Utterance {
    /// Says some words.
    Words(String),
    /// Begins to use a tool.
    Uses(Wanted),
    /// Has an answer of it.
    Used {
        /// JSON.
        result: String,
        /// How long it took.
        elapsed: Duration,
    },
}

/// A conversation under way.
#[derive(Debug)]
pub struct Conversation<H> {
    model: Model,
    hands: H,
    playbook: Arc<Playbook>,
    memory: Memory,
    guard: Guard,
    began: Instant,
    /// How long it lasts.
    longest: Duration,
    /// Tokens spent.
    tokens: u32,
    prompts: u32,
}

impl<H: Hands> Conversation<H> {
    /// A conversation in which the agent has said its greeting. What is heard after `longest` ends it.
    pub fn begin(model: Model, hands: H, playbook: Arc<Playbook>, now: &Zoned, longest: Duration) -> Self {
        let memory = Memory::begin(&instructions::instructions(&playbook, now), &playbook.greeting);
        let (began, guard) = (Instant::now(), Guard::default());
        Self { model, hands, playbook, memory, guard, began, longest, tokens: 0, prompts: 0 }
    }

    /// The caller spoke.
    fn hear(&mut self, said: &str) {
        self.prompts += 1;
        self.guard.next_turn();
        let said: String = said.chars().filter(|c| !c.is_control()).take(LONGEST_PROMPT).collect();
        self.memory.hear(&said);
    }

    /// Answers what was heard, word by word into `speak`, until it is `cut`.
    async fn respond(
        &mut self,
        speak: &mpsc::Sender<Utterance>,
        cut: &CancellationToken,
    ) -> Result<(), ModelFault> {
        for _ in 0..MOST_ROUNDS {
            match self.round(speak, cut).await? {
                Round::Said => return Ok(()),
                Round::Used if cut.is_cancelled() => return Ok(()),
                Round::Used => {}
            }
        }
        Err(ModelFault::TooManyTools)
    }

    /// The caller spoke before the agent was done: only so much of its turn was heard.
    pub fn interrupted(&mut self, heard: &str) {
        self.memory.cut(heard);
    }

    /// When its time is up.
    pub fn ends_at(&self) -> Instant {
        self.began + self.longest
    }

    fn is_too_long(&self) -> bool {
        self.prompts > MOST_PROMPTS || self.tokens > MOST_TOKENS || Instant::now() >= self.ends_at()
    }

    async fn round(
        &mut self,
        speak: &mpsc::Sender<Utterance>,
        cut: &CancellationToken,
    ) -> Result<Round, ModelFault> {
        let may = self.playbook.may;
        let permitted = Tool::ALL.into_iter().filter(|tool| tool.is_permitted(may));
        let tools = permitted.map(memory::tool).collect();
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
                    self.memory.begins_to_speak();
                    text.push_str(&more);
                    // Who carries the words is gone; what was begun is still finished.
                    let _ = speak.send(Utterance::Words(more)).await;
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
                self.use_tools(text, wanted, speak).await;
                Ok(Round::Used)
            }
            None => {
                self.memory.say(&text);
                Ok(Round::Said)
            }
        }
    }

    /// Runs each tool to its end, even when the caller speaks meanwhile: what is done must be known.
    async fn use_tools(&mut self, text: String, wanted: Vec<Wanted>, speak: &mpsc::Sender<Utterance>) {
        let mut results = Vec::with_capacity(wanted.len());
        for wanted in wanted {
            let _ = speak.send(Utterance::Uses(wanted.clone())).await;
            let began = Instant::now();
            let result = self.use_tool(&wanted).await;
            let _ = speak.send(Utterance::Used { result: result.clone(), elapsed: began.elapsed() }).await;
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
            let refused = Refused::malformed("the arguments are no JSON object");
            return Answer::refused(refused, self.playbook.language).to_json();
        };
        let arguments = match self.guard.admit(Tool::named(&wanted.name), arguments, self.playbook.language) {
            Ok(arguments) => arguments,
            Err(refused) => return Answer::refused(refused, self.playbook.language).to_json(),
        };
        let answer = self.hands.run(wanted, arguments.clone()).await;
        self.guard.learn(Tool::named(&wanted.name), &arguments, &answer);
        answer
    }

    async fn say(&mut self, words: &str, speak: &mpsc::Sender<Utterance>) {
        self.memory.begins_to_speak();
        let _ = speak.send(Utterance::Words(words.to_owned())).await;
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
