//! The records of the year as the services are told of them.

use jiff::{SignedDuration, Timestamp};
use proto::{
    frontdesk::{
        scheduling::{
            internal::v1::{PastMove, PastStep, PastVisit},
            v1::AppointmentState as State,
        },
        telemetry::{
            internal::v1::{CallFacts, PastBooking, PastCall},
            v1::CallState,
        },
        tenancy::internal::v1::{PastCustomer, PastFollowUp, PastMovement},
    },
    time::to_proto,
};

use super::{
    Days, World,
    calls::{Call, MESSAGES, Subject, line},
    dice::Dice,
    ids,
    script::Script,
    shelf::Movement,
    visits::{End, Hand, Visit},
};
use crate::{
    demo::{
        id,
        salon::{BUSINESSES, SERVICES},
    },
    demo_call::Platform,
};

/// What was left in a call of the last days may be still to be done, and the last two messages are.
const OPEN_DAYS: i64 = 12;
const OPEN_MESSAGES: usize = 2;

/// The account at this place, as the audit trail names it.
fn account(n: usize) -> String {
    format!("user:{}", id("user", n))
}

/// Who did something at an instant.
fn actor(hand: Hand, at: Timestamp) -> String {
    match hand {
        Hand::Desk(n) => account(n),
        Hand::Phone => format!("agent:{}", line(at).connection()),
    }
}

impl World {
    pub(super) fn customers(&self) -> Vec<PastCustomer> {
        let customer = |(n, client): (usize, &super::Client)| PastCustomer {
            id: ids::customer(n),
            name: client.name.clone(),
            phone: client.phone.clone(),
            email: String::new(),
        };
        self.clients.iter().enumerate().map(customer).collect()
    }

    /// By when they start; those of the past backwards, so that the days that are looked at first are there first.
    pub(super) fn past_visits(&self, days: Days) -> Vec<PastVisit> {
        let today = self.year.zone.to_datetime(self.now).date();
        let wanted = |visit: &Visit| (visit.place.date >= today) == (days == Days::FromToday);
        let mut booked: Vec<_> = self.booked().filter(|(_, visit)| wanted(visit)).collect();
        booked.sort_by_key(|(n, visit)| (visit.starts_at, *n));
        if days == Days::BeforeToday {
            booked.reverse();
        }
        booked.into_iter().map(|(n, visit)| self.past_visit(n, visit)).collect()
    }

