//! What a calendar's changes mean for its employee's time.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use proto::label::cleaned;

use super::event::{Event, EventId, Span};

/// Characters of a title that scheduling keeps.
pub(super) const MAX_TITLE: usize = 1000;
/// Bytes that what is read of a calendar at once may take: 50,000 events, each with a long title.
pub const MOST_BYTES: usize = 32 << 20;
/// Those of an event beside its texts.
const BYTES_OF_EVENT: usize = 128;

/// One change in a calendar, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// When it was made there.
    pub at: Timestamp,
    /// Who made it, where the calendar says so.
    pub by: Option<String>,
    /// Of which object: an event, or a series.
    pub id: EventId,
    /// What it is since then.
    pub content: Content,
}

impl Change {
    /// As it can be kept. What names an event by what no row can have is put aside alone: whichever system says it, it
    /// must not stop the reading of all the rest.
    #[must_use]
    pub fn kept(self) -> Self {
        let are_usable = self.id.is_usable()
            && match &self.content {
                Content::Event(event) => event.iter().all(|event| event.id.is_usable()),
                Content::Instances(events) => events.iter().all(|event| event.id.is_usable()),
                Content::Unreadable(_) => true,
            };
        if are_usable {
            return self;
        }
        let content = Content::Unreadable("has an id that can't be kept".to_owned());
        let id = if self.id.is_usable() { self.id } else { EventId::hashed(&self.id.0) };
        Self { id, content, ..self }
    }

    /// About how many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let of = |event: &Event| BYTES_OF_EVENT + event.id.0.len() + event.title.len();
        let events = match &self.content {
            Content::Event(event) => event.iter().map(of).sum(),
            Content::Instances(events) => events.iter().map(of).sum(),
            Content::Unreadable(reason) => reason.len(),
        };
        BYTES_OF_EVENT + self.id.0.len() + events
    }
}

/// What an object of a calendar is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// The event under the object's own id; `None` when it is gone.
    Event(Option<Event>),
    /// Its events that are near, each under an id of its own; none when it is gone.
    Instances(Vec<Event>),
    /// Nothing that can be read, for this reason.
    Unreadable(String),
}

/// An object that was put aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// Which.
    pub id: EventId,
    /// Why.
    pub reason: String,
}

/// How much of a calendar was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What changed since the last time.
    Changes,
    /// All there is; what is missing is gone.
    Whole,
}

/// What is told about an employee's time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The event it is about.
    pub id: EventId,
    /// When that was changed, where the change itself was read.
    pub since: Option<Timestamp>,
    /// When the event keeps the employee busy; `None` when it no longer does.
    pub busy: Option<Busy>,
}

/// Time an employee can't be booked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Busy {
    /// What the event says.
    pub title: String,
    /// When.
    pub span: Span,
}

/// The facts in what was read. `told` are the events that may have been told of before:
/// whatever else is gone needs no word. Our own events are left out: they are known. What was told of an object
/// that can't be read any more still holds.
#[must_use]
pub fn facts(read: Vec<Change>, extent: Extent, told: &BTreeSet<EventId>) -> Vec<Fact> {
    let since = |at| (extent == Extent::Changes).then_some(at);
    // A later change of an object outweighs an earlier one.
    let latest: BTreeMap<EventId, (Option<Timestamp>, Content)> =
        read.into_iter().map(|change| (change.id, (since(change.at), change.content))).collect();
    let mut facts: BTreeMap<EventId, Fact> = BTreeMap::new();
    let mut unread: BTreeSet<EventId> = BTreeSet::new();
    for (object, (since, content)) in latest {
        let (events, before): (Vec<Event>, Vec<&EventId>) = match content {
            Content::Event(event) => (event.into_iter().collect(), told.get(&object).into_iter().collect()),
            Content::Instances(events) => (events, told_of(told, &object).collect()),
            Content::Unreadable(_) => {
                unread.insert(object);
                continue;
            }
        };
        for id in before {
            facts.insert(id.clone(), Fact { id: id.clone(), since, busy: None });
        }
        for event in events.into_iter().filter(|event| event.appointment.is_none()) {
            let busy = Busy { title: shown(&event.title), span: event.span.from_year_one() };
            facts.insert(event.id.clone(), Fact { id: event.id, since, busy: Some(busy) });
        }
    }
    if extent == Extent::Whole {
        let is_unread =
            |id: &EventId| unread.contains(id) || id.object().is_some_and(|object| unread.contains(&object));
        for id in told.iter().filter(|&id| !is_unread(id)) {
            facts.entry(id.clone()).or_insert_with(|| Fact { id: id.clone(), since: None, busy: None });
        }
    }
    facts.into_values().collect()
}

