//! Lines of appointments: one for each service, as exports of appointments have them.

use jiff::{
    Timestamp,
    civil::{Date, DateTime, Time},
};
use proto::{
    error::FieldFault,
    parse::{line, optional_line, optional_text},
    time::in_range,
};
use uuid::Uuid;

use super::{bare, fault, plain, table::Column};
use crate::{
    domain::{Country, CustomerId, Email, Phone},
    grpc::fields,
};

/// The columns of a table of appointments.
pub const COLUMNS: &[Column] = &[
    Column {
        name: "appointment",
        also: &[
            "appointmentid",
            "appointmentnumber",
            "booking",
            "bookingid",
            "bookingreference",
            "reference",
            "id",
        ],
    },
    Column { name: "state", also: &["status", "appointmentstatus", "bookingstatus"] },
    Column { name: "date", also: &["day", "startdate", "appointmentdate", "bookingdate"] },
    Column { name: "start", also: &["starttime", "startsat", "startdatetime", "time", "from", "begins"] },
    Column { name: "end", also: &["endtime", "endsat", "enddatetime", "until", "to", "ends"] },
    Column { name: "start_in_utc", also: &["startutc"] },
    Column { name: "end_in_utc", also: &["endutc"] },
    Column { name: "service", also: &["servicename", "treatment", "treatmentname"] },
    Column { name: "service_id", also: &[] },
    Column {
        name: "employee",
        also: &["employeename", "staff", "staffname", "staffmember", "teammember", "stylist", "with"],
    },
    Column { name: "employee_id", also: &["staffid", "stylistid"] },
    Column { name: "customer", also: &["customername", "client", "clientname", "name"] },
    Column { name: "customer_id", also: &["clientid"] },
    Column { name: "phone", also: &["mobile", "mobilenumber", "phonenumber", "telephone", "tel"] },
    Column { name: "email", also: &["emailaddress", "mail"] },
    Column { name: "guest", also: &["guestnumber"] },
    Column { name: "notes", also: &["note", "comment", "comments"] },
];

const LONGEST_NAME: usize = 200;
const LONGEST_NOTES: usize = 2000;

/// A line as a service of an appointment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppointmentLine {
    /// What the other system calls the appointment, or empty.
    pub reference: String,
    /// Whether the customer said they will come.
    pub confirmed: bool,
    /// When it begins.
    pub starts_at: TableTime,
    /// When it ends, if the line says so.
    pub ends_at: Option<TableTime>,
    /// What is done.
    pub service: Named,
    /// Who does it; anyone, if the line says neither.
    pub employee: Named,
    /// Who comes, if the line says so.
    pub customer: Option<NamedCustomer>,
    /// Which guest it is for, from 0.
    pub guest: u8,
    /// Notes to it.
    pub notes: String,
}

/// A time by the business's clock, in UTC, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableTime {
    /// By the business's clock.
    pub local: Option<DateTime>,
    /// In UTC.
    pub at: Option<Timestamp>,
}

/// A record by its id here, its name, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its id, if the line has one of ours.
    pub id: Option<Uuid>,
    /// What it is called, or empty.
    pub name: String,
}

/// A customer by what a line says of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedCustomer {
    /// The id, if the line has one of ours.
    pub id: Option<CustomerId>,
    /// What the person is called, or empty.
    pub name: String,
    /// Where to reach the person.
    pub phone: Option<Phone>,
    /// Where to write to.
    pub email: Option<Email>,
}

impl AppointmentLine {
    /// Reads a line; national numbers are those of `country`.
    ///
    /// # Errors
    /// What is wrong with its first wrong cell.
    pub fn parse(cells: &[String], country: Option<Country>) -> Result<Self, FieldFault> {
        let cell = |name: &str| {
            let at = COLUMNS.iter().position(|column| column.name == name);
            at.and_then(|at| cells.get(at)).map_or("", String::as_str)
        };
        let starts_at = time("start", bare(cell("date")), bare(cell("start")), bare(cell("start_in_utc")))?;
        let starts_at = starts_at.ok_or_else(|| FieldFault::new("start", "is required"))?;
        let day = starts_at.local.map(|local| local.date().to_string()).unwrap_or_default();
        let notes = optional_text("notes", plain("notes", cell("notes"))?, LONGEST_NOTES);
        Ok(Self {
            reference: text("appointment", cell("appointment"))?,
            confirmed: is_confirmed(bare(cell("state")))?,
            ends_at: time("end", &day, bare(cell("end")), bare(cell("end_in_utc")))?,
            starts_at,
            service: named("service", cell("service"), cell("service_id"))?,
            employee: named("employee", cell("employee"), cell("employee_id"))?,
            customer: customer(cell, country)?,
            guest: guest(bare(cell("guest")))?,
            notes: fault(notes)?.unwrap_or_default(),
        })
    }
}

