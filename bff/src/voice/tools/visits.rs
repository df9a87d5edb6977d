//! `find_appointments`, `move_appointment` and `cancel_appointment`: visits to come, of a caller who has proven who
//! they are. A telephone number can be shown by anyone, so the name as it was booked is asked for as well, and what
//! changes a visit is said first and done once the caller has agreed.

use jiff::Timestamp;
use proto::{
    error::Reason,
    frontdesk::{
        scheduling::v1::{
            Appointment, CancelAppointmentRequest, ListCustomerAppointmentsRequest,
            ListCustomerAppointmentsResponse, MoveAppointmentRequest, Offer,
            appointment_service_methods::LIST_CUSTOMER_APPOINTMENTS,
        },
        tenancy::v1::{Customer, ListCustomersRequest},
    },
    time,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    agreement::NEEDS_CONFIRMATION,
    answer::{Answer, Refused},
    booking, customers,
    desk::Desk,
    names, offers, read, said,
    speech::{Joint, Speech},
};

const MOST_SHARING: i32 = 20;
/// Visits to come that a caller may ask about.
const MOST_VISITS: i32 = 50;
/// A caller can't keep more than this in mind.
const MOST_SPOKEN: usize = 3;
const REASON: &str = "Cancelled by telephone";

/// Who is on the line, as the agent was told.
#[derive(Debug, Deserialize)]
struct Caller {
    customer_id: Option<String>,
    /// As it was booked.
    name: Option<String>,
    /// The number it was booked with, where the line shows another or none.
    phone: Option<String>,
}

impl Caller {
    /// The customer, if number and name are theirs.
    async fn proven(&self, desk: &Desk) -> Result<Customer, Refused> {
        let phone = said(self.phone.as_deref()).or(desk.customer_number.as_deref());
        let speech = desk.speech();
        let ask = |english, german| Refused::ask(speech.pick(english, german));
        let phone = phone.ok_or_else(|| {
            ask("What's the number you booked with?", "Unter welcher Nummer haben Sie gebucht?")
        })?;
        let name = said(self.name.as_deref()).ok_or_else(|| {
            ask(
                "May I have your full name, as it's booked?",
                "Wie ist Ihr vollständiger Name, so wie er gebucht ist?",
            )
        })?;
        let message = ListCustomersRequest {
            business_id: desk.business_id(),
            phone: phone.to_owned(),
            page_size: MOST_SHARING,
            ..ListCustomersRequest::default()
        };
        let sharing = customers::sharing(desk, message).await?;
        let chosen = said(self.customer_id.as_deref());
        let fits = |customer: &&Customer| {
            chosen.is_none_or(|id| id == customer.id) && names::is_whole(name, &customer.name)
        };
        // The same words for a wrong name and a number without a customer: neither is a guess's reward.
        sharing.iter().find(fits).cloned().ok_or_else(|| {
            let say = speech.pick(
                "I can't find a booking under that name and number. Could you give me your full name, as it's booked?",
                "Unter diesem Namen und dieser Nummer finde ich keinen Termin. Nennen Sie mir bitte Ihren vollständigen Namen, so wie er gebucht ist?",
            );
            Refused::new(Reason::NotFound, say)
        })
    }
}

#[derive(Deserialize)]
struct Find {
    #[serde(flatten)]
    caller: Caller,
}

/// The caller's visits to come.
pub async fn find(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Find = read(arguments)?;
    let customer = arguments.caller.proven(desk).await?;
    let visits = upcoming(desk, &customer).await?;
    let speech = desk.speech();
    let spoken = visits.iter().take(MOST_SPOKEN).map(|visit| described(speech, visit));
    let say = told(speech, visits.len(), &spoken.collect::<Result<Vec<_>, _>>()?);
    let shown = visits.iter().map(|visit| to_json(speech, visit)).collect::<Result<Vec<_>, _>>()?;
    Ok(Answer::done(say).with("appointments", shown).about_customer(&customer.id, &customer.name))
}

/// So many visits, of which these are said.
fn told(speech: Speech<'_>, count: usize, spoken: &[String]) -> String {
    let listed = speech.list(spoken, Joint::And);
    match count {
        0 => {
            let say = speech.pick(
                "You have nothing booked with us. Would you like to book?",
                "Sie haben keinen Termin bei uns. Möchten Sie einen vereinbaren?",
            );
            say.to_owned()
        }
        count if count > spoken.len() => speech.pick(
            format!("You have {count} visits. The next are {listed}."),
            format!("Sie haben {count} Termine. Die nächsten sind {listed}."),
        ),
        _ => speech.pick(format!("You have {listed}."), format!("Gebucht ist {listed}.")),
    }
}

