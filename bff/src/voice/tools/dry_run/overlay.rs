//! What was changed in a chat so far, and what it means for the search for free times.

use jiff::Timestamp;
use proto::{
    frontdesk::{
        scheduling::v1::{
            Appointment, EmployeeWish, Hold, Hypothesis, HypotheticalTime, PlacedItem, VisitItem,
        },
        tenancy::v1::Customer,
    },
    time,
};
use serde::{Deserialize, Serialize};

/// A search takes no more of each, and a chat that has more of them is no trial of the agent.
pub(super) const MOST_KEPT: usize = 12;
const PREFIX: &str = "dry-run-";

/// What was changed so far, as the chat's page carries it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Overlay {
    pub(super) customers: Vec<Customer>,
    pub(super) holds: Vec<Hold>,
    /// Visits that were booked, moved or cancelled, as they are now.
    pub(super) visits: Vec<Visit>,
    /// Names the next record.
    pub(super) made: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Visit {
    pub(super) appointment: Appointment,
    /// It is in the book, where its time counts as free.
    pub(super) booked_before: bool,
    pub(super) cancelled: bool,
}

impl Overlay {
    pub(super) fn new_id(&mut self) -> String {
        self.made += 1;
        format!("{PREFIX}{}", self.made)
    }

    /// Whether it holds no more than a chat may.
    #[must_use]
    pub fn fits(&self) -> bool {
        [self.customers.len(), self.holds.len(), self.visits.len()].iter().all(|count| *count <= MOST_KEPT)
    }

    pub(super) fn hypothesis(&self, without: &str, now: Timestamp) -> Hypothesis {
        let held = self.holds.iter().filter(|hold| is_kept(hold, now)).filter_map(|hold| hold.offer.as_ref());
        let booked = self.visits.iter().filter(|visit| !visit.cancelled && visit.appointment.id != without);
        let items = held.flat_map(|offer| &offer.items).chain(booked.flat_map(|of| &of.appointment.items));
        let before =
            self.visits.iter().filter(|visit| visit.booked_before).map(|of| of.appointment.id.clone());
        let asked = Some(without.to_owned()).filter(|id| !id.is_empty() && !id.starts_with(PREFIX));
        let mut without_visit_ids: Vec<String> = before.chain(asked).collect();
        without_visit_ids.sort_unstable();
        without_visit_ids.dedup();
        Hypothesis { taken: items.flat_map(taken).take(50).collect(), without_visit_ids }
    }

    pub(super) fn put(&mut self, visit: Visit) {
        match self.visits.iter_mut().find(|of| of.appointment.id == visit.appointment.id) {
            Some(known) => *known = visit,
            None => self.visits.push(visit),
        }
    }
}

pub(super) fn is_kept(hold: &Hold, now: Timestamp) -> bool {
    time::parse("expires_at", hold.expires_at.as_ref()).ok().flatten().is_some_and(|at| at > now)
}

/// The time that a placed service takes of its employee and of what it uses.
fn taken(item: &PlacedItem) -> Vec<HypotheticalTime> {
    let of = |subject_id: &String| HypotheticalTime {
        subject_id: subject_id.clone(),
        from: item.starts_at,
        to: item.ends_at,
    };
    let resources = item.resources.iter().map(|resource| of(&resource.resource_id));
    core::iter::once(of(&item.employee_id)).chain(resources).collect()
}

/// A placed service as it is asked for again, with whom the customer wished for.
pub(super) fn asked_again(item: &PlacedItem) -> VisitItem {
    let wished = item.wished_employee_id.clone();
    let only = item.employee_wish() == EmployeeWish::Only;
    VisitItem {
        service_id: item.service_id.clone(),
        employee_id: if only { wished.clone() } else { String::new() },
        preferred_employee_id: if only { String::new() } else { wished },
        guest: item.guest,
        extra_minutes: item.extra_minutes,
        employee_only: only,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use jiff::SignedDuration;
    use proto::frontdesk::scheduling::v1::Offer;

    use super::*;

    const HELD: SignedDuration = SignedDuration::from_mins(5);

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn item(employee: &str, from: &str, to: &str) -> PlacedItem {
        PlacedItem {
            employee_id: employee.into(),
            starts_at: Some(time::to_proto(at(from))),
            ends_at: Some(time::to_proto(at(to))),
            ..PlacedItem::default()
        }
    }

    /// Mia's visit at nine.
    pub fn visit(id: &str, booked_before: bool, cancelled: bool) -> Visit {
        let items = vec![item("mia", "2026-06-02T09:00:00Z", "2026-06-02T10:00:00Z")];
        let starts_at = items[0].starts_at;
        let appointment = Appointment {
            id: id.into(),
            customer_id: "ana".into(),
            starts_at,
            items,
            ..Appointment::default()
        };
        Visit { appointment, booked_before, cancelled }
    }

    fn now() -> Timestamp {
        at("2026-06-01T09:00:00Z")
    }

    #[test]
    fn a_time_that_is_kept_counts_as_taken_until_it_expires() {
        let offer = Offer { items: visit("", false, false).appointment.items, ..Offer::default() };
        let expires_at = Some(time::to_proto(now() + HELD));
        let hold = Hold { id: "dry-run-1".into(), expires_at, offer: Some(offer) };
        let overlay = Overlay { holds: vec![hold], ..Overlay::default() };
        assert_eq!(overlay.hypothesis("", now()).taken.len(), 1);
        assert!(overlay.hypothesis("", now() + HELD).taken.is_empty());
    }

    #[test]
    fn a_visit_that_was_moved_frees_its_old_time_and_takes_its_new_one_and_a_cancelled_one_frees_it() {
        let overlay = Overlay { visits: vec![visit("stored", true, false)], ..Overlay::default() };
        let hypothesis = overlay.hypothesis("", now());
        assert_eq!((hypothesis.taken.len(), hypothesis.without_visit_ids), (1, vec!["stored".to_owned()]));
        // Moved once more, it is not in its own way.
        let own = overlay.hypothesis("stored", now());
        assert_eq!((own.taken.len(), own.without_visit_ids.len()), (0, 1));
        let cancelled = Overlay { visits: vec![visit("stored", true, true)], ..Overlay::default() };
        let hypothesis = cancelled.hypothesis("", now());
        assert_eq!((hypothesis.taken.len(), hypothesis.without_visit_ids.len()), (0, 1));
    }

    #[test]
    fn what_the_page_carries_comes_back_as_it_was() {
        let overlay = Overlay { visits: vec![visit("stored", true, false)], made: 3, ..Overlay::default() };
        let carried = serde_json::to_string(&overlay).unwrap();
        let back: Overlay = serde_json::from_str(&carried).unwrap();
        assert_eq!((back.visits.len(), back.made, back.fits()), (1, 3, true));
        assert_eq!(back.hypothesis("", now()).without_visit_ids, ["stored"]);
        assert!(!Overlay { visits: vec![visit("x", true, false); 13], ..Overlay::default() }.fits());
    }
}
