//! Answers the agent can speak.

use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::v1::CallOutcome,
};
use serde_json::{Map, Value, json};
use tonic::{Code, Status};

use crate::voice::playbook::Language;

/// What a tool found or did, for the call's record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    pub customer_id: String,
    pub customer_name: String,
    pub appointment_id: String,
    pub outcome: CallOutcome,
}

/// What the agent is told: a sentence to say, and fields for its next tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Why it was refused; `None` when it was done.
    reason: Option<Reason>,
    say: String,
    fields: Map<String, Value>,
    touched: Touched,
}

/// A tool that can't do what it was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    reason: Reason,
    words: Words,
    fields: Map<String, Value>,
}

/// What a refusal says.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Words {
    /// This.
    Said(String),
    /// What the reason says, in the language of the call.
    OfReason,
    /// That the agent did not understand.
    Again,
}

impl Answer {
    /// Done, and the sentence that says so.
    pub fn done(say: impl Into<String>) -> Self {
        Self { reason: None, say: say.into(), fields: Map::new(), touched: Touched::default() }
    }

    /// With a field for the agent's next step.
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(field.to_owned(), value.into());
        self
    }

    /// It recognised this customer.
    pub fn about_customer(mut self, id: &str, name: &str) -> Self {
        id.clone_into(&mut self.touched.customer_id);
        name.clone_into(&mut self.touched.customer_name);
        self
    }

    /// It booked this appointment.
    pub fn booked(mut self, appointment_id: &str) -> Self {
        appointment_id.clone_into(&mut self.touched.appointment_id);
        self.touched.outcome = CallOutcome::Booked;
        self
    }

    /// It moved this appointment.
    pub fn moved(mut self, appointment_id: &str) -> Self {
        appointment_id.clone_into(&mut self.touched.appointment_id);
        self.touched.outcome = CallOutcome::Moved;
        self
    }

    /// It cancelled this appointment.
    pub fn cancelled(mut self, appointment_id: &str) -> Self {
        appointment_id.clone_into(&mut self.touched.appointment_id);
        self.touched.outcome = CallOutcome::Cancelled;
        self
    }

    /// It took a message.
    pub fn took_message(mut self) -> Self {
        self.touched.outcome = CallOutcome::Message;
        self
    }

    /// Not done, and the sentence that says why.
    pub fn refused(refused: Refused, language: Language) -> Self {
        let Refused { reason, words, fields } = refused;
        let say = match words {
            Words::Said(say) => say,
            Words::OfReason => sentence(reason, language).to_owned(),
            Words::Again => {
                let (english, german) = AGAIN;
                language.pick(english, german).to_owned()
            }
        };
        Self { reason: Some(reason), say, fields, touched: Touched::default() }
    }

    /// The agent asked for a tool that isn't there.
    pub fn no_such_tool(language: Language) -> Self {
        let say = language.pick("I'm sorry, I can't do that.", "Das kann ich leider nicht tun.");
        Self::refused(Refused::new(Reason::NotFound, say), language)
    }

    /// Whether it was done.
    pub fn is_ok(&self) -> bool {
        self.reason.is_none()
    }

    /// Whether our own system failed.
    pub fn is_fault(&self) -> bool {
        self.reason.is_some_and(Reason::is_fault)
    }

    /// "OK" or the reason's name.
    pub fn outcome(&self) -> &'static str {
        self.reason.map_or("OK", Reason::name)
    }

    /// What it found or did.
    pub fn into_touched(self) -> Touched {
        self.touched
    }

    /// The answer as the platform hands it to the agent.
    pub fn to_json(&self) -> String {
        let mut body = self.fields.clone();
        body.insert("ok".to_owned(), self.is_ok().into());
        body.insert("say".to_owned(), self.say.as_str().into());
        if let Some(reason) = self.reason {
            body.insert("reason".to_owned(), reason.name().into());
        }
        Value::Object(body).to_string()
    }
}

