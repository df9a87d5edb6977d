//! Lines of appointments: scheduling says what can be booked, and books it.

use core::time::Duration;
use std::collections::{HashMap, hash_map::Entry};

use boot::peer::Peer;
use caller::{BusinessId, UserId};
use proto::{
    error::FieldFault,
    frontdesk::scheduling::internal::v1::{
        self as pb, ImportAppointmentsRequest, TableVisitOutcome, TakenTime,
        appointment_import_service_client::AppointmentImportServiceClient,
    },
    time::to_proto,
};
use tonic::{Code, Status};
use uuid::Uuid;

use super::{Read, key, onboarding::Away};
use crate::{
    Error,
    domain::{Customer, CustomerId, Import, ImportId, LineState},
    lines::appointment::{AppointmentLine, Named, NamedCustomer, TableTime, reference},
    store::{ImportLine, LineOutcome, Tx},
};

/// How long scheduling may take for the lines of a step: less than the worker's lease.
const PATIENCE: Duration = Duration::from_secs(20);
/// Services that one appointment has at most: 6 for each of 8 guests.
const MOST_SERVICES: usize = 48;
/// How finely time is divided.
const SLOT_SECONDS: i64 = 300;
const SERVICE: Away = "scheduling";
const NOT_READ: &str = "was not booked: scheduling can’t read one of the appointments near this line";

/// Asks scheduling for what lines say.
#[derive(Debug, Clone)]
pub struct Booking(pub Peer);

/// Lines that are one appointment.
#[derive(Debug)]
pub struct Visit<'a> {
    lines: &'a [ImportLine],
    /// What scheduling is asked, or what is wrong with which of the lines.
    read: Result<pb::TableVisit, (usize, FieldFault)>,
}

/// What becomes of an appointment.
type Outcome = Result<TableVisitOutcome, (usize, FieldFault)>;

impl Booking {
    /// What becomes of appointments that `importer` has booked, or would.
    ///
    /// # Errors
    /// When scheduling is away.
    pub async fn ask(
        &self,
        business: BusinessId,
        importer: Option<UserId>,
        visits: &[Visit<'_>],
        check_only: bool,
    ) -> Result<Vec<Outcome>, Away> {
        let asked: Vec<_> = visits.iter().filter_map(|visit| visit.read.clone().ok()).collect();
        let mut answers: Vec<Outcome> = vec![];
        if !asked.is_empty() {
            let (count, business_id) = (asked.len(), business.to_string());
            let on_behalf_of = importer.map(|user| user.to_string()).unwrap_or_default();
            let message = ImportAppointmentsRequest { business_id, visits: asked, check_only, on_behalf_of };
            let request = self.0.as_service(Some(business), message, PATIENCE);
            let answer =
                AppointmentImportServiceClient::new(self.0.channel()).import_appointments(request).await;
            answers = match answer {
                Ok(answer) => answer.into_inner().outcomes.into_iter().map(refusal).collect(),
                Err(status) => vec![Err(refused(&status)?); count],
            };
            if answers.len() != count {
                return Err(SERVICE);
            }
        }
        let mut answers = answers.into_iter();
        let of = |visit: &Visit<'_>| match &visit.read {
            Ok(_) => answers.next().ok_or(SERVICE),
            Err(fault) => Ok(Err(fault.clone())),
        };
        visits.iter().map(of).collect()
    }
}

/// What is wrong with each appointment of a refused call.
///
/// # Errors
/// When scheduling is away, so that the call is worth another try.
fn refused(status: &Status) -> Result<(usize, FieldFault), Away> {
    tracing::warn!(%status, "appointments of an import can't be booked");
    match status.code() {
        Code::InvalidArgument => Ok((0, FieldFault::new("appointment", NOT_READ))),
        _ => Err(SERVICE),
    }
}

fn refusal(outcome: TableVisitOutcome) -> Outcome {
    match outcome.fault {
        None => Ok(outcome),
        Some(fault) => Err((
            usize::try_from(fault.item).unwrap_or_default(),
            FieldFault::new(&fault.field, &fault.fault),
        )),
    }
}

/// The appointments of some lines, which are not `all` that are left: one that may go on behind them is left out.
pub async fn read<'a>(
    tx: &Tx,
    import: &Import,
    lines: &'a [ImportLine],
    all: bool,
) -> Result<Vec<Visit<'a>>, Error> {
    let mut groups: Vec<&[ImportLine]> = lines.chunk_by(is_one_visit).collect();
    if !all && groups.len() > 1 {
        groups.pop();
    }
    let country = tx.business().await?.country();
    let parse = |line: &ImportLine| AppointmentLine::parse(&line.cells, country, import.date_order);
    let parsed: Vec<Vec<Read<AppointmentLine>>> =
        groups.iter().map(|group| group.iter().map(parse).collect()).collect();
    let customers = Customers::known(tx, parsed.iter().flatten().flatten()).await?;
    let visit = |(lines, parsed)| Visit { lines, read: visit(parsed, &customers) };
    Ok(groups.into_iter().zip(parsed).map(visit).collect())
}

