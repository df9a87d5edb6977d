//! A recorded conversation: one delivery a line, with places that only a played call fills.
//!
//! `{{name}}` stands for a fact of the call, `{{tool/pointer}}` for a part of that
//! tool's answer (RFC 6901). A text that is nothing but a place becomes the value
//! itself; `{"$text": …}` becomes the JSON text of what stands in it.

use std::collections::BTreeMap;

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Map, Value};

const TEXT: &str = "$text";

/// One delivery.
#[derive(Debug, Deserialize)]
pub struct Step {
    /// Milliseconds after the call began.
    pub at_ms: u64,
    /// The delivery, with its places.
    pub body: Value,
}

/// What places stand for: facts of the call, and the tools' answers by name.
pub type Known = BTreeMap<String, Value>;

/// The steps of a recording.
///
/// # Errors
/// A malformed line.
pub fn read(recording: &str) -> anyhow::Result<Vec<Step>> {
    let read =
        |(n, line)| serde_json::from_str(line).with_context(|| format!("line {} of the recording", n + 1));
    recording.lines().enumerate().map(read).collect()
}

impl Step {
    /// The body with every place filled.
    ///
    /// # Errors
    /// A place that nothing is known of.
    pub fn fill(&self, known: &Known) -> anyhow::Result<Value> {
        fill(&self.body, known)
    }
}

fn fill(value: &Value, known: &Known) -> anyhow::Result<Value> {
    match value {
        Value::String(text) => fill_text(text, known),
        Value::Array(items) => items.iter().map(|item| fill(item, known)).collect(),
        Value::Object(fields) => match fields.get(TEXT) {
            Some(inner) if fields.len() == 1 => Ok(fill(inner, known)?.to_string().into()),
            _ => {
                let filled = fields.iter().map(|(name, field)| Ok((name.clone(), fill(field, known)?)));
                Ok(Value::Object(filled.collect::<anyhow::Result<Map<_, _>>>()?))
            }
        },
        plain => Ok(plain.clone()),
    }
}

fn fill_text(text: &str, known: &Known) -> anyhow::Result<Value> {
    let whole = text.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
    if let Some(place) = whole.filter(|place| !place.contains("{{")) {
        return find(place, known).cloned();
    }
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (place, after) = after.split_once("}}").context("a place without an end")?;
        filled.push_str(before);
        match find(place, known)? {
            Value::String(text) => filled.push_str(text),
            other => filled.push_str(&other.to_string()),
        }
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled.into())
}

fn find<'a>(place: &str, known: &'a Known) -> anyhow::Result<&'a Value> {
    let (name, pointer) = place.split_at(place.find('/').unwrap_or(place.len()));
    let value = known.get(name).with_context(|| format!("{name} has not answered yet"))?;
    value.pointer(pointer).with_context(|| format!("{name} answered nothing at {pointer}: {value}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::platform::Platform, *};

    fn known() -> Known {
        Known::from([
            ("call_id".to_owned(), json!("call_1")),
            ("search".to_owned(), json!({"offers": [{"starts_at": "10:00", "services": [{"id": 7}]}]})),
        ])
    }

    #[test]
    fn a_place_becomes_its_value_and_inside_a_text_its_text() {
        let body = json!({
            "services": "{{search/offers/0/services}}",
            "say": "At {{search/offers/0/starts_at}} ({{call_id}})",
            "arguments": {"$text": {"starts_at": "{{search/offers/0/starts_at}}"}},
        });
        let filled = fill(&body, &known()).unwrap();
        let expected = json!({
            "services": [{"id": 7}], "say": "At 10:00 (call_1)", "arguments": "{\"starts_at\":\"10:00\"}",
        });
        assert_eq!(filled, expected);
    }

    #[test]
    fn a_place_that_nothing_is_known_of_is_named() {
        let error = fill(&json!("{{search/offers/1/starts_at}}"), &known()).unwrap_err();
        assert!(error.to_string().contains("search answered nothing at /offers/1/starts_at"), "{error}");
        assert!(fill(&json!("{{book/say}}"), &known()).is_err());
    }

    #[test]
    fn each_recorded_booking_is_whole_and_in_order() {
        for platform in Platform::ALL {
            let Some(recording) = platform.recording() else { continue };
            let steps = read(recording).unwrap();
            assert!(steps.is_sorted_by_key(|step| step.at_ms));
            let tools: Vec<&str> = steps.iter().filter_map(|step| platform.tool(&step.body)).collect();
            let expected =
                ["find_customer", "list_services", "search_availability", "hold_slot", "book_appointment"];
            assert_eq!(tools, expected, "{platform:?}");
        }
    }
}
