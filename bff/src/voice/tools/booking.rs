//! `hold_slot` and `book_appointment`.

use jiff::{Timestamp, Zoned, civil::DateTime};
use proto::{
    frontdesk::scheduling::v1::{
        Appointment, BookAppointmentRequest, CheckPatchTestsRequest, CheckPatchTestsResponse,
        CreateHoldRequest, Offer, PatchTestWarning, patch_test_service_methods::CHECK_PATCH_TESTS,
    },
    time,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    answer::{Answer, Refused},
    desk::Desk,
    names, read, said, search, speech,
    visit::Visit,
};

#[derive(Deserialize)]
struct Hold {
    #[serde(flatten)]
    visit: Visit,
    starts_at: Option<String>,
}

/// Keeps a time while the caller decides.
pub async fn hold(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Hold = read(arguments)?;
    let starts_at = start(arguments.starts_at.as_deref(), &desk.now)?;
    let message = CreateHoldRequest {
        business_id: desk.business_id(),
        items: arguments.visit.items(desk).await?,
        starts_at: Some(time::to_proto(starts_at)),
        call_id: desk.call_id.clone(),
        customer_id: arguments.visit.customer_id(),
    };
    let created = desk.create_hold(message).await?;
    let hold = created.hold.ok_or_else(|| Refused::empty("hold"))?;
    let when = when(hold.offer.as_ref(), starts_at, &desk.now);
    let lacking = lacking_tests(desk, &arguments.visit.customer_id(), hold.offer.as_ref(), starts_at).await;
    let tests = tests_note(&lacking);
    Ok(Answer::done(format!("I'm keeping {when} for you. {tests}Shall I book it?")).with("hold_id", hold.id))
}

/// The patch tests that the customer lacks for what is held. A booking does not depend on them: what can't be read
/// is not said.
async fn lacking_tests(
    desk: &Desk,
    customer_id: &str,
    offer: Option<&Offer>,
    starts_at: Timestamp,
) -> Vec<PatchTestWarning> {
    let items = offer.map(|offer| offer.items.as_slice()).unwrap_or_default();
    if items.is_empty() {
        return vec![];
    }
    let message = CheckPatchTestsRequest {
        business_id: desk.business_id(),
        customer_id: customer_id.to_owned(),
        service_ids: items.iter().map(|item| item.service_id.clone()).collect(),
        starts_at: Some(time::to_proto(starts_at)),
    };
    let answer: Result<CheckPatchTestsResponse, _> = desk.read(&CHECK_PATCH_TESTS, message).await;
    answer.map(|answer| answer.warnings).unwrap_or_default()
}

/// What is lacking in words, followed by a space; empty where nothing is.
fn tests_note(lacking: &[PatchTestWarning]) -> String {
    if lacking.is_empty() {
        return String::new();
    }
    let sentences: Vec<_> = lacking.iter().map(|warning| warning.sentence.as_str()).collect();
    format!("{} The salon will want to test it before that visit. ", sentences.join(" "))
}

/// The start an offer named; without an offset it is the business's own time.
pub fn start(text: Option<&str>, now: &Zoned) -> Result<Timestamp, Refused> {
    let text = said(text).ok_or_else(|| Refused::ask("What time would you like?"))?;
    text.parse::<Timestamp>()
        .or_else(|_| {
            text.parse::<DateTime>()?.to_zoned(now.time_zone().clone()).map(|zoned| zoned.timestamp())
        })
        .map_err(|_| Refused::malformed("starts_at is a time such as 2026-06-02T10:00:00+01:00"))
}

/// "tomorrow at 10 am with Mia"
fn when(offer: Option<&Offer>, starts_at: Timestamp, now: &Zoned) -> String {
    let when = search::when(&starts_at.to_zoned(now.time_zone().clone()), now);
    match offer.map(search::people) {
        Some(people) if !people.is_empty() => format!("{when} with {people}"),
        _ => when,
    }
}

#[derive(Deserialize)]
struct Book {
    hold_id: Option<String>,
    customer_id: Option<String>,
    notes: Option<String>,
}

/// Books the time that is kept, for the customer who was recognised.
pub async fn book(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Book = read(arguments)?;
    let hold_id = said(arguments.hold_id.as_deref())
        .ok_or_else(|| Refused::malformed("hold_id is required: hold a time with hold_slot first"))?;
    let customer_id = said(arguments.customer_id.as_deref()).ok_or_else(|| {
        Refused::ask("Whom may I book it for?")
            .with("detail", "customer_id is required: find or create them first")
    })?;
    let message = BookAppointmentRequest {
        business_id: desk.business_id(),
        hold_id: hold_id.to_owned(),
        customer_id: customer_id.to_owned(),
        call_id: desk.call_id.clone(),
        notes: arguments.notes.unwrap_or_default(),
        ..BookAppointmentRequest::default()
    };
    let booked = desk.book_appointment(message).await?;
    let appointment = booked.appointment.ok_or_else(|| Refused::empty("appointment"))?;
    Ok(Answer::done(confirmation(&appointment, &desk.now)?)
        .with("appointment_id", appointment.id.as_str())
        .about_customer(&appointment.customer_id, &appointment.customer_name)
        .booked(&appointment.id))
}

fn confirmation(appointment: &Appointment, now: &Zoned) -> Result<String, Refused> {
    let starts_at = time::required("starts_at", appointment.starts_at.as_ref())?;
    let offer = Offer { items: appointment.items.clone(), ..Offer::default() };
    let services: Vec<String> =
        appointment.items.iter().map(|item| speech::name(&item.service_name)).collect();
    let when = when(Some(&offer), starts_at, now);
    let name = names::first(&appointment.customer_name);
    let name = if name.is_empty() { String::new() } else { format!(", {name}") };
    Ok(format!("You're booked{name}: {}, {when}. See you then!", speech::list(&services, "and")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_patch_test_is_said_before_the_caller_is_asked() {
        assert_eq!(tests_note(&[]), "");
        let warning = PatchTestWarning {
            sentence: "No patch test for Tint is on record.".to_owned(),
            ..PatchTestWarning::default()
        };
        let said = "No patch test for Tint is on record. The salon will want to test it before that visit. ";
        assert_eq!(tests_note(&[warning]), said);
    }

    #[test]
    fn a_start_without_an_offset_is_the_businesss_own_time() {
        let now: Zoned = "2026-06-01T09:00[Europe/London]".parse().unwrap();
        let ten: Timestamp = "2026-06-02T09:00:00Z".parse().unwrap();
        for text in
            ["2026-06-02T10:00:00+01:00", "2026-06-02T09:00:00Z", "2026-06-02T10:00", "2026-06-02 10:00"]
        {
            assert_eq!(start(Some(text), &now), Ok(ten), "{text}");
        }
        for text in [None, Some(" "), Some("ten o'clock")] {
            assert!(start(text, &now).is_err(), "{text:?}");
        }
    }
}
