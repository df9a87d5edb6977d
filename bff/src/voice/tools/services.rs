//! `list_services`, and which service a caller means, for the tools that name one.

use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        ListServicesRequest, ListServicesResponse, MatchServicesRequest, MatchServicesResponse, MatchVerdict,
        Service, catalogue_service_methods::LIST_SERVICES, matching_service_methods::MATCH_SERVICES,
    },
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    answer::{Answer, Refused, choice},
    desk::Desk,
    read, said,
    speech::{Joint, Speech},
};
use crate::voice::playbook::Permissions;

const PAGE: i32 = 200;
/// A salon with more services than this many pages is searched no further.
const MOST_PAGES: usize = 5;
/// More services than this no words mean.
const MOST_MEANT: i32 = 20;
/// A caller can't remember more names than this at once.
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
    let speech = desk.speech();
    let Some(spoken) = said(arguments.service.as_deref()) else {
        return Ok(everything(speech, &catalogue(desk).await?, desk.may));
    };
    Ok(match meant(desk, spoken).await? {
        Meant::One(service) => shown(speech, described(speech, &service, desk.may), &[&service], desk.may),
        Meant::Several(several) => {
            let several: Vec<&Service> = several.iter().collect();
            let names = spoken_names(speech, &several, Joint::And);
            let say = speech.pick(
                format!("We have {names}. Which would you like?"),
                format!("Wir haben {names}. Was darf es sein?"),
            );
            shown(speech, say, &several, desk.may)
        }
        Meant::Nothing => {
            let say = speech.pick(
                "We don't offer that. Would you like to hear what we do?",
                "Das bieten wir leider nicht an. Möchten Sie hören, was wir anbieten?",
            );
            shown(speech, say.to_owned(), &[], desk.may)
        }
    })
}

