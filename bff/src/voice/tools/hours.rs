//! `opening_hours`: when the salon is open, on one day or in the week.

use jiff::civil::{Date, Weekday};
use proto::frontdesk::scheduling::v1::{
    GetOpeningHoursRequest, GetOpeningHoursResponse, ListOpeningExceptionsRequest,
    ListOpeningExceptionsResponse, OpeningException, WeeklySpan,
    opening_exception_service_methods::LIST_OPENING_EXCEPTIONS, schedule_service_methods::GET_OPENING_HOURS,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    answer::{Answer, Refused},
    day::{self, DayFault},
    desk::Desk,
    read,
    speech::{self, Joint, Speech},
};

/// More closures than lie ahead of any day a caller asks about.
const MOST_EXCEPTIONS: i32 = 200;

#[derive(Deserialize)]
struct Hours {
    day: Option<String>,
}

/// Minutes after midnight, from and to.
type Span = (i32, i32);

/// The hours of the day asked for; of today and the week when none is.
pub async fn tell(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Hours = read(arguments)?;
    let (speech, today) = (desk.speech(), desk.now.date());
    let day =
        day::parse(arguments.day.as_deref().unwrap_or_default(), today).map_err(|fault| match fault {
            DayFault::Past => Refused::ask(speech.pick(
                "That day is over. Which day do you mean?",
                "Der Tag ist schon vorbei. Welchen Tag meinen Sie?",
            )),
            DayFault::Unknown => {
                Refused::ask(speech.pick("Which day do you mean?", "Welchen Tag meinen Sie?"))
                    .with("detail", "day is a date (YYYY-MM-DD), a weekday, today or tomorrow")
            }
        })?;
    let hours = GetOpeningHoursRequest { business_id: desk.business_id() };
    let exceptions = ListOpeningExceptionsRequest {
        business_id: desk.business_id(),
        from_date: today.to_string(),
        page_size: MOST_EXCEPTIONS,
        ..ListOpeningExceptionsRequest::default()
    };
    let (hours, exceptions): (GetOpeningHoursResponse, ListOpeningExceptionsResponse) = tokio::try_join!(
        desk.read(&GET_OPENING_HOURS, hours),
        desk.read(&LIST_OPENING_EXCEPTIONS, exceptions)
    )?;
    let asked = day.unwrap_or(today);
    let (spans, label) = on(asked, &hours.spans, &exceptions.opening_exceptions);
    let say = one_day(speech, asked, &spans, &label);
    let week = if day.is_none() { week(speech, &hours.spans) } else { vec![] };
    Ok(Answer::done(say).with("day", asked.to_string()).with("open", !spans.is_empty()).with("week", week))
}

/// The hours of a date, and what an exception is called.
fn on(date: Date, weekly: &[WeeklySpan], exceptions: &[OpeningException]) -> (Vec<Span>, String) {
    let text = date.to_string();
    let covers = |exception: &&OpeningException| exception.first_date <= text && text <= exception.last_date;
    if let Some(exception) = exceptions.iter().find(covers) {
        let spans = exception.spans.iter().map(|span| (span.from_minute, span.to_minute)).collect();
        return (spans, exception.label.clone());
    }
    let weekday = i32::from(date.weekday().to_monday_one_offset());
    let of_day = weekly.iter().filter(|span| span.weekday == weekday);
    (of_day.map(|span| (span.from_minute, span.to_minute)).collect(), String::new())
}

fn one_day(speech: Speech<'_>, date: Date, spans: &[Span], label: &str) -> String {
    let day = speech::sentence(&speech.on_day(date));
    if spans.is_empty() {
        let because = match label.is_empty() {
            true => String::new(),
            false => speech.pick(format!(" for {label}"), format!(" wegen: {label}")),
        };
        return speech
            .pick(format!("{day} we're closed{because}."), format!("{day} haben wir geschlossen{because}."));
    }
    let hours = spoken(speech, spans);
    speech.pick(format!("{day} we're open {hours}."), format!("{day} haben wir {hours} geöffnet."))
}