/// The objects that can't be read, as they were read last.
#[must_use]
pub fn aside(read: &[Change]) -> Vec<Aside> {
    let latest: BTreeMap<&EventId, &Content> =
        read.iter().map(|change| (&change.id, &change.content)).collect();
    let unreadable = latest.into_iter().filter_map(|(id, content)| match content {
        Content::Unreadable(reason) => Some(Aside { id: id.clone(), reason: cleaned(reason) }),
        Content::Event(_) | Content::Instances(_) => None,
    });
    unreadable.collect()
}

/// What was told of an object and its instances.
fn told_of<'t>(told: &'t BTreeSet<EventId>, object: &EventId) -> impl Iterator<Item = &'t EventId> {
    let object = object.clone();
    let (first, prefix) = (object.clone(), object.0.clone());
    told.range(first..).take_while(move |id| id.0.starts_with(&prefix)).filter(move |id| id.is_of(&object))
}

/// A title as everything here can show it: what is odd in one must not cost its time.
fn shown(title: &str) -> String {
    let line = cleaned(&title.replace(['\n', '\t'], " "));
    line.trim().chars().take(MAX_TITLE).collect()
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use uuid::Uuid;

    use super::*;
    use crate::domain::AppointmentId;

    fn id(text: &str) -> EventId {
        EventId(text.to_owned())
    }

    fn event(name: &str, minute: i64, ours: bool) -> Event {
        let at = |minute: i64| Timestamp::from_second(1_780_000_000 + 60 * minute).unwrap();
        let appointment = ours.then_some(AppointmentId(Uuid::nil()));
        Event {
            id: id(name),
            title: name.to_owned(),
            span: Span::new(at(minute), at(minute + 1)).unwrap(),
            appointment,
        }
    }

    fn change(name: &str, event: Option<Event>) -> Change {
        Change { at: Timestamp::UNIX_EPOCH, by: None, id: id(name), content: Content::Event(event) }
    }

    #[test]
    fn our_own_events_are_left_out() {
        let read = vec![change("a", Some(event("a", 0, true))), change("b", None)];
        assert_eq!(facts(read, Extent::Changes, &BTreeSet::new()), []);
    }

    #[test]
    fn a_whole_listing_frees_what_it_no_longer_has_and_changes_do_not() {
        let told = BTreeSet::from([id("gone"), id("kept")]);
        let read = || vec![change("kept", Some(event("kept", 0, false)))];
        assert_eq!(facts(read(), Extent::Changes, &told).len(), 1);
        let whole = facts(read(), Extent::Whole, &told);
        assert!(whole.contains(&Fact { id: id("gone"), since: None, busy: None }) && whole.len() == 2);
    }

    fn series(name: &str, minutes: &[i64]) -> Change {
        let instance = |minute: &i64| {
            let event = event(name, *minute, false);
            Event { id: id(name).instance(event.span.starts()), ..event }
        };
        let content = Content::Instances(minutes.iter().map(instance).collect());
        Change { at: Timestamp::UNIX_EPOCH, by: None, id: id(name), content }
    }

    #[test]
    fn a_series_frees_the_instances_that_it_no_longer_has() {
        let busy = |facts: &[Fact]| -> Vec<(EventId, bool)> {
            facts.iter().map(|fact| (fact.id.clone(), fact.busy.is_some())).collect()
        };
        let first =
            facts(vec![series("a", &[1, 2, 3]), series("ab", &[1])], Extent::Changes, &BTreeSet::new());
        let told: BTreeSet<EventId> = first.iter().map(|fact| fact.id.clone()).collect();
        assert_eq!(told.len(), 4);
        let second = facts(vec![series("a", &[2])], Extent::Changes, &told);
        assert_eq!(busy(&second).iter().filter(|(_, busy)| !busy).count(), 2);
        assert!(second.iter().all(|fact| fact.id.is_of(&id("a"))), "another object with a longer name stays");
        let gone = facts(vec![series("a", &[])], Extent::Changes, &told);
        assert!(gone.len() == 3 && gone.iter().all(|fact| fact.busy.is_none()));
    }

    #[test]
    fn what_can_no_longer_be_read_keeps_its_time_and_is_put_aside_alone() {
        let told: BTreeSet<EventId> = facts(vec![series("a", &[1, 2])], Extent::Changes, &BTreeSet::new())
            .into_iter()
            .map(|fact| fact.id)
            .collect();
        let garbled = Change { content: Content::Unreadable("has no start".to_owned()), ..change("a", None) };
        for extent in [Extent::Changes, Extent::Whole] {
            let read = vec![garbled.clone(), change("b", Some(event("b", 5, false)))];
            assert_eq!(aside(&read), [Aside { id: id("a"), reason: "has no start".to_owned() }]);
            let facts = facts(read, extent, &told);
            assert_eq!(facts.len(), 1);
            assert_eq!(facts[0].id, id("b"));
        }
        let readable_again = [garbled, series("a", &[1])];
        assert_eq!(aside(&readable_again), []);
    }

    #[test]
    fn what_has_an_id_that_no_row_takes_is_put_aside_alone() {
        let kept = |id: &str, event_id: &str| {
            let event = Event { id: EventId(event_id.to_owned()), ..event("a", 0, false) };
            change(id, Some(event)).kept()
        };
        let long = "x".repeat(EventId::LONGEST + 1);
        let long = long.as_str();
        assert_eq!(kept("a", "a"), change("a", Some(event("a", 0, false))));
        for (id, event_id) in [("a\0", "a"), ("a", "a\0"), ("a", long), (long, long)] {
            let change = kept(id, event_id);
            assert_eq!(change.content, Content::Unreadable("has an id that can't be kept".to_owned()));
            assert!(change.id.is_usable(), "{}", change.id);
            assert_eq!(change.id == EventId(id.to_owned()), id == "a", "what was told of it still holds");
        }
        let garbled = Change { content: Content::Unreadable("is \0 odd".to_owned()), ..change("a", None) };
        assert_eq!(aside(&[garbled.kept()]), [Aside { id: id("a"), reason: "is  odd".to_owned() }]);
    }

    #[test]
    fn what_can_no_longer_be_read_keeps_none_of_another_object() {
        let garbled = |name| Change { content: Content::Unreadable(String::new()), ..change(name, None) };
        let at = Timestamp::UNIX_EPOCH;
        let told = BTreeSet::from([id("a"), id("a").instance(at), id("ab"), id("ab").instance(at), id("b")]);
        let facts = facts(vec![garbled("a"), garbled("b"), garbled("c")], Extent::Whole, &told);
        let freed: Vec<EventId> = facts.into_iter().map(|fact| fact.id).collect();
        assert_eq!(freed, [id("ab"), id("ab").instance(at)]);
    }

    #[test]
    fn an_odd_title_is_made_showable_and_costs_no_time() {
        for (odd, expected) in [
            (" Lunch\nwith\0 Ana\u{202E} ", "Lunch with Ana"),
            ("\u{2066}", ""),
            (&"é".repeat(2000), &"é".repeat(1000)),
        ] {
            let read = vec![change("a", Some(Event { title: odd.to_owned(), ..event("a", 0, false) }))];
            let told = facts(read, Extent::Changes, &BTreeSet::new());
            assert_eq!(told[0].busy.as_ref().unwrap().title, expected);
        }
    }

    /// What scheduling holds after facts.
    fn apply(held: &mut BTreeMap<EventId, Span>, facts: Vec<Fact>) {
        for fact in facts {
            match fact.busy {
                Some(busy) => held.insert(fact.id, busy.span),
                None => held.remove(&fact.id),
            };
        }
    }

    proptest! {
        /// A calendar changes; runs read it by changes or whole; some fail after scheduling
        /// took the facts and before the token was saved. In the end both sides agree.
        #[test]
        fn scheduling_ends_with_what_the_calendar_has(
            edits in vec((0_usize..4, prop::option::of((0_i64..5, any::<bool>())), 0_u8..6), 1..40)
        ) {
            const NAMES: [&str; 4] = ["a", "b", "c", "d"];
            let mut log: Vec<Change> = vec![];
            let mut calendar: BTreeMap<EventId, Event> = BTreeMap::new();
            let (mut held, mut told, mut token) = (BTreeMap::new(), BTreeSet::new(), 0);
            let mut run = |log: &[Change], calendar: &BTreeMap<EventId, Event>, whole: bool, saved: bool| {
                let (read, extent) = if whole {
                    (calendar.values().map(|event| change(&event.id.0, Some(event.clone()))).collect(), Extent::Whole)
                } else {
                    (log[token..].to_vec(), Extent::Changes)
                };
                let facts = facts(read, extent, &told);
                told.extend(facts.iter().filter(|fact| fact.busy.is_some()).map(|fact| fact.id.clone()));
                let freed: Vec<_> =
                    facts.iter().filter(|fact| fact.busy.is_none()).map(|fact| fact.id.clone()).collect();
                apply(&mut held, facts);
                if saved {
                    told.retain(|id| !freed.contains(id));
                    token = log.len();
                }
                held.clone()
            };
            for (name, edit, action) in edits {
                let next = edit.map(|(minute, ours)| event(NAMES[name], minute, ours));
                match &next {
                    Some(event) => drop(calendar.insert(id(NAMES[name]), event.clone())),
                    None => drop(calendar.remove(&id(NAMES[name]))),
                }
                log.push(change(NAMES[name], next));
                if action < 4 {
                    run(&log, &calendar, action % 2 == 0, action < 2);
                }
            }
            let expected: BTreeMap<EventId, Span> = calendar
                .values()
                .filter(|event| event.appointment.is_none())
                .map(|event| (event.id.clone(), event.span))
                .collect();
            prop_assert_eq!(run(&log, &calendar, false, true), expected);
        }
    }
}