fn is_one_visit(one: &ImportLine, next: &ImportLine) -> bool {
    !reference(&one.cells).is_empty() && reference(&one.cells) == reference(&next.cells)
}

/// What became of the lines of checked appointments. What two lines can't both have is the first one's.
pub async fn checked(
    tx: &Tx,
    import: ImportId,
    visits: &[Visit<'_>],
    outcomes: Vec<Outcome>,
) -> Result<Vec<LineOutcome>, Error> {
    let own: Vec<[Vec<String>; 2]> =
        visits.iter().zip(&outcomes).map(|(visit, outcome)| [visit.names(outcome), taken(outcome)]).collect();
    let mut kept = tx.import_keys(import, own.iter().flatten().flatten().cloned().collect()).await?;
    let mut new = vec![];
    let mut lines = vec![];
    for ((visit, outcome), [names, taken]) in visits.iter().zip(outcomes).zip(own) {
        let other = |keys: &[String]| keys.iter().find_map(|key| kept.get(key).copied());
        let fault = match outcome {
            Err(fault) => Some(fault),
            Ok(outcome) if outcome.known => {
                Some((0, FieldFault::new("appointment", "is in the book already")))
            }
            Ok(_) => match (other(&names), other(&taken)) {
                (Some(line), _) => Some((0, said_of("appointment", "is that of line", line, " as well"))),
                (None, Some(line)) => Some((0, said_of("start", "is taken by line", line, ""))),
                (None, None) => None,
            },
        };
        // An appointment whose lines are apart, or too many, is none of them.
        let keys = if fault.is_none() { [names, taken].concat() } else { names };
        for key in keys {
            if let Entry::Vacant(free) = kept.entry(key) {
                new.push((free.key().clone(), visit.first_line()));
                free.insert(visit.first_line());
            }
        }
        lines.extend(visit.outcomes(fault, LineState::Good, LineState::Bad, None));
    }
    tx.keep_import_keys(import, &new).await?;
    Ok(lines)
}

fn said_of(column: &str, what: &str, line: i32, more: &str) -> FieldFault {
    FieldFault::new(column, &format!("{what} {line}{more}"))
}

/// What became of the lines of imported appointments.
pub fn imported(visits: &[Visit<'_>], outcomes: Vec<Outcome>) -> Vec<LineOutcome> {
    let of = |(visit, outcome): (&Visit<'_>, Outcome)| {
        // One that is in the book already was imported before its line could say so.
        let (fault, record) = match outcome {
            Ok(outcome) => (None, outcome.appointment_id.parse().ok()),
            Err(fault) => (Some(fault), None),
        };
        visit.outcomes(fault, LineState::Imported, LineState::Failed, record)
    };
    visits.iter().zip(outcomes).flat_map(of).collect()
}

impl Visit<'_> {
    fn first_line(&self) -> i32 {
        self.lines.first().map_or(0, |line| line.number)
    }

    /// What no other lines of the table may have: the names of the appointment in the table and in the book.
    fn names(&self, outcome: &Outcome) -> Vec<String> {
        let named = self.lines.first().map(|line| reference(&line.cells)).filter(|name| !name.is_empty());
        let booked = outcome.as_ref().ok().map(|outcome| outcome.appointment_id.as_str());
        named.into_iter().chain(booked).map(|name| key("appointment", name)).collect()
    }

    /// All of its lines are good, or none of them is.
    fn outcomes(
        &self,
        fault: Option<(usize, FieldFault)>,
        good: LineState,
        bad: LineState,
        record: Option<Uuid>,
    ) -> Vec<LineOutcome> {
        let wrong = fault.as_ref().and_then(|(at, _)| self.lines.get(*at)).or(self.lines.first());
        let wrong = wrong.map_or(0, |line| line.number);
        let of = |line: &ImportLine| {
            let fault = fault.as_ref().map(|(_, fault)| {
                if line.number == wrong {
                    (fault.field.clone(), fault.description.clone())
                } else {
                    ("appointment".to_owned(), format!("can’t be imported without line {wrong}"))
                }
            });
            let state = if fault.is_some() { bad } else { good };
            LineOutcome { number: line.number, state, fault, record }
        };
        self.lines.iter().map(of).collect()
    }
}

/// The time that an appointment takes from the employees whom its lines name, by slots.
fn taken(outcome: &Outcome) -> Vec<String> {
    let Ok(outcome) = outcome else { return vec![] };
    let slots = |taken: &TakenTime| {
        let from = taken.starts_at.as_ref().map_or(0, |at| at.seconds);
        let to = taken.ends_at.as_ref().map_or(0, |at| at.seconds);
        let employee = taken.employee_id.clone();
        (from.div_euclid(SLOT_SECONDS)..(to + SLOT_SECONDS - 1).div_euclid(SLOT_SECONDS))
            .map(move |slot| key("start", &format!("{employee} {slot}")))
    };
    outcome.taken.iter().flat_map(slots).collect()
}

fn visit(
    parsed: Vec<Read<AppointmentLine>>,
    customers: &Customers,
) -> Result<pb::TableVisit, (usize, FieldFault)> {
    let mut lines = Vec::with_capacity(parsed.len());
    for (at, line) in parsed.into_iter().enumerate() {
        lines.push(line.map_err(|fault| (at, fault))?);
    }
    if lines.len() > MOST_SERVICES {
        return Err((0, FieldFault::new("appointment", "has more than 48 services")));
    }
    let mut found = vec![];
    for (at, line) in lines.iter().enumerate() {
        found.push(customers.find(line.customer.as_ref()).map_err(|fault| (at, fault))?);
    }
    let (Some(first), Some(customer)) = (lines.first(), found.first().copied()) else {
        return Err((0, FieldFault::new("start", "is required")));
    };
    if let Some(at) = found.iter().position(|other| *other != customer) {
        return Err((at, FieldFault::new("customer", "is another one than in the line above")));
    }
    Ok(pb::TableVisit {
        reference: first.reference.clone(),
        customer_id: customer.map(|id| id.to_string()).unwrap_or_default(),
        notes: first.notes.clone(),
        confirmed: first.confirmed,
        items: lines.iter().map(item).collect(),
    })
}

fn item(line: &AppointmentLine) -> pb::TableItem {
    let id = |named: &Named| named.id.map(|id| id.to_string()).unwrap_or_default();
    pb::TableItem {
        service_id: id(&line.service),
        service_name: line.service.name.clone(),
        employee_id: id(&line.employee),
        employee_name: line.employee.name.clone(),
        starts_at: Some(time(line.starts_at)),
        ends_at: line.ends_at.map(time),
        guest: line.guest.into(),
    }
}

fn time(time: TableTime) -> pb::TableTime {
    pb::TableTime {
        local: time.local.map(|local| local.to_string()).unwrap_or_default(),
        at: time.at.map(to_proto),
    }
}

/// The customers that lines may mean.
struct Customers {
    by_id: HashMap<CustomerId, Customer>,
    named: Vec<Customer>,
}

impl Customers {
    async fn known(tx: &Tx, lines: impl Iterator<Item = &AppointmentLine>) -> Result<Self, Error> {
        let wanted: Vec<&NamedCustomer> = lines.filter_map(|line| line.customer.as_ref()).collect();
        let ids: Vec<CustomerId> = wanted.iter().filter_map(|one| one.id).collect();
        let names: Vec<String> =
            wanted.iter().map(|one| one.name.clone()).filter(|name| !name.is_empty()).collect();
        let by_id = if ids.is_empty() { vec![] } else { tx.customers_among(&ids).await? };
        let by_id = by_id.into_iter().filter(|customer| customer.erased_at.is_none());
        let by_id = by_id.map(|customer| (customer.id, customer)).collect();
        let named = if names.is_empty() { vec![] } else { tx.customers_named(names).await? };
        Ok(Self { by_id, named })
    }

    /// The customer that a line means, if it means one.
    fn find(&self, wanted: Option<&NamedCustomer>) -> Read<Option<CustomerId>> {
        let Some(wanted) = wanted else { return Ok(None) };
        if let Some(customer) = wanted.id.and_then(|id| self.by_id.get(&id)) {
            return Ok(Some(customer.merged_into.unwrap_or(customer.id)));
        }
        let called: Vec<_> = self.named.iter().filter(|customer| customer.name == wanted.name).collect();
        let reached = |customer: &&&Customer| {
            (wanted.phone.is_some() && wanted.phone == customer.phone)
                || (wanted.email.is_some() && wanted.email == customer.email)
        };
        let exact: Vec<_> = called.iter().filter(reached).collect();
        match (exact.as_slice(), called.as_slice()) {
            ([one], _) => Ok(Some(one.id)),
            ([], [one]) if wanted.phone.is_none() && wanted.email.is_none() => Ok(Some(one.id)),
            ([], []) => Err(FieldFault::new("customer", "is no customer yet: import the customers first")),
            ([], _) if wanted.phone.is_some() || wanted.email.is_some() => {
                Err(FieldFault::new("customer", "has another telephone number or address here"))
            }
            _ => Err(FieldFault::new(
                "customer",
                "is the name of several: add their telephone numbers or addresses",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_call_that_scheduling_can_not_read_is_final() {
        let (line, fault) = refused(&Status::invalid_argument("visits.items: must be 1 to 48")).unwrap();
        assert_eq!((line, fault.field.as_str()), (0, "appointment"));
        for status in [Status::unavailable("away"), Status::internal("broken")] {
            assert_eq!(refused(&status).unwrap_err(), SERVICE);
        }
    }
}
