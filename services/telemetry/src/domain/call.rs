//! A call: what the platform told of it and what the agent's tools did in it.

use std::collections::BTreeSet;

use contacts::CallerReach;
use jiff::{SignedDuration, Timestamp};
use proto::contact::ContactReach;

use super::{
    AppointmentId, CallId, ConnectionId, CustomerId, ServiceId,
    facts::Facts,
    missed::Missed,
    outcome::Outcome,
    phone::Phone,
    runs::Runs,
    tool_call::{Effect, ToolCall},
    visit::{Visit, Visits},
};

/// So long after the last word of a call, it is not known to go on: longer than most calls last.
const LONGEST_SILENCE: SignedDuration = SignedDuration::from_mins(10);

/// What a call is known by: the platform's id is unique within its connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The voice connection.
    pub connection: ConnectionId,
    /// The platform's id.
    pub platform_call_id: String,
}

/// A call with all that is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its id here.
    pub id: CallId,
    /// Grows by one with each change; 0 for a call nothing was told of yet.
    pub version: i64,
    /// What deliveries told.
    pub facts: Facts,
    /// The weightiest thing its tools did.
    pub claim: Option<Outcome>,
    /// Whom its tools recognised.
    pub customer: Option<CustomerLink>,
    /// What its answered runs add up to.
    pub runs: Runs,
    /// The visits that were booked in it, or by the team from it.
    pub visits: Visits,
    /// Whether it is in the figures, as it is here.
    pub counted: bool,
    /// Who had the caller put through from the page of the call.
    pub taken_over: Option<TakenOver>,
    /// When its customer was erased: nothing is known of the person since.
    pub erased_at: Option<Timestamp>,
}

/// Who took a call over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenOver {
    /// `user:<id>`.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// A recognised customer. The latest run's wins: a number may match several
/// customers, and the agent asks which.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CustomerLink {
    /// When the run that recognised it started.
    pub at: Timestamp,
    /// Who.
    pub customer: CustomerId,
    /// The name at that time.
    pub name: String,
}

/// How far a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallState {
    /// The call is in progress.
    Live,
    /// The call has ended.
    Ended {
        /// When.
        at: Timestamp,
        /// What came of it.
        outcome: Outcome,
    },
}

/// A call as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub id: CallId,
    /// How far it is.
    pub state: CallState,
    /// Who called, unless withheld.
    pub from: Option<Phone>,
    /// Which number was called.
    pub to: Option<Phone>,
    /// When it started.
    pub started_at: Timestamp,
    /// When the platform last told of it; `None` once it has ended.
    pub last_heard: Option<Timestamp>,
    /// Whom the agent recognised.
    pub customer: Option<(CustomerId, String)>,
    /// Appointments booked, moved or cancelled in it, in order.
    pub appointments: Vec<AppointmentId>,
    /// Appointments that people booked from it, cancelled ones with them.
    pub team_appointments: Vec<AppointmentId>,
    /// Whether one of those is not cancelled.
    pub booked_by_team: bool,
    /// What it was about.
    pub summary: Option<String>,
    /// Version of the agent's settings; 0 when unknown.
    pub agent_version: i32,
    /// The platform.
    pub platform: Option<String>,
    /// Why it led to no booking.
    pub missed: Option<Missed>,
    /// Look-ups that failed by a fault of ours.
    pub failed_runs: i32,
    /// The number that the caller was put through to.
    pub transferred: Option<Phone>,
    /// Who had them put through from the page of the call.
    pub taken_over: Option<TakenOver>,
}

/// A call, as a person is shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownCall {
    /// The call.
    pub call: Listed,
    /// Whether with the caller's number, and with what names it.
    pub has_contact: bool,
}

impl Listed {
    /// Whether it may be over without a word of that: it was not told to have ended, and nothing else was told for ten
    /// minutes.
    #[must_use]
    pub fn is_unheard(&self, now: Timestamp) -> bool {
        let heard = self.last_heard.unwrap_or(self.started_at);
        self.state == CallState::Live && now.duration_since(heard) >= LONGEST_SILENCE
    }

    /// The number of a caller who was not recognised. It may be a customer's all the same.
    #[must_use]
    pub fn unknown_caller(&self) -> Option<&Phone> {
        self.from.as_ref().filter(|_| self.customer.is_none())
    }

    /// The call for a person with such a reach.
    #[must_use]
    pub fn shown(self, reach: &CallerReach) -> ShownCall {
        ShownCall { has_contact: self.is_contact_shown(reach), call: self }
    }

