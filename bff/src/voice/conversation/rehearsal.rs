//! A conversation with a person who tries the agent in text: its tools change nothing, and all that it has come to is
//! carried by the page from turn to turn, so that any replica answers the next one.

use core::time::Duration;
use std::sync::Arc;

use async_openai::types::chat::ChatCompletionRequestMessage;
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::{sync::mpsc, time::timeout};
use tokio_util::sync::CancellationToken;

use super::{Conversation, Hands, MOST_ROUNDS, Round, Utterance, guard::Guard, instructions, memory::Memory};
use crate::voice::{
    agent::Agent,
    model::{Model, ModelFault, Wanted},
    playbook::Playbook,
    tools::{self, Agreement, Answer, Desk, DryRun, Overlay, Tool, Writing},
};

/// A turn with all its tools; more silence than this, no one waits for.
pub(super) const LONGEST_TURN: Duration = Duration::from_secs(60);
/// A replay of a long call with all its turns.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// Parts of a turn that wait to be sent.
const WAITING: usize = 64;

/// What a chat has come to.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Carried {
    /// What was said and done, but for the instructions.
    messages: Vec<ChatCompletionRequestMessage>,
    guard: Guard,
    overlay: Overlay,
    prompts: u32,
    tokens: u32,
}

impl Carried {
    /// Whether it is what a chat comes to: no one but the salon instructs the model.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let instructs = |message: &ChatCompletionRequestMessage| {
            !matches!(
                message,
                ChatCompletionRequestMessage::Assistant(_)
                    | ChatCompletionRequestMessage::User(_)
                    | ChatCompletionRequestMessage::Tool(_)
            )
        };
        self.overlay.fits() && !self.messages.iter().any(instructs)
    }
}

/// What a turn comes to, bit by bit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The agent says or does something.
    Utterance(Utterance),
    /// The chat goes on from here, even when the rest of the turn is not waited for.
    Carried(String),
    /// The turn is over.
    Over,
    /// There is no reply.
    Failed(Failed),
}

/// Why there is no reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// The model said nothing for too long.
    Silent,
    /// It refused, or broke off.
    Refused,
    /// The chat is as long as one may be.
    TooLong,
    /// The call goes on, but its replay does not.
    CutShort,
}

/// The tools of a chat.
#[derive(Debug)]
pub struct Rehearsal {
    /// With the rights of who tries it.
    agent: Agent,
    run: DryRun,
    /// The number that the caller is taken to call from.
    caller_number: Option<String>,
    playbook: Arc<Playbook>,
    /// A past moment that tools work in; `None` is now.
    pub(super) as_of: Option<Timestamp>,
}

impl Hands for Rehearsal {
    async fn run(&mut self, wanted: &Wanted, arguments: Map<String, Value>) -> String {
        let Some(tool) = Tool::named(&wanted.name) else {
            return Answer::no_such_tool(self.playbook.language).to_json();
        };
        let agent = self.agent.rested();
        let desk = Desk {
            now: self.as_of.unwrap_or(agent.now()).to_zoned(self.playbook.zone.clone()),
            as_of: self.as_of,
            agent,
            call_id: String::new(),
            agreement: Agreement::Guarded,
            customer_number: self.caller_number.clone(),
            writing: Writing::Dry(self.run.clone()),
            may: self.playbook.may,
            hands_over_to: self.playbook.transfer.clone(),
            language: self.playbook.language,
        };
        tools::run(tool, &desk, arguments).await.to_json()
    }
}

/// What a person says in a chat.
#[derive(Debug, Clone)]
pub struct Said {
    /// The words.
    pub text: String,
    /// What they saw of the turn that they interrupted, since it was carried last.
    pub heard: Option<String>,
    /// The number that they call from, E.164.
    pub caller_number: Option<String>,
}

impl Conversation<Rehearsal> {
    /// A chat that goes on from what was carried; a new one where nothing was.
    pub fn resume(
        model: Model,
        agent: Agent,
        playbook: Arc<Playbook>,
        carried: Option<Carried>,
        caller_number: Option<String>,
    ) -> Self {
        let now: Zoned = agent.now().to_zoned(playbook.zone.clone());
        let is_first = carried.is_none();
        let Carried { messages, guard, overlay, prompts, tokens } = carried.unwrap_or_default();
        let hands = Rehearsal {
            agent,
            run: DryRun::resumed(overlay),
            caller_number,
            playbook: playbook.clone(),
            as_of: None,
        };
        let mut chat = Self::begin(model, hands, playbook, &now, LONGEST);
        if !is_first {
            let instructions = instructions::instructions(&chat.playbook, &now);
            chat.memory = Memory::resume(&instructions, messages);
        }
        (chat.guard, chat.prompts, chat.tokens) = (guard, prompts, tokens);
        chat
    }

    /// Answers what was said, part by part, until it is `cut`.
    pub async fn turn(mut self, said: Said, parts: mpsc::Sender<Part>, cut: CancellationToken) {
        if let Some(heard) = said.heard.filter(|heard| !heard.trim().is_empty()) {
            self.memory.say(&format!("{}…", heard.trim()));
        }
        self.hear(&said.text);
        let last = match self.is_too_long() {
            true => Part::Failed(Failed::TooLong),
            false => {
                let _ = parts.send(self.carried()).await;
                match timeout(LONGEST_TURN, self.rounds(&parts, &cut)).await {
                    Ok(Ok(())) => Part::Over,
                    Ok(Err(fault)) => Part::Failed(failed(&fault)),
                    Err(_) => Part::Failed(Failed::Silent),
                }
            }
        };
        if last == Part::Over {
            let _ = parts.send(self.carried()).await;
        }
        let _ = parts.send(last).await;
    }

    pub(super) async fn rounds(
        &mut self,
        parts: &mpsc::Sender<Part>,
        cut: &CancellationToken,
    ) -> Result<(), ModelFault> {
        for _ in 0..MOST_ROUNDS {
            let (speak, mut spoken) = mpsc::channel(WAITING);
            let chat = &mut *self;
            // It takes the sender with it: what it says ends with it.
            let round = async move { chat.round(&speak, cut).await };
            let passing = async {
                while let Some(utterance) = spoken.recv().await {
                    let _ = parts.send(Part::Utterance(utterance)).await;
                }
            };
            let (round, ()) = tokio::join!(round, passing);
            match round? {
                Round::Said => return Ok(()),
                Round::Used if cut.is_cancelled() => return Ok(()),
                Round::Used => {
                    let _ = parts.send(self.carried()).await;
                }
            }
        }
        Err(ModelFault::TooManyTools)
    }

    fn carried(&self) -> Part {
        let carried = Carried {
            messages: self.memory.said(),
            guard: self.guard.clone(),
            overlay: self.hands.run.overlay(),
            prompts: self.prompts,
            tokens: self.tokens,
        };
        Part::Carried(serde_json::to_string(&carried).expect("what is carried is JSON"))
    }
}

pub(super) fn failed(fault: &ModelFault) -> Failed {
    tracing::warn!(error = %fault, "the agent's model gave no reply in a chat");
    match fault {
        ModelFault::Silent => Failed::Silent,
        ModelFault::TooManyTools | ModelFault::Endless | ModelFault::Failed(_) => Failed::Refused,
    }
}
