//! Whether a side has what the book says it should.

use std::collections::BTreeMap;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::{
    busy::{Change, Content},
    event::{Event, EventId, Span},
};

/// Differences of one check that are told of.
pub const MOST_DIFFERENCES: usize = 500;

/// What is compared: events that reach into this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Its beginning.
    pub from: Timestamp,
    /// Its end.
    pub to: Timestamp,
}

impl Window {
    /// Whether a span reaches into it.
    #[must_use]
    pub fn has(&self, span: Span) -> bool {
        span.ends() > self.from && span.starts() < self.to
    }
}

/// An event as a side has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theirs {
    /// The event.
    pub event: Event,
    /// When it was changed there.
    pub changed_at: Timestamp,
    /// Who changed it there.
    pub changed_by: Option<String>,
}

/// A part of an event that differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// What it says.
    Title,
    /// When it starts.
    StartsAt,
    /// When it ends.
    EndsAt,
}

impl Field {
    /// As it is answered.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::StartsAt => "starts_at",
            Self::EndsAt => "ends_at",
        }
    }
}

/// How a side differs from the book in one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The side has not got it.
    Missing(Event),
    /// The side alone has it.
    Extra(Theirs),
    /// Both have it, unlike in these.
    Changed(Event, Theirs, Vec<Field>),
}

impl Difference {
    /// Which event.
    #[must_use]
    pub fn id(&self) -> &EventId {
        match self {
            Self::Missing(ours) | Self::Changed(ours, ..) => &ours.id,
            Self::Extra(theirs) => &theirs.event.id,
        }
    }

    fn starts(&self) -> Timestamp {
        match self {
            Self::Missing(ours) | Self::Changed(ours, ..) => ours.span.starts(),
            Self::Extra(theirs) => theirs.event.span.starts(),
        }
    }
}

/// Our own events in what was read of a side: the last version of each.
#[must_use]
pub fn ours_among(read: Vec<Change>) -> BTreeMap<EventId, Theirs> {
    let mut latest: BTreeMap<EventId, Change> = BTreeMap::new();
    for change in read {
        latest.insert(change.id.clone(), change);
    }
    let mut ours = BTreeMap::new();
    for Change { at, by, content, .. } in latest.into_values() {
        let events = match content {
            Content::Event(event) => event.into_iter().collect(),
            Content::Instances(events) => events,
            Content::Unreadable(_) => vec![],
        };
        for event in events.into_iter().filter(|event| event.appointment.is_some()) {
            ours.insert(event.id.clone(), Theirs { event, changed_at: at, changed_by: by.clone() });
        }
    }
    ours
}

/// Each event in which `theirs` differs from `expected`, by start: no more of it than differs.
#[must_use]
pub fn differences(
    expected: &BTreeMap<EventId, Event>,
    theirs: &BTreeMap<EventId, Theirs>,
    window: Window,
) -> Vec<Difference> {
    let of_ours = expected.values().filter_map(|ours| match theirs.get(&ours.id) {
        None => Some(Difference::Missing(ours.clone())),
        Some(theirs) => {
            let fields = unlike(ours, &theirs.event);
            (!fields.is_empty()).then(|| Difference::Changed(ours.clone(), theirs.clone(), fields))
        }
    });
    let extra = theirs
        .values()
        .filter(|theirs| !expected.contains_key(&theirs.event.id) && window.has(theirs.event.span));
    let mut found: Vec<Difference> = of_ours.chain(extra.cloned().map(Difference::Extra)).collect();
    found.sort_by(|one, other| (one.starts(), one.id()).cmp(&(other.starts(), other.id())));
    found
}

fn unlike(ours: &Event, theirs: &Event) -> Vec<Field> {
    // Calendars keep whole seconds.
    let at = |at: Timestamp| at.as_second();
    let checks = [
        (Field::Title, ours.title == theirs.title),
        (Field::StartsAt, at(ours.span.starts()) == at(theirs.span.starts())),
        (Field::EndsAt, at(ours.span.ends()) == at(theirs.span.ends())),
    ];
    checks.into_iter().filter_map(|(field, alike)| (!alike).then_some(field)).collect()
}

