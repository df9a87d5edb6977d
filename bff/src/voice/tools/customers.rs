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
    read, said, speech,
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
    let Some(phone) = given.or(desk.customer_number.as_deref()) else { return Err(ask_for_number()) };
    let message = ListCustomersRequest {
        business_id: desk.business_id(),
        phone: phone.to_owned(),
        page_size: MOST_SHARING,
        ..Default::default()
    };
    let sharing = sharing(desk, message).await.map_err(|status| refused(given, status))?;
    Ok(recognise(&sharing, said(arguments.name.as_deref())))
}

/// Those who have a telephone number.
pub async fn sharing(desk: &Desk, wanted: ListCustomersRequest) -> Result<Vec<Customer>, Status> {
    let tried = desk.writing.dry_run().map(|run| run.customers_of(&wanted.phone)).unwrap_or_default();
    let listed: ListCustomersResponse = desk.read(&LIST_CUSTOMERS, wanted).await?;
    Ok(listed.customers.into_iter().chain(tried).collect())
}

fn ask_for_number() -> Refused {
    Refused::ask("I can't see your number. What's the number you booked with?")
}

/// A number the caller didn't say can't be said again: some lines show one that can't be dialled.
fn refused(given: Option<&str>, status: Status) -> Refused {
    let violations = status.get_details_bad_request().map(|bad| bad.field_violations).unwrap_or_default();
    let about_phone = violations.iter().any(|violation| violation.field == "phone");
    if about_phone && given.is_none() { ask_for_number() } else { status.into() }
}

fn recognise(sharing: &[Customer], name: Option<&str>) -> Answer {
    let found = match (sharing, name) {
        ([], _) => Found::None,
        ([one], None) => Found::One(one),
        (several, None) => Found::Several(several.iter().collect()),
        (several, Some(name)) => names::find(name, several, |customer| vec![customer.name.clone()]),
    };
    match found {
        Found::None if sharing.is_empty() => {
            Answer::done("I don't think we've met. May I take your name?").with("found", false)
        }
        Found::None => unknown_name(sharing),
        Found::One(customer) => {
            let first = names::first(&customer.name);
            Answer::done(format!("I have you as {first}. Is that right?"))
                .with("found", true)
                .with("customer_id", customer.id.as_str())
                .with("first_name", first)
                .about_customer(&customer.id, &customer.name)
        }
        Found::Several(several) => which(&several),
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
fn unknown_name(sharing: &[Customer]) -> Answer {
    let sharing: Vec<&Customer> = sharing.iter().collect();
    let known = match sharing.len() {
        1..=MOST_NAMED => format!("I only have {} under this number", speech::list(&firsts(&sharing), "and")),
        _ => "I don't have that name under this number".to_owned(),
    };
    Answer::done(format!("{known}. Shall I add you?"))
        .with("found", false)
        .with("customers", choices(&sharing))
}

fn which(several: &[&Customer]) -> Answer {
    let firsts = firsts(several);
    let mut distinct = firsts.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let say = if distinct.len() == firsts.len() && firsts.len() <= MOST_NAMED {
        format!("This number belongs to {}. Who am I speaking to?", speech::list(&firsts, "and"))
    } else {
        "More than one person uses this number. What's your full name, please?".to_owned()
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
    let name = said(arguments.name.as_deref()).ok_or_else(|| Refused::ask("May I take your name?"))?;
    let given = said(arguments.phone.as_deref());
    let phone = given.or(desk.customer_number.as_deref());
    let message = CreateCustomerRequest {
        business_id: desk.business_id(),
        customer_id: String::new(),
        name: name.to_owned(),
        phone: phone.unwrap_or_default().to_owned(),
        email: String::new(),
    };
    let created = desk.create_customer(message).await.map_err(|status| refused(given, status))?;
    let customer = created.customer.ok_or_else(|| Refused::empty("customer"))?;
    let first = names::first(&customer.name);
    Ok(Answer::done(format!("Thank you, {first}. I've noted you down."))
        .with("customer_id", customer.id.as_str())
        .with("first_name", first)
        .about_customer(&customer.id, &customer.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn customer(id: &str, name: &str) -> Customer {
        Customer { id: id.into(), name: name.into(), ..Customer::default() }
    }

    fn json(answer: &Answer) -> Value {
        serde_json::from_str(&answer.to_json()).unwrap()
    }

    #[test]
    fn one_match_is_recognised_by_first_name_and_kept_with_the_call_by_full_name() {
        let answer = recognise(&[customer("1", "Ana Sousa")], None);
        let body = json(&answer);
        assert_eq!((body["customer_id"].as_str(), body["first_name"].as_str()), (Some("1"), Some("Ana")));
        assert!(!answer.to_json().contains("Sousa"));
        assert_eq!(answer.into_touched().customer_name, "Ana Sousa");
    }

    #[test]
    fn several_matches_are_asked_which_by_first_names_only() {
        let answer = recognise(&[customer("1", "Ana Sousa"), customer("2", "Rui Costa")], None);
        let body = json(&answer);
        assert_eq!(body["say"], "This number belongs to Ana and Rui. Who am I speaking to?");
        assert_eq!(body["customers"][1], serde_json::json!({"customer_id": "2", "name": "Rui"}));
        assert!(!answer.to_json().contains("Costa"));
        assert_eq!(answer.into_touched().customer_id, "");
    }

    #[test]
    fn a_name_tells_apart_those_who_share_a_number() {
        let sharing = [customer("1", "Ana Sousa"), customer("2", "Ána Costa"), customer("3", "Rui Costa")];
        assert_eq!(json(&recognise(&sharing, Some("rui")))["customer_id"], "3");
        assert_eq!(json(&recognise(&sharing, Some("Ana Costa")))["customer_id"], "2");
        let asked = json(&recognise(&sharing, Some("Ana")));
        assert_eq!(asked["customers"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn an_unknown_name_under_a_known_number_may_have_been_misheard() {
        let body = json(&recognise(&[customer("1", "Ana Sousa")], Some("Hannah")));
        assert_eq!(body["say"], "I only have Ana under this number. Shall I add you?");
        assert_eq!((&body["found"], &body["customers"][0]["customer_id"]), (&false.into(), &"1".into()));
        assert_eq!(
            json(&recognise(&[], Some("Hannah")))["say"],
            "I don't think we've met. May I take your name?"
        );
    }

    #[test]
    fn two_of_the_same_first_name_are_asked_for_the_full_one() {
        let answer = recognise(&[customer("1", "Ana Sousa"), customer("2", "Ana Costa")], None);
        assert!(json(&answer)["say"].as_str().unwrap().contains("full name"));
    }
}