    /// Whether a person may see the caller's number, with what names it: that of a customer whose contact is within
    /// their reach, or, once the call has ended, of a caller who is no customer, so that they can be called back. Until
    /// then the agent may still recognise a customer beyond it.
    fn is_contact_shown(&self, reach: &CallerReach) -> bool {
        match (&reach.customers, &self.customer) {
            (ContactReach::All, _) => true,
            (customers, Some((customer, _))) => customers.includes(&customer.to_string()),
            (ContactReach::Customers(_), None) => {
                let is_hidden = |phone: &Phone| reach.hidden_phones.contains(phone.as_str());
                self.state != CallState::Live && !self.from.as_ref().is_some_and(is_hidden)
            }
        }
    }
}

impl Call {
    /// A call of which nothing was told yet.
    #[must_use]
    pub fn seen_at(id: CallId, seen: Timestamp) -> Self {
        Self {
            id,
            version: 0,
            facts: Facts::seen_at(seen),
            claim: None,
            customer: None,
            runs: Runs::default(),
            visits: Visits::default(),
            counted: false,
            taken_over: None,
            erased_at: None,
        }
    }

    /// How far it is.
    #[must_use]
    pub fn state(&self) -> CallState {
        self.facts.ended_at().map_or(CallState::Live, |at| CallState::Ended { at, outcome: self.outcome() })
    }

    fn outcome(&self) -> Outcome {
        let spoke = self.facts.transcript.caller_spoke();
        let (ended, transferred) = (self.facts.disconnection.as_deref(), self.facts.transferred.is_some());
        Outcome::decide(self.claim, ended, transferred, spoke)
    }

    /// Whether the caller went on with a person.
    #[must_use]
    pub fn was_transferred(&self) -> bool {
        self.outcome() == Outcome::Transferred || self.facts.transferred.is_some()
    }

    /// Takes in what a delivery tells.
    #[must_use]
    pub fn learn(self, told: Facts) -> Self {
        let told = if self.erased_at.is_some() { told.without_person() } else { told };
        Self { facts: self.facts.merge(told), ..self }
    }

    /// The call without the person, who is `customer` from now on. What it came to stays for the figures.
    #[must_use]
    pub fn erased(self, customer: CustomerId, at: Timestamp) -> Self {
        let claim = match self.state() {
            CallState::Live => self.claim,
            CallState::Ended { outcome, .. } => Some(outcome),
        };
        let linked = self.customer.as_ref().map_or(at, |link| link.at);
        let customer = self.customer.as_ref().map_or(customer, |link| link.customer);
        Self {
            claim,
            customer: Some(CustomerLink { at: linked, customer, name: String::new() }),
            facts: self.facts.without_person(),
            erased_at: Some(at),
            ..self
        }
    }

    /// Why it led to no booking, if one was looked for, it ended without one, and no person booked one from it.
    #[must_use]
    pub fn missed(&self) -> Option<Missed> {
        self.left_unbooked().filter(|_| !self.visits.has_booking_of_team())
    }

    /// Why the agent booked nothing, if a booking was looked for.
    fn left_unbooked(&self) -> Option<Missed> {
        let CallState::Ended { outcome, .. } = self.state() else { return None };
        // Who moves a visit looks for times as well.
        let otherwise = matches!(outcome, Outcome::Booked | Outcome::Moved | Outcome::Cancelled);
        self.runs.latest.map(|latest| latest.came_to).filter(|_| !otherwise)
    }

    /// Whether it ended, and the agent looked for a booking or made one. What a person books from it takes nothing away
    /// here: conversion is the agent's.
    #[must_use]
    pub fn wanted_booking(&self) -> bool {
        let booked = matches!(self.state(), CallState::Ended { outcome: Outcome::Booked, .. });
        booked || self.left_unbooked().is_some()
    }

    /// The services that were looked for or booked.
    #[must_use]
    pub fn services(&self) -> BTreeSet<ServiceId> {
        self.runs.services.union(&self.visits.services()).copied().collect()
    }

    /// Takes in how a run was answered.
    #[must_use]
    pub fn answered(self, run: &ToolCall) -> Self {
        Self { runs: self.runs.with(run), ..self }
    }

    /// Takes in what is told of a visit that was booked in it, or from it.
    #[must_use]
    pub fn booked(self, id: AppointmentId, visit: Visit) -> Self {
        Self { visits: self.visits.with(id, visit), ..self }
    }

