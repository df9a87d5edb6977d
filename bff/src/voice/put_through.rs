//! Callers of Twilio who are put through to a person, and what follows.

use serde_json::{Map, Value};
use tonic::Status;

use super::{
    conversation,
    delivery::{CallEvent, Dialled, ToolCall},
    intake::Intake,
    twilio::{DIALLED, twiml::Direction},
};

/// What the team reads of a caller whom no one answered.
const CALL_BACK: &str = "They asked for a person, and the call was not answered. Please call back.";

/// Has a number ring; Twilio tells at `action` what came of it.
pub fn dial(number: &str, action: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair(DIALLED, number).finish();
    Direction::Dial { number, action: &format!("{action}?{query}") }.to_xml()
}

/// What follows: nothing after a conversation, else the team is asked to call back.
pub async fn dialled(intake: &Intake, event: CallEvent, came_to: Dialled) -> Result<String, Status> {
    let (key, facts) = (event.key.clone(), event.facts.clone());
    intake.record(event).await?;
    let waits = match came_to {
        Dialled::Answered => return Ok(Direction::HangUp.to_xml()),
        Dialled::NotAnswered { waits } => waits,
    };
    let language = intake.playbook(&facts.platform_call_id).await?.language;
    let answer = intake.answer(ToolCall::message(format!("{key}:message"), facts, CALL_BACK)).await?;
    if !waits {
        return Ok(Direction::HangUp.to_xml());
    }
    let answer: Map<String, Value> = serde_json::from_str(&answer).unwrap_or_default();
    let text = conversation::no_answer(language, answer.get("ok") == Some(&Value::Bool(true)));
    Ok(Direction::Say { text, language: language.tag() }.to_xml())
}
