//! Events as Google Calendar writes them.

use jiff::{
    Timestamp,
    civil::{Date, DateTime, Time},
    tz::TimeZone,
};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    AppointmentId,
    event::{Event, EventId, Span},
    ical::Unread,
};

/// Private properties of our own events: which appointment one was written for, and under which id. They belong to
/// this copy of the event alone, and other guests don't see them.
const APPOINTMENT: &str = "frontdeskAppointment";
const EVENT: &str = "frontdeskEvent";

/// The fields of an event that Google is asked to return.
pub const FIELDS: &str = "id,status,etag,summary,updated,start,end,transparency,eventType,recurrence,\
    recurringEventId,originalStartTime,attendees(self,responseStatus),extendedProperties/private";

/// An event of a calendar: a single one, a series, or an instance of a series that differs from it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    id: String,
    status: Option<String>,
    etag: Option<String>,
    summary: Option<String>,
    updated: Option<String>,
    start: Option<When>,
    end: Option<When>,
    transparency: Option<String>,
    event_type: Option<String>,
    #[serde(default)]
    recurrence: Vec<String>,
    recurring_event_id: Option<String>,
    original_start_time: Option<When>,
    #[serde(default)]
    attendees: Vec<Attendee>,
    extended_properties: Option<Extended>,
}

