//! Lines of appointments: one for each service, as exports of appointments have them.

use jiff::{
    Timestamp,
    civil::{DateTime, Time},
};
use proto::{
    error::FieldFault,
    parse::{line, optional_line, optional_text},
    time::in_range,
};
use uuid::Uuid;

use super::{bare, date_part, fault, fits, plain};
use crate::{
    domain::{Country, CustomerId, DateOrder, Email, Field, Fields, Phone, date},
    grpc::fields,
};

/// The fields of appointments in tables.
pub const FIELDS: Fields = Fields {
    all: ALL,
    needed: &[&["service", "service_id"], &["start", "start_in_utc"]],
    dated: &["date", "start", "end"],
};

const ALL: &[Field] = &[
    Field {
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
    Field { name: "state", also: &["status", "appointmentstatus", "bookingstatus"] },
    Field { name: "date", also: &["day", "startdate", "appointmentdate", "bookingdate"] },
    Field { name: "start", also: &["starttime", "startsat", "startdatetime", "time", "from", "begins"] },
    Field { name: "end", also: &["endtime", "endsat", "enddatetime", "until", "to", "ends"] },
    Field { name: "start_in_utc", also: &["startutc"] },
    Field { name: "end_in_utc", also: &["endutc"] },
    Field { name: "service", also: &["servicename", "treatment", "treatmentname"] },
    Field { name: "service_id", also: &[] },
    Field {
        name: "employee",
        also: &["employeename", "staff", "staffname", "staffmember", "teammember", "stylist", "with"],
    },
    Field { name: "employee_id", also: &["staffid", "stylistid"] },
    Field { name: "customer", also: &["customername", "client", "clientname", "name"] },
    Field { name: "customer_id", also: &["clientid"] },
    Field { name: "phone", also: &["mobile", "mobilenumber", "phonenumber", "telephone", "tel"] },
    Field { name: "email", also: &["emailaddress", "mail"] },
    Field { name: "guest", also: &["guestnumber"] },
    Field { name: "notes", also: &["note", "comment", "comments"] },
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
    /// Reads a line; national numbers are those of `country`, and dates that were kept as they were written are in
    /// `order`.
    ///
    /// # Errors
    /// What is wrong with its first wrong cell.
    pub fn parse(
        cells: &[String],
        country: Option<Country>,
        order: Option<DateOrder>,
    ) -> Result<Self, FieldFault> {
        fits(&FIELDS, cells)?;
        let cell = |name: &str| {
            let at = ALL.iter().position(|field| field.name == name);
            at.and_then(|at| cells.get(at)).map_or("", String::as_str)
        };
        let time = |field: &str, day: &str| {
            let utc = cell(if field == "start" { "start_in_utc" } else { "end_in_utc" });
            time(field, day, bare(cell(field)), bare(utc), order)
        };
        let starts_at = time("start", bare(cell("date")))?;
        let starts_at = starts_at.ok_or_else(|| FieldFault::new("start", "is required"))?;
        let day = starts_at.local.map(|local| local.date().to_string()).unwrap_or_default();
        let notes = optional_text("notes", plain("notes", cell("notes"))?, LONGEST_NOTES);
        Ok(Self {
            reference: text("appointment", cell("appointment"))?,
            confirmed: is_confirmed(bare(cell("state")))?,
            ends_at: time("end", &day)?,
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
fn time(
    field: &str,
    day: &str,
    cell: &str,
    utc: &str,
    order: Option<DateOrder>,
) -> Result<Option<TableTime>, FieldFault> {
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
    let local = moment(day, cell, order).ok_or_else(|| {
        FieldFault::new(field, "must be like 2026-12-31 09:30, by the clock of the business")
    })?;
    Ok(Some(TableTime { local: Some(local), at }))
}

/// An instant that the contract can carry.
fn instant(text: &str) -> Option<Timestamp> {
    text.parse().ok().and_then(in_range)
}

/// A date and a time of day; the date may be in a cell of its own.
fn moment(day: &str, cell: &str, order: Option<DateOrder>) -> Option<DateTime> {
    let (own, time) = match cell.split_once(['T', ' ']) {
        Some((_, time)) if date(date_part(cell), order).is_some() => (cell, time),
        _ => (day, cell),
    };
    Some(date(date_part(own), order)?.to_datetime(time_of_day(time.trim())?))
}

fn time_of_day(text: &str) -> Option<Time> {
    let formats = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M%p"];
    formats.iter().find_map(|format| Time::strptime(format, text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::ImportKind, lines::table_reading::first_line};

    fn parsed(headings: &str, line: &str) -> Result<AppointmentLine, FieldFault> {
        let cells = first_line(&format!("{headings}\n{line}"), ImportKind::Appointments);
        AppointmentLine::parse(&cells, Country::parse("GB"), Some(DateOrder::DayFirst))
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
            ("2/6/2026 14:30", "2026-06-02T14:30"),
            ("\"02/06/2026, 2:30 PM\"", "2026-06-02T14:30"),
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
    fn dates_are_read_in_the_order_of_their_table() {
        let times = |cells: &[String], order| {
            let line = AppointmentLine::parse(cells, None, order).ok()?;
            Some((line.starts_at.local, line.ends_at.and_then(|end| end.local)))
        };
        let april = Some((local("2026-04-03T09:00"), local("2026-04-03T09:45")));
        let march = Some((local("2026-03-04T09:00"), local("2026-03-04T09:45")));
        let headings = "date,start,end,service";
        let cells =
            first_line(&format!("{headings}\n3/4/2026,9:00,3/4/2026 9:45,Cut"), ImportKind::Appointments);
        for order in [None, Some(DateOrder::DayFirst), Some(DateOrder::MonthFirst)] {
            assert_eq!(times(&cells, order), april, "they were settled as the table was read");
        }
        // Lines that were kept as they were written.
        let mut kept = cells;
        for (name, cell) in [("date", "3/4/2026"), ("end", "3/4/2026 9:45")] {
            let at = ALL.iter().position(|field| field.name == name).unwrap();
            kept[at] = cell.to_owned();
        }
        assert_eq!(times(&kept, Some(DateOrder::DayFirst)), april);
        assert_eq!(times(&kept, Some(DateOrder::MonthFirst)), march);
        assert_eq!(times(&kept, None), None);
    }

    #[test]
    fn what_is_wrong_is_said_of_its_column() {
        let headings = "appointment,state,start,end,start in utc,service,customer,phone,email,guest,notes";
        let long = format!(",,2026-06-02 09:00,,,{},,,,,", "x".repeat(300));
        for (line, field) in [
            (",,,,,Cut,,,,,", "start"),
            (",,31/02/2026 09:00,,,Cut,,,,,", "start"),
            (",,02/06/26 09:00,,,Cut,,,,,", "start"),
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
            (",,2026-06-02 09:00,,,Cut,M\u{fffd}a,,,,", "customer"),
            (",,2026-06-02 09:00,,,Cut,,,,,K\u{fffd}rzer", "notes"),
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
        let cells = first_line(&text, ImportKind::Appointments);
        let line = AppointmentLine::parse(&cells, None, None).unwrap();
        assert_eq!(line.starts_at.at, Some("2026-10-25T00:30Z".parse().unwrap()));
        assert_eq!((line.service.name.as_str(), line.service.id), ("=Cut", service.parse().ok()));
        assert_eq!((line.reference.as_str(), line.guest), (appointment.as_str(), 1));
        let named = line.customer.unwrap();
        assert_eq!((named.name.as_str(), named.id), ("＝Mia", customer.parse().ok().map(CustomerId)));
    }
}
