//! Writes the object of one of our own events.

use jiff::{Timestamp, tz::TimeZone};

use crate::domain::event::Event;

/// Our mark on an event: its UID and the appointment it stands for.
pub(super) const MARK: &str = "X-FRONTDESK-APPOINTMENT";
/// Bytes of a line, without its end (RFC 5545, 3.1).
const LINE: usize = 75;

/// The object of one of our events, as it is at `now`.
#[must_use]
pub fn write(event: &Event, now: Timestamp) -> String {
    let uid = &event.id;
    let mark = event.appointment.map(|appointment| format!("{MARK}:{uid} {appointment}"));
    let lines = [
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//Frontdesk//Calendar sync//EN".to_owned(),
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{uid}"),
        format!("DTSTAMP:{}", utc(now)),
        format!("LAST-MODIFIED:{}", utc(now)),
        format!("DTSTART:{}", utc(event.span.starts())),
        format!("DTEND:{}", utc(event.span.ends())),
        format!("SUMMARY:{}", escaped(&event.title)),
    ];
    let end = ["END:VEVENT".to_owned(), "END:VCALENDAR".to_owned()];
    lines.into_iter().chain(mark).chain(end).map(|line| folded(&line)).collect()
}

/// An object of events that other calendars read. What it says depends on the events alone.
#[must_use]
pub fn feed(events: &[Event]) -> String {
    let begin = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Frontdesk//Calendar feed//EN",
        "X-WR-CALNAME:Frontdesk",
        "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
        "X-PUBLISHED-TTL:PT15M",
    ];
    let lines = events.iter().flat_map(|event| {
        [
            "BEGIN:VEVENT".to_owned(),
            format!("UID:{}", event.id),
            // When it was written is not known, and must not change what is unchanged.
            format!("DTSTAMP:{}", utc(event.span.starts())),
            format!("DTSTART:{}", utc(event.span.starts())),
            format!("DTEND:{}", utc(event.span.ends())),
            format!("SUMMARY:{}", escaped(&event.title)),
            "END:VEVENT".to_owned(),
        ]
    });
    let all = begin.into_iter().map(str::to_owned).chain(lines);
    all.chain(["END:VCALENDAR".to_owned()]).map(|line| folded(&line)).collect()
}

/// An instant as iCalendar writes it.
pub(in crate::domain) fn utc(at: Timestamp) -> String {
    TimeZone::UTC.to_datetime(at).strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,");
    text.replace("\r\n", "\n").replace(['\r', '\n'], "\\n")
}

/// The line in pieces of at most [`LINE`] bytes, cut between characters.
fn folded(line: &str) -> String {
    let (mut folded, mut width) = (String::with_capacity(line.len() + 8), 0);
    for character in line.chars() {
        if width + character.len_utf8() > LINE {
            folded.push_str("\r\n ");
            width = 1;
        }
        folded.push(character);
        width += character.len_utf8();
    }
    folded.push_str("\r\n");
    folded
}