/// Every service of the salon.
async fn catalogue(desk: &Desk) -> Result<Vec<Service>, Refused> {
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

/// What a caller's words mean.
#[derive(Debug)]
enum Meant {
    /// This, beyond doubt.
    One(Box<Service>),
    /// One of these, the likeliest first; the agent asks which.
    Several(Vec<Service>),
    /// Nothing that the salon offers.
    Nothing,
}

impl From<MatchServicesResponse> for Meant {
    fn from(response: MatchServicesResponse) -> Self {
        let verdict = response.verdict();
        let mut services: Vec<Service> =
            response.candidates.into_iter().filter_map(|candidate| candidate.service).collect();
        match verdict {
            MatchVerdict::Clear if !services.is_empty() => Self::One(Box::new(services.swap_remove(0))),
            _ if services.is_empty() => Self::Nothing,
            _ => Self::Several(services),
        }
    }
}

/// Has scheduling say what `spoken` means. It keeps what means nothing to it, with the call, for a
/// manager to look at.
async fn meant(desk: &Desk, spoken: &str) -> Result<Meant, Refused> {
    let message = MatchServicesRequest {
        business_id: desk.business_id(),
        phrase: spoken.to_owned(),
        most: MOST_MEANT,
        call_id: desk.call_id.clone(),
    };
    let response: MatchServicesResponse = desk.read(&MATCH_SERVICES, message).await?;
    Ok(response.into())
}

/// The one service that `spoken` means; otherwise the agent asks.
pub async fn one(desk: &Desk, spoken: &str) -> Result<Service, Refused> {
    chosen(desk.speech(), spoken, meant(desk, spoken).await?)
}

fn chosen(speech: Speech<'_>, spoken: &str, meant: Meant) -> Result<Service, Refused> {
    match meant {
        Meant::One(service) => Ok(*service),
        Meant::Several(several) => {
            let choices: Vec<Value> =
                several.iter().map(|service| choice("service_id", &service.id, &service.name)).collect();
            let names = spoken_names(speech, &several.iter().collect::<Vec<_>>(), Joint::Or);
            let say = speech.pick(format!("Would you like {names}?"), format!("Möchten Sie {names}?"));
            Err(Refused::ask(say).with("services", choices))
        }
        Meant::Nothing => {
            let say = speech.pick(
                format!("I don't see {spoken} among our services. What would you like done?"),
                format!("{spoken} finde ich nicht unter unseren Leistungen. Was möchten Sie machen lassen?"),
            );
            Err(Refused::new(Reason::NotFound, say))
        }
    }
}

fn everything(speech: Speech<'_>, catalogue: &[Service], may: Permissions) -> Answer {
    let all: Vec<&Service> = catalogue.iter().collect();
    let say = if all.is_empty() {
        let say =
            speech.pick("There is nothing to book at the moment.", "Im Moment kann nichts gebucht werden.");
        say.to_owned()
    } else {
        let names = spoken_names(speech, &all, Joint::And);
        speech.pick(
            format!("We offer {names}. What would you like?"),
            format!("Wir bieten {names} an. Was möchten Sie?"),
        )
    };
    shown(speech, say, &all, may)
}

fn shown(speech: Speech<'_>, say: String, services: &[&Service], may: Permissions) -> Answer {
    let left_out = services.len().saturating_sub(MOST_SHOWN);
    let shown: Vec<Value> =
        services.iter().take(MOST_SHOWN).map(|service| to_json(speech, service, may)).collect();
    let answer = Answer::done(say).with("services", shown);
    if left_out == 0 { answer } else { answer.with("left_out", left_out) }
}

fn spoken_names(speech: Speech<'_>, services: &[&Service], joint: Joint) -> String {
    let mut names: Vec<String> =
        services.iter().take(MOST_SPOKEN).map(|service| speech.name(&service.name)).collect();
    if services.len() > MOST_SPOKEN {
        names.push(speech.pick("something else", "etwas anderes").to_owned());
    }
    speech.list(&names, joint)
}

fn described(speech: Speech<'_>, service: &Service, may: Permissions) -> String {
    let (name, length) = (speech.name(&service.name), speech.duration(minutes(service)));
    if !may.quote_prices {
        return speech.pick(format!("{name} takes {length}."), format!("{name} dauert {length}."));
    }
    let price = speech.money(service.price_minor, &service.currency);
    speech.pick(
        format!("{name} takes {length} and costs {price}."),
        format!("{name} dauert {length} und kostet {price}."),
    )
}

fn minutes(service: &Service) -> i32 {
    service.segments.iter().map(|segment| segment.minutes).sum()
}

fn to_json(speech: Speech<'_>, service: &Service, may: Permissions) -> Value {
    json!({
        "service_id": service.id,
        "name": service.name,
        "also_called": service.aliases,
        "minutes": minutes(service),
        "price": may.quote_prices.then(|| speech.money(service.price_minor, &service.currency)),
    })
}

#[cfg(test)]
mod tests {
    use proto::frontdesk::scheduling::v1::{MatchedService, Segment};

    use super::*;
    use crate::voice::playbook::Language;

    fn spoken<T>(language: Language, say: impl Fn(Speech<'_>) -> T) -> T {
        let now = "2026-06-01T09:00[Europe/London]".parse().unwrap();
        say(Speech { language, now: &now })
    }

    fn english<T>(say: impl Fn(Speech<'_>) -> T) -> T {
        spoken(Language::English, say)
    }

    fn services(count: usize) -> Vec<Service> {
        let service =
            |n: usize| Service { id: n.to_string(), name: format!("Service {n}"), ..Service::default() };
        (1..=count).map(service).collect()
    }

    #[test]
    fn a_long_catalogue_is_neither_read_out_nor_shown_whole() {
        let body: Value = serde_json::from_str(
            &english(|speech| everything(speech, &services(50), Permissions::ALL)).to_json(),
        )
        .unwrap();
        let said = "We offer Service 1, Service 2, Service 3, Service 4, Service 5, Service 6 and something else. \
                    What would you like?";
        assert_eq!(body["say"], said);
        assert_eq!((body["services"].as_array().unwrap().len(), &body["left_out"]), (40, &json!(10)));
        assert!(body.to_string().len() < 15_000);
    }

    #[test]
    fn words_that_may_mean_many_services_are_asked_about_in_one_breath() {
        let refused = english(|speech| {
            let refused = chosen(speech, "service", Meant::Several(services(20))).unwrap_err();
            Answer::refused(refused, Language::English)
        });
        let body: Value = serde_json::from_str(&refused.to_json()).unwrap();
        assert_eq!(body["services"].as_array().unwrap().len(), 20);
        assert!(body["say"].as_str().unwrap().ends_with("Service 6 or something else?"));
    }

    #[test]
    fn the_likeliest_is_meant_only_where_that_is_clear() {
        let candidates = |count| -> Vec<MatchedService> {
            let matched = |service| MatchedService { service: Some(service), ..MatchedService::default() };
            services(count).into_iter().map(matched).collect()
        };
        let meant = |verdict: MatchVerdict, count| {
            Meant::from(MatchServicesResponse { verdict: verdict.into(), candidates: candidates(count) })
        };
        assert!(matches!(meant(MatchVerdict::Clear, 2), Meant::One(service) if service.id == "1"));
        assert!(matches!(meant(MatchVerdict::Unclear, 1), Meant::Several(several) if several.len() == 1));
        assert!(matches!(meant(MatchVerdict::Nothing, 0), Meant::Nothing));
    }

    #[test]
    fn a_service_is_described_in_the_language_of_the_call() {
        let cut = Service {
            name: "Cut & Colour".into(),
            price_minor: 6250,
            currency: "EUR".into(),
            segments: vec![Segment { minutes: 75, ..Segment::default() }],
            ..Service::default()
        };
        let said = |language, may| spoken(language, |speech| described(speech, &cut, may));
        let all = Permissions::ALL;
        let quiet = Permissions { quote_prices: false, ..all };
        assert_eq!(
            said(Language::English, all),
            "Cut and Colour takes 1 hour 15 minutes and costs 62 euros 50."
        );
        assert_eq!(
            said(Language::German, all),
            "Cut und Colour dauert eine Stunde 15 Minuten und kostet 62 Euro 50."
        );
        assert_eq!(said(Language::German, quiet), "Cut und Colour dauert eine Stunde 15 Minuten.");
    }
}
