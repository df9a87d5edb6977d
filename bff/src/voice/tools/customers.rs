//! `find_customer` and `create_customer`.

use proto::frontdesk::tenancy::v1::{
    CreateCustomerRequest, Customer, ListCustomersRequest, ListCustomersResponse,
    customer_service_methods::LIST_CUSTOMERS,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use tonic::Status;
use tonic_types::StatusExt;

use super::{
    answer::{Answer, Refused, choice},
    desk::Desk,
    names::{self, Found},
    read, said,
    speech::{Joint, Speech},
};

/// More people than this don't share a telephone.
const MOST_SHARING: i32 = 20;
/// More names than this are not read out.
const MOST_NAMED: usize = 4;

#[derive(Deserialize)]
struct Find {
    phone: Option<String>,
    /// Tells apart those who share the number.
    name: Option<String>,
}

/// Who has a telephone number: the caller's own unless another is given.
pub async fn find(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Find = read(arguments)?;
    let given = said(arguments.phone.as_deref());
    let speech = desk.speech();
    let Some(phone) = given.or(desk.customer_number.as_deref()) else { return Err(ask_for_number(speech)) };
    let message = ListCustomersRequest {
        business_id: desk.business_id(),
        phone: phone.to_owned(),
        page_size: MOST_SHARING,
        ..Default::default()
    };
    let sharing = sharing(desk, message).await.map_err(|status| refused(speech, given, status))?;
    Ok(recognise(speech, &sharing, said(arguments.name.as_deref())))
}

/// Those who have a telephone number.
pub async fn sharing(desk: &Desk, wanted: ListCustomersRequest) -> Result<Vec<Customer>, Status> {
    let tried = desk.writing.dry_run().map(|run| run.customers_of(&wanted.phone)).unwrap_or_default();
    let listed: ListCustomersResponse = desk.read(&LIST_CUSTOMERS, wanted).await?;
    Ok(listed.customers.into_iter().chain(tried).collect())
}

fn ask_for_number(speech: Speech<'_>) -> Refused {
    Refused::ask(speech.pick(
        "I can't see your number. What's the number you booked with?",
        "Ich sehe Ihre Nummer nicht. Unter welcher Nummer haben Sie gebucht?",
    ))
}

/// A number the caller didn't say can't be said again: some lines show one that can't be dialled.
fn refused(speech: Speech<'_>, given: Option<&str>, status: Status) -> Refused {
    let violations = status.get_details_bad_request().map(|bad| bad.field_violations).unwrap_or_default();
    let about_phone = violations.iter().any(|violation| violation.field == "phone");
    if about_phone && given.is_none() { ask_for_number(speech) } else { status.into() }
}

fn recognise(speech: Speech<'_>, sharing: &[Customer], name: Option<&str>) -> Answer {
    let found = match (sharing, name) {
        ([], _) => Found::None,
        ([one], None) => Found::One(one),
        (several, None) => Found::Several(several.iter().collect()),
        (several, Some(name)) => names::find(name, several, |customer| vec![customer.name.clone()]),
    };
    match found {
        Found::None if sharing.is_empty() => {
            let say = speech.pick(
                "I don't think we've met. May I take your name?",
                "Ich glaube, wir kennen uns noch nicht. Wie ist Ihr Name?",
            );
            Answer::done(say).with("found", false)
        }
        Found::None => unknown_name(speech, sharing),
        Found::One(customer) => {
            let first = names::first(&customer.name);
            let say = speech.pick(
                format!("I have you as {first}. Is that right?"),
                format!("Ich habe Sie hier als {first}. Stimmt das?"),
            );
            Answer::done(say)
                .with("found", true)
                .with("customer_id", customer.id.as_str())
                .with("first_name", first)
                .about_customer(&customer.id, &customer.name)
        }
        Found::Several(several) => which(speech, &several),
    }
}

/// First names only: knowing a number must not reveal a customer's details.
fn firsts(customers: &[&Customer]) -> Vec<String> {
    customers.iter().map(|customer| names::first(&customer.name).to_owned()).collect()
}

fn choices(customers: &[&Customer]) -> Vec<Value> {
    let names = firsts(customers);
    customers.iter().zip(&names).map(|(customer, name)| choice("customer_id", &customer.id, name)).collect()
}

/// The name may have been misheard, so those who have the number are named.
fn unknown_name(speech: Speech<'_>, sharing: &[Customer]) -> Answer {
    let sharing: Vec<&Customer> = sharing.iter().collect();
    let names = speech.list(&firsts(&sharing), Joint::And);
    let known = match sharing.len() {
        1..=MOST_NAMED => speech.pick(
            format!("I only have {names} under this number."),
            format!("Unter dieser Nummer habe ich nur {names}."),
        ),
        _ => speech
            .pick(
                "I don't have that name under this number.",
                "Diesen Namen habe ich unter dieser Nummer nicht.",
            )
            .to_owned(),
    };
    let add = speech.pick("Shall I add you?", "Soll ich Sie aufnehmen?");
    Answer::done(format!("{known} {add}")).with("found", false).with("customers", choices(&sharing))
}

fn which(speech: Speech<'_>, several: &[&Customer]) -> Answer {
    let firsts = firsts(several);
    let mut distinct = firsts.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let say = if distinct.len() == firsts.len() && firsts.len() <= MOST_NAMED {
        let names = speech.list(&firsts, Joint::And);
        speech.pick(
            format!("This number belongs to {names}. Who am I speaking to?"),
            format!("Diese Nummer gehört {names}. Mit wem spreche ich?"),
        )
    } else {
        let say = speech.pick(
            "More than one person uses this number. What's your full name, please?",
            "Diese Nummer benutzen mehrere Personen. Wie ist bitte Ihr vollständiger Name?",
        );
        say.to_owned()
    };
    Answer::done(say).with("found", true).with("customers", choices(several))
}

#[derive(Deserialize)]
struct Create {
    name: Option<String>,
    phone: Option<String>,
}

/// Adds a customer, under the caller's own number unless another is given.
pub async fn create(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Create = read(arguments)?;
    let speech = desk.speech();
    let name = said(arguments.name.as_deref())
        .ok_or_else(|| Refused::ask(speech.pick("May I take your name?", "Wie ist Ihr Name?")))?;
    let given = said(arguments.phone.as_deref());
    let phone = given.or(desk.customer_number.as_deref());
    let message = CreateCustomerRequest {
        business_id: desk.business_id(),
        customer_id: String::new(),
        name: name.to_owned(),
        phone: phone.unwrap_or_default().to_owned(),
        email: String::new(),
    };
    let created = desk.create_customer(message).await.map_err(|status| refused(speech, given, status))?;
    let customer = created.customer.ok_or_else(|| Refused::empty("customer"))?;
    let first = names::first(&customer.name);
    let say = speech.pick(
        format!("Thank you, {first}. I've noted you down."),
        format!("Danke, {first}. Ich habe Sie aufgenommen."),
    );
    Ok(Answer::done(say)
        .with("customer_id", customer.id.as_str())
        .with("first_name", first)
        .about_customer(&customer.id, &customer.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voice::playbook::Language;

    fn customer(id: &str, name: &str) -> Customer {
        Customer { id: id.into(), name: name.into(), ..Customer::default() }
    }

    fn recognised(sharing: &[Customer], name: Option<&str>) -> Answer {
        let now = "2026-06-01T09:00[Europe/London]".parse().unwrap();
        recognise(Speech { language: Language::English, now: &now }, sharing, name)
    }

    fn json(answer: &Answer) -> Value {
        serde_json::from_str(&answer.to_json()).unwrap()
    }

    #[test]
    fn one_match_is_recognised_by_first_name_and_kept_with_the_call_by_full_name() {
        let answer = recognised(&[customer("1", "Ana Sousa")], None);
        let body = json(&answer);
        assert_eq!((body["customer_id"].as_str(), body["first_name"].as_str()), (Some("1"), Some("Ana")));
        assert!(!answer.to_json().contains("Sousa"));
        assert_eq!(answer.into_touched().customer_name, "Ana Sousa");
    }

    #[test]
    fn several_matches_are_asked_which_by_first_names_only() {
        let answer = recognised(&[customer("1", "Ana Sousa"), customer("2", "Rui Costa")], None);
        let body = json(&answer);
        assert_eq!(body["say"], "This number belongs to Ana and Rui. Who am I speaking to?");
        assert_eq!(body["customers"][1], serde_json::json!({"customer_id": "2", "name": "Rui"}));
        assert!(!answer.to_json().contains("Costa"));
        assert_eq!(answer.into_touched().customer_id, "");
    }

    #[test]
    fn a_name_tells_apart_those_who_share_a_number() {
        let sharing = [customer("1", "Ana Sousa"), customer("2", "Ána Costa"), customer("3", "Rui Costa")];
        assert_eq!(json(&recognised(&sharing, Some("rui")))["customer_id"], "3");
        assert_eq!(json(&recognised(&sharing, Some("Ana Costa")))["customer_id"], "2");
        let asked = json(&recognised(&sharing, Some("Ana")));
        assert_eq!(asked["customers"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn an_unknown_name_under_a_known_number_may_have_been_misheard() {
        let body = json(&recognised(&[customer("1", "Ana Sousa")], Some("Hannah")));
        assert_eq!(body["say"], "I only have Ana under this number. Shall I add you?");
        assert_eq!((&body["found"], &body["customers"][0]["customer_id"]), (&false.into(), &"1".into()));
        assert_eq!(
            json(&recognised(&[], Some("Hannah")))["say"],
            "I don't think we've met. May I take your name?"
        );
    }

    #[test]
    fn two_of_the_same_first_name_are_asked_for_the_full_one() {
        let answer = recognised(&[customer("1", "Ana Sousa"), customer("2", "Ana Costa")], None);
        assert!(json(&answer)["say"].as_str().unwrap().contains("full name"));
    }

    #[test]
    fn a_german_caller_is_asked_in_german() {
        let now = "2026-06-01T09:00[Europe/Berlin]".parse().unwrap();
        let speech = Speech { language: Language::German, now: &now };
        let said = |sharing: &[Customer], name| json(&recognise(speech, sharing, name))["say"].clone();
        let (ana, rui) = (customer("1", "Ana Sousa"), customer("2", "Rui Costa"));
        assert_eq!(said(&[], None), "Ich glaube, wir kennen uns noch nicht. Wie ist Ihr Name?");
        assert_eq!(said(core::slice::from_ref(&ana), None), "Ich habe Sie hier als Ana. Stimmt das?");
        assert_eq!(said(&[ana, rui], None), "Diese Nummer gehört Ana und Rui. Mit wem spreche ich?");
    }
}
