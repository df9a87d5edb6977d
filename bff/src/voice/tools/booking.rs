//! `hold_slot` and `book_appointment`.

use jiff::{Timestamp, civil::DateTime};
use proto::{
    frontdesk::scheduling::v1::{
        Appointment, BookAppointmentRequest, CheckPatchTestsRequest, CheckPatchTestsResponse,
        CreateHoldRequest, Offer, PatchTestWarning, patch_test_service_methods::CHECK_PATCH_TESTS,
        patch_test_warning::Kind,
    },
    time,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    answer::{Answer, Refused},
    desk::Desk,
    names, offers, read, said,
    speech::{Joint, Speech},
    visit::Visit,
};
use crate::voice::playbook::Language;

#[derive(Deserialize)]
struct Hold {
    #[serde(flatten)]
    visit: Visit,
    starts_at: Option<String>,
}

/// Keeps a time while the caller decides.
pub async fn hold(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Hold = read(arguments)?;
    let speech = desk.speech();
    let starts_at = start(arguments.starts_at.as_deref(), speech)?;
    let message = CreateHoldRequest {
        business_id: desk.business_id(),
        items: arguments.visit.items(desk).await?,
        starts_at: Some(time::to_proto(starts_at)),
        call_id: desk.call_id.clone(),
        customer_id: arguments.visit.customer_id(),
    };
    let created = desk.create_hold(message).await?;
    let hold = created.hold.ok_or_else(|| Refused::empty("hold"))?;
    let when = when(speech, hold.offer.as_ref(), starts_at);
    let lacking = lacking_tests(desk, &arguments.visit.customer_id(), hold.offer.as_ref(), starts_at).await;
    let tests = tests_note(speech, &lacking);
    let say = speech.pick(
        format!("I'm keeping {when} for you. {tests}Shall I book it?"),
        format!("Ich halte {when} für Sie frei. {tests}Soll ich das buchen?"),
    );
    Ok(Answer::done(say).with("hold_id", hold.id))
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
fn tests_note(speech: Speech<'_>, lacking: &[PatchTestWarning]) -> String {
    if lacking.is_empty() {
        return String::new();
    }
    let sentence = |warning: &PatchTestWarning| match speech.language {
        Language::English => warning.sentence.clone(),
        Language::German => german_warning(warning),
    };
    let sentences: Vec<_> = lacking.iter().map(sentence).collect();
    let test = speech.pick(
        "The salon will want to test it before that visit.",
        "Der Salon möchte die Verträglichkeit vor dem Termin testen.",
    );
    format!("{} {test} ", sentences.join(" "))
}

fn german_warning(warning: &PatchTestWarning) -> String {
    let PatchTestWarning { subject, service_name, .. } = warning;
    match warning.kind() {
        Kind::Expired => {
            format!("Der Verträglichkeitstest für {subject} ist für {service_name} zu lange her.")
        }
        Kind::Reaction => {
            format!(
                "Beim letzten Verträglichkeitstest für {subject} gab es eine Reaktion, und {service_name} braucht einen neuen."
            )
        }
        Kind::Missing | Kind::Unspecified => {
            format!("Für {service_name} ist kein Verträglichkeitstest für {subject} vermerkt.")
        }
    }
}

/// The start an offer named; without an offset it is the business's own time.
pub fn start(text: Option<&str>, speech: Speech<'_>) -> Result<Timestamp, Refused> {
    let ask =
        || Refused::ask(speech.pick("What time would you like?", "Um wie viel Uhr möchten Sie kommen?"));
    let text = said(text).ok_or_else(ask)?;
    text.parse::<Timestamp>()
        .or_else(|_| {
            text.parse::<DateTime>()?.to_zoned(speech.now.time_zone().clone()).map(|zoned| zoned.timestamp())
        })
        .map_err(|_| Refused::malformed("starts_at is a time such as 2026-06-02T10:00:00+01:00"))
}

/// "tomorrow at 10 am with Mia"
fn when(speech: Speech<'_>, offer: Option<&Offer>, starts_at: Timestamp) -> String {
    let when = speech.when(&starts_at.to_zoned(speech.now.time_zone().clone()));
    let people = offer.map(|offer| offers::people(speech, offer)).unwrap_or_default();
    format!("{when}{}", offers::with(speech, &people))
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
        Refused::ask(desk.speech().pick("Whom may I book it for?", "Auf welchen Namen darf ich buchen?"))
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
    Ok(Answer::done(confirmation(desk.speech(), &appointment)?)
        .with("appointment_id", appointment.id.as_str())
        .about_customer(&appointment.customer_id, &appointment.customer_name)
        .booked(&appointment.id))
}

fn confirmation(speech: Speech<'_>, appointment: &Appointment) -> Result<String, Refused> {
    let starts_at = time::required("starts_at", appointment.starts_at.as_ref())?;
    let offer = Offer { items: appointment.items.clone(), ..Offer::default() };
    let services: Vec<String> =
        appointment.items.iter().map(|item| speech.name(&item.service_name)).collect();
    let when = when(speech, Some(&offer), starts_at);
    let name = names::first(&appointment.customer_name);
    let name = if name.is_empty() { String::new() } else { format!(", {name}") };
    let services = speech.list(&services, Joint::And);
    Ok(speech.pick(
        format!("You're booked{name}: {services}, {when}. See you then!"),
        format!("Gebucht{name}: {services}, {when}. Bis dann!"),
    ))
}

#[cfg(test)]
mod tests {
    use proto::frontdesk::scheduling::v1::PlacedItem;

    use super::*;

    #[test]
    fn a_missing_patch_test_is_said_before_the_caller_is_asked() {
        let now = "2026-06-01T09:00[Europe/London]".parse().unwrap();
        let note =
            |language, lacking: &[PatchTestWarning]| tests_note(Speech { language, now: &now }, lacking);
        assert_eq!(note(Language::English, &[]), "");
        let warning = PatchTestWarning {
            sentence: "No patch test for Tint is on record.".to_owned(),
            kind: Kind::Missing.into(),
            service_name: "Färben".to_owned(),
            subject: "Tint".to_owned(),
            ..PatchTestWarning::default()
        };
        let said = "No patch test for Tint is on record. The salon will want to test it before that visit. ";
        assert_eq!(note(Language::English, core::slice::from_ref(&warning)), said);
        let said = "Für Färben ist kein Verträglichkeitstest für Tint vermerkt. Der Salon möchte die Verträglichkeit vor \
                    dem Termin testen. ";
        assert_eq!(note(Language::German, &[warning]), said);
    }

    #[test]
    fn a_booking_is_confirmed_in_the_language_of_the_call() {
        let now = "2026-06-01T09:00[Europe/Berlin]".parse().unwrap();
        let starts_at: Timestamp = "2026-06-02T08:30:00Z".parse().unwrap();
        let item = PlacedItem {
            service_name: "Waschen & Schneiden".to_owned(),
            employee_name: "Mia Larsen".to_owned(),
            ..PlacedItem::default()
        };
        let appointment = Appointment {
            starts_at: Some(time::to_proto(starts_at)),
            items: vec![item],
            customer_name: "Ana Sousa".to_owned(),
            ..Appointment::default()
        };
        let said = |language| confirmation(Speech { language, now: &now }, &appointment).unwrap();
        let german = "Gebucht, Ana: Waschen und Schneiden, morgen um 10 Uhr 30 bei Mia. Bis dann!";
        assert_eq!(said(Language::German), german);
        let english =
            "You're booked, Ana: Waschen and Schneiden, tomorrow at 10:30 am with Mia. See you then!";
        assert_eq!(said(Language::English), english);
    }

    #[test]
    fn a_start_without_an_offset_is_the_businesss_own_time() {
        let now = "2026-06-01T09:00[Europe/London]".parse().unwrap();
        let speech = Speech { language: Language::English, now: &now };
        let ten: Timestamp = "2026-06-02T09:00:00Z".parse().unwrap();
        for text in
            ["2026-06-02T10:00:00+01:00", "2026-06-02T09:00:00Z", "2026-06-02T10:00", "2026-06-02 10:00"]
        {
            assert_eq!(start(Some(text), speech), Ok(ten), "{text}");
        }
        for text in [None, Some(" "), Some("ten o'clock")] {
            assert!(start(text, speech).is_err(), "{text:?}");
        }
    }
}