#[derive(Deserialize)]
struct Change {
    #[serde(flatten)]
    caller: Caller,
    appointment_id: Option<String>,
    starts_at: Option<String>,
    confirmed: Option<bool>,
}

/// Cancels a visit, once the caller has heard which and agreed.
pub async fn cancel(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Change = read(arguments)?;
    let (customer, visit) = arguments.visit(desk).await?;
    let speech = desk.speech();
    let named = described(speech, &visit)?;
    if !arguments.is_agreed(desk, &visit, None) {
        let say = speech.pick(format!("Shall I cancel {named}?"), format!("Soll ich {named} absagen?"));
        return Ok(to_confirm(say, &visit, &customer));
    }
    let message = CancelAppointmentRequest {
        business_id: desk.business_id(),
        appointment_id: visit.id.clone(),
        reason: REASON.to_owned(),
    };
    let cancelled = desk.cancel_appointment(message).await?;
    let cancelled = cancelled.appointment.ok_or_else(|| Refused::empty("appointment"))?;
    let say = speech.pick(
        format!("I've cancelled {named}. Is there anything else?"),
        format!("{named} ist abgesagt. Kann ich noch etwas für Sie tun?"),
    );
    Ok(Answer::done(say).about_customer(&customer.id, &customer.name).cancelled(&cancelled.id))
}

/// Moves a visit to a time that was offered, once the caller has heard both and agreed.
pub async fn reschedule(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Change = read(arguments)?;
    let (customer, visit) = arguments.visit(desk).await?;
    let speech = desk.speech();
    let starts_at = booking::start(arguments.starts_at.as_deref(), speech)?;
    if !arguments.is_agreed(desk, &visit, Some(starts_at)) {
        let to = speech.until_when(&starts_at.to_zoned(desk.now.time_zone().clone()));
        let named = described(speech, &visit)?;
        let say = speech.pick(
            format!("Shall I move {named} to {to}?"),
            format!("Soll ich {named} auf {to} verschieben?"),
        );
        return Ok(to_confirm(say, &visit, &customer).with("starts_at", starts_at.to_string()));
    }
    let message = MoveAppointmentRequest {
        business_id: desk.business_id(),
        appointment_id: visit.id.clone(),
        starts_at: Some(time::to_proto(starts_at)),
        // Who was asked for stays; anyone else may be another.
        employee_ids: visit.items.iter().map(|_| String::new()).collect(),
        version: visit.version,
        ..MoveAppointmentRequest::default()
    };
    let moved = desk.move_appointment(message).await?;
    let moved = moved.appointment.ok_or_else(|| Refused::empty("appointment"))?;
    let named = described(speech, &moved)?;
    let say = speech.pick(
        format!("I've moved it: {named}. See you then!"),
        format!("Ich habe den Termin verschoben: {named}. Bis dann!"),
    );
    Ok(Answer::done(say).about_customer(&customer.id, &customer.name).moved(&moved.id))
}

impl Change {
    /// Whether the caller has agreed to this very change.
    fn is_agreed(&self, desk: &Desk, visit: &Appointment, starts_at: Option<Timestamp>) -> bool {
        self.confirmed == Some(true) && desk.agreement.covers(&visit.id, starts_at)
    }

    /// The caller and the visit of theirs that they mean.
    async fn visit(&self, desk: &Desk) -> Result<(Customer, Appointment), Refused> {
        let (customer, speech) = (self.caller.proven(desk).await?, desk.speech());
        let mut visits = upcoming(desk, &customer).await?;
        let named = said(self.appointment_id.as_deref());
        let at = match (named, visits.len()) {
            (Some(id), _) => visits.iter().position(|visit| visit.id == id),
            (None, 1) => Some(0),
            (None, _) => None,
        };
        match at {
            Some(at) => Ok((customer, visits.swap_remove(at))),
            None if visits.is_empty() => {
                let say = speech.pick("You have nothing booked with us.", "Sie haben keinen Termin bei uns.");
                Err(Refused::new(Reason::NotFound, say))
            }
            None => {
                let shown =
                    visits.iter().map(|visit| to_json(speech, visit)).collect::<Result<Vec<_>, _>>()?;
                let say =
                    speech.pick("Which of your visits do you mean?", "Welchen Ihrer Termine meinen Sie?");
                Err(Refused::ask(say).with("appointments", shown))
            }
        }
    }
}

