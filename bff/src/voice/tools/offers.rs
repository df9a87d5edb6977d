//! Free times, said in a sentence.

use jiff::Zoned;
use proto::{
    frontdesk::scheduling::v1::{EmployeeWish, Offer},
    time,
};
use serde_json::{Value, json};

use super::{
    answer::Answer,
    names,
    speech::{self, Joint, Speech},
};
use crate::voice::playbook::Language;

/// An offer as it is said.
struct Spoken {
    starts_at: Zoned,
    with: String,
    offer: Offer,
}

/// Names the offers, and asks which one suits.
pub fn answer(
    speech: Speech<'_>,
    before: &str,
    searched: &str,
    offers: &[Offer],
    with_price: bool,
) -> Answer {
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
mod tests;
