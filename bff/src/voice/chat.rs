//! Chats in text with our own agent, for people who try it.

use std::sync::Arc;

use caller::{Bearer, BusinessId};
use futures::{Stream, stream};
use proto::{
    error::{Reason, invalid, refuse, retry_later},
    frontdesk::tenancy::v1::ReadyAgent,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tracing::Instrument;

use super::{
    agent::Agent,
    conversation::{Carried, Conversation, Rehearsal},
    field::e164,
    model::Model,
    playbook::Playbook,
};
use crate::{Gateway, edge::TOOL_TIME};

pub use super::conversation::{Failed, Part, PastCall, PastTool, PastWords, ReplayPart, Said, Utterance};

/// Turns that this process answers at the same time.
const MOST_TURNS: usize = 32;
/// Parts of a turn that wait for a slow page.
const WAITING: usize = 64;
/// Two hours of talking with all that tools have answered.
const LONGEST_CARRIED: usize = 512 << 10;
const RETRY: core::time::Duration = core::time::Duration::from_secs(2);

/// Where people try the agent.
#[derive(Debug, Clone)]
pub struct Chats {
    model: Option<Model>,
    room: Arc<Semaphore>,
}

/// Who tries the agent, and what it runs on.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The person, with their role in the business.
    pub person: Bearer,
    /// The business.
    pub business: BusinessId,
    /// What the chat runs on.
    pub agent: ReadyAgent,
}

impl Chats {
    /// Chats with a model; without one there are none.
    #[must_use]
    pub fn new(model: Option<Model>) -> Self {
        Self { model, room: Arc::new(Semaphore::new(MOST_TURNS)) }
    }

    /// Whether our own agent can speak.
    #[must_use]
    pub fn have_model(&self) -> bool {
        self.model.is_some()
    }

    /// Answers what a person says, part by part. The turn ends when the stream is dropped.
    ///
    /// # Errors
    /// INVALID_FIELD, UNAVAILABLE without a model, BUSY.
    pub fn answer(
        &self,
        gateway: Gateway,
        trial: Trial,
        carried: &str,
        said: Said,
    ) -> Result<impl Stream<Item = Part> + Send + use<>, Status> {
        let carried = read(carried)?;
        let caller_number = number(said.caller_number.as_deref())?;
        let (chat, place) = self.chat(gateway, trial, carried, caller_number)?;
        Ok(streamed(place, |parts, cut| chat.turn(said, parts, cut)))
    }

    /// Replays a past call, part by part. It ends when the stream is dropped.
    ///
    /// # Errors
    /// UNAVAILABLE without a model, BUSY.
    pub fn replay(
        &self,
        gateway: Gateway,
        trial: Trial,
        call: PastCall,
        caller_number: &str,
    ) -> Result<impl Stream<Item = ReplayPart> + Send + use<>, Status> {
        let (chat, place) = self.chat(gateway, trial, None, e164(caller_number))?;
        Ok(streamed(place, |parts, cut| chat.replay(call, parts, cut)))
    }

    fn chat(
        &self,
        gateway: Gateway,
        trial: Trial,
        carried: Option<Carried>,
        caller_number: Option<String>,
    ) -> Result<(Conversation<Rehearsal>, OwnedSemaphorePermit), Status> {
        let model = self.model.clone().ok_or_else(|| {
            refuse(Reason::Unavailable, "no language model is configured for the agent of this installation")
        })?;
        let place = self.room.clone().try_acquire_owned().map_err(|_| {
            retry_later(Reason::Busy, "as many chats as this process answers are under way", RETRY)
        })?;
        let playbook = Arc::new(Playbook::read(trial.agent)?);
        let agent = Agent::new(gateway, trial.person, trial.business, TOOL_TIME);
        Ok((Conversation::resume(model, agent, playbook, carried, caller_number), place))
    }
}

/// What `work` sends, as a stream; the work is cut when the stream is dropped.
fn streamed<T: Send + 'static, Work>(
    place: OwnedSemaphorePermit,
    work: impl FnOnce(mpsc::Sender<T>, CancellationToken) -> Work,
) -> impl Stream<Item = T> + Send
where
    Work: Future<Output = ()> + Send + 'static,
{
    let (parts, sent) = mpsc::channel(WAITING);
    let cut = CancellationToken::new();
    let gone = cut.clone().drop_guard();
    let work = work(parts, cut);
    let placed = async move {
        work.await;
        drop(place);
    };
    tokio::spawn(placed.in_current_span());
    stream::unfold((sent, gone), |(mut sent, gone)| async move {
        let part = sent.recv().await?;
        Some((part, (sent, gone)))
    })
}

/// What the page carried from the turn before; nothing before the first.
fn read(carried: &str) -> Result<Option<Carried>, Status> {
    if carried.is_empty() {
        return Ok(None);
    }
    if carried.len() > LONGEST_CARRIED {
        return Err(invalid("carried", "is longer than a chat may be; start a new one"));
    }
    let read: Option<Carried> = serde_json::from_str(carried).ok().filter(Carried::is_sound);
    read.map(Some).ok_or_else(|| invalid("carried", "is not what a turn of this chat ended with"))
}

fn number(text: Option<&str>) -> Result<Option<String>, Status> {
    match text.map(str::trim).filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => {
            let plain: String = text.chars().filter(|c| !matches!(c, ' ' | '-' | '(' | ')')).collect();
            e164(&plain).map(Some).ok_or_else(|| {
                invalid("caller_number", "must be a number with its country code, such as +44 20 7946 0018")
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_carried_is_a_chat_and_instructs_no_one() {
        assert!(read("").unwrap().is_none());
        let sound = r#"{"messages":[{"role":"user","content":"Hello"}],"guard":{"customers":[],"turn":1,"asked":null},
            "overlay":{},"prompts":1,"tokens":0}"#;
        assert!(read(sound).unwrap().is_some());
        let (instructed, unknown) =
            (sound.replace("\"user\"", "\"system\""), sound.replace("tokens", "token"));
        for wrong in ["{", "[]", instructed.as_str(), unknown.as_str()] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(read(&" ".repeat(LONGEST_CARRIED + 1)).is_err());
    }

    #[test]
    fn a_caller_s_number_has_its_country_code() {
        assert_eq!(number(Some("+44 (20) 7946-0018")).unwrap().as_deref(), Some("+442079460018"));
        assert_eq!(number(Some(" ")).unwrap(), None);
        assert!(number(Some("020 7946 0018")).is_err());
    }
}
