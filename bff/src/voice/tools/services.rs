//! `list_services`, and the catalogue for the tools that name services.

use proto::frontdesk::scheduling::v1::{
    ListServicesRequest, ListServicesResponse, Service, catalogue_service_methods::LIST_SERVICES,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    answer::{Answer, Refused, choice},
    desk::Desk,
    names::{self, Found},
    read, said, speech,
};

const PAGE: i32 = 200;
/// A salon with more services than this many pages is searched no further.
const MOST_PAGES: usize = 5;
/// More names in one breath nobody remembers.
const MOST_SPOKEN: usize = 6;
/// Platforms cut answers off at 15,000 characters; the agent asks by name for what is left out.
const MOST_SHOWN: usize = 40;

#[derive(Deserialize)]
struct List {
    /// What the caller asked about; nothing for everything.
    service: Option<String>,
}

/// What the salon offers, or the services a caller's words may mean.
pub async fn list(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: List = read(arguments)?;
    let catalogue = catalogue(desk).await?;
    let Some(spoken) = said(arguments.service.as_deref()) else { return Ok(everything(&catalogue)) };
    Ok(match named(spoken, &catalogue) {
        Found::One(service) => shown(described(service), &[service]),
        Found::Several(several) => {
            let say = format!("We have {}. Which would you like?", spoken_names(&several, "and"));
            shown(say, &several)
        }
        Found::None => shown("We don't offer that. Would you like to hear what we do?".to_owned(), &[]),
    })
}

/// Every service of the salon.
pub async fn catalogue(desk: &Desk) -> Result<Vec<Service>, Refused> {
    let mut services = Vec::new();
    let mut page_token = String::new();
    for _ in 0..MOST_PAGES {
        let message = ListServicesRequest { business_id: desk.business_id(), page_size: PAGE, page_token };
        let page: ListServicesResponse = desk.read(&LIST_SERVICES, message).await?;
        services.extend(page.services);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    Ok(services)
}

/// The service `spoken` names, by name or alias.
pub fn named<'a>(spoken: &str, catalogue: &'a [Service]) -> Found<'a, Service> {
    names::find(spoken, catalogue, |service| {
        core::iter::once(&service.name).chain(&service.aliases).cloned().collect()
    })
}

/// The one service that `spoken` names; otherwise the agent asks.
pub fn one<'a>(spoken: &str, catalogue: &'a [Service]) -> Result<&'a Service, Refused> {
    match named(spoken, catalogue) {
        Found::One(service) => Ok(service),
        Found::Several(several) => {
            let choices: Vec<Value> = several
                .iter()
                .take(MOST_SHOWN)
                .map(|service| choice("service_id", &service.id, &service.name))
                .collect();
            let say = format!("Would you like {}?", spoken_names(&several, "or"));
            Err(Refused::ask(say).with("services", choices))
        }
        Found::None => {
            let say = format!("I don't see {spoken} among our services. What would you like done?");
            Err(Refused::new(proto::error::Reason::NotFound, say))
        }
    }
}

fn everything(catalogue: &[Service]) -> Answer {
    let all: Vec<&Service> = catalogue.iter().collect();
    let say = if all.is_empty() {
        "There is nothing to book at the moment.".to_owned()
    } else {
        format!("We offer {}. What would you like?", spoken_names(&all, "and"))
    };
    shown(say, &all)
}

fn shown(say: String, services: &[&Service]) -> Answer {
    let left_out = services.len().saturating_sub(MOST_SHOWN);
    let shown: Vec<Value> = services.iter().take(MOST_SHOWN).map(|service| to_json(service)).collect();
    let answer = Answer::done(say).with("services", shown);
    if left_out == 0 { answer } else { answer.with("left_out", left_out) }
}

fn spoken_names(services: &[&Service], last: &str) -> String {
    let mut names: Vec<String> =
        services.iter().take(MOST_SPOKEN).map(|service| speech::name(&service.name)).collect();
    if services.len() > MOST_SPOKEN {
        names.push("something else".to_owned());
    }
    speech::list(&names, last)
}

fn described(service: &Service) -> String {
    let length = speech::duration(minutes(service));
    let price = speech::money(service.price_minor, &service.currency);
    format!("{} takes {length} and costs {price}.", speech::name(&service.name))
}

fn minutes(service: &Service) -> i32 {
    service.segments.iter().map(|segment| segment.minutes).sum()
}

fn to_json(service: &Service) -> Value {
    json!({
        "service_id": service.id,
        "name": service.name,
        "also_called": service.aliases,
        "minutes": minutes(service),
        "price": speech::money(service.price_minor, &service.currency),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn services(count: usize) -> Vec<Service> {
        let service =
            |n: usize| Service { id: n.to_string(), name: format!("Service {n}"), ..Service::default() };
        (1..=count).map(service).collect()
    }

    #[test]
    fn a_long_catalogue_is_neither_read_out_nor_shown_whole() {
        let body: Value = serde_json::from_str(&everything(&services(50)).to_json()).unwrap();
        let said = "We offer Service 1, Service 2, Service 3, Service 4, Service 5, Service 6 and something else. \
                    What would you like?";
        assert_eq!(body["say"], said);
        assert_eq!((body["services"].as_array().unwrap().len(), &body["left_out"]), (40, &json!(10)));
        assert!(body.to_string().len() < 15_000);
    }

    #[test]
    fn a_name_of_many_services_is_asked_about_in_one_breath() {
        let refused = Answer::refused(one("service", &services(50)).unwrap_err());
        let body: Value = serde_json::from_str(&refused.to_json()).unwrap();
        assert_eq!(body["services"].as_array().unwrap().len(), 40);
        assert!(body["say"].as_str().unwrap().ends_with("Service 6 or something else?"));
    }
}
