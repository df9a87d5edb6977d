//! What the demo model says next.

use serde_json::{Map, Value, json};

/// A reply.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// Words for the caller.
    Say(String),
    /// A tool to use first.
    Use {
        /// Its name.
        tool: &'static str,
        /// What it gets.
        arguments: Value,
    },
}

const HELP: &str =
    "I can book, move or cancel a visit, tell you our hours, or take a message. What would you like?";
const SERVICES: [&str; 8] = ["haircut", "cut", "colour", "color", "highlights", "blow dry", "brow", "beard"];
const DAYS: [&str; 9] =
    ["today", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The reply to a conversation.
pub fn reply(messages: &[Value]) -> Reply {
    let heard = Heard::read(messages);
    match messages.last().map(|last| (last["role"].as_str(), last)) {
        Some((Some("tool"), result)) => Reply::Say(say(&parsed(result))),
        Some((Some("user"), last)) => {
            let text = last["content"].as_str().unwrap_or_default();
            heard.answer(text, &text.to_lowercase())
        }
        _ => Reply::Say(HELP.to_owned()),
    }
}

/// What the tools have answered so far, the last of each.
#[derive(Debug, Default)]
struct Heard {
    results: Map<String, Value>,
    /// The tool that was used last.
    last_tool: String,
    service: Option<&'static str>,
}

impl Heard {
    fn read(messages: &[Value]) -> Self {
        let mut heard = Self::default();
        let mut names = Map::new();
        for message in messages {
            for call in message["tool_calls"].as_array().into_iter().flatten() {
                names.insert(text(call, "id"), call["function"]["name"].clone());
            }
            match message["role"].as_str() {
                Some("tool") => {
                    let name = names.get(&text(message, "tool_call_id")).and_then(Value::as_str);
                    heard.last_tool = name.unwrap_or_default().to_owned();
                    heard.results.insert(heard.last_tool.clone(), parsed(message));
                }
                Some("user") => {
                    let said = text(message, "content").to_lowercase();
                    let named = SERVICES.into_iter().find(|service| said.contains(service));
                    heard.service = named.or(heard.service);
                }
                _ => {}
            }
        }
        heard
    }

    fn answer(&self, said: &str, lower: &str) -> Reply {
        let yes = ["yes", "please do", "go ahead", "that's right"].iter().any(|word| lower.contains(word));
        let asked = self.results.get(&self.last_tool).is_some_and(|last| last["needs_confirmation"] == true);
        let known =
            &self.results.get("find_customer").map(|found| text(found, "customer_id")).unwrap_or_default();
        if yes && asked {
            return self.confirmed(said);
        }
        if yes && self.last_tool == "hold_slot" {
            let hold_id = text(&self.results["hold_slot"], "hold_id");
            return used("book_appointment", json!({"hold_id": hold_id, "customer_id": known}));
        }
        if let Some(offer) = self.chosen(lower) {
            let arguments = json!({"starts_at": offer["starts_at"], "services": offer["services"]});
            return used("hold_slot", arguments);
        }
        if lower.contains("cancel") {
            return used("cancel_appointment", json!({ "name": name(said) }));
        }
        if lower.contains("message") {
            return used("take_message", json!({ "message": said }));
        }
        if lower.contains("open") || lower.contains("hours") {
            return used("opening_hours", json!({ "day": day(lower) }));
        }
        if known.is_empty() && self.results.get("find_customer").is_none() {
            return used("find_customer", json!({}));
        }
        match self.service {
            Some(service) => used(
                "search_availability",
                json!({"service": service, "day": day(lower), "part_of_day": part(lower), "customer_id": known}),
            ),
            None => Reply::Say(HELP.to_owned()),
        }
    }

    /// The same tool again, with the caller's agreement.
    fn confirmed(&self, said: &str) -> Reply {
        let last = &self.results[&self.last_tool];
        let arguments =
            json!({"name": name(said), "appointment_id": last["appointment_id"], "confirmed": true});
        match self.last_tool.as_str() {
            "move_appointment" => used("move_appointment", arguments),
            _ => used("cancel_appointment", arguments),
        }
    }

    /// The offer that the caller means, right after they were made.
    fn chosen(&self, lower: &str) -> Option<&Value> {
        let offers = self.results.get("search_availability")?["offers"].as_array()?;
        if self.last_tool != "search_availability" {
            return None;
        }
        let ordinal = ["first", "second", "third"].iter().position(|word| lower.contains(word));
        let named = || offers.iter().find(|offer| lower.contains(&text(offer, "when").to_lowercase()));
        ordinal.and_then(|at| offers.get(at)).or_else(named)
    }
}

fn used(tool: &'static str, arguments: Value) -> Reply {
    Reply::Use { tool, arguments }
}

fn parsed(message: &Value) -> Value {
    serde_json::from_str(message["content"].as_str().unwrap_or_default()).unwrap_or_default()
}

fn say(result: &Value) -> String {
    let say = text(result, "say");
    if say.is_empty() { HELP.to_owned() } else { say }
}

fn text(object: &Value, field: &str) -> String {
    object[field].as_str().unwrap_or_default().to_owned()
}

/// What follows "it's" or "my name is".
fn name(said: &str) -> String {
    let after = ["my name is ", "it's ", "It's ", "I'm ", "this is "];
    let found = after.iter().find_map(|lead| said.split_once(lead).map(|(_, name)| name));
    found.unwrap_or_default().trim_end_matches(['.', '!', '?']).to_owned()
}

fn day(lower: &str) -> &'static str {
    DAYS.into_iter().find(|day| lower.contains(day)).unwrap_or_default()
}

