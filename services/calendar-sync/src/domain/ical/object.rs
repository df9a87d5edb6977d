//! Reads an object: the events of one UID, a series with its exceptions or a single one.

use std::collections::{BTreeMap, BTreeSet};

use icalendar::parser::{Component, Property, read_calendar, unfold};
use jiff::{SignedDuration, Span as JiffSpan, Timestamp, civil::DateTime, tz::TimeZone};
use uuid::Uuid;

use super::{
    Budget, Horizon, Unread,
    bounds::bounded,
    moment::Moment,
    rule::{self, Rule},
    write::MARK,
};
use crate::domain::{
    AppointmentId,
    busy::MAX_TITLE,
    event::{Event, EventId, Span},
};

/// Instances of one series within the horizon at most: three a day for a year and a bit.
const MOST_INSTANCES: usize = 1_500;

/// How long before the horizon an instance of a series may begin to be seen within it.
const LONG_INSTANCE: SignedDuration = SignedDuration::from_hours(32 * 24);
/// Instances that are longer may reach into the horizon from anywhere before it; months have 28 days at least.
const SHORT_INSTANCE: SignedDuration = SignedDuration::from_hours(27 * 24);
/// Starts of one series that are held at once: those of short instances before the horizon are not.
const MOST_STARTS: usize = 20_000;

/// What an object says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// What keeps its owner busy within the horizon, and our own events.
    pub events: Vec<Event>,
    /// When it was last changed, where it says so.
    pub changed_at: Option<Timestamp>,
}

/// How long each instance is.
#[derive(Debug, Clone, Copy)]
enum Length {
    /// Days and times of the wall clock.
    Nominal(JiffSpan),
    /// As long by every clock.
    Exact(SignedDuration),
}

/// Reads the object that its calendar knows as `id`, and follows its series as far as the budget goes. Days and floating
/// times are in the zone of the business.
///
/// # Errors
/// When something in it can't be read, or the budget is spent.
pub fn read(
    text: &str,
    id: &EventId,
    own: &TimeZone,
    horizon: Horizon,
    budget: &Budget,
) -> Result<Object, Unread> {
    let text = bounded(unfold(text.trim_start_matches('\u{feff}')))?;
    let calendar = read_calendar(&text).map_err(|_| Unread::new("is no iCalendar object"))?;
    let events: Vec<&Component<'_>> =
        calendar.components.iter().filter(|component| component.name.as_str() == "VEVENT").collect();
    let (exceptions, main): (Vec<&Component<'_>>, Vec<_>) =
        events.iter().copied().partition(|event| event.find_prop("RECURRENCE-ID").is_some());
    let reader = Reader { id, own, horizon, budget };
    let exceptions = reader.exceptions(&exceptions)?;
    let mut read = vec![];
    let mut replaced: BTreeSet<Timestamp> = BTreeSet::new();
    // Some programs give one UID to events that have nothing to do with each other.
    let are_several = main.len() > 1;
    for event in main {
        if are_several && is_busy(event) && !repeats(event) {
            let at = reader.start(event)?.instant(own)?;
            read.extend(reader.single(event, Some(at))?);
        } else {
            reader.series(event, &exceptions, &mut replaced, &mut read)?;
        }
    }
    // Invitations to one instance come without the series.
    for (at, exception) in exceptions {
        if !replaced.contains(&at) {
            read.extend(reader.single(exception, Some(at))?);
        }
    }
    let changed_at = events.iter().filter_map(|event| changed(event, own)).max();
    let events = if are_several { joined(read) } else { read };
    Ok(Object { events, changed_at })
}

struct Reader<'a> {
    id: &'a EventId,
    own: &'a TimeZone,
    horizon: Horizon,
    budget: &'a Budget,
}