/// "from 9 am to 1 pm and from 2 pm to 6 pm"
fn spoken(speech: Speech<'_>, spans: &[Span]) -> String {
    let clock = |minute: i32| speech.clock(minute / 60, minute % 60);
    let part = |(from, to): &Span| {
        let (from, to) = (clock(*from), clock(*to));
        speech.pick(format!("from {from} to {to}"), format!("von {from} bis {to}"))
    };
    speech.list(&spans.iter().map(part).collect::<Vec<_>>(), Joint::And)
}

fn week(speech: Speech<'_>, weekly: &[WeeklySpan]) -> Vec<Value> {
    let day = |day: Weekday| {
        let weekday = i32::from(day.to_monday_one_offset());
        let of_day = weekly.iter().filter(|span| span.weekday == weekday);
        let spans: Vec<Span> = of_day.map(|span| (span.from_minute, span.to_minute)).collect();
        let closed = || speech.pick("closed", "geschlossen").to_owned();
        let open = if spans.is_empty() { closed() } else { spoken(speech, &spans) };
        json!({"day": speech.weekday(day), "open": open})
    };
    Weekday::Monday.cycle_forward().take(7).map(day).collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proto::frontdesk::scheduling::v1::DaySpan;

    use super::*;
    use crate::voice::playbook::Language;

    fn weekly() -> Vec<WeeklySpan> {
        [(2, 540, 780), (2, 840, 1080), (6, 600, 1440)]
            .into_iter()
            .map(|(weekday, from_minute, to_minute)| WeeklySpan { weekday, from_minute, to_minute })
            .collect()
    }

    fn spoken_in(language: Language, day: Date, exceptions: &[OpeningException]) -> String {
        let now = "2026-06-01T09:00[Europe/London]".parse().unwrap();
        let (spans, label) = on(day, &weekly(), exceptions);
        one_day(Speech { language, now: &now }, day, &spans, &label)
    }

    fn said(day: Date, exceptions: &[OpeningException]) -> String {
        spoken_in(Language::English, day, exceptions)
    }

    #[test]
    fn hours_are_said_in_german_by_24_hours() {
        let said = |day| spoken_in(Language::German, day, &[]);
        assert_eq!(
            said(date(2026, 6, 2)),
            "Morgen haben wir von 9 Uhr bis 13 Uhr und von 14 Uhr bis 18 Uhr geöffnet."
        );
        assert_eq!(said(date(2026, 6, 1)), "Heute haben wir geschlossen.");
        assert_eq!(
            said(date(2026, 6, 6)),
            "Am Samstag, dem 6. Juni haben wir von 10 Uhr bis Mitternacht geöffnet."
        );
        let now = "2026-06-01T09:00[Europe/London]".parse().unwrap();
        let week = week(Speech { language: Language::German, now: &now }, &weekly());
        assert_eq!(week[0], json!({"day": "Montag", "open": "geschlossen"}));
        assert_eq!(week[6]["day"], "Sonntag");
    }

    #[test]
    fn a_day_follows_the_week() {
        assert_eq!(
            said(date(2026, 6, 2), &[]),
            "Tomorrow we're open from 9 am to 1 pm and from 2 pm to 6 pm."
        );
        assert_eq!(said(date(2026, 6, 1), &[]), "Today we're closed.");
        assert_eq!(
            said(date(2026, 6, 6), &[]),
            "On Saturday the 6th of June we're open from 10 am to midnight."
        );
    }

    #[test]
    fn an_exception_wins_on_each_of_its_dates() {
        let closed = OpeningException {
            first_date: "2026-06-01".into(),
            last_date: "2026-06-02".into(),
            label: "the bank holiday".into(),
            ..OpeningException::default()
        };
        assert_eq!(
            said(date(2026, 6, 2), core::slice::from_ref(&closed)),
            "Tomorrow we're closed for the bank holiday."
        );
        let short = OpeningException { spans: vec![DaySpan { from_minute: 720, to_minute: 900 }], ..closed };
        assert_eq!(said(date(2026, 6, 1), &[short]), "Today we're open from noon to 3 pm.");
    }
}
