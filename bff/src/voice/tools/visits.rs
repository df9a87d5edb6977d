//! `find_appointments`, `move_appointment` and `cancel_appointment`: visits to come, of a caller who has proven who
//! they are. A telephone number can be shown by anyone, so the name as it was booked is asked for as well, and what
//! changes a visit is said first and done once the caller has agreed.

use jiff::{Timestamp, Zoned};
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
    answer::{Answer, Refused},
    booking, customers,
    desk::Desk,
    names, read, said, search, speech,
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
        let phone = phone.ok_or_else(|| Refused::ask("What's the number you booked with?"))?;
        let name = said(self.name.as_deref())
            .ok_or_else(|| Refused::ask("May I have your full name, as it's booked?"))?;
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
            Refused::new(Reason::NotFound, "I can't find a booking under that name and number. Could you give me your full name, as it's booked?")
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
    let spoken: Vec<String> =
        visits.iter().take(MOST_SPOKEN).map(|visit| described(visit, &desk.now)).collect::<Result<_, _>>()?;
    let say = match (visits.len(), spoken.as_slice()) {
        (0, _) => "You have nothing booked with us. Would you like to book?".to_owned(),
        (1, [one]) => format!("You have {one}."),
        (count, spoken) if count > spoken.len() => {
            format!("You have {count} visits. The next are {}.", speech::list(spoken, "and"))
        }
        (_, spoken) => format!("You have {}.", speech::list(spoken, "and")),
    };
    let shown = visits.iter().map(|visit| to_json(visit, &desk.now)).collect::<Result<Vec<_>, _>>()?;
    Ok(Answer::done(say).with("appointments", shown).about_customer(&customer.id, &customer.name))
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
    let named = described(&visit, &desk.now)?;
    if arguments.confirmed != Some(true) {
        return Ok(to_confirm(format!("Shall I cancel {named}?"), &visit, &customer));
    }
    let message = CancelAppointmentRequest {
        business_id: desk.business_id(),
        appointment_id: visit.id.clone(),
        reason: REASON.to_owned(),
    };
    let cancelled = desk.cancel_appointment(message).await?;
    let cancelled = cancelled.appointment.ok_or_else(|| Refused::empty("appointment"))?;
    Ok(Answer::done(format!("I've cancelled {named}. Is there anything else?"))
        .about_customer(&customer.id, &customer.name)
        .cancelled(&cancelled.id))
}

/// Moves a visit to a time that was offered, once the caller has heard both and agreed.
pub async fn reschedule(desk: &Desk, arguments: Map<String, Value>) -> Result<Answer, Refused> {
    let arguments: Change = read(arguments)?;
    let (customer, visit) = arguments.visit(desk).await?;
    let starts_at = booking::start(arguments.starts_at.as_deref(), &desk.now)?;
    let to = search::when(&starts_at.to_zoned(desk.now.time_zone().clone()), &desk.now);
    if arguments.confirmed != Some(true) {
        let named = described(&visit, &desk.now)?;
        return Ok(to_confirm(format!("Shall I move {named} to {to}?"), &visit, &customer));
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
    Ok(Answer::done(format!("I've moved it: {}. See you then!", described(&moved, &desk.now)?))
        .about_customer(&customer.id, &customer.name)
        .moved(&moved.id))
}

impl Change {
    /// The caller and the visit of theirs that they mean.
    async fn visit(&self, desk: &Desk) -> Result<(Customer, Appointment), Refused> {
        let customer = self.caller.proven(desk).await?;
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
                Err(Refused::new(Reason::NotFound, "You have nothing booked with us."))
            }
            None => {
                let shown =
                    visits.iter().map(|visit| to_json(visit, &desk.now)).collect::<Result<Vec<_>, _>>()?;
                Err(Refused::ask("Which of your visits do you mean?").with("appointments", shown))
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
        .with("needs_confirmation", true)
        .with("appointment_id", visit.id.as_str())
        .about_customer(&customer.id, &customer.name)
}

/// "Women's cut and finish tomorrow at 2 pm with Mia"
fn described(visit: &Appointment, now: &Zoned) -> Result<String, Refused> {
    let starts_at: Timestamp = time::required("starts_at", visit.starts_at.as_ref())?;
    let services: Vec<String> = visit.items.iter().map(|item| speech::name(&item.service_name)).collect();
    let offer = Offer { items: visit.items.clone(), ..Offer::default() };
    let when = search::when(&starts_at.to_zoned(now.time_zone().clone()), now);
    let with = search::people(&offer);
    let with = if with.is_empty() { String::new() } else { format!(" with {with}") };
    Ok(format!("{} {when}{with}", speech::list(&services, "and")))
}

fn to_json(visit: &Appointment, now: &Zoned) -> Result<Value, Refused> {
    let starts_at: Timestamp = time::required("starts_at", visit.starts_at.as_ref())?;
    let starts_at = starts_at.to_zoned(now.time_zone().clone());
    let services: Vec<Value> = visit
        .items
        .iter()
        .map(|item| json!({"service_id": item.service_id, "service": item.service_name}))
        .collect();
    Ok(json!({
        "appointment_id": visit.id,
        "starts_at": starts_at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        "what": described(visit, now)?,
        "services": services,
    }))
}
