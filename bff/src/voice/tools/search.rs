//! `search_availability`: a few free times, said in a sentence.

use jiff::{SignedDuration, Zoned};
use proto::{
    frontdesk::scheduling::v1::{
        EmployeeWish, Offer, SearchAvailabilityRequest, SearchAvailabilityResponse,
        availability_service_methods::SEARCH_AVAILABILITY,
    },
    time,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    answer::{Answer, Refused},
    day::{self, DayFault, Part, WantedTime, Window},
    desk::Desk,
    names, read,
    speech::{self, Joint, Speech},
    unseen::{Unseen, Ways},
    visit::Visit,
};
use crate::voice::playbook::Language;

/// A caller can't keep more than this in mind.
const MOST_OFFERED: usize = 3;
/// Offers this far apart leave a real choice.
const APART: SignedDuration = SignedDuration::from_hours(1);
const PAGE: i32 = 200;

#[derive(Deserialize)]
struct Search {
    #[serde(flatten)]
    visit: Visit,
    day: Option<String>,
    part_of_day: Option<String>,
}

/// Up to three times for a visit; when the day asked for has none, those of the days after.
pub async fn search(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Search = read(arguments)?;
    let speech = desk.speech();
    let time = wanted_time(&arguments, speech)?;
    let wanted = SearchAvailabilityRequest {
        business_id: desk.business_id(),
        items: arguments.visit.items(desk).await?,
        customer_id: desk.stored_customer(arguments.visit.customer_id()),
        page_size: PAGE,
        as_of: desk.as_of.map(time::to_proto),
        hypothesis: desk.writing.dry_run().map(|run| run.hypothesis(desk.now.timestamp())),
        ..SearchAvailabilityRequest::default()
    };
    let found = first_free(desk, &wanted, day::windows(time, &desk.now)).await?;
    let Some(day) = time.day.filter(|_| found.offers.is_empty()) else {
        let searched = speech.pick("in the next seven days", "in den nächsten sieben Tagen");
        return Ok(told(desk, "", searched, &wanted, &found));
    };
    let later = first_free(desk, &wanted, day::windows_after(day, time.part, &desk.now)).await?;
    let part = time.part.map_or(String::new(), |part| format!(" {}", part.said(speech)));
    let asked = format!("{}{part}", speech.on_day(day));
    let sorry = if found.unseen.is_empty() {
        speech.pick(
            format!("I have nothing {asked}. "),
            format!("{} habe ich leider nichts frei. ", speech::sentence(&asked)),
        )
    } else {
        found.unseen.nothing_known(speech, &asked)
    };
    let searched =
        speech.pick(format!("{asked} or in the week after"), format!("{asked} und in der Woche danach"));
    Ok(told(desk, &sorry, &searched, &wanted, &later))
}

fn wanted_time(arguments: &Search, speech: Speech<'_>) -> Result<WantedTime, Refused> {
    let day =
        day::parse(arguments.day.as_deref().unwrap_or_default(), speech.now.date()).map_err(|fault| {
            match fault {
                DayFault::Past => Refused::ask(speech.pick(
                    "That day is over. Which day would you like?",
                    "Der Tag ist schon vorbei. Welchen Tag möchten Sie?",
                )),
                DayFault::Unknown => {
                    Refused::ask(speech.pick("Which day would you like?", "Welchen Tag möchten Sie?"))
                        .with("detail", "day is a date (YYYY-MM-DD), a weekday, today or tomorrow")
                }
            }
        })?;
    let part = Part::parse(arguments.part_of_day.as_deref().unwrap_or_default()).map_err(|_| {
        Refused::ask(which_part(speech)).with("detail", "part_of_day is morning, afternoon or evening")
    })?;
    Ok(WantedTime { day, part })
}

