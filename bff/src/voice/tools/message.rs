//! `take_message`: something for the salon to see to, in its follow-ups.

use proto::frontdesk::tenancy::v1::CreateFollowUpRequest;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    answer::{Answer, Refused},
    desk::Desk,
    read, said,
};

/// Follow-ups hold 2,000; the name stands before the message.
const LONGEST: usize = 1_800;
const LONGEST_NAME: usize = 100;

#[derive(Deserialize)]
struct Message {
    message: Option<String>,
    name: Option<String>,
    phone: Option<String>,
    customer_id: Option<String>,
}

/// Keeps what the caller wants the salon to know.
pub async fn take(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Message = read(arguments)?;
    let speech = desk.speech();
    let text = said(arguments.message.as_deref()).ok_or_else(|| {
        Refused::ask(speech.pick("What would you like me to pass on?", "Was darf ich ausrichten?"))
    })?;
    let customer_id = said(arguments.customer_id.as_deref()).unwrap_or_default();
    let phone = said(arguments.phone.as_deref()).or(desk.customer_number.as_deref());
    let message = CreateFollowUpRequest {
        business_id: desk.business_id(),
        text: written(text, said(arguments.name.as_deref())),
        customer_id: customer_id.to_owned(),
        phone: phone.unwrap_or_default().to_owned(),
        call_id: desk.call_id.clone(),
        ..CreateFollowUpRequest::default()
    };
    let kept = desk.create_follow_up(message).await?;
    let follow_up = kept.follow_up.ok_or_else(|| Refused::empty("follow-up"))?;
    let say = match phone.is_some() {
        true => speech.pick(
            "I've passed that on to the team. They'll call you back.",
            "Ich habe es dem Team ausgerichtet. Sie werden zurückgerufen.",
        ),
        false => speech.pick("I've passed that on to the team.", "Ich habe es dem Team ausgerichtet."),
    };
    Ok(Answer::done(say).with("follow_up_id", follow_up.id.as_str()).took_message())
}

/// The message, with who left it.
fn written(text: &str, name: Option<&str>) -> String {
    let text: String = text.chars().filter(|c| !c.is_control() || *c == '\n').take(LONGEST).collect();
    match name {
        Some(name) => {
            let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
            format!("{name}: {text}")
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_who_left_it_and_fits() {
        assert_eq!(written("I'm late", Some("Ana")), "Ana: I'm late");
        assert_eq!(written("I'm\u{0} late", None), "I'm late");
        let long = written(&"é".repeat(5_000), Some(&"n".repeat(500)));
        assert!(long.chars().count() <= 2_000);
    }
}
