//! The services of a visit and who shall do them, as agents name them.

use futures::future::try_join_all;
use proto::frontdesk::{
    scheduling::v1::VisitItem,
    tenancy::v1::{
        Employee, ListEmployeesRequest, ListEmployeesResponse, employee_service_methods::LIST_EMPLOYEES,
    },
};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::{
    answer::{Refused, choice},
    desk::Desk,
    names::{self, Found},
    said, services,
    speech::{Joint, Speech},
};

const MOST_ITEMS: usize = 6;
const MOST_EMPLOYEES: i32 = 200;

/// What is wanted, in any of the forms agents send it.
#[derive(Debug, Default, Deserialize)]
pub struct Visit {
    service: Option<Spoken>,
    services: Option<OneOrMany>,
    employee: Option<String>,
    employee_id: Option<String>,
    employee_wish: Option<String>,
    customer_id: Option<String>,
}

/// How much a caller wants the employee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// Rather than another.
    Prefers,
    /// And no one else.
    Only,
}

impl Wish {
    /// `None` for what is no wish: an agent may send any word.
    fn spoken(word: Option<&str>) -> Option<Self> {
        match word? {
            "only" => Some(Self::Only),
            "prefers" => Some(Self::Prefers),
            _ => None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    Many(Vec<Spoken>),
    One(Spoken),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Spoken {
    /// A name, an alias or an id.
    Name(String),
    /// As offers show it.
    Item {
        service: Option<String>,
        service_id: Option<String>,
        employee: Option<String>,
        employee_id: Option<String>,
        employee_wish: Option<String>,
    },
}

/// A service and who shall do it, each an id or a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SpokenItem<'a> {
    service: &'a str,
    /// `None` for anyone who can.
    employee: Option<&'a str>,
    /// As far as the agent says.
    wish: Option<Wish>,
}

impl Visit {
    /// The items to search, hold or book; names are looked up, ids are passed on.
    pub async fn items(&self, desk: &Desk) -> Result<Vec<VisitItem>, Refused> {
        let speech = desk.speech();
        let spoken_items = self.spoken_items(speech)?;
        let by_name = |text: &str| Uuid::try_parse(text).is_err();
        let services = try_join_all(spoken_items.iter().map(|spoken| service_id(desk, spoken.service)));
        let team = async {
            let needed = spoken_items.iter().filter_map(|spoken| spoken.employee).any(by_name);
            if needed { team(desk).await } else { Ok(vec![]) }
        };
        let (services, team) = tokio::try_join!(services, team)?;
        spoken_items
            .iter()
            .zip(services)
            .map(|(spoken, service_id)| item(speech, *spoken, service_id, &team))
            .collect()
    }

    /// Who comes, once they are recognised: some services need an earlier visit of theirs.
    pub fn customer_id(&self) -> String {
        said(self.customer_id.as_deref()).unwrap_or_default().to_owned()
    }

    fn spoken_items(&self, speech: Speech<'_>) -> Result<Vec<SpokenItem<'_>>, Refused> {
        let anyone = said(self.employee_id.as_deref()).or(said(self.employee.as_deref()));
        let several = match &self.services {
            Some(OneOrMany::Many(several)) => several.as_slice(),
            Some(OneOrMany::One(one)) => core::slice::from_ref(one),
            None => &[],
        };
        let wished = Wish::spoken(self.employee_wish.as_deref());
        let spoken_items: Vec<SpokenItem<'_>> =
            self.service.iter().chain(several).filter_map(|spoken| spoken.item(anyone, wished)).collect();
        match spoken_items.len() {
            0 => {
                Err(Refused::ask(speech.pick("What would you like done?", "Was möchten Sie machen lassen?")))
            }
            1..=MOST_ITEMS => Ok(spoken_items),
            _ => Err(Refused::ask(speech.pick(
                "That's a lot for one visit. Shall we start with the first few?",
                "Das ist viel für einen Termin. Wollen wir mit den ersten anfangen?",
            ))),
        }
    }
}

impl Spoken {
    fn item<'a>(&'a self, otherwise: Option<&'a str>, wished: Option<Wish>) -> Option<SpokenItem<'a>> {
        let (service, employee, wish) = match self {
            Self::Name(name) => (said(Some(name)), None, None),
            Self::Item { service, service_id, employee, employee_id, employee_wish } => (
                said(service_id.as_deref()).or(said(service.as_deref())),
                said(employee_id.as_deref()).or(said(employee.as_deref())),
                Wish::spoken(employee_wish.as_deref()),
            ),
        };
        let employee = employee.or(otherwise).filter(|name| !is_anyone(name));
        Some(SpokenItem { service: service?, employee, wish: wish.or(wished) })
    }
}

fn is_anyone(name: &str) -> bool {
    ["any", "anyone", "anybody", "no preference", "egal", "irgendwer", "jeder"]
        .iter()
        .any(|word| name.eq_ignore_ascii_case(word))
}

async fn service_id(desk: &Desk, spoken: &str) -> Result<String, Refused> {
    match Uuid::try_parse(spoken) {
        Ok(id) => Ok(id.to_string()),
        Err(_) => Ok(services::one(desk, spoken).await?.id),
    }
}

fn item(
    speech: Speech<'_>,
    spoken: SpokenItem<'_>,
    service_id: String,
    team: &[Employee],
) -> Result<VisitItem, Refused> {
    let Some(name) = spoken.employee else {
        return Ok(VisitItem { service_id, ..VisitItem::default() });
    };
    let (employee_id, wish) = match Uuid::try_parse(name) {
        // As an offer had it: the caller may have asked for anyone.
        Ok(id) => (id.to_string(), spoken.wish),
        Err(_) => (colleague(speech, name, team)?.id.clone(), spoken.wish.or(Some(Wish::Prefers))),
    };
    let preferred_employee_id = if wish == Some(Wish::Prefers) { employee_id.clone() } else { String::new() };
    let employee_only = wish == Some(Wish::Only);
    Ok(VisitItem { service_id, employee_id, preferred_employee_id, employee_only, ..VisitItem::default() })
}

async fn team(desk: &Desk) -> Result<Vec<Employee>, Refused> {
    let message = ListEmployeesRequest {
        business_id: desk.business_id(),
        page_size: MOST_EMPLOYEES,
        ..ListEmployeesRequest::default()
    };
    let team: ListEmployeesResponse = desk.read(&LIST_EMPLOYEES, message).await?;
    Ok(team.employees)
}

fn colleague<'a>(speech: Speech<'_>, spoken: &str, team: &'a [Employee]) -> Result<&'a Employee, Refused> {
    match names::find(spoken, team, |employee| vec![employee.name.clone()]) {
        Found::One(employee) => Ok(employee),
        Found::Several(several) => {
            let names: Vec<String> = several.iter().map(|employee| employee.name.clone()).collect();
            let choices: Vec<Value> =
                several.iter().map(|employee| choice("employee_id", &employee.id, &employee.name)).collect();
            let names = speech.list(&names, Joint::Or);
            let say = speech.pick(format!("Do you mean {names}?"), format!("Meinen Sie {names}?"));
            Err(Refused::ask(say).with("employees", choices))
        }
        Found::None => {
            let say = speech.pick(
                format!("I can't find {spoken} on our team. Would you like anyone who's free?"),
                format!("{spoken} finde ich nicht in unserem Team. Darf es jemand sein, der frei ist?"),
            );
            Err(Refused::new(proto::error::Reason::NotFound, say))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::voice::playbook::Language;

    fn english<T>(say: impl FnOnce(Speech<'_>) -> T) -> T {
        let now = "2026-06-01T09:00[Europe/London]".parse().unwrap();
        say(Speech { language: Language::English, now: &now })
    }

    const MIA: &str = "01900000-0000-7000-8000-00000000e001";

    fn spoken_items(arguments: Value) -> Vec<(String, Option<String>)> {
        let visit: Visit = serde_json::from_value(arguments).unwrap();
        let spoken_items = english(|speech| visit.spoken_items(speech).unwrap());
        spoken_items
            .iter()
            .map(|spoken| (spoken.service.to_owned(), spoken.employee.map(str::to_owned)))
            .collect()
    }

    fn spoken(service: &str, employee: Option<&str>) -> (String, Option<String>) {
        (service.to_owned(), employee.map(str::to_owned))
    }

    #[test]
    fn a_visit_is_one_service_or_several_as_names_or_as_offers_show_them() {
        assert_eq!(spoken_items(json!({"service": "cut"})), [spoken("cut", None)]);
        assert_eq!(spoken_items(json!({"services": "cut", "employee": "Mia"})), [spoken("cut", Some("Mia"))]);
        assert_eq!(
            spoken_items(json!({"services": ["cut", "tint"], "employee": "Anyone"})),
            [spoken("cut", None), spoken("tint", None)]
        );
        let offered = json!({"services": [
            {"service_id": "7", "service": "Cut", "employee_id": "8", "employee": "Mia Larsen"},
            {"service": "tint"},
        ], "employee": ""});
        assert_eq!(spoken_items(offered), [spoken("7", Some("8")), spoken("tint", None)]);
    }

    #[test]
    fn a_visit_of_nothing_or_of_too_much_is_asked_about() {
        for arguments in
            [json!({}), json!({"service": " "}), json!({"services": []}), json!({"services": vec!["cut"; 7]})]
        {
            let visit: Visit = serde_json::from_value(arguments.clone()).unwrap();
            assert!(english(|speech| visit.spoken_items(speech).is_err()), "{arguments}");
        }
    }

    #[test]
    fn a_named_employee_is_preferred_and_one_of_an_offer_is_as_the_caller_said() {
        let mia = Employee { id: MIA.into(), name: "Mia Larsen".into(), ..Employee::default() };
        let wished = |arguments: Value| {
            let visit: Visit = serde_json::from_value(arguments).unwrap();
            let spoken = english(|speech| visit.spoken_items(speech).unwrap());
            let team = core::slice::from_ref(&mia);
            let item = english(|speech| item(speech, spoken[0], "7".into(), team).unwrap());
            assert_eq!(item.employee_id, MIA);
            (item.preferred_employee_id == MIA, item.employee_only)
        };
        assert_eq!(wished(json!({"service": "cut", "employee": "Mia"})), (true, false));
        let only = json!({"service": "cut", "employee": "Mia", "employee_wish": "only"});
        assert_eq!(wished(only), (false, true));
        let offered = |wish: Value| {
            wished(json!({"services": [{"service_id": "7", "employee_id": MIA, "employee_wish": wish}]}))
        };
        assert_eq!(offered(Value::Null), (false, false));
        assert_eq!(offered(json!("prefers")), (true, false));
        assert_eq!(offered(json!("only")), (false, true));
        assert_eq!(offered(json!("Mia!")), (false, false));
        assert_eq!(
            wished(json!({"services": ["cut"], "employee_id": MIA, "employee_wish": "only"})),
            (false, true)
        );
    }

    #[test]
    fn two_colleagues_of_one_name_are_asked_about() {
        let employee =
            |id: &str, name: &str| Employee { id: id.into(), name: name.into(), ..Employee::default() };
        let team = [employee("1", "Mia Larsen"), employee("2", "Mía Bell"), employee("3", "Noah")];
        let found = |name: &str| english(|speech| colleague(speech, name, &team).map(|one| one.id.clone()));
        assert_eq!(found("noah"), Ok("3".to_owned()));
        assert_eq!(found("mia bell"), Ok("2".to_owned()));
        assert!(found("Mia").is_err());
        assert!(found("Eve").is_err());
    }
}
