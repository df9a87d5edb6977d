//! Fields that several requests have.

use engine::{
    dates::{DateRange, YEARS},
    hours::{DayHours, DaySpan, PatternError, WeeklyPattern, WeeklySpan},
    id::CustomerId,
    item::{Item, Wish},
    schedule::{MAX_GUESTS, MAX_ITEMS},
    service::MAX_SEGMENT_MINUTES,
    slots::{SLOT_MINUTES, SLOT_SECONDS},
    span::Span,
};
use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, Weekday},
};
pub(super) use proto::parse::{line, optional_line};
use proto::{
    error::invalid,
    frontdesk::scheduling::v1 as pb,
    page::Page,
    parse::{id, optional_id},
};
use tonic::Status;
use uuid::Uuid;

/// Most characters of notes to an appointment.
pub(super) const MAX_NOTES: usize = 2000;
/// Most characters of the reason for a cancellation.
pub(super) const MAX_REASON: usize = 500;

/// Longest span a list or a search covers.
const MAX_WINDOW: SignedDuration = SignedDuration::from_hours(62 * 24);
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);
const MAX_KIND: usize = 40;
const MAX_SPANS: usize = 100;
const MAX_DAY_SPANS: usize = 20;

/// What a resource is, as services name it.
pub(super) fn resource_kind(field: &str, kind: &str) -> Result<String, Status> {
    let kind = line(field, kind, MAX_KIND)?;
    if kind.to_lowercase() == kind { Ok(kind) } else { Err(invalid(field, "must be in lower case")) }
}

/// 1 to 6 services per guest, 1 to 8 guests, and who shall do what; the first guest is `customer`.
pub(super) fn items(items: &[pb::VisitItem], customer: Option<CustomerId>) -> Result<Vec<Item>, Status> {
    if !(1..=MAX_ITEMS * MAX_GUESTS).contains(&items.len()) {
        return Err(invalid("items", "must be 1 to 6 per guest, of 1 to 8 guests"));
    }
    let item = |(index, item): (usize, &pb::VisitItem)| {
        let field = |name: &str| format!("items[{index}].{name}");
        let employee = optional_id(&field("employee_id"), &item.employee_id)?;
        let preferred = optional_id(&field("preferred_employee_id"), &item.preferred_employee_id)?;
        let wish = match (item.employee_only, employee, preferred) {
            (true, None, _) => return Err(invalid(&field("employee_only"), "needs employee_id")),
            (true, Some(employee), _) => Wish::Only(employee),
            (false, _, Some(preferred)) => Wish::Prefers(preferred),
            (false, _, None) => Wish::Anyone,
        };
        Ok::<_, Status>(Item {
            service: id(&field("service_id"), &item.service_id)?,
            employee,
            preferred,
            guest: guest(&field("guest"), item.guest)?,
            customer: customer.filter(|_| item.guest == 0),
            extra_minutes: extra_minutes(&field("extra_minutes"), item.extra_minutes)?,
            wish,
        })
    };
    guests_without_gaps(items.iter().enumerate().map(item).collect::<Result<Vec<_>, _>>()?)
}

