//! Callers of Twilio who are put through to a person, and those whom our own agent can't serve.

use proto::frontdesk::telemetry::internal::v1::CallFacts;
use tonic::Status;

use super::{
    conversation::{self, Instead},
    delivery::{CallEvent, Dialled, ToolCall},
    intake::{Intake, is_done},
    playbook::Language,
    twilio::{
        DIALLED,
        twiml::{Direction, Sentence},
    },
};

/// What the team reads of a caller whom no one answered.
const CALL_BACK: &str = "They asked for a person, and the call was not answered. Please call back.";
/// And of one whom our agent could not serve.
const UNSERVED: &str = "The agent could not take their call, or it broke off. Please call back.";

/// Has a number ring; Twilio tells at `action` what came of it.
pub fn dial(number: &str, action: &str) -> String {
    dial_after(None, number, action)
}

fn dial_after(first: Option<Sentence<'_>>, number: &str, action: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair(DIALLED, number).finish();
    Direction::Dial { first, number, action: &format!("{action}?{query}") }.to_xml()
}

/// What follows: nothing after a conversation, else the team is asked to call back. Then there is an answer whatever is
/// away.
///
/// # Errors
/// If a conversation can't be recorded.
pub async fn dialled(intake: &Intake, event: CallEvent, came_to: Dialled) -> Result<String, Status> {
    let (key, facts) = (event.key.clone(), event.facts.clone());
    let waits = match came_to {
        Dialled::Answered => {
            intake.record(event).await?;
            return Ok(Direction::HangUp.to_xml());
        }
        Dialled::NotAnswered { waits } => waits,
    };
    let playbook = intake.playbook(&facts.platform_call_id).await.ok();
    let language = playbook.map_or(Language::English, |playbook| playbook.language);
    let is_told = leave_message(intake, &key, facts, CALL_BACK).await;
    // Recorded behind the message, so that the end of the call leaves no other. The caller hears it even while the
    // record is away.
    intake.record_or_later(event).await;
    if !waits {
        return Ok(Direction::HangUp.to_xml());
    }
    Ok(say(conversation::no_answer(language, is_told), language))
}

/// What a caller hears whom our own agent can't serve, instead of nothing: that another telephone rings, or that the
/// team calls back. `key` names what was told of it. Whatever is away, there is an answer.
pub async fn unserved(intake: &Intake, key: &str, facts: CallFacts, waits: bool, action: &str) -> String {
    let playbook = intake.playbook(&facts.platform_call_id).await.ok();
    let language = playbook.as_ref().map_or(Language::English, |playbook| playbook.language);
    let number = playbook.as_ref().and_then(|playbook| playbook.transfer.as_deref()).filter(|_| waits);
    if let Some(number) = number {
        let text = conversation::unserved(language, Instead::PutThrough);
        return dial_after(Some(Sentence { text, language: language.tag() }), number, action);
    }
    let is_told = leave_message(intake, key, facts, UNSERVED).await;
    if !waits {
        return Direction::HangUp.to_xml();
    }
    let instead = if is_told { Instead::CalledBack } else { Instead::Nothing };
    say(conversation::unserved(language, instead), language)
}

/// Whether the team has a message, where the salon takes any.
async fn leave_message(intake: &Intake, key: &str, facts: CallFacts, text: &str) -> bool {
    match intake.answer(ToolCall::message(format!("{key}:message"), facts, text)).await {
        Ok(answer) => is_done(&answer),
        Err(status) => {
            tracing::warn!(%status, "the team was not told of a caller to call back");
            false
        }
    }
}

fn say(text: &str, language: Language) -> String {
    Direction::Say(Sentence { text, language: language.tag() }).to_xml()
}