fn part(lower: &str) -> &'static str {
    ["morning", "afternoon", "evening"].into_iter().find(|part| lower.contains(part)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(text: &str) -> Value {
        json!({"role": "user", "content": text})
    }

    fn used_and_answered(tool: &str, result: &Value) -> [Value; 2] {
        [
            json!({"role": "assistant", "tool_calls": [{"id": tool, "function": {"name": tool}}]}),
            json!({"role": "tool", "tool_call_id": tool, "content": result.to_string()}),
        ]
    }

    #[test]
    fn a_booking_goes_from_who_to_when_to_yes() {
        let mut messages = vec![user("Hi, I'd like a haircut. It's Ana.")];
        let step = |messages: &[Value], expected: &str| match reply(messages) {
            Reply::Use { tool, arguments } => {
                assert_eq!(tool, expected);
                arguments
            }
            Reply::Say(said) => panic!("{said}"),
        };
        step(&messages, "find_customer");
        messages.extend(used_and_answered(
            "find_customer",
            &json!({"customer_id": "c1", "say": "I have you as Ana."}),
        ));
        assert_eq!(reply(&messages), Reply::Say("I have you as Ana.".into()));
        messages.push(user("Yes. An afternoon, please."));
        let search = step(&messages, "search_availability");
        assert_eq!((&search["service"], &search["part_of_day"]), (&json!("haircut"), &json!("afternoon")));
        let offers = json!({"say": "Two or three?", "offers": [{"starts_at": "14", "services": []}]});
        messages.extend(used_and_answered("search_availability", &offers));
        messages.push(user("The first one"));
        assert_eq!(step(&messages, "hold_slot")["starts_at"], "14");
        messages.extend(used_and_answered("hold_slot", &json!({"hold_id": "h1", "say": "Shall I book it?"})));
        messages.push(user("Yes, please do."));
        assert_eq!(step(&messages, "book_appointment"), json!({"hold_id": "h1", "customer_id": "c1"}));
    }

    #[test]
    fn a_name_is_what_follows_its_words() {
        assert_eq!(name("Please cancel my visit, my name is Ana Sousa."), "Ana Sousa");
        assert_eq!(name("Cancel it"), "");
    }
}