/// Asks for a part of the day.
pub fn which_part(speech: Speech<'_>) -> &'static str {
    speech.pick(
        "Would you like the morning, the afternoon or the evening?",
        "Möchten Sie am Vormittag, am Nachmittag oder am Abend kommen?",
    )
}

/// What was found, and the calendars that could not be seen meanwhile.
#[derive(Debug, Default)]
struct Free {
    offers: Vec<Offer>,
    unseen: Unseen,
}

/// Offers from the first window that has any.
async fn first_free(
    desk: &Desk,
    wanted: &SearchAvailabilityRequest,
    windows: Vec<Window>,
) -> Result<Free, Refused> {
    let mut free = Free::default();
    for window in windows {
        let message = SearchAvailabilityRequest {
            from: Some(time::to_proto(window.from)),
            to: Some(time::to_proto(window.to)),
            ..wanted.clone()
        };
        let found: SearchAvailabilityResponse = desk.read(&SEARCH_AVAILABILITY, message).await?;
        free.unseen = Unseen::of(&found.sources);
        if !found.offers.is_empty() {
            free.offers = apart(free.unseen.seen_first(found.offers));
            break;
        }
    }
    Ok(free)
}

/// The earliest offers that lie apart; where those are too few, what lies between them.
fn apart(offers: Vec<Offer>) -> Vec<Offer> {
    let start = |offer: &Offer| offer.starts_at.as_ref().map_or((0, 0), |at| (at.seconds, at.nanos));
    let mut chosen: Vec<Offer> = Vec::new();
    for gap in [APART.as_secs(), 1] {
        for offer in &offers {
            let far = |other: &Offer| (start(offer).0 - start(other).0).abs() >= gap;
            if chosen.len() < MOST_OFFERED && chosen.iter().all(far) {
                chosen.push(offer.clone());
            }
        }
    }
    chosen.sort_by_key(start);
    chosen
}

/// An offer as it is said.
struct Spoken {
    starts_at: Zoned,
    with: String,
    offer: Offer,
}

/// The answer, which names what was wanted where there is nothing of it: the salon counts what it could not offer.
fn told(
    desk: &Desk,
    before: &str,
    searched: &str,
    wanted: &SearchAvailabilityRequest,
    found: &Free,
) -> Answer {
    let Free { offers, unseen } = found;
    let speech = desk.speech();
    if unseen.is_empty() {
        let answer = answer(speech, before, searched, offers, desk.may.quote_prices);
        return if offers.is_empty() { with_services(answer, wanted) } else { answer };
    }
    let names = unseen.to_json();
    if offers.is_empty() {
        let others = wanted.items.iter().any(|item| !item.employee_id.is_empty());
        let ways = Ways { others, message: desk.may.take_messages };
        let answer =
            Answer::done(unseen.no_offers(speech, searched, ways)).with("offers", Vec::<Value>::new());
        return with_services(answer.with("calendars_not_seen", names), wanted);
    }
    // What was said of the day asked for names the calendar already.
    let caution = if before.is_empty() {
        unseen.before_offers(speech, &wanted.items, offers)
    } else {
        before.to_owned()
    };
    let answer = answer(speech, &caution, searched, offers, desk.may.quote_prices);
    answer.with("calendars_not_seen", names)
}

fn with_services(answer: Answer, wanted: &SearchAvailabilityRequest) -> Answer {
    let services = wanted.items.iter().map(|item| json!({"service_id": item.service_id}));
    answer.with("services", services.collect::<Vec<Value>>())
}

fn answer(speech: Speech<'_>, before: &str, searched: &str, offers: &[Offer], with_price: bool) -> Answer {
    let spoken: Vec<Spoken> = offers.iter().filter_map(|offer| Spoken::of(speech, offer)).collect();
    let say = if spoken.is_empty() {
        speech.pick(
            format!("I have nothing free {searched}. Would you like a later date?"),
            format!("{} ist leider nichts frei. Möchten Sie später kommen?", speech::sentence(searched)),
        )
    } else {
        format!("{before}{}", said_together(speech, &spoken))
    };
    Answer::done(say)
        .with("offers", spoken.iter().map(|offer| offer.to_json(speech, with_price)).collect::<Vec<_>>())
}

/// Says the day once when it is the same for all, and the person too.
fn said_together(speech: Speech<'_>, offers: &[Spoken]) -> String {
    let same_day = offers.iter().all(|offer| offer.starts_at.date() == offers[0].starts_at.date());
    let same_people = offers.iter().all(|offer| offer.with == offers[0].with);
    let times: Vec<String> = offers
        .iter()
        .map(|offer| {
            let at = &offer.starts_at;
            let time = match (same_day, speech.language) {
                (false, _) => speech.when(at),
                (true, Language::English) => speech.time(at),
                (true, Language::German) => format!("um {}", speech.time(at)),
            };
            if same_people { time } else { format!("{time}{}", with(speech, &offer.with)) }
        })
        .collect();
    let people = if same_people { with(speech, &offers[0].with) } else { String::new() };
    let times = speech.list(&times, Joint::Or);
    let question = match offers.len() {
        1 => speech.pick("Does that suit you?", "Passt Ihnen das?"),
        _ => speech.pick("Which suits you best?", "Was passt Ihnen am besten?"),
    };
    if same_day {
        let day = speech::sentence(&speech.on_day(offers[0].starts_at.date()));
        speech.pick(
            format!("{day} I have {times}{people}. {question}"),
            format!("{day} ist {times}{people} etwas frei. {question}"),
        )
    } else {
        speech.pick(
            format!("I have {times}{people}. {question}"),
            format!("Etwas frei ist {times}{people}. {question}"),
        )
    }
}

/// " with Mia", " bei Mia"; nothing without a name.
pub fn with(speech: Speech<'_>, people: &str) -> String {
    match people.is_empty() {
        true => String::new(),
        false => speech.pick(format!(" with {people}"), format!(" bei {people}")),
    }
}

/// The first names of those who do an offer's services.
pub fn people(speech: Speech<'_>, offer: &Offer) -> String {
    let mut firsts: Vec<String> =
        offer.items.iter().map(|item| names::first(&item.employee_name).to_owned()).collect();
    firsts.dedup();
    speech.list(&firsts, Joint::And)
}

impl Spoken {
    fn of(speech: Speech<'_>, offer: &Offer) -> Option<Self> {
        let at = time::parse("starts_at", offer.starts_at.as_ref()).ok()??;
        let starts_at = at.to_zoned(speech.now.time_zone().clone());
        Some(Self { starts_at, with: people(speech, offer), offer: offer.clone() })
    }

    fn to_json(&self, speech: Speech<'_>, with_price: bool) -> Value {
        let services: Vec<Value> = self
            .offer
            .items
            .iter()
            .map(|item| {
                // The agent sends these with the offer it holds, so that the booking has the request's services.
                let wish = match item.employee_wish() {
                    EmployeeWish::Only => Some("only"),
                    EmployeeWish::Prefers if item.wished_employee_id == item.employee_id => Some("prefers"),
                    EmployeeWish::Prefers | EmployeeWish::Unspecified => None,
                };
                json!({
                    "service_id": item.service_id,
                    "service": item.service_name,
                    "employee_id": item.employee_id,
                    "employee": names::first(&item.employee_name),
                    "employee_wish": wish,
                })
            })
            .collect();
        json!({
            "starts_at": self.starts_at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
            "when": speech.when(&self.starts_at),
            "with": self.with,
            "price": with_price.then(|| speech.money(self.offer.price_minor, &self.offer.currency)),
            "services": services,
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use proto::frontdesk::scheduling::v1::PlacedItem;

    use super::*;

    fn now() -> Zoned {
        "2026-06-01T09:00[Europe/London]".parse().unwrap()
    }

    fn offer(starts_at: &str, employees: &[&str]) -> Offer {
        let starts_at: Timestamp = starts_at.parse().unwrap();
        let placed = |name: &&str| PlacedItem {
            service_id: "s".into(),
            employee_name: (*name).to_owned(),
            ..PlacedItem::default()
        };
        Offer {
            starts_at: Some(time::to_proto(starts_at)),
            items: employees.iter().map(placed).collect(),
            price_minor: 6200,
            currency: "GBP".into(),
            ..Offer::default()
        }
    }

    fn spoken(language: Language, offers: &[Offer]) -> Value {
        let now = now();
        let answer = answer(Speech { language, now: &now }, "", "in den nächsten sieben Tagen", offers, true);
        serde_json::from_str(&answer.to_json()).unwrap()
    }

    fn said(offers: &[Offer]) -> String {
        spoken(Language::English, offers)["say"].as_str().unwrap().to_owned()
    }

    #[test]
    fn a_german_caller_hears_the_salons_own_time_by_24_hours() {
        let said = |offers: &[Offer]| spoken(Language::German, offers)["say"].as_str().unwrap().to_owned();
        let offers = [
            offer("2026-06-02T09:00:00Z", &["Mia Larsen"]),
            offer("2026-06-02T13:30:00Z", &["Mia Larsen"]),
            offer("2026-06-06T09:00:00Z", &["Sofia"]),
        ];
        assert_eq!(
            said(&offers[..2]),
            "Morgen ist um 10 Uhr oder um 14 Uhr 30 bei Mia etwas frei. Was passt Ihnen am besten?"
        );
        assert_eq!(
            said(&offers[1..]),
            "Etwas frei ist morgen um 14 Uhr 30 bei Mia oder am Samstag, dem 6. Juni um 10 Uhr bei Sofia. Was passt \
             Ihnen am besten?"
        );
        assert_eq!(
            said(&[]),
            "In den nächsten sieben Tagen ist leider nichts frei. Möchten Sie später kommen?"
        );
        let shown = spoken(Language::German, &offers[2..]);
        assert_eq!(shown["offers"][0]["when"], "am Samstag, dem 6. Juni um 10 Uhr");
        assert_eq!(shown["offers"][0]["price"], "62 Pfund");
    }

    #[test]
    fn times_of_one_day_and_person_name_them_once() {
        let offers = [
            offer("2026-06-02T09:00:00Z", &["Mia Larsen"]),
            offer("2026-06-02T11:00:00Z", &["Mia Larsen"]),
            offer("2026-06-02T13:30:00Z", &["Mia Larsen"]),
        ];
        assert_eq!(said(&offers), "Tomorrow I have 10 am, noon or 2:30 pm with Mia. Which suits you best?");
    }

    #[test]
    fn times_that_differ_are_told_apart() {
        let offers = [
            offer("2026-06-02T09:00:00Z", &["Mia", "Mia", "Noah"]),
            offer("2026-06-06T09:00:00Z", &["Sofia"]),
        ];
        assert_eq!(
            said(&offers),
            "I have tomorrow at 10 am with Mia and Noah or on Saturday the 6th of June at 10 am with Sofia. \
             Which suits you best?"
        );
        assert_eq!(
            said(&offers[1..]),
            "On Saturday the 6th of June I have 10 am with Sofia. Does that suit you?"
        );
    }

    #[test]
    fn the_agent_gets_what_it_needs_to_hold_an_offer() {
        let body = spoken(Language::English, &[offer("2026-06-02T09:00:00Z", &["Mia Larsen"])]);
        let expected = json!({
            "starts_at": "2026-06-02T10:00:00+01:00", "when": "tomorrow at 10 am", "with": "Mia", "price": "62 pounds",
            "services": [{"service_id": "s", "service": "", "employee_id": "", "employee": "Mia", "employee_wish": null}],
        });
        assert_eq!(body["offers"][0], expected);
    }

    #[test]
    fn offers_lie_an_hour_apart_where_they_can() {
        let at = |minute: i64| {
            let start: Timestamp = "2026-06-02T09:00:00Z".parse().unwrap();
            offer(&(start + SignedDuration::from_mins(minute)).to_string(), &["Mia"])
        };
        let chosen = |minutes: &[i64]| apart(minutes.iter().copied().map(at).collect());
        assert_eq!(chosen(&[0, 15, 30, 60, 90, 130, 200]), [at(0), at(60), at(130)]);
        assert_eq!(chosen(&[0, 15, 30, 45]), [at(0), at(15), at(30)]);
        assert_eq!(chosen(&[0, 0, 70]), [at(0), at(70)]);
    }
}
