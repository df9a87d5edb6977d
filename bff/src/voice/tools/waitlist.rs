//! `join_waitlist`: a place in the queue for days that are full.

use jiff::{ToSpan, civil::Date};
use proto::frontdesk::scheduling::v1::JoinWaitlistRequest;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    answer::{Answer, Refused},
    day::{self, DayFault, Part},
    desk::Desk,
    read, said, search,
    speech::Speech,
    visit::Visit,
};

/// Days waited for when no last day is said.
const DAYS: i32 = 14;

#[derive(Deserialize)]
struct Join {
    #[serde(flatten)]
    visit: Visit,
    first_day: Option<String>,
    last_day: Option<String>,
    part_of_day: Option<String>,
    note: Option<String>,
}

/// Puts the customer on the list for a visit.
pub async fn join(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Join = read(arguments)?;
    let (speech, customer_id) = (desk.speech(), arguments.visit.customer_id());
    if customer_id.is_empty() {
        let say = speech.pick("Whom may I put on the list?", "Wen darf ich auf die Liste setzen?");
        return Err(Refused::ask(say).with("detail", "customer_id is required: find or create them first"));
    }
    let today = desk.now.date();
    let first = date(arguments.first_day.as_deref(), speech)?.unwrap_or(today);
    let last = match date(arguments.last_day.as_deref(), speech)? {
        Some(last) => last.max(first),
        None => first.checked_add(DAYS.days()).unwrap_or(first),
    };
    let part = Part::parse(arguments.part_of_day.as_deref().unwrap_or_default())
        .map_err(|_| Refused::ask(search::which_part(speech)))?;
    let (from_minute, to_minute) = part.map_or((0, 0), Part::minutes);
    let message = JoinWaitlistRequest {
        business_id: desk.business_id(),
        customer_id: customer_id.clone(),
        items: arguments.visit.items(desk).await?,
        first_date: first.to_string(),
        last_date: last.to_string(),
        from_minute,
        to_minute,
        note: said(arguments.note.as_deref()).unwrap_or_default().chars().take(500).collect(),
    };
    let joined = desk.join_waitlist(message).await?;
    let entry = joined.entry.ok_or_else(|| Refused::empty("entry"))?;
    let until = speech.day(last);
    let say = speech.pick(
        format!("You're on our list until {until}. We'll call you when a time comes free."),
        format!("Sie stehen bis {until} auf unserer Liste. Wir rufen Sie an, sobald etwas frei wird."),
    );
    Ok(Answer::done(say)
        .with("waitlist_entry_id", entry.id.as_str())
        .about_customer(&customer_id, &entry.customer_name))
}

fn date(text: Option<&str>, speech: Speech<'_>) -> Result<Option<Date>, Refused> {
    day::parse(text.unwrap_or_default(), speech.now.date()).map_err(|fault| match fault {
        DayFault::Past => Refused::ask(speech.pick(
            "That day is over. Which day would suit you?",
            "Der Tag ist schon vorbei. Welcher Tag würde Ihnen passen?",
        )),
        DayFault::Unknown => {
            Refused::ask(speech.pick("Which day would suit you?", "Welcher Tag würde Ihnen passen?"))
                .with("detail", "a day is a date (YYYY-MM-DD), a weekday, today or tomorrow")
        }
    })
}
