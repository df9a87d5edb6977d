//! What other calendars read of an employee's work.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

use super::{
    AppointmentId, CalendarId, EmployeeId,
    booking::{FOR, Part},
    event::{Event, EventId, Span},
    ical,
};

/// How far back and ahead a feed goes.
const BEHIND: SignedDuration = SignedDuration::from_hours(14 * 24);
const AHEAD: SignedDuration = SignedDuration::from_hours(180 * 24);
/// Bytes of an address's secret.
pub const SECRET: usize = 32;

/// An employee's address, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feed {
    /// Whose.
    pub employee: EmployeeId,
    /// Whether it names customers.
    pub names_customers: bool,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it was last read.
    pub read_at: Option<Timestamp>,
}

/// A feed as it is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// An iCalendar object.
    pub calendar: String,
    /// The same for the same object.
    pub etag: String,
}

/// What of an employee's work a feed has at `now`.
#[must_use]
pub fn within(now: Timestamp) -> Option<Span> {
    Span::new(now - BEHIND, now + AHEAD)
}

/// The secret of an address, as it is written.
#[must_use]
pub fn secret(bytes: [u8; SECRET]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Whether a text is written as secrets are.
#[must_use]
pub fn is_secret(text: &str) -> bool {
    URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == SECRET)
}

/// The feed of an employee's parts. What it says depends on nothing else: unchanged work has an unchanged etag.
#[must_use]
pub fn written(employee: EmployeeId, parts: Vec<(AppointmentId, Part)>, names_customers: bool) -> Written {
    let event = |(appointment, part): (AppointmentId, Part)| Event {
        id: EventId::of_part(CalendarId(employee.0), appointment, part.employee, part.index),
        title: if names_customers { part.title } else { without_customer(&part.title) },
        span: part.span,
        appointment: None,
    };
    let events: Vec<Event> = parts.into_iter().map(event).collect();
    let calendar = ical::feed(&events);
    let etag = URL_SAFE_NO_PAD.encode(Sha256::digest(calendar.as_bytes()));
    Written { calendar, etag }
}

/// What is done, without for whom. A service whose own name has the separator is cut there as well: no part of a
/// customer's name stays.
fn without_customer(title: &str) -> String {
    title.split(FOR).next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::domain::booking::{Booking, Item};

    const MIA: EmployeeId = EmployeeId(Uuid::from_u128(1));
    const VISIT: AppointmentId = AppointmentId(Uuid::from_u128(2));

    fn parts(service: &str, customer: &str) -> Vec<(AppointmentId, Part)> {
        let starts: Timestamp = "2026-06-02T09:00:00Z".parse().unwrap();
        let span = Span::new(starts, starts + SignedDuration::from_mins(30)).unwrap();
        let item = Item { employee: MIA, service_id: None, service: service.to_owned(), span };
        let booking = Booking { appointment: VISIT, customer: Some(customer.to_owned()), items: vec![item] };
        booking.parts().into_iter().map(|part| (VISIT, part)).collect()
    }

    #[test]
    fn a_feed_names_customers_only_where_that_was_asked_for() {
        let named = written(MIA, parts("Cut", "Ana Costa"), true);
        assert!(named.calendar.contains("SUMMARY:Cut – Ana Costa\r\n"), "{}", named.calendar);
        let quiet = written(MIA, parts("Cut", "Ana Costa"), false);
        assert!(quiet.calendar.contains("SUMMARY:Cut\r\n") && !quiet.calendar.contains("Ana"));
        assert_ne!(named.etag, quiet.etag);
        assert_eq!(quiet, written(MIA, parts("Cut", "Ben"), false));
    }

    #[test]
    fn only_what_is_written_as_a_secret_may_be_one() {
        let written = secret([0xF7; SECRET]);
        assert!(is_secret(&written));
        let longer = format!("{written}A");
        let ended = format!("{written}=");
        for other in ["", &written[1..], &longer, &ended, &written.replacen('9', "\0", 1)] {
            assert!(!is_secret(other), "{other:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_of_a_customer_is_in_a_feed_without_them(
            service in "[a-z –]{1,12}", customer in "[ÄÖÜ]{3,8}( – [ÄÖÜ]{3,8})?"
        ) {
            let quiet = written(MIA, parts(&service, &customer), false);
            for word in customer.split(" – ") {
                prop_assert!(!quiet.calendar.contains(word));
            }
        }

        #[test]
        fn every_line_is_short_and_a_feed_is_one_object(title in "\\PC{0,120}") {
            let feed = written(MIA, parts(&title, "Ana"), true).calendar;
            prop_assert!(feed.split("\r\n").all(|line| line.len() <= 75));
            prop_assert!(feed.starts_with("BEGIN:VCALENDAR\r\n") && feed.ends_with("END:VCALENDAR\r\n"));
        }
    }
}