/// The services of a booked visit as they shall be; none at all means as they are.
pub(super) fn changed_items(items: &[pb::ChangedItem]) -> Result<Vec<Item>, Status> {
    if items.len() > MAX_ITEMS * MAX_GUESTS {
        return Err(invalid("items", "must be at most 6 per guest, of 1 to 8 guests"));
    }
    let item = |(index, item): (usize, &pb::ChangedItem)| {
        let field = |name: &str| format!("items[{index}].{name}");
        let wished = optional_id(&field("wished_employee_id"), &item.wished_employee_id)?;
        let wish = match (item.employee_wish(), wished) {
            (pb::EmployeeWish::Unspecified, None) => Wish::Anyone,
            (pb::EmployeeWish::Prefers, Some(wished)) => Wish::Prefers(wished),
            (pb::EmployeeWish::Only, Some(wished)) => Wish::Only(wished),
            (pb::EmployeeWish::Unspecified, Some(_)) => {
                return Err(invalid(&field("wished_employee_id"), "needs employee_wish"));
            }
            (_, None) => return Err(invalid(&field("wished_employee_id"), "is required with employee_wish")),
        };
        let employee = optional_id(&field("employee_id"), &item.employee_id)?;
        // Anyone who can, but for a customer who wants one alone.
        let only = match wish {
            Wish::Only(wished) => Some(wished),
            Wish::Anyone | Wish::Prefers(_) => None,
        };
        let employee = employee.or(only);
        Ok::<_, Status>(Item {
            service: id(&field("service_id"), &item.service_id)?,
            employee,
            preferred: wish.employee().filter(|_| employee.is_none()),
            guest: guest(&field("guest"), item.guest)?,
            customer: None,
            extra_minutes: extra_minutes(&field("extra_minutes"), item.extra_minutes)?,
            wish,
        })
    };
    let items = items.iter().enumerate().map(item).collect::<Result<Vec<_>, _>>()?;
    if items.is_empty() { Ok(items) } else { guests_without_gaps(items) }
}

fn guest(field: &str, number: i32) -> Result<u8, Status> {
    let guest = u8::try_from(number).ok().filter(|guest| usize::from(*guest) < MAX_GUESTS);
    guest.ok_or_else(|| invalid(field, "must be 0 to 7"))
}

/// 1 to 6 services for each guest up to the last.
fn guests_without_gaps(items: Vec<Item>) -> Result<Vec<Item>, Status> {
    let guests = items.iter().map(|item| item.guest).max().unwrap_or(0);
    let services = |guest| items.iter().filter(|item| item.guest == guest).count();
    match (0..=guests).find(|guest| !(1..=MAX_ITEMS).contains(&services(*guest))) {
        Some(guest) if services(guest) == 0 => Err(invalid("items", "must leave out no guest's number")),
        Some(_) => Err(invalid("items", "must be 1 to 6 per guest")),
        None => Ok(items),
    }
}

/// By how many minutes a service takes longer than it does by itself, or shorter.
pub(super) fn extra_minutes(field: &str, minutes: i32) -> Result<i16, Status> {
    let fits =
        |extra: &i16| extra.unsigned_abs() <= MAX_SEGMENT_MINUTES && extra % SLOT_MINUTES.cast_signed() == 0;
    let extra = i16::try_from(minutes).ok().filter(fits);
    extra.ok_or_else(|| invalid(field, "must be a multiple of 5, -720 to 720"))
}

/// A start on the five-minute grid.
pub(super) fn start(starts_at: Option<&pbjson_types::Timestamp>) -> Result<Timestamp, Status> {
    step("starts_at", starts_at)
}

/// An instant on the five-minute grid.
pub(super) fn step(field: &str, at: Option<&pbjson_types::Timestamp>) -> Result<Timestamp, Status> {
    let at = proto::time::required(field, at)?;
    if at.subsec_nanosecond() != 0 || at.as_second() % SLOT_SECONDS != 0 {
        return Err(invalid(field, "must be a multiple of 5 minutes"));
    }
    Ok(at)
}

/// From now, or from when it says, for a week, or up to when it says.
pub(super) fn window(
    from: Option<&pbjson_types::Timestamp>,
    to: Option<&pbjson_types::Timestamp>,
    now: Timestamp,
) -> Result<Span, Status> {
    let from = proto::time::parse("from", from)?.unwrap_or(now);
    let to = proto::time::parse("to", to)?;
    let to = to.unwrap_or_else(|| from.checked_add(WEEK).unwrap_or(Timestamp::MAX));
    if to.duration_since(from) > MAX_WINDOW {
        return Err(invalid("to", "must lie at most 62 days after from"));
    }
    Span::new(from, to).ok_or_else(|| invalid("to", "must lie after from"))
}