/// What the other system calls a line's appointment, as far as it can be read.
#[must_use]
pub fn reference(cells: &[String]) -> &str {
    cells.first().map_or("", |cell| cell.trim())
}

fn text(field: &str, cell: &str) -> Result<String, FieldFault> {
    Ok(fault(optional_line(field, plain(field, cell)?, LONGEST_NAME))?.unwrap_or_default())
}

fn named(field: &str, name: &str, id: &str) -> Result<Named, FieldFault> {
    // Another system's ids say nothing here.
    Ok(Named { id: bare(id).parse().ok(), name: text(field, name)? })
}

fn is_confirmed(cell: &str) -> Result<bool, FieldFault> {
    match cell.to_uppercase().as_str() {
        "" | "BOOKED" | "NEW" | "SCHEDULED" => Ok(false),
        "CONFIRMED" => Ok(true),
        _ => Err(FieldFault::new("state", "must be BOOKED or CONFIRMED: other appointments are left aside")),
    }
}

/// Guests count from 1 in tables.
fn guest(cell: &str) -> Result<u8, FieldFault> {
    match cell.parse::<u8>() {
        _ if cell.is_empty() => Ok(0),
        Ok(number @ 1..=8) => Ok(number - 1),
        _ => Err(FieldFault::new("guest", "must be 1 to 8")),
    }
}

fn customer<'a>(
    cell: impl Fn(&str) -> &'a str,
    country: Option<Country>,
) -> Result<Option<NamedCustomer>, FieldFault> {
    let id: Option<Uuid> = bare(cell("customer_id")).parse().ok();
    let name = plain("customer", cell("customer"))?;
    let dialled = fault(fields::dialled(bare(cell("phone"))))?;
    let phone = dialled.map(|dialled| dialled.from_country(country)).transpose();
    let phone = phone.map_err(|error| FieldFault::new("phone", &error.to_string()))?;
    let email = fault(fields::email(bare(cell("email"))))?;
    if id.is_none() && name.is_empty() {
        return match (phone, email) {
            (None, None) => Ok(None),
            _ => Err(FieldFault::new("customer", "is required beside a telephone number or an address")),
        };
    }
    let name = if name.is_empty() { String::new() } else { fault(line("customer", name, LONGEST_NAME))? };
    Ok(Some(NamedCustomer { id: id.map(CustomerId), name, phone, email }))
}

/// A time in one cell or in two, with its instant if the table has it.
fn time(field: &str, day: &str, cell: &str, utc: &str) -> Result<Option<TableTime>, FieldFault> {
    let malformed = || FieldFault::new(&format!("{field}_in_utc"), "must be like 2026-12-31T09:30Z");
    let at = match utc {
        "" => None,
        utc => Some(instant(utc).ok_or_else(malformed)?),
    };
    if cell.is_empty() {
        return Ok(at.map(|at| TableTime { local: None, at: Some(at) }));
    }
    if let Some(instant) = instant(cell) {
        return match at {
            Some(at) if at != instant => {
                Err(FieldFault::new(field, &format!("is another time than the column “{field} in UTC”")))
            }
            _ => Ok(Some(TableTime { local: None, at: Some(instant) })),
        };
    }
    let local = moment(day, cell).ok_or_else(|| {
        FieldFault::new(field, "must be like 2026-12-31 09:30, by the clock of the business")
    })?;
    Ok(Some(TableTime { local: Some(local), at }))
}

/// An instant that the contract can carry.
fn instant(text: &str) -> Option<Timestamp> {
    text.parse().ok().and_then(in_range)
}

/// A date and a time of day; the date may be in a cell of its own. Dates with slashes mean different days in
/// different countries, so that they are none.
fn moment(day: &str, cell: &str) -> Option<DateTime> {
    let (own, time) = match cell.split_once(['T', ' ']) {
        Some((own, time)) if date(own).is_some() => (own, time),
        _ => (day, cell),
    };
    Some(date(own)?.to_datetime(time_of_day(time.trim())?))
}

fn date(text: &str) -> Option<Date> {
    let dotted = || Date::strptime("%d.%m.%Y", text).ok();
    text.parse().ok().filter(|_| text.len() == 10).or_else(dotted)
}