/// SHA-256 over events in the order of their ids: alike for alike events, and for no others.
#[must_use]
pub fn digest<'e>(events: impl IntoIterator<Item = &'e Event>) -> String {
    let mut lines: Vec<String> = events
        .into_iter()
        .map(|event| {
            let (starts, ends) = (event.span.starts().as_second(), event.span.ends().as_second());
            // Ids and numbers have no tab, and of a title each is one character more.
            format!("{}\t{starts}\t{ends}\t{}\n", event.id, event.title.escape_default())
        })
        .collect();
    lines.sort_unstable();
    let mut hash = Sha256::new();
    lines.iter().for_each(|line| hash.update(line));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use proptest::{collection::btree_map, prelude::*};
    use uuid::Uuid;

    use super::*;
    use crate::domain::AppointmentId;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_second(1_780_000_000 + 60 * minute).unwrap()
    }

    fn event(id: u8, title: &str, minute: i64) -> Event {
        Event {
            id: EventId(format!("{id:02x}")),
            title: title.to_owned(),
            span: Span::new(at(minute), at(minute + 30)).unwrap(),
            appointment: Some(AppointmentId(Uuid::from_u128(id.into()))),
        }
    }

    fn map(events: impl IntoIterator<Item = Event>) -> BTreeMap<EventId, Event> {
        events.into_iter().map(|event| (event.id.clone(), event)).collect()
    }

    fn side(events: impl IntoIterator<Item = Event>) -> BTreeMap<EventId, Theirs> {
        let theirs = |event: Event| Theirs { event, changed_at: at(0), changed_by: None };
        events.into_iter().map(|event| (event.id.clone(), theirs(event))).collect()
    }

    const ALL: Window = Window { from: Timestamp::MIN, to: Timestamp::MAX };

    #[test]
    fn a_difference_names_what_differs_and_nothing_else() {
        let expected = map([event(1, "Cut", 0), event(2, "Wash", 60), event(3, "Colour", 120)]);
        let moved = Event { title: "Wash".to_owned(), ..event(2, "", 75) };
        let found = differences(&expected, &side([event(1, "Cut", 0), moved, event(9, "Old", 30)]), ALL);
        let [extra, changed, missing] = found.as_slice() else { panic!("{found:?}") };
        assert!(matches!(extra, Difference::Extra(theirs) if theirs.event.title == "Old"));
        assert!(
            matches!(changed, Difference::Changed(_, _, fields) if fields == &[Field::StartsAt, Field::EndsAt])
        );
        assert!(matches!(missing, Difference::Missing(ours) if ours.title == "Colour"));
    }

    #[test]
    fn what_only_the_side_has_beyond_the_window_is_no_difference() {
        let window = Window { from: at(0), to: at(100) };
        assert_eq!(differences(&map([]), &side([event(1, "Past", -60)]), window), []);
        assert_eq!(differences(&map([]), &side([event(1, "Now", -10)]), window).len(), 1);
        // One of ours that was dragged far away is not missing, but elsewhere.
        let dragged = differences(&map([event(1, "Cut", 10)]), &side([event(1, "Cut", 500)]), window);
        assert!(matches!(dragged.as_slice(), [Difference::Changed(..)]));
    }

    proptest! {
        /// The digests are alike exactly where there is no difference.
        #[test]
        fn digests_agree_with_the_differences(
            ours in btree_map(0_u8..6, ("[a\t\n]{0,2}", 0_i64..3), 0..5),
            theirs in btree_map(0_u8..6, ("[a\t\n]{0,2}", 0_i64..3), 0..5),
        ) {
            let events = |side: BTreeMap<u8, (String, i64)>| -> Vec<Event> {
                side.into_iter().map(|(id, (title, minute))| event(id, &title, minute)).collect()
            };
            let (ours, theirs) = (events(ours), events(theirs));
            let alike = digest(&ours) == digest(&theirs);
            let found = differences(&map(ours), &side(theirs), ALL);
            prop_assert_eq!(alike, found.is_empty());
        }
    }
}
