//! What an answered run of a tool says of a wish for a booking: which services it was about, and what it came to.
//!
//! Tools answer the agent in JSON: `ok`, the `reason` of a refusal, `offers` and `services`. What is not there, or is
//! something else, says nothing.

use std::collections::BTreeSet;

use serde_json::Value;
use uuid::Uuid;

use super::{ServiceId, missed::Missed, tool_call::Answer};

/// More services no caller asks for; of longer answers the first are read.
const MOST_READ: usize = 40;

/// What a run says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finding {
    /// The services it was about.
    pub services: BTreeSet<ServiceId>,
    /// What it came to, if it was on the way to a booking.
    pub came_to: Option<Missed>,
}

impl Finding {
    /// What the run of the tool `name` says that was asked with `arguments`.
    #[must_use]
    pub fn of(name: &str, arguments: &str, answer: &Answer) -> Self {
        let asked: Value = serde_json::from_str(arguments).unwrap_or_default();
        let told: Value = serde_json::from_str(&answer.result).unwrap_or_default();
        match name {
            "search_availability" => Self {
                services: services(&asked, &told, answer.ok),
                came_to: if answer.ok && list(&told["offers"]).is_empty() {
                    Some(Missed::NoFreeTime)
                } else {
                    came_to(&told, answer.ok)
                },
            },
            "hold_slot" | "book_appointment" => {
                Self { services: services(&asked, &told, answer.ok), came_to: came_to(&told, answer.ok) }
            }
            "list_services" => listed(&asked, &told, answer.ok),
            _ => Self::default(),
        }
    }
}

/// `None` for a refusal without a reason: of an erased call none is left.
fn came_to(told: &Value, ok: bool) -> Option<Missed> {
    if ok {
        return Some(Missed::NotTaken);
    }
    told["reason"].as_str().filter(|reason| !reason.is_empty()).map(Missed::of_refusal)
}

/// Who asks for one service by its name is told of it, or that there is none; a list says nothing.
fn listed(asked: &Value, told: &Value, ok: bool) -> Finding {
    let by_name = asked["service"].as_str().is_some_and(|name| !name.trim().is_empty());
    match list(&told["services"]) {
        _ if !by_name || !ok => Finding::default(),
        [] => Finding { came_to: Some(Missed::NotOffered), ..Finding::default() },
        [one] => Finding { services: id(one).into_iter().collect(), came_to: None },
        _ => Finding::default(),
    }
}

/// The services that the caller requested by id, and those on offer. A refusal names services to choose from, which
/// count as no request.
fn services(asked: &Value, told: &Value, ok: bool) -> BTreeSet<ServiceId> {
    let asked = list(&asked["services"]).iter().chain([&asked["service"], &asked["services"]]);
    let offered = list(&told["offers"]).iter().flat_map(|offer| list(&offer["services"]));
    let named = if ok { list(&told["services"]) } else { &[] };
    asked.chain(offered).chain(named).filter_map(id).take(MOST_READ).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// A service, by its id alone or with what it is called.
fn id(service: &Value) -> Option<ServiceId> {
    let text = service["service_id"].as_str().or(service.as_str())?;
    Uuid::try_parse(text).ok().map(ServiceId)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUT: &str = "01900000-0000-7000-8000-00000000c001";
    const TINT: &str = "01900000-0000-7000-8000-00000000c002";

    fn finding(name: &str, arguments: &str, ok: bool, result: &str) -> (Vec<String>, Option<Missed>) {
        let answer = Answer { result: result.to_owned(), ok, latency_ms: 5 };
        let Finding { services, came_to } = Finding::of(name, arguments, &answer);
        (services.iter().map(ToString::to_string).collect(), came_to)
    }

    #[test]
    fn a_search_is_about_what_was_asked_for_by_id_and_what_was_offered() {
        let offers = format!(r#"{{"ok":true,"offers":[{{"services":[{{"service_id":"{CUT}"}}]}}]}}"#);
        let asked = format!(r#"{{"services":[{{"service_id":"{TINT}"}}]}}"#);
        let both = vec![CUT.to_owned(), TINT.to_owned()];
        assert_eq!(finding("search_availability", &asked, true, &offers), (both, Some(Missed::NotTaken)));
        let none = finding("search_availability", r#"{"service":"cut"}"#, true, r#"{"ok":true,"offers":[]}"#);
        assert_eq!(none, (vec![], Some(Missed::NoFreeTime)));
        let named = format!(r#"{{"ok":true,"offers":[],"services":[{{"service_id":"{CUT}"}}]}}"#);
        let found = finding("search_availability", r#"{"service":"cut"}"#, true, &named);
        assert_eq!(found, (vec![CUT.to_owned()], Some(Missed::NoFreeTime)));
        let asked = format!(r#"{{"service":"{CUT}"}}"#);
        assert_eq!(finding("hold_slot", &asked, true, "{}"), (vec![CUT.to_owned()], Some(Missed::NotTaken)));
    }

    #[test]
    fn a_refusal_says_why_and_its_choices_were_not_asked_for() {
        let choices = format!(r#"{{"reason":"INVALID_FIELD","services":[{{"service_id":"{CUT}"}}]}}"#);
        let unclear = finding("search_availability", r#"{"service":"colour"}"#, false, &choices);
        assert_eq!(unclear, (vec![], Some(Missed::Unclear)));
        let refused = |reason: &str| finding("book_appointment", "{}", false, reason).1;
        assert_eq!(refused(r#"{"reason":"SLOT_TAKEN"}"#), Some(Missed::TimeTaken));
        assert_eq!(refused(r#"{"reason":"EARLIER_VISIT"}"#), Some(Missed::NotAllowed));
        assert_eq!(refused(r#"{"reason":"UNAVAILABLE"}"#), Some(Missed::Fault));
        assert_eq!(refused("no JSON"), None);
        assert_eq!((refused("{}"), refused(r#"{"reason":""}"#)), (None, None));
    }

    #[test]
    fn a_service_that_is_asked_about_by_name_counts_and_a_list_does_not() {
        let one = format!(r#"{{"services":[{{"service_id":"{CUT}"}}]}}"#);
        let asked = r#"{"service":"haircut"}"#;
        assert_eq!(finding("list_services", asked, true, &one), (vec![CUT.to_owned()], None));
        assert_eq!(
            finding("list_services", asked, true, r#"{"services":[]}"#),
            (vec![], Some(Missed::NotOffered))
        );
        assert_eq!(finding("list_services", "{}", true, &one), (vec![], None));
        assert_eq!(finding("find_customer", asked, false, r#"{"reason":"NOT_FOUND"}"#), (vec![], None));
    }
}
