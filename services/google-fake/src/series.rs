//! When a series happens: the rules that tests need.

use jiff::{Span, Timestamp, civil::DateTime, tz::TimeZone};
use serde_json::{Value, json};

use crate::calendar::{Calendar, Stored};

/// Instances of a series without an end, at most.
const MOST: i64 = 1_000;

/// A rule: every so many days or weeks, so often or until then.
struct Rule {
    step: Span,
    count: i64,
    until: Option<Timestamp>,
}

impl Rule {
    fn parse(text: &str) -> Option<Self> {
        let part = |name: &str| {
            text.split(';').find_map(|part| part.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
        };
        let interval = part("INTERVAL").map_or(Some(1), |text| text.parse::<i64>().ok())?;
        let step = match part("FREQ")?.as_str() {
            "DAILY" => Span::new().days(interval),
            "WEEKLY" => Span::new().weeks(interval),
            _ => return None,
        };
        let until = match part("UNTIL") {
            Some(text) => Some(
                DateTime::strptime("%Y%m%dT%H%M%SZ", text).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp(),
            ),
            None => None,
        };
        Some(Self { step, count: part("COUNT").map_or(Some(MOST), |text| text.parse().ok())?, until })
    }
}

/// Whether a recurrence is one that is known here.
pub(crate) fn is_known(recurrence: &Value) -> bool {
    let rules = recurrence.as_array().map(Vec::as_slice).unwrap_or_default();
    rules.iter().all(|rule| {
        rule.as_str().and_then(|text| text.strip_prefix("RRULE:")).and_then(Rule::parse).is_some()
    })
}

/// The instances of a series between two instants, those that differ from it as they are.
pub(crate) fn instances(
    calendar: &Calendar,
    series: &Stored,
    (from, to): (Timestamp, Timestamp),
) -> Option<Vec<Value>> {
    let value = &series.value;
    let rule =
        value["recurrence"].as_array()?.iter().find_map(|rule| rule.as_str()?.strip_prefix("RRULE:"))?;
    let rule = Rule::parse(rule)?;
    let zone = TimeZone::get(value["start"]["timeZone"].as_str().unwrap_or("UTC")).ok()?;
    let starts: Timestamp = value["start"]["dateTime"].as_str()?.parse().ok()?;
    let ends: Timestamp = value["end"]["dateTime"].as_str()?.parse().ok()?;
    let (length, mut at) = (ends.duration_since(starts), starts.to_zoned(zone));
    let mut found = vec![];
    for _ in 0..rule.count {
        let begins = at.timestamp();
        if begins >= to || rule.until.is_some_and(|until| begins > until) {
            break;
        }
        let id = format!("{}_{}", value["id"].as_str()?, begins.strftime("%Y%m%dT%H%M%SZ"));
        match calendar.events.get(&id) {
            Some(differs) if differs.is_cancelled() => {}
            Some(differs) => found.push(differs.shown()),
            None if begins + length > from => {
                let mut instance = series.shown();
                instance["id"] = json!(id);
                instance["recurringEventId"] = value["id"].clone();
                instance["originalStartTime"] = json!({ "dateTime": begins.to_string() });
                instance["start"] = json!({ "dateTime": begins.to_string() });
                instance["end"] = json!({ "dateTime": (begins + length).to_string() });
                instance.as_object_mut()?.remove("recurrence");
                found.push(instance);
            }
            None => {}
        }
        at = at.checked_add(rule.step).ok()?;
    }
    Some(found)
}
