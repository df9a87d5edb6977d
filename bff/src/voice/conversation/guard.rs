//! What a caller can't talk the agent into. The model reads what callers say, and may believe it: so a tool acts for
//! customers who were recognised in this call alone, and changes a visit only after the caller has heard what would be
//! changed and has spoken since.

use std::collections::BTreeSet;

use proto::error::Reason;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::voice::{
    playbook::Language,
    tools::{CONFIRMED, Refused, Tool, asks_to_confirm},
};

/// What this call has shown so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Guard {
    /// The customers that tools have named.
    customers: BTreeSet<String>,
    /// The number of the caller's turn.
    turn: u32,
    /// The change that the caller was asked to confirm, and in which turn.
    asked: Option<(Change, u32)>,
}

/// A change of a visit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Change {
    tool: Tool,
    appointment: String,
    starts_at: String,
}

impl Guard {
    /// The caller has spoken.
    pub fn next_turn(&mut self) {
        self.turn += 1;
    }

    /// The arguments as they may be used.
    pub fn admit(
        &self,
        tool: Option<Tool>,
        arguments: Map<String, Value>,
        language: Language,
    ) -> Result<Map<String, Value>, Refused> {
        let customer = text(&arguments, "customer_id");
        if !customer.is_empty() && !self.customers.contains(&customer) {
            let say = language.pick(
                "May I have your name and the number you booked with?",
                "Wie ist Ihr Name, und unter welcher Nummer haben Sie gebucht?",
            );
            return Err(Refused::new(Reason::NotFound, say)
                .with("detail", "customer_id must come from find_customer or create_customer in this call"));
        }
        let mut arguments = arguments;
        if tool.is_some_and(Tool::needs_agreement) && !self.has_agreed(tool, &arguments) {
            arguments.remove(CONFIRMED);
        }
        Ok(arguments)
    }

    /// Takes in what a tool answered.
    pub fn learn(&mut self, tool: Option<Tool>, arguments: &Map<String, Value>, answer: &str) {
        let Ok(answer) = serde_json::from_str::<Map<String, Value>>(answer) else { return };
        let ids = answer.get("customers").and_then(Value::as_array).into_iter().flatten();
        let ids = ids.filter_map(|customer| customer["customer_id"].as_str().map(str::to_owned));
        self.customers.extend(ids.chain(Some(text(&answer, "customer_id")).filter(|id| !id.is_empty())));
        self.asked = match tool.filter(|tool| tool.needs_agreement()) {
            Some(tool) if asks_to_confirm(&answer) => {
                let appointment = text(&answer, "appointment_id");
                Some((Change { tool, appointment, starts_at: text(arguments, "starts_at") }, self.turn))
            }
            _ => self.asked.take(),
        };
    }

    fn has_agreed(&self, tool: Option<Tool>, arguments: &Map<String, Value>) -> bool {
        let Some((asked, turn)) = &self.asked else { return false };
        let appointment = text(arguments, "appointment_id");
        Some(asked.tool) == tool
            && *turn < self.turn
            && asked.starts_at == text(arguments, "starts_at")
            // Without an id the tool finds the caller's only visit, which is the one that was asked about.
            && (appointment.is_empty() || appointment == asked.appointment)
    }
}

fn text(object: &Map<String, Value>, field: &str) -> String {
    object.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_customer_who_was_not_recognised_in_this_call_is_refused() {
        let mut guard = Guard::default();
        let book = || object(json!({"hold_id": "h", "customer_id": "c1"}));
        assert!(guard.admit(Some(Tool::BookAppointment), book(), Language::English).is_err());
        guard.learn(Some(Tool::FindCustomer), &Map::new(), r#"{"customers":[{"customer_id":"c1"}]}"#);
        assert!(guard.admit(Some(Tool::BookAppointment), book(), Language::English).is_ok());
        assert!(
            guard
                .admit(Some(Tool::BookAppointment), object(json!({"customer_id": "c2"})), Language::English)
                .is_err()
        );
    }

    #[test]
    fn a_visit_is_changed_once_the_caller_has_heard_what_and_has_spoken() {
        let mut guard = Guard::default();
        let cancel = |id: &str| object(json!({"name": "Ana", "appointment_id": id, "confirmed": true}));
        let confirmed = |guard: &Guard, id: &str| {
            guard
                .admit(Some(Tool::CancelAppointment), cancel(id), Language::English)
                .unwrap()
                .contains_key("confirmed")
        };
        guard.next_turn();
        assert!(!confirmed(&guard, "a1"));
        let asked = r#"{"ok":true,"needs_confirmation":true,"appointment_id":"a1"}"#;
        guard.learn(Some(Tool::CancelAppointment), &cancel("a1"), asked);
        // The model agrees with itself.
        assert!(!confirmed(&guard, "a1"));
        guard.next_turn();
        assert!(confirmed(&guard, "a1"));
        assert!(!confirmed(&guard, "a2"));
        let moved = object(json!({"appointment_id": "a1", "starts_at": "10", "confirmed": true}));
        assert!(
            !guard
                .admit(Some(Tool::MoveAppointment), moved, Language::English)
                .unwrap()
                .contains_key("confirmed")
        );
    }
}