/// The time and id after which such a page begins; before every row for the first page.
pub(super) fn after<T: From<Uuid>>(page: &Page<(Timestamp, Uuid)>) -> (Timestamp, T) {
    let (at, id) = page.after.unwrap_or((Timestamp::UNIX_EPOCH, Uuid::nil()));
    (at, T::from(id))
}

/// A week's spans.
pub(super) fn pattern(spans: &[pb::WeeklySpan]) -> Result<WeeklyPattern, Status> {
    if spans.len() > MAX_SPANS {
        return Err(invalid("spans", "must be at most 100"));
    }
    let span = |(index, span): (usize, &pb::WeeklySpan)| {
        let weekday =
            i8::try_from(span.weekday).ok().and_then(|day| Weekday::from_monday_one_offset(day).ok());
        Ok(WeeklySpan {
            weekday: weekday.ok_or_else(|| invalid(&format!("spans[{index}].weekday"), "must be 1 to 7"))?,
            from: minute(span.from_minute),
            to: minute(span.to_minute),
        })
    };
    let spans = spans.iter().enumerate().map(span).collect::<Result<Vec<_>, Status>>()?;
    WeeklyPattern::new(spans).map_err(malformed)
}

/// Spans of a date.
pub(super) fn day_hours(spans: &[pb::DaySpan]) -> Result<DayHours, Status> {
    if spans.len() > MAX_DAY_SPANS {
        return Err(invalid("spans", "must be at most 20"));
    }
    let span = |span: &pb::DaySpan| DaySpan { from: minute(span.from_minute), to: minute(span.to_minute) };
    DayHours::new(spans.iter().map(span).collect()).map_err(malformed)
}

/// What does not fit is out of bounds as well.
fn minute(minute: i32) -> u16 {
    u16::try_from(minute).unwrap_or(u16::MAX)
}

fn malformed(error: PatternError) -> Status {
    match error {
        PatternError::Minutes(index) => invalid(
            &format!("spans[{index}]"),
            "must have minutes that are multiples of 5 between 0 and 1440",
        ),
        PatternError::Backwards(index) => invalid(&format!("spans[{index}]"), "must end after it begins"),
        PatternError::Overlap(index) => invalid(&format!("spans[{index}]"), "overlaps an earlier one"),
    }
}

/// A local date.
pub(super) fn date(field: &str, text: &str) -> Result<Date, Status> {
    optional_date(field, text)?.ok_or_else(|| invalid(field, "is required"))
}

/// A local date, or none.
pub(super) fn optional_date(field: &str, text: &str) -> Result<Option<Date>, Status> {
    if text.is_empty() {
        return Ok(None);
    }
    // No other way to write a date is taken.
    let date = text.parse().ok().filter(|date: &Date| date.to_string() == text);
    let date = date.ok_or_else(|| invalid(field, "is not a date such as 2026-12-24"))?;
    if YEARS.contains(&date.year()) {
        Ok(Some(date))
    } else {
        Err(invalid(field, "lies outside the years 2000 to 2199"))
    }
}

/// The dates of a month of the calendar.
pub(super) fn month(field: &str, text: &str) -> Result<DateRange, Status> {
    let first = optional_date(field, &format!("{text}-01"))
        .ok()
        .flatten()
        .ok_or_else(|| invalid(field, "is not a month of the years 2000 to 2199 such as 2026-12"))?;
    DateRange::new(first, first.last_of_month()).map_err(|error| invalid(field, &error.to_string()))
}

/// `first_date` and `last_date`.
pub(super) fn dates(first: &str, last: &str) -> Result<DateRange, Status> {
    let (first, last) = (date("first_date", first)?, date("last_date", last)?);
    DateRange::new(first, last).map_err(|error| invalid("last_date", &error.to_string()))
}
