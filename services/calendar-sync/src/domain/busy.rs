//! What a calendar's changes mean for its employee's time.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use proto::label::cleaned;

use super::event::{Event, EventId, Span};

/// Characters of a title that scheduling keeps.
const MAX_TITLE: usize = 1000;

/// One change in a calendar, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// When it was made there.
    pub at: Timestamp,
    /// Of which event.
    pub id: EventId,
    /// The event since then; `None` when it is gone.
    pub event: Option<Event>,
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
/// whatever else is gone needs no word. Our own events are left out: they are known.
#[must_use]
pub fn facts(read: Vec<Change>, extent: Extent, told: &BTreeSet<EventId>) -> Vec<Fact> {
    let since = |at| (extent == Extent::Changes).then_some(at);
    // A later change of an event outweighs an earlier one.
    let mut latest: BTreeMap<EventId, (Option<Timestamp>, Option<Event>)> =
        read.into_iter().map(|change| (change.id, (since(change.at), change.event))).collect();
    if extent == Extent::Whole {
        for id in told {
            latest.entry(id.clone()).or_insert((None, None));
        }
    }
    let fact = |(id, (since, event)): (EventId, (Option<Timestamp>, Option<Event>))| {
        let foreign = event.filter(|event| event.appointment.is_none());
        let busy = foreign.map(|event| Busy { title: shown(&event.title), span: event.span.from_year_one() });
        (busy.is_some() || told.contains(&id)).then_some(Fact { id, since, busy })
    };
    latest.into_iter().filter_map(fact).collect()
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
        Change { at: Timestamp::UNIX_EPOCH, id: id(name), event }
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
