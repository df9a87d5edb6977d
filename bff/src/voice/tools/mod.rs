//! What the agent can do: ordinary calls of the services, answered in words.

mod agreement;
mod answer;
mod booking;
mod changes;
mod customers;
mod day;
mod desk;
mod dry_run;
mod hours;
mod message;
mod names;
mod offers;
mod search;
mod services;
mod speech;
mod transfer;
mod unseen;
mod visit;
mod visits;
mod waitlist;
mod writing;

pub use agent_tools::Tool;
use proto::error::Reason;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use agreement::{Agreement, CONFIRMED, asks_to_confirm, is_question};
pub use answer::{Answer, Refused};
pub use desk::Desk;
pub use dry_run::{DryRun, Overlay};
pub use transfer::TO as TRANSFER_TO;
pub use writing::Writing;

/// Does what a tool says, or says why not.
pub async fn run(tool: Tool, desk: &Desk, arguments: Map<String, Value>) -> Answer {
    if !tool.is_permitted(desk.may) {
        return Answer::refused(not_permitted(desk), desk.language);
    }
    let answer = match tool {
        Tool::FindCustomer => customers::find(desk, arguments).await,
        Tool::CreateCustomer => customers::create(desk, arguments).await,
        Tool::ListServices => services::list(desk, arguments).await,
        Tool::SearchAvailability => search::search(desk, arguments).await,
        Tool::HoldSlot => booking::hold(desk, arguments).await,
        Tool::BookAppointment => booking::book(desk, arguments).await,
        Tool::FindAppointments => visits::find(desk, arguments).await,
        Tool::MoveAppointment => visits::reschedule(desk, arguments).await,
        Tool::CancelAppointment => visits::cancel(desk, arguments).await,
        Tool::JoinWaitlist => waitlist::join(desk, arguments).await,
        Tool::OpeningHours => hours::tell(desk, arguments).await,
        Tool::TakeMessage => message::take(desk, arguments).await,
        Tool::TransferCall => transfer::transfer(desk),
    };
    answer.unwrap_or_else(|refused| {
        let takes_message = tool != Tool::TakeMessage && desk.may.take_messages;
        let refused = if takes_message { refused.or_message(desk.language) } else { refused };
        Answer::refused(refused, desk.language)
    })
}

/// The salon has switched it off.
fn not_permitted(desk: &Desk) -> Refused {
    let speech = desk.speech();
    let instead = match desk.may.take_messages {
        true => speech.pick("Shall I take a message for the team?", "Soll ich dem Team etwas ausrichten?"),
        false => speech.pick(
            "Please ask the team when you call in the opening hours.",
            "Bitte fragen Sie das Team während der Öffnungszeiten.",
        ),
    };
    let sorry = speech.pick(
        "I'm sorry, I can't do that on the telephone.",
        "Das kann ich am Telefon leider nicht für Sie tun.",
    );
    Refused::new(Reason::RoleTooLow, format!("{sorry} {instead}"))
        .with("detail", "the salon does not let its agent do this")
}

/// Reads a tool's arguments.
fn read<T: DeserializeOwned>(mut arguments: Map<String, Value>) -> Result<T, Refused> {
    arguments.values_mut().for_each(drop_lost_characters);
    serde_json::from_value(Value::Object(arguments)).map_err(|error| Refused::malformed(error.to_string()))
}

/// Services refuse U+FFFD, which stands for a character that was lost: the caller can't write it anew.
fn drop_lost_characters(value: &mut Value) {
    match value {
        Value::String(text) if text.contains(char::REPLACEMENT_CHARACTER) => {
            *text = text.replace(char::REPLACEMENT_CHARACTER, "");
        }
        Value::Array(values) => values.iter_mut().for_each(drop_lost_characters),
        Value::Object(fields) => fields.values_mut().for_each(drop_lost_characters),
        _ => {}
    }
}

/// Agents send "" for what they were not told.
fn said(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Deserialize)]
    struct Wanted {
        name: String,
        services: Vec<String>,
    }

    #[test]
    fn what_a_platform_decoded_wrongly_is_read_without_the_lost_characters() {
        let sent = json!({ "name": "Zo\u{FFFD} Ash", "services": ["f\u{FFFD}rben"] });
        let Value::Object(arguments) = sent else { panic!("an object") };
        let read: Wanted = read(arguments).unwrap();
        assert_eq!((read.name.as_str(), read.services), ("Zo Ash", vec!["frben".to_owned()]));
    }
}