impl<'a> Reader<'a> {
    /// The exceptions of a series by the instant that each replaces.
    fn exceptions<'c>(
        &self,
        events: &[&'c Component<'c>],
    ) -> Result<BTreeMap<Timestamp, &'c Component<'c>>, Unread> {
        let mut exceptions = BTreeMap::new();
        for event in events {
            let Some(property) = event.find_prop("RECURRENCE-ID") else { continue };
            if property.params.iter().any(|parameter| parameter.key.as_str() == "RANGE") {
                return Err(Unread::new("changes all later instances at once, which is not supported"));
            }
            exceptions.insert(Moment::read(property, self.own)?.instant(self.own)?, *event);
        }
        Ok(exceptions)
    }

    /// The instances of a series, or the event itself.
    fn series(
        &self,
        event: &Component<'_>,
        exceptions: &BTreeMap<Timestamp, &Component<'_>>,
        replaced: &mut BTreeSet<Timestamp>,
        read: &mut Vec<Event>,
    ) -> Result<(), Unread> {
        if !repeats(event) {
            read.extend(self.single(event, None)?);
            return Ok(());
        }
        let rules: Vec<&Property<'_>> = all(event, "RRULE");
        let start = self.start(event)?;
        let length = self.length(event, &start)?;
        let left_out = self.instants(event, "EXDATE")?;
        let shown = is_busy(event);
        let title = title(event);
        for at in self.starts(event, &rules, &start, length)? {
            let begins = at.instant(self.own)?;
            if let Some(exception) = exceptions.get(&begins) {
                if replaced.insert(begins) {
                    read.extend(self.single(exception, Some(begins))?);
                }
            } else if shown && !left_out.contains(&begins) {
                read.extend(self.event(Some(begins), &title, &at, length)?);
            }
            if read.len() > MOST_INSTANCES {
                return Err(Unread::new(format!("has more than {MOST_INSTANCES} instances in a year")));
            }
        }
        Ok(())
    }

    /// The starts of a series whose instances may reach into the horizon. An exception that moved one into it stands by
    /// itself.
    fn starts(
        &self,
        event: &Component<'_>,
        rules: &[&Property<'_>],
        start: &Moment,
        length: Length,
    ) -> Result<Vec<Moment>, Unread> {
        // A long instance that begins before the horizon may reach into it.
        let first = self.own.to_datetime(self.horizon.from - LONG_INSTANCE).date();
        let begins = start.instant(self.own)?;
        let are_short = self.end(start, length).is_ok_and(|end| end.duration_since(begins) <= SHORT_INSTANCE);
        let is_over = |civil: DateTime| are_short && civil.date() < first;
        let mut starts: BTreeMap<DateTime, Moment> = BTreeMap::new();
        for rule in rules {
            let rule = Rule::parse(rule.val.as_str(), start.civil())?;
            let until = rule.until.as_deref().map(|text| self.until(text, start)).transpose()?;
            let most = rule.count.map_or(usize::MAX, |count| count as usize);
            let times = rule.times(start.civil(), first, self.budget).take(most);
            for civil in times.filter(|civil| !is_over(*civil)) {
                let at = start.at(civil);
                if at.instant(self.own)? > self.horizon.to {
                    break;
                }
                if let Some(until) = &until
                    && !rule::is_within(until, &at, self.own)?
                {
                    break;
                }
                add(&mut starts, at)?;
            }
            if self.budget.is_spent() {
                return Err(Unread::new("repeats in a calendar whose series are too long to be followed"));
            }
        }
        if rules.is_empty() && !is_over(start.civil()) {
            add(&mut starts, start.clone())?;
        }
        for property in all(event, "RDATE") {
            for at in Moment::list(property, self.own)? {
                if !is_over(at.civil()) && at.instant(self.own)? <= self.horizon.to {
                    add(&mut starts, at)?;
                }
            }
        }
        Ok(starts.into_values().collect())
    }

    fn until(&self, text: &str, start: &Moment) -> Result<Moment, Unread> {
        let property = Property::new_ref("UNTIL", text);
        // A local time is in the zone of the start.
        let zone = match start {
            Moment::Time(_, zone) => zone,
            Moment::Day(_) => self.own,
        };
        Moment::read(&property, zone)
    }

    /// One event by itself, or the exception that stands for the instance at `replaces`.
    fn single(&self, event: &Component<'_>, replaces: Option<Timestamp>) -> Result<Option<Event>, Unread> {
        if !is_busy(event) {
            return Ok(None);
        }
        let start = self.start(event)?;
        let length = self.length(event, &start)?;
        let found = self.event(replaces, &title(event), &start, length)?;
        Ok(found.map(|found| match appointment(event) {
            Some((id, appointment)) => Event { id, appointment: Some(appointment), ..found },
            None => found,
        }))
    }

    /// An event from `start`; `None` when it takes no time, or none within the horizon.
    fn event(
        &self,
        instance: Option<Timestamp>,
        title: &str,
        start: &Moment,
        length: Length,
    ) -> Result<Option<Event>, Unread> {
        let begins = start.instant(self.own)?;
        let ends = self.end(start, length)?;
        let span = Span::new(begins, ends);
        let near = |span: &Span| span.ends() > self.horizon.from && span.starts() <= self.horizon.to;
        Ok(span.filter(near).map(|span| Event {
            id: instance.map_or_else(|| self.id.clone(), |at| self.id.instance(at)),
            title: title.to_owned(),
            span,
            appointment: None,
        }))
    }

    /// When what begins at `start` ends.
    fn end(&self, start: &Moment, length: Length) -> Result<Timestamp, Unread> {
        let beyond = |_| Unread::new("lies beyond all calendars");
        match length {
            Length::Exact(length) => start.instant(self.own)?.checked_add(length).map_err(beyond),
            Length::Nominal(length) => {
                start.at(start.civil().checked_add(length).map_err(beyond)?).instant(self.own)
            }
        }
    }

    fn start(&self, event: &Component<'_>) -> Result<Moment, Unread> {
        let property = event.find_prop("DTSTART").ok_or_else(|| Unread::new("has no start"))?;
        Moment::read(property, self.own)
    }

    fn length(&self, event: &Component<'_>, start: &Moment) -> Result<Length, Unread> {
        if let Some(end) = event.find_prop("DTEND") {
            let end = Moment::read(end, self.own)?;
            if let (Moment::Day(from), Moment::Day(to)) = (start, &end) {
                return Ok(Length::Nominal(*to - *from));
            }
            return Ok(Length::Exact(end.instant(self.own)?.duration_since(start.instant(self.own)?)));
        }
        if let Some(duration) = event.find_prop("DURATION") {
            let text = duration.val.as_str();
            let read: JiffSpan =
                text.parse().map_err(|_| Unread::new(format!("has an invalid duration: {text:.40}")))?;
            return Ok(Length::Nominal(read));
        }
        Ok(match start {
            Moment::Day(_) => Length::Nominal(JiffSpan::new().days(1)),
            Moment::Time(..) => Length::Exact(SignedDuration::ZERO),
        })
    }

    fn instants(&self, event: &Component<'_>, name: &str) -> Result<BTreeSet<Timestamp>, Unread> {
        let mut instants = BTreeSet::new();
        for property in all(event, name) {
            for moment in Moment::list(property, self.own)? {
                instants.insert(moment.instant(self.own)?);
            }
        }
        Ok(instants)
    }
}