/// A day, or a time of day.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct When {
    date: Option<String>,
    date_time: Option<String>,
    time_zone: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attendee {
    #[serde(default, rename = "self")]
    is_self: bool,
    response_status: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Extended {
    #[serde(default)]
    private: std::collections::BTreeMap<String, String>,
}

impl When {
    /// The instant; days and floating times are in the zone of the business.
    fn instant(&self, own: &TimeZone) -> Result<Timestamp, Unread> {
        if let Some(day) = &self.date {
            let day: Date = day.parse().map_err(|_| invalid_time(day))?;
            return at(day.to_datetime(Time::midnight()), own);
        }
        let text = self.date_time.as_deref().ok_or_else(|| Unread("has no time".to_owned()))?;
        if let Ok(instant) = text.parse::<Timestamp>() {
            return Ok(instant);
        }
        let civil: DateTime = text.parse().map_err(|_| invalid_time(text))?;
        let Some(name) = &self.time_zone else { return at(civil, own) };
        let zone = TimeZone::get(name)
            .map_err(|_| Unread(format!("names a time zone that is not known: {name:.80}")))?;
        at(civil, &zone)
    }
}

fn at(civil: DateTime, zone: &TimeZone) -> Result<Timestamp, Unread> {
    let zoned = civil.to_zoned(zone.clone());
    zoned.map(|zoned| zoned.timestamp()).map_err(|_| Unread("lies beyond all calendars".to_owned()))
}

fn invalid_time(text: &str) -> Unread {
    Unread(format!("has an invalid time: {text:.40}"))
}

impl Item {
    /// Reads one element of a listing.
    ///
    /// # Errors
    /// The element's id, where it says one, and why it can't be read.
    pub fn read(value: &Value) -> Result<Self, (Option<EventId>, Unread)> {
        let id = || value.get("id").and_then(Value::as_str).map(EventId::of_object);
        Self::deserialize(value).map_err(|_| (id(), Unread("is not what Google documents".to_owned())))
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> EventId {
        EventId::of_object(&self.id)
    }

    /// Its version.
    #[must_use]
    pub fn etag(&self) -> Option<&str> {
        self.etag.as_deref()
    }

    /// Whether it was deleted, or is an instance that was.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.status.as_deref() == Some("cancelled")
    }

    /// The id at Google of the series that it is, or is of.
    #[must_use]
    pub fn series(&self) -> Option<&str> {
        match &self.recurring_event_id {
            Some(series) => Some(series),
            None => (!self.recurrence.is_empty()).then_some(&self.id),
        }
    }

    /// Whether it is an instance that differs from its series.
    #[must_use]
    pub fn is_exception(&self) -> bool {
        self.recurring_event_id.is_some()
    }

    /// When it was last changed.
    #[must_use]
    pub fn changed_at(&self, now: Timestamp) -> Timestamp {
        self.updated.as_deref().and_then(|text| text.parse().ok()).unwrap_or(now).min(now)
    }

    /// What keeps its owner busy; `None` when it takes none of their time.
    ///
    /// # Errors
    /// When its time can't be read.
    pub fn event(&self, own: &TimeZone) -> Result<Option<Event>, Unread> {
        self.event_as(self.id(), own)
    }

    /// The same of an instance of `series`.
    ///
    /// # Errors
    /// When its time, or the one that the series gave it, can't be read.
    pub fn instance(&self, series: &EventId, own: &TimeZone) -> Result<Option<Event>, Unread> {
        let original = self.original_start_time.as_ref().or(self.start.as_ref());
        let original = original.ok_or_else(|| Unread("has no start".to_owned()))?;
        self.event_as(series.instance(original.instant(own)?), own)
    }

    fn event_as(&self, id: EventId, own: &TimeZone) -> Result<Option<Event>, Unread> {
        if self.is_cancelled() || self.is_free() {
            return Ok(None);
        }
        let moment = |when: &Option<When>, missing: &str| match when {
            Some(when) => when.instant(own),
            None => Err(Unread(missing.to_owned())),
        };
        let (starts, ends) = (moment(&self.start, "has no start")?, moment(&self.end, "has no end")?);
        let appointment = self.appointment().filter(|_| id.0 == self.id);
        let title = self.summary.clone().unwrap_or_default();
        Ok(Span::new(starts, ends).map(|span| Event { id, title, span, appointment }))
    }

    /// Transparent events, declined invitations, birthdays and where someone works from take no time.
    fn is_free(&self) -> bool {
        let declined =
            |attendee: &Attendee| attendee.is_self && attendee.response_status.as_deref() == Some("declined");
        self.transparency.as_deref() == Some("transparent")
            || matches!(self.event_type.as_deref(), Some("workingLocation" | "birthday"))
            || self.attendees.iter().any(declined)
    }

    /// The appointment that our mark names. A copy of our event has another id, and is its owner's.
    fn appointment(&self) -> Option<AppointmentId> {
        let private = &self.extended_properties.as_ref()?.private;
        let appointment: Uuid = private.get(APPOINTMENT)?.parse().ok()?;
        (private.get(EVENT) == Some(&self.id)).then_some(AppointmentId(appointment))
    }
}

/// An event of ours as Google takes it; an id that was used before comes to life again.
#[must_use]
pub fn written(event: &Event) -> Value {
    let private =
        event.appointment.map(|appointment| json!({ APPOINTMENT: appointment.0, EVENT: event.id.0 }));
    json!({
        "id": event.id.0,
        "status": "confirmed",
        "summary": event.title,
        "start": { "dateTime": event.span.starts().to_string() },
        "end": { "dateTime": event.span.ends().to_string() },
        "transparency": "opaque",
        "extendedProperties": { "private": private.unwrap_or_else(|| json!({})) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn london() -> TimeZone {
        TimeZone::get("Europe/London").unwrap()
    }

    fn item(more: Value) -> Item {
        let mut value = json!({ "id": "abc", "status": "confirmed", "summary": "Dentist",
            "start": { "dateTime": "2026-06-01T10:00:00+02:00" }, "end": { "dateTime": "2026-06-01T11:00:00+02:00" } });
        for (name, more) in more.as_object().unwrap() {
            value[name] = more.clone();
        }
        Item::read(&value).unwrap()
    }

    fn times(more: Value) -> Option<(String, String)> {
        let event = item(more).event(&london()).unwrap()?;
        Some((event.span.starts().to_string(), event.span.ends().to_string()))
    }

    #[test]
    fn times_are_instants_and_days_and_floating_times_are_the_salons() {
        let expected = |starts: &str, ends: &str| Some((starts.to_owned(), ends.to_owned()));
        assert_eq!(times(json!({})), expected("2026-06-01T08:00:00Z", "2026-06-01T09:00:00Z"));
        let day = json!({ "start": { "date": "2026-06-01" }, "end": { "date": "2026-06-02" } });
        assert_eq!(times(day), expected("2026-05-31T23:00:00Z", "2026-06-01T23:00:00Z"));
        let spring = json!({ "start": { "date": "2026-03-29" }, "end": { "date": "2026-03-30" } });
        assert_eq!(times(spring), expected("2026-03-29T00:00:00Z", "2026-03-29T23:00:00Z"));
        let floating = json!({ "start": { "dateTime": "2026-06-01T09:00:00" }, "end": { "dateTime": "2026-06-01T10:00:00" } });
        assert_eq!(times(floating), expected("2026-06-01T08:00:00Z", "2026-06-01T09:00:00Z"));
        let zoned = json!({ "start": { "dateTime": "2026-06-01T09:00:00", "timeZone": "America/New_York" },
            "end": { "dateTime": "2026-06-01T10:00:00", "timeZone": "America/New_York" } });
        assert_eq!(times(zoned), expected("2026-06-01T13:00:00Z", "2026-06-01T14:00:00Z"));
    }

    #[test]
    fn what_takes_no_time_keeps_nobody_busy() {
        let declined = json!([{ "self": true, "responseStatus": "declined" }]);
        let others =
            json!([{ "responseStatus": "declined" }, { "self": true, "responseStatus": "accepted" }]);
        for free in [
            json!({ "transparency": "transparent" }),
            json!({ "eventType": "workingLocation" }),
            json!({ "eventType": "birthday" }),
            json!({ "status": "cancelled" }),
            json!({ "attendees": declined }),
            json!({ "end": { "dateTime": "2026-06-01T10:00:00+02:00" } }),
        ] {
            assert_eq!(times(free.clone()), None, "{free}");
        }
        for busy in [
            json!({ "attendees": others }),
            json!({ "eventType": "outOfOffice" }),
            json!({ "status": "tentative" }),
        ] {
            assert!(times(busy.clone()).is_some(), "{busy}");
        }
    }

    #[test]
    fn an_instance_is_known_by_the_time_that_its_series_gave_it() {
        let moved = item(json!({ "id": "abc_20260601T070000Z", "recurringEventId": "abc",
            "originalStartTime": { "dateTime": "2026-06-01T09:00:00+02:00" } }));
        assert_eq!(moved.series(), Some("abc"));
        let series = EventId("abc".to_owned());
        let event = moved.instance(&series, &london()).unwrap().unwrap();
        assert_eq!(event.id, series.instance("2026-06-01T07:00:00Z".parse().unwrap()));
        assert_eq!(event.span.starts().to_string(), "2026-06-01T08:00:00Z");
        assert_eq!(item(json!({ "recurrence": ["RRULE:FREQ=DAILY"] })).series(), Some("abc"));
        assert_eq!(item(json!({})).series(), None);
    }

    #[test]
    fn our_own_events_carry_a_mark_and_their_copies_are_their_owners() {
        let span =
            Span::new("2026-06-01T08:00:00Z".parse().unwrap(), "2026-06-01T09:00:00Z".parse().unwrap());
        let ours = Event {
            id: EventId("0123456789abcdef".to_owned()),
            title: "Cut – Ana".to_owned(),
            span: span.unwrap(),
            appointment: Some(AppointmentId(Uuid::from_u128(9))),
        };
        let mut value = written(&ours);
        assert_eq!(Item::read(&value).unwrap().event(&london()).unwrap(), Some(ours.clone()));
        value["id"] = json!("copy");
        let copy = Item::read(&value).unwrap().event(&london()).unwrap().unwrap();
        assert_eq!(copy.appointment, None);
    }

    #[test]
    fn what_is_not_as_documented_is_put_aside_with_its_reason() {
        let reason = |more: Value| item(more).event(&london()).unwrap_err().to_string();
        assert_eq!(reason(json!({ "start": { "date": "2026-02-30" } })), "has an invalid time: 2026-02-30");
        assert_eq!(reason(json!({ "start": null })), "has no start");
        assert_eq!(reason(json!({ "end": {} })), "has no time");
        let zone = json!({ "start": { "dateTime": "2026-06-01T09:00:00", "timeZone": "Mars/Base" } });
        assert_eq!(reason(zone), "names a time zone that is not known: Mars/Base");
        let (id, _) = Item::read(&json!({ "id": "abc", "start": 5 })).unwrap_err();
        assert_eq!(id, Some(EventId("abc".to_owned())));
        assert!(Item::read(&json!({ "summary": "x" })).is_err());
    }
}
