//! Cuts what a calendar publishes as one file into its objects and reads each by itself, so that one that can't be read
//! costs no other.

use std::collections::BTreeMap;

use icalendar::parser::unfold;
use jiff::{Timestamp, tz::TimeZone};
use sha2::{Digest, Sha256};

use super::{Budget, Horizon, Unread, object::read};
use crate::domain::{
    busy::{Change, Content, MOST_BYTES},
    event::EventId,
};

/// Events within the horizon, and objects that can't be read, at most.
const MOST_EVENTS: usize = 50_000;
/// Lines of a file, once they are unfolded, and objects in it.
const MOST_LINES: usize = 500_000;
const MOST_OBJECTS: usize = 50_000;
/// When a server wrote the file: some say another time whenever they are asked.
const STAMP: &str = "DTSTAMP";

/// A calendar as it is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    /// What its owner calls it, where it says so.
    pub name: Option<String>,
    objects: BTreeMap<EventId, Object>,
    has_free_busy: bool,
}

/// The events of one UID.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Object {
    text: String,
    fault: Option<&'static str>,
}

impl Collection {
    /// Cuts a file.
    ///
    /// # Errors
    /// When it is no calendar, more than can be read, or not a whole one: what is missing in it need not be gone.
    pub fn parse(text: &str) -> Result<Self, Unread> {
        let text: String = unfold(text.trim_start_matches('\u{feff}'))
            .chars()
            .filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\r' | '\t'))
            .collect();
        if text.lines().nth(MOST_LINES).is_some() {
            return Err(Unread::new("has more than 500,000 lines"));
        }
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let is =
            |line: Option<&&str>, wanted: &str| line.is_some_and(|line| line.eq_ignore_ascii_case(wanted));
        if !is(lines.first(), "BEGIN:VCALENDAR") {
            return Err(Unread::new("is no calendar"));
        }
        if !is(lines.last(), "END:VCALENDAR") {
            return Err(Unread::new("breaks off before its end"));
        }
        let mut cut = Cut::default();
        for line in lines {
            cut.take(line);
            if cut.objects.len() > MOST_OBJECTS {
                return Err(Unread::new("has more than 50,000 events"));
            }
        }
        Ok(Self { name: cut.name, objects: cut.objects, has_free_busy: cut.has_free_busy })
    }

    /// Whether it has no event at all, near or not.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Whether it has free and busy times (VFREEBUSY) in place of events.
    #[must_use]
    pub fn is_free_busy(&self) -> bool {
        self.has_free_busy && self.is_empty()
    }

    /// The same for calendars that say the same, whenever they were written.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut digest = Sha256::new();
        for (id, object) in &self.objects {
            for text in [&id.0, &object.text, object.fault.unwrap_or_default()] {
                digest.update(text.len().to_be_bytes());
                digest.update(text);
            }
        }
        digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// What it has within the horizon, as it was read at `now`. Days and floating times are in the zone of the
    /// business.
    ///
    /// # Errors
    /// When it has more than can be read.
    pub fn changes(&self, own: &TimeZone, horizon: Horizon, now: Timestamp) -> Result<Vec<Change>, Unread> {
        self.within(own, horizon, now, &Budget::default())
    }

    /// All its series together are followed as far as one budget goes: a file may have tens of thousands.
    fn within(
        &self,
        own: &TimeZone,
        horizon: Horizon,
        now: Timestamp,
        budget: &Budget,
    ) -> Result<Vec<Change>, Unread> {
        let (mut changes, mut count, mut bytes) = (vec![], 0, 0);
        for (id, object) in &self.objects {
            let content = match object.read(id, own, horizon, budget) {
                Ok(Content::Instances(events)) if events.is_empty() => continue,
                Ok(content) => content,
                Err(unread) => Content::Unreadable(unread.to_string()),
            };
            count += if let Content::Instances(events) = &content { events.len() } else { 1 };
            if count > MOST_EVENTS {
                return Err(Unread::new(format!("has more than {MOST_EVENTS} events in a year")));
            }
            let change = Change { at: now, by: None, id: id.clone(), content };
            bytes += change.bytes();
            if bytes > MOST_BYTES {
                return Err(Unread::new("says more than can be read"));
            }
            changes.push(change);
        }
        Ok(changes)
    }
}

impl Object {
    fn read(
        &self,
        id: &EventId,
        own: &TimeZone,
        horizon: Horizon,
        budget: &Budget,
    ) -> Result<Content, Unread> {
        if let Some(fault) = self.fault {
            return Err(Unread::new(fault));
        }
        let text = format!("BEGIN:VCALENDAR\r\n{}END:VCALENDAR\r\n", self.text);
        read(&text, id, own, horizon, budget).map(|object| Content::Instances(object.events))
    }
}

/// What was cut so far.
#[derive(Default)]
struct Cut<'t> {
    name: Option<String>,
    objects: BTreeMap<EventId, Object>,
    /// The lines of the event that is open.
    event: Option<Vec<&'t str>>,
    /// Other components that are open: alarms of the event, or time zones and tasks beside it.
    nested: usize,
    has_free_busy: bool,
}

impl<'t> Cut<'t> {
    fn take(&mut self, line: &'t str) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let (begins, ends) = (name.eq_ignore_ascii_case("BEGIN"), name.eq_ignore_ascii_case("END"));
        let component = value.trim().to_ascii_uppercase();
        match component.as_str() {
            "VEVENT" if begins => {
                self.close(Some("has no end"));
                self.event = Some(vec![]);
            }
            "VEVENT" if ends => self.close(None),
            "VCALENDAR" if begins || ends => self.close(Some("has no end")),
            _ if begins => {
                self.nested += 1;
                self.has_free_busy |= component == "VFREEBUSY";
            }
            _ if ends => self.nested = self.nested.saturating_sub(1),
            _ if self.nested > 0 => {}
            _ => match &mut self.event {
                Some(lines) => lines.push(line),
                None if is(name, "X-WR-CALNAME") || is(name, "NAME") => self.name = Some(value.to_owned()),
                None => {}
            },
        }
    }

    /// Keeps the event that is open, if one is.
    fn close(&mut self, fault: Option<&'static str>) {
        self.nested = 0;
        let Some(mut lines) = self.event.take() else { return };
        let uid = lines.iter().find_map(|line| line.split_once(':').filter(|(name, _)| is(name, "UID")));
        let id = uid.map(|(_, uid)| uid.trim()).filter(|uid| !uid.is_empty()).map(EventId::of_object);
        lines.retain(|line| line.split_once(':').is_none_or(|(name, _)| !is(name, STAMP)));
        let no_property =
            lines.iter().any(|line| !line.contains(':')).then_some("has a line that is no property");
        let text = format!("BEGIN:VEVENT\r\n{}\r\nEND:VEVENT\r\n", lines.join("\r\n"));
        // What has no name of its own is known by all that it says.
        let object = self.objects.entry(id.unwrap_or_else(|| EventId::hashed(&text))).or_default();
        object.text.push_str(&text);
        object.fault = object.fault.or(fault).or(no_property);
    }
}

/// Whether a property, perhaps with parameters, has this name.
fn is(property: &str, name: &str) -> bool {
    property.split(';').next().is_some_and(|own| own.trim().eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests;