fn time_of_day(text: &str) -> Option<Time> {
    let formats = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M%p"];
    formats.iter().find_map(|format| Time::strptime(format, text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::table::read;

    fn parsed(headings: &str, line: &str) -> Result<AppointmentLine, FieldFault> {
        let cells = &read(&format!("{headings}\n{line}"), COLUMNS, false, 9).unwrap()[0].cells;
        AppointmentLine::parse(cells, Country::parse("GB"))
    }

    fn local(text: &str) -> Option<DateTime> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn a_line_of_another_system_is_an_appointment() {
        let headings =
            "Booking reference;Status;Date;Start time;End time;Staff member;Treatment;Client;Mobile";
        let line = parsed(headings, "A-12;confirmed;2026-06-02;9:00;09:45;Sofia;Cut;Mia Berg;020 7946 0018")
            .unwrap();
        assert_eq!((line.reference.as_str(), line.confirmed), ("A-12", true));
        assert_eq!(line.starts_at, TableTime { local: local("2026-06-02T09:00"), at: None });
        assert_eq!(line.ends_at, Some(TableTime { local: local("2026-06-02T09:45"), at: None }));
        assert_eq!((line.service.name.as_str(), line.employee.name.as_str()), ("Cut", "Sofia"));
        let customer = line.customer.unwrap();
        assert_eq!(customer.phone.as_ref().map(Phone::as_str), Some("+442079460018"));
    }

    #[test]
    fn times_are_read_in_several_spellings() {
        for (cell, expected) in [
            ("2026-06-02 09:00", "2026-06-02T09:00"),
            ("2026-06-02T09:00:00", "2026-06-02T09:00"),
            ("02.06.2026 14:30", "2026-06-02T14:30"),
            ("2026-06-02 2:30 PM", "2026-06-02T14:30"),
        ] {
            let line = parsed("start,service", &format!("{cell},Cut")).unwrap();
            assert_eq!(line.starts_at, TableTime { local: local(expected), at: None }, "{cell}");
        }
        let at: Timestamp = "2026-06-02T08:00Z".parse().unwrap();
        for line in ["2026-06-02T09:00+01:00,,Cut", ",2026-06-02T08:00Z,Cut"] {
            let line = parsed("start,start in UTC,service", line).unwrap();
            assert_eq!(line.starts_at, TableTime { local: None, at: Some(at) });
        }
    }

    #[test]
    fn what_is_wrong_is_said_of_its_column() {
        let headings = "appointment,state,start,end,start in utc,service,customer,phone,email,guest,notes";
        let long = format!(",,2026-06-02 09:00,,,{},,,,,", "x".repeat(300));
        for (line, field) in [
            (",,,,,Cut,,,,,", "start"),
            (",,02/06/2026 09:00,,,Cut,,,,,", "start"),
            (",,2026-06-02,,,Cut,,,,,", "start"),
            (",,2026-06-02 09:00,soon,,Cut,,,,,", "end"),
            (",,2026-06-02 09:00,,soon,Cut,,,,,", "start_in_utc"),
            (",,0000-01-01T00:00Z,,,Cut,,,,,", "start"),
            (",,2026-06-02 09:00,,0000-01-01T00:00Z,Cut,,,,,", "start_in_utc"),
            (",,2026-06-02T09:00Z,,2026-06-02T08:00Z,Cut,,,,,", "start"),
            (",CANCELLED,2026-06-02 09:00,,,Cut,,,,,", "state"),
            (",,2026-06-02 09:00,,,=cmd(),,,,,", "service"),
            (",,2026-06-02 09:00,,,Cu\u{1}t,,,,,", "service"),
            (",,2026-06-02 09:00,,,Cut,M\u{202e}ia,,,,", "customer"),
            (",,2026-06-02 09:00,,,Cut,Mia,anonymous,,,", "phone"),
            (",,2026-06-02 09:00,,,Cut,,020 7946 0018,,,", "customer"),
            (",,2026-06-02 09:00,,,Cut,Mia,,mia,,", "email"),
            (",,2026-06-02 09:00,,,Cut,,,,9,", "guest"),
            (",,2026-06-02 09:00,,,Cut,,,,,@x", "notes"),
            ("=1,,2026-06-02 09:00,,,Cut,,,,,", "appointment"),
            (long.as_str(), "service"),
        ] {
            assert_eq!(parsed(headings, line).unwrap_err().field, field, "{line:.60}");
        }
    }

    #[test]
    fn a_line_of_an_export_is_read_as_it_is_meant() {
        let ids = [1, 2, 3, 4].map(|n| Uuid::from_u128(n).to_string());
        let [appointment, employee, service, customer] = &ids;
        let text = proto::csv::line(&proto::csv::APPOINTMENT_HEADS)
            + &proto::csv::line(&[
                appointment,
                "BOOKED",
                "2026-10-25 01:30",
                "2026-10-25 01:00",
                "2026-10-25T00:30Z",
                "2026-10-25T01:00Z",
                "Sofia",
                employee,
                "=Cut",
                service,
                "＝Mia",
                customer,
                "2",
            ]);
        let cells = &read(&text, COLUMNS, false, 9).unwrap()[0].cells;
        let line = AppointmentLine::parse(cells, None).unwrap();
        assert_eq!(line.starts_at.at, Some("2026-10-25T00:30Z".parse().unwrap()));
        assert_eq!((line.service.name.as_str(), line.service.id), ("=Cut", service.parse().ok()));
        assert_eq!((line.reference.as_str(), line.guest), (appointment.as_str(), 1));
        let named = line.customer.unwrap();
        assert_eq!((named.name.as_str(), named.id), ("＝Mia", customer.parse().ok().map(CustomerId)));
    }
}