    fn past_visit(&self, n: usize, visit: &Visit) -> PastVisit {
        let call =
            (visit.booked_by == Hand::Phone).then(|| self.calls_about.get(&Subject::Booked(n))).flatten();
        let there = visit.moved.map(|moved| (moved, self.year.at(moved.from.date, moved.from.minute)));
        let moved = there.filter(|(moved, _)| moved.at <= self.now);
        // One that is moved later is where it was.
        let starts_at = match (there, moved) {
            (Some((_, before)), None) => before,
            _ => visit.starts_at,
        };
        PastVisit {
            id: ids::visit(n),
            service_id: id("service", visit.service),
            employee_id: id("employee", visit.place.employee),
            customer_id: ids::customer(visit.client),
            call_id: call.map(|call| ids::call(*call)).unwrap_or_default(),
            starts_at: Some(to_proto(starts_at)),
            booked_at: Some(to_proto(visit.booked_at)),
            booked_by: actor(visit.booked_by, visit.booked_at),
            price_minor: visit.price,
            r#move: moved.map(|(moved, before)| PastMove {
                from: Some(to_proto(before)),
                at: Some(to_proto(moved.at)),
                by: actor(moved.by, moved.at),
            }),
            steps: self.steps(n, visit),
            cancel_reason: match visit.end {
                End::Cancelled { at, reason, .. } if at <= self.now => reason.to_owned(),
                _ => String::new(),
            },
        }
    }

    /// What a visit has gone through by now.
    pub(super) fn steps(&self, n: usize, visit: &Visit) -> Vec<PastStep> {
        let mut dice = Dice::new(n as u64, "steps");
        let mut minutes = |least, most| SignedDuration::from_mins(dice.between(least, most));
        let over = visit.ends_at + SignedDuration::from_mins(SERVICES[visit.service].buffer_after.into());
        let desk = account(if visit.place.employee == 0 { 3 } else { 2 });
        let arrived = visit.starts_at + minutes(-8, 4);
        let served = arrived.max(visit.starts_at) + minutes(1, 3);
        let steps = match visit.end {
            End::Came => vec![
                (State::Arrived, arrived, desk.clone()),
                (State::InService, served, desk.clone()),
                (State::Completed, over + minutes(1, 6), desk),
            ],
            End::StayedAway => vec![(State::NoShow, over + minutes(1, 15), desk)],
            End::Cancelled { at, by, .. } => vec![(State::Cancelled, at, actor(by, at))],
        };
        let step = |(state, at, by): (State, Timestamp, String)| PastStep {
            state: state.into(),
            at: Some(to_proto(at)),
            by,
        };
        steps.into_iter().filter(|(_, at, _)| *at <= self.now).map(step).collect()
    }

    pub(super) fn past_calls(&self) -> Vec<PastCall> {
        self.calls.iter().enumerate().map(|(n, call)| self.past_call(n, call)).collect()
    }

    fn past_call(&self, n: usize, call: &Call) -> PastCall {
        let script = Script::of(self, n, call);
        let hung_up = if call.platform == Platform::Retell { "user_hangup" } else { "" };
        let booked = match call.subject {
            Subject::Booked(visit) => Some(self.booking(visit)),
            _ => None,
        };
        PastCall {
            id: ids::call(n),
            connection_id: call.platform.connection().to_owned(),
            facts: Some(CallFacts {
                platform_call_id: format!("call_{}", ids::call(n).replace('-', "")),
                platform: call.platform.name().to_owned(),
                state: CallState::Ended.into(),
                from_number: call.client.map(|n| self.clients[n].phone.clone()).unwrap_or_default(),
                to_number: BUSINESSES[0].phone.to_owned(),
                started_at: Some(to_proto(call.at)),
                ended_at: Some(to_proto(script.ended_at)),
                summary: script.summary,
                turns: script.turns,
                disconnection_reason: hung_up.to_owned(),
                ..CallFacts::default()
            }),
            runs: script.runs,
            bookings: booked.into_iter().collect(),
        }
    }

    /// A visit as scheduling has it.
    fn booking(&self, n: usize) -> PastBooking {
        let visit = &self.visits[n];
        let moved = visit.moved.is_some_and(|moved| moved.at <= self.now);
        let steps = self.steps(n, visit);
        PastBooking {
            appointment_id: ids::visit(n),
            version: 1 + i64::from(moved) + steps.len() as i64,
            price_minor: visit.price,
            currency: BUSINESSES[0].currency.to_owned(),
            service_ids: vec![id("service", visit.service)],
            cancelled: steps.iter().any(|step| step.state() == State::Cancelled),
        }
    }

    pub(super) fn past_follow_ups(&self) -> Vec<PastFollowUp> {
        let messages = self.calls.iter().enumerate().filter_map(|(n, call)| match call.subject {
            Subject::Message(place) => Some((n, call, MESSAGES[place])),
            _ => None,
        });
        let messages: Vec<_> = messages.collect();
        let seen_to = messages.len().saturating_sub(OPEN_MESSAGES);
        let follow_up = |(place, (n, call, text)): (usize, (usize, &Call, &str))| {
            self.past_follow_up(n, call, text, place < seen_to)
        };
        messages.into_iter().enumerate().map(follow_up).collect()
    }

    fn past_follow_up(&self, n: usize, call: &Call, text: &str, may_be_done: bool) -> PastFollowUp {
        let mut dice = Dice::new(n as u64, "follow-ups");
        let client = call.client.map(|n| &self.clients[n]);
        let done_at = call.at + SignedDuration::from_mins(dice.between(40, 3 * 24 * 60));
        let is_old = self.now.duration_since(call.at) > SignedDuration::from_hours(24 * OPEN_DAYS);
        let done = may_be_done && done_at <= self.now && (is_old || dice.percent(40));
        PastFollowUp {
            id: ids::follow_up(n),
            text: client.map_or_else(|| text.to_owned(), |client| format!("{}: {text}", client.name)),
            customer_id: call.client.map(ids::customer).unwrap_or_default(),
            phone: client.map(|client| client.phone.clone()).unwrap_or_default(),
            call_id: ids::call(n),
            created_at: Some(to_proto(call.at + SignedDuration::from_secs(40))),
            created_by: actor(Hand::Phone, call.at),
            due_at: None,
            done_at: done.then(|| to_proto(done_at)),
            done_by: if done { account(2) } else { String::new() },
        }
    }

    pub(super) fn past_movements(&self, good: usize) -> Vec<PastMovement> {
        let movement = |(n, movement): (usize, &Movement)| PastMovement {
            id: ids::movement(good, n),
            kind: movement.kind.into(),
            quantity: movement.quantity,
            unit_cost_minor: movement.cost,
            note: String::new(),
            at: Some(to_proto(movement.at)),
            by: account(movement.by),
        };
        self.movements[good].iter().enumerate().map(movement).collect()
    }
}