async fn upcoming(desk: &Desk, customer: &Customer) -> Result<Vec<Appointment>, Refused> {
    match desk.writing.dry_run() {
        None => stored(desk, customer).await,
        Some(run) if !run.is_stored(&customer.id) => Ok(run.visits_over(&customer.id, vec![])),
        Some(run) => Ok(run.visits_over(&customer.id, stored(desk, customer).await?)),
    }
}

async fn stored(desk: &Desk, customer: &Customer) -> Result<Vec<Appointment>, Refused> {
    let message = ListCustomerAppointmentsRequest {
        business_id: desk.business_id(),
        customer_id: customer.id.clone(),
        upcoming: true,
        page_size: MOST_VISITS,
        ..ListCustomerAppointmentsRequest::default()
    };
    let listed: ListCustomerAppointmentsResponse = desk.read(&LIST_CUSTOMER_APPOINTMENTS, message).await?;
    Ok(listed.appointments)
}

fn to_confirm(say: String, visit: &Appointment, customer: &Customer) -> Answer {
    Answer::done(say)
        .with(NEEDS_CONFIRMATION, true)
        .with("appointment_id", visit.id.as_str())
        .about_customer(&customer.id, &customer.name)
}

/// "Women's cut and finish tomorrow at 2 pm with Mia"
fn described(speech: Speech<'_>, visit: &Appointment) -> Result<String, Refused> {
    let starts_at: Timestamp = time::required("starts_at", visit.starts_at.as_ref())?;
    let services: Vec<String> = visit.items.iter().map(|item| speech.name(&item.service_name)).collect();
    let offer = Offer { items: visit.items.clone(), ..Offer::default() };
    let when = speech.when(&starts_at.to_zoned(speech.now.time_zone().clone()));
    let with = offers::with(speech, &offers::people(speech, &offer));
    Ok(format!("{} {when}{with}", speech.list(&services, Joint::And)))
}

fn to_json(speech: Speech<'_>, visit: &Appointment) -> Result<Value, Refused> {
    let starts_at: Timestamp = time::required("starts_at", visit.starts_at.as_ref())?;
    let starts_at = starts_at.to_zoned(speech.now.time_zone().clone());
    let services: Vec<Value> = visit
        .items
        .iter()
        .map(|item| json!({"service_id": item.service_id, "service": item.service_name}))
        .collect();
    Ok(json!({
        "appointment_id": visit.id,
        "starts_at": starts_at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        "what": described(speech, visit)?,
        "services": services,
    }))
}

#[cfg(test)]
mod tests {
    use proto::frontdesk::scheduling::v1::PlacedItem;

    use super::*;
    use crate::voice::playbook::Language;

    #[test]
    fn visits_are_told_in_the_language_of_the_call() {
        let now = "2026-06-01T09:00[Europe/Berlin]".parse().unwrap();
        let starts_at: Timestamp = "2026-06-06T12:00:00Z".parse().unwrap();
        let item = PlacedItem {
            service_name: "Haarschnitt".to_owned(),
            employee_name: "Mia Larsen".to_owned(),
            ..PlacedItem::default()
        };
        let visit = Appointment {
            starts_at: Some(time::to_proto(starts_at)),
            items: vec![item],
            ..Appointment::default()
        };
        let said = |language, count| {
            let speech = Speech { language, now: &now };
            let named = described(speech, &visit).unwrap();
            told(speech, count, &[named])
        };
        let german = "Gebucht ist Haarschnitt am Samstag, dem 6. Juni um 14 Uhr bei Mia.";
        assert_eq!(said(Language::German, 1), german);
        assert_eq!(
            said(Language::English, 1),
            "You have Haarschnitt on Saturday the 6th of June at 2 pm with Mia."
        );
        assert!(said(Language::German, 4).starts_with("Sie haben 4 Termine. Die nächsten sind Haarschnitt"));
        assert!(said(Language::German, 0).starts_with("Sie haben keinen Termin bei uns."));
    }
}
