//! Whether a caller has agreed to a change of a visit. The model says so, and may be talked into it or agree with itself:
//! what the caller was asked in this call counts.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The argument by which a model says that the caller has agreed.
pub const CONFIRMED: &str = "confirmed";
/// The field of an answer that has the caller confirm first.
pub const NEEDS_CONFIRMATION: &str = "needs_confirmation";

/// What a caller who is said to have agreed was asked.
#[derive(Debug, Clone)]
pub enum Agreement {
    /// The guard of a chat has looked already.
    Guarded,
    /// What the tool asked in this call, on record.
    OnRecord(Vec<Question>),
}

/// A change of a visit that a caller was asked to confirm.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Question {
    appointment_id: String,
    /// Where it would be moved to.
    starts_at: Option<Timestamp>,
}

impl Agreement {
    /// The questions that are on record as answers of the tool.
    pub fn on_record(answers: &[String]) -> Self {
        Self::OnRecord(answers.iter().filter_map(|answer| serde_json::from_str(answer).ok()).collect())
    }

    /// Whether the caller was asked about this visit, and about this start where it is moved.
    pub fn covers(&self, appointment_id: &str, starts_at: Option<Timestamp>) -> bool {
        match self {
            Self::Guarded => true,
            Self::OnRecord(questions) => questions
                .iter()
                .any(|asked| asked.appointment_id == appointment_id && asked.starts_at == starts_at),
        }
    }
}

/// Whether an answer is a question in JSON, as [`asks_to_confirm`] knows them.
pub fn is_question(answer: &str) -> bool {
    serde_json::from_str::<Map<String, Value>>(answer).is_ok_and(|answer| asks_to_confirm(&answer))
}

/// Whether a tool did nothing yet, and has the caller confirm first.
pub fn asks_to_confirm(answer: &Map<String, Value>) -> bool {
    answer.get(NEEDS_CONFIRMATION) == Some(&Value::Bool(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agreement_covers_the_change_that_was_asked_about_and_no_other() {
        let answers = [
            r#"{"ok":true,"needs_confirmation":true,"appointment_id":"a1","starts_at":"2026-06-02T09:00:00Z"}"#,
            r#"{"ok":true,"needs_confirmation":true,"appointment_id":"a2"}"#,
            "nonsense",
        ];
        let agreement = Agreement::on_record(&answers.map(str::to_owned));
        let at = |text: &str| text.parse().ok();
        assert!(agreement.covers("a1", at("2026-06-02T10:00:00+01:00")));
        assert!(!agreement.covers("a1", at("2026-06-02T10:00:00Z")));
        assert!(!agreement.covers("a1", None));
        assert!(agreement.covers("a2", None));
        assert!(!agreement.covers("a3", None));
        assert!(!Agreement::on_record(&[]).covers("a1", None));
        assert!(Agreement::Guarded.covers("a1", None));
    }
}