    /// Takes in what a tool run that started at `at` did.
    #[must_use]
    pub fn credit(self, effect: &Effect, at: Timestamp) -> Self {
        let claim = self.claim.max(effect.outcome);
        if self.erased_at.is_some() {
            return Self { claim, ..self };
        }
        Self { claim, customer: self.customer.max(effect.link(at)), ..self }
    }
}

impl Effect {
    /// The customer, as of the run that recognised it.
    #[must_use]
    pub fn link(&self, at: Timestamp) -> Option<CustomerLink> {
        self.customer.clone().map(|(customer, name)| CustomerLink { at, customer, name })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::domain::{
        facts::End,
        transcript::{Speaker, Transcript, Turn},
    };

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_780_000_000 + second).unwrap()
    }

    fn call() -> Call {
        Call::seen_at(CallId(Uuid::nil()), at(5))
    }

    fn recognised(id: u128, outcome: Option<Outcome>) -> Effect {
        let customer = Some((CustomerId(Uuid::from_u128(id)), format!("Customer {id}")));
        Effect { customer, appointment: None, outcome }
    }

    #[test]
    fn a_call_is_live_until_a_delivery_says_that_it_ended() {
        assert_eq!(call().state(), CallState::Live);
        let ended =
            call().learn(Facts { ended: Some(End { seen: at(9), reported: None }), ..Facts::seen_at(at(9)) });
        assert_eq!(ended.state(), CallState::Ended { at: at(9), outcome: Outcome::Abandoned });
        assert_eq!(ended.clone().learn(Facts::seen_at(at(20))).state(), ended.state());
    }

    #[test]
    fn a_call_of_which_nothing_is_heard_for_ten_minutes_is_not_known_to_go_on() {
        let listed = |state, last_heard| Listed {
            id: CallId(Uuid::nil()),
            state,
            from: None,
            to: None,
            started_at: at(0),
            last_heard,
            customer: None,
            appointments: vec![],
            team_appointments: vec![],
            booked_by_team: false,
            summary: None,
            agent_version: 0,
            platform: None,
            missed: None,
            failed_runs: 0,
            transferred: None,
            taken_over: None,
        };
        let live = listed(CallState::Live, Some(at(5)));
        assert!(!live.is_unheard(at(604)));
        assert!(live.is_unheard(at(605)));
        assert!(!listed(CallState::Live, Some(at(4_000))).is_unheard(at(4_100)), "however long it goes on");
        assert!(listed(CallState::Live, None).is_unheard(at(600)));
        let ended = CallState::Ended { at: at(9), outcome: Outcome::Answered };
        assert!(!listed(ended, None).is_unheard(at(9_000)));
    }

    #[test]
    fn an_erased_call_keeps_what_it_came_to_and_learns_nothing_of_the_person() {
        let said = |text: &str| {
            let turn = Turn {
                speaker: Speaker::Caller,
                text: text.to_owned(),
                offset_ms: None,
                latency_ms: None,
                interrupted: false,
            };
            Facts {
                from: Phone::parse("+442079460018"),
                summary: Some(text.to_owned()),
                transcript: Transcript::new(vec![turn]),
                ..Facts::seen_at(at(9))
            }
        };
        let ended = Facts { ended: Some(End { seen: at(9), reported: None }), ..said("This is Ana") };
        let call = call().learn(ended).credit(&recognised(1, None), at(6));
        let erased = call.clone().erased(CustomerId(Uuid::from_u128(7)), at(20));
        assert_eq!(erased.state(), call.state());
        let told = erased.clone().learn(said("This is Ana again")).credit(&recognised(2, None), at(21));
        assert_eq!(told, erased);
        assert_eq!((&told.facts.from, &told.facts.summary), (&None, &None));
        assert_eq!(told.facts.transcript, Transcript::default());
        let link = told.customer.unwrap();
        assert_eq!((link.customer, link.name.as_str()), (CustomerId(Uuid::from_u128(1)), ""));
        let unknown = super::tests::call().erased(CustomerId(Uuid::from_u128(7)), at(20));
        assert_eq!(unknown.customer.unwrap().customer, CustomerId(Uuid::from_u128(7)), "found again by it");
    }

    #[test]
    fn the_weightiest_deed_and_the_latest_customer_stay_whatever_finishes_first() {
        let (early, late) = (recognised(1, Some(Outcome::Booked)), recognised(2, Some(Outcome::Answered)));
        let one = call().credit(&early, at(1)).credit(&late, at(2));
        let other = call().credit(&late, at(2)).credit(&early, at(1));
        assert_eq!(one, other);
        assert_eq!(one.claim, Some(Outcome::Booked));
        assert_eq!(one.customer.unwrap().name, "Customer 2");
    }
}