impl Refused {
    /// Refused for `reason`, and the sentence that says so.
    pub fn new(reason: Reason, say: impl Into<String>) -> Self {
        Self { reason, words: Words::Said(say.into()), fields: Map::new() }
    }

    /// The agent has to ask again.
    pub fn ask(say: impl Into<String>) -> Self {
        Self::new(Reason::InvalidField, say)
    }

    /// The agent sent something else than the tool takes; `detail` is for it, not for the caller.
    pub fn malformed(detail: impl Into<String>) -> Self {
        let refused = Self { reason: Reason::InvalidField, words: Words::Again, fields: Map::new() };
        refused.with("detail", detail.into())
    }

    /// A service answered without what it was asked for.
    pub fn empty(what: &str) -> Self {
        Status::internal(format!("the answer has no {what}")).into()
    }

    /// With what the caller may choose from.
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(field.to_owned(), value.into());
        self
    }

    /// The same, where what the agent can't do ends in the offer to take a message: a caller is not sent away.
    pub fn or_message(self, language: Language) -> Self {
        if self.words != Words::OfReason {
            return self;
        }
        let say = match self.reason {
            Reason::NoLonger | Reason::WrongState | Reason::CancellationWindow => language.pick(
                "It's too late to change that visit now. Shall I take a message for the team?",
                "Dieser Termin lässt sich nicht mehr ändern. Soll ich dem Team etwas ausrichten?",
            ),
            reason if reason.is_fault() => language.pick(
                "I'm sorry, I can't reach the book right now. Shall I take a message for the team?",
                "Ich komme gerade leider nicht an den Kalender. Soll ich dem Team etwas ausrichten?",
            ),
            _ => return self,
        };
        Self { words: Words::Said(say.to_owned()), ..self }
    }
}

impl From<Status> for Refused {
    fn from(status: Status) -> Self {
        let reason = reason_of(&status).unwrap_or(match status.code() {
            Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled | Code::ResourceExhausted => {
                Reason::Unavailable
            }
            _ => Reason::Internal,
        });
        if reason == Reason::InvalidField {
            return Self::malformed(status.message());
        }
        if reason.is_fault() {
            tracing::warn!(%status, "a tool could not reach the book");
        }
        Self { reason, words: Words::OfReason, fields: Map::new() }
    }
}

const AGAIN: (&str, &str) = (
    "I didn't get that quite right. Could you say it again?",
    "Das habe ich nicht ganz verstanden. Können Sie es noch einmal sagen?",
);

