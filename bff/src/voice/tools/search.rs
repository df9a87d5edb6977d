//! `search_availability`: a few free times for a visit.

use jiff::SignedDuration;
use proto::{
    frontdesk::scheduling::v1::{
        Offer, SearchAvailabilityRequest, SearchAvailabilityResponse,
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
    offers, read,
    speech::{self, Speech},
    unseen::{Unseen, Ways},
    visit::Visit,
};

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
        // An owner who tries the agent hears what a caller would.
        for_customer: true,
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
        let answer = offers::answer(speech, before, searched, offers, desk.may.quote_prices);
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
    let answer = offers::answer(speech, &caution, searched, offers, desk.may.quote_prices);
    answer.with("calendars_not_seen", names)
}

fn with_services(answer: Answer, wanted: &SearchAvailabilityRequest) -> Answer {
    let services = wanted.items.iter().map(|item| json!({"service_id": item.service_id}));
    answer.with("services", services.collect::<Vec<Value>>())
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn offers_lie_an_hour_apart_where_they_can() {
        let at = |minute: i64| {
            let first: Timestamp = "2026-06-02T09:00:00Z".parse().unwrap();
            let starts_at = Some(time::to_proto(first + SignedDuration::from_mins(minute)));
            Offer { starts_at, ..Offer::default() }
        };
        let chosen = |minutes: &[i64]| apart(minutes.iter().copied().map(at).collect());
        assert_eq!(chosen(&[0, 15, 30, 60, 90, 130, 200]), [at(0), at(60), at(130)]);
        assert_eq!(chosen(&[0, 15, 30, 45]), [at(0), at(15), at(30)]);
        assert_eq!(chosen(&[0, 0, 70]), [at(0), at(70)]);
    }
}