fn add(starts: &mut BTreeMap<DateTime, Moment>, at: Moment) -> Result<(), Unread> {
    starts.insert(at.civil(), at);
    if starts.len() > MOST_STARTS {
        return Err(Unread::new("has more than 20,000 dates"));
    }
    Ok(())
}

fn all<'e>(event: &'e Component<'_>, name: &str) -> Vec<&'e Property<'e>> {
    event.properties.iter().filter(|property| property.name.as_str() == name).collect()
}

fn repeats(event: &Component<'_>) -> bool {
    event.find_prop("RRULE").is_some() || event.find_prop("RDATE").is_some()
}

/// Events of one id as one that takes the time of all: the later ones would replace the earlier.
fn joined(events: Vec<Event>) -> Vec<Event> {
    let mut joined: BTreeMap<EventId, Event> = BTreeMap::new();
    for event in events {
        joined
            .entry(event.id.clone())
            .and_modify(|known| known.span = known.span.with(event.span))
            .or_insert(event);
    }
    joined.into_values().collect()
}

fn value<'e>(event: &'e Component<'_>, name: &str) -> Option<&'e str> {
    event.find_prop(name).map(|property| property.val.as_str())
}

/// Whether it takes its owner's time.
fn is_busy(event: &Component<'_>) -> bool {
    let says =
        |name, word: &str| value(event, name).is_some_and(|text| text.trim().eq_ignore_ascii_case(word));
    !says("TRANSP", "TRANSPARENT") && !says("STATUS", "CANCELLED")
}

/// As much as is shown: each instance of a series has it.
fn title(event: &Component<'_>) -> String {
    value(event, "SUMMARY").unwrap_or_default().chars().take(MAX_TITLE).collect()
}

/// The appointment that our mark names. A copy of our event has another UID, and is its owner's; so is what bears our mark
/// under an id that none of ours has.
fn appointment(event: &Component<'_>) -> Option<(EventId, AppointmentId)> {
    let (uid, appointment) = value(event, MARK)?.split_once(' ')?;
    let appointment: Uuid = appointment.parse().ok()?;
    let id = EventId::of_ours(uid).filter(|_| value(event, "UID") == Some(uid))?;
    Some((id, AppointmentId(appointment)))
}

fn changed(event: &Component<'_>, own: &TimeZone) -> Option<Timestamp> {
    let property = event.find_prop("LAST-MODIFIED").or_else(|| event.find_prop("DTSTAMP"))?;
    Moment::read(property, own).ok()?.instant(own).ok()
}

#[cfg(test)]
mod tests;
