//! `opening_hours`: when the salon is open, on one day or in the week.

use jiff::{Zoned, civil::Date};
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
    read, speech,
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
    let today = desk.now.date();
    let day =
        day::parse(arguments.day.as_deref().unwrap_or_default(), today).map_err(|fault| match fault {
            DayFault::Past => Refused::ask("That day is over. Which day do you mean?"),
            DayFault::Unknown => Refused::ask("Which day do you mean?")
                .with("detail", "day is a date (YYYY-MM-DD), a weekday, today or tomorrow"),
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
    let say = one_day(asked, &spans, &label, &desk.now);
    let week = if day.is_none() { week(&hours.spans) } else { vec![] };
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

fn one_day(date: Date, spans: &[Span], label: &str, now: &Zoned) -> String {
    let day = speech::on_day(date, now.date());
    let because = if label.is_empty() { String::new() } else { format!(" for {label}") };
    if spans.is_empty() {
        return format!("{} we're closed{because}.", speech::sentence(&day));
    }
    format!("{} we're open {}.", speech::sentence(&day), spoken(spans))
}

/// "from 9 am to 1 pm and from 2 pm to 6 pm"
fn spoken(spans: &[Span]) -> String {
    let parts: Vec<String> =
        spans.iter().map(|(from, to)| format!("from {} to {}", clock(*from), clock(*to))).collect();
    speech::list(&parts, "and")
}

fn clock(minute: i32) -> String {
    if minute == 1440 { "midnight".to_owned() } else { speech::clock(minute / 60, minute % 60) }
}

fn week(weekly: &[WeeklySpan]) -> Vec<Value> {
    const NAMES: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    let day = |(at, name): (usize, &&str)| {
        let weekday = i32::try_from(at + 1).unwrap_or_default();
        let of_day = weekly.iter().filter(|span| span.weekday == weekday);
        let spans: Vec<Span> = of_day.map(|span| (span.from_minute, span.to_minute)).collect();
        json!({"day": name, "open": if spans.is_empty() { "closed".to_owned() } else { spoken(&spans) }})
    };
    NAMES.iter().enumerate().map(day).collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proto::frontdesk::scheduling::v1::DaySpan;

    use super::*;

    fn weekly() -> Vec<WeeklySpan> {
        [(2, 540, 780), (2, 840, 1080), (6, 600, 1440)]
            .into_iter()
            .map(|(weekday, from_minute, to_minute)| WeeklySpan { weekday, from_minute, to_minute })
            .collect()
    }

    fn said(day: Date, exceptions: &[OpeningException]) -> String {
        let now: Zoned = "2026-06-01T09:00[Europe/London]".parse().unwrap();
        let (spans, label) = on(day, &weekly(), exceptions);
        one_day(day, &spans, &label, &now)
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