fn sentence(reason: Reason, language: Language) -> &'static str {
    let (english, german) = match reason {
        Reason::SlotTaken => (
            "I'm sorry, that time has just gone. Shall I look for another?",
            "Diese Zeit ist leider gerade vergeben worden. Soll ich eine andere suchen?",
        ),
        Reason::NotWorking => (
            "We're not working at that time. Shall I look for another?",
            "Zu dieser Zeit arbeiten wir nicht. Soll ich eine andere suchen?",
        ),
        Reason::NotSkilled => (
            "That person doesn't do this service. Shall I look for someone who does?",
            "Das macht diese Person nicht. Soll ich jemanden suchen, der es macht?",
        ),
        Reason::EarlierVisit => (
            "That one needs a short visit first, such as a patch test. Shall I look for a time for that?",
            "Dafür ist vorher ein kurzer Besuch nötig, etwa ein Verträglichkeitstest. Soll ich dafür eine Zeit suchen?",
        ),
        Reason::TooSoon => (
            "That's too soon for us. Would a later time work?",
            "Das ist zu kurzfristig für uns. Ginge es auch später?",
        ),
        Reason::TooFar => (
            "That's further ahead than we can book. Would an earlier day work?",
            "So weit im Voraus können wir nicht buchen. Ginge auch ein früherer Tag?",
        ),
        Reason::HoldGone => (
            "I'm sorry, I couldn't keep that time any longer. Shall I look again?",
            "Ich konnte diese Zeit leider nicht länger frei halten. Soll ich noch einmal suchen?",
        ),
        Reason::TooManyHolds => (
            "I'm already keeping three times for you. Which of them would you like?",
            "Ich halte schon drei Zeiten für Sie frei. Welche davon möchten Sie?",
        ),
        Reason::EmployeeRequested => (
            "You asked for that stylist alone, and they're not free then. Shall I look for another time?",
            "Dann ist nur jemand anderes frei, als Sie gewünscht haben. Soll ich eine andere Zeit suchen?",
        ),
        Reason::NoLonger | Reason::WrongState | Reason::CancellationWindow => (
            "It's too late to change that visit now. Please ask the team when you call in the opening hours.",
            "Dieser Termin lässt sich nicht mehr ändern. Bitte fragen Sie das Team während der Öffnungszeiten.",
        ),
        Reason::NotFound => (
            "I'm sorry, I couldn't find that. Shall we start again?",
            "Das habe ich leider nicht gefunden. Wollen wir noch einmal von vorn anfangen?",
        ),
        Reason::Unavailable | Reason::Busy => (
            "I can't reach the book right now. Could you bear with me, or call again in a few minutes?",
            "Ich komme gerade nicht an den Kalender. Haben Sie einen Moment Geduld, oder rufen Sie in ein paar Minuten wieder an?",
        ),
        _ => (
            "I'm sorry, that didn't work. Shall we try again?",
            "Das hat leider nicht geklappt. Wollen wir es noch einmal versuchen?",
        ),
    };
    language.pick(english, german)
}

/// A choice for the agent: the id to send back, and the name to say.
pub fn choice(id_field: &str, id: &str, name: &str) -> Value {
    json!({ id_field: id, "name": name })
}

#[cfg(test)]
mod tests {
    use proto::error::refuse;

    use super::*;

    fn said(refused: Refused, language: Language) -> String {
        Answer::refused(refused.or_message(language), language).say
    }

    #[test]
    fn a_fault_of_ours_and_a_visit_that_is_settled_offer_a_message_and_other_refusals_keep_their_words() {
        let faults = [
            refuse(Reason::Unavailable, "away"),
            refuse(Reason::Busy, "full"),
            refuse(Reason::Internal, "broken"),
            Status::deadline_exceeded("slow"),
            Status::unknown("broken"),
        ];
        for fault in faults {
            let answer = said(fault.clone().into(), Language::English);
            assert!(answer.ends_with("Shall I take a message for the team?"), "{fault}: {answer}");
            let answer = said(fault.clone().into(), Language::German);
            assert!(answer.ends_with("Soll ich dem Team etwas ausrichten?"), "{fault}: {answer}");
        }
        for reason in [Reason::NoLonger, Reason::WrongState, Reason::CancellationWindow] {
            let answer = |language| said(refuse(reason, "too late").into(), language);
            assert!(answer(Language::English).ends_with("now. Shall I take a message for the team?"));
            assert!(answer(Language::German).ends_with("ändern. Soll ich dem Team etwas ausrichten?"));
        }
        let taken = said(refuse(Reason::SlotTaken, "taken").into(), Language::English);
        assert_eq!(taken, "I'm sorry, that time has just gone. Shall I look for another?");
        assert_eq!(
            said(Refused::new(Reason::Unavailable, "Mia's calendar"), Language::English),
            "Mia's calendar"
        );
    }

    #[test]
    fn without_messages_a_visit_that_is_settled_is_left_to_the_opening_hours() {
        let answer = |language| Answer::refused(refuse(Reason::NoLonger, "too late").into(), language).say;
        let english =
            "It's too late to change that visit now. Please ask the team when you call in the opening hours.";
        assert_eq!(answer(Language::English), english);
        let german = "Dieser Termin lässt sich nicht mehr ändern. Bitte fragen Sie das Team während der Öffnungszeiten.";
        assert_eq!(answer(Language::German), german);
    }
}
