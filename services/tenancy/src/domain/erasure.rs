//! The erasure of a person: by whom it was begun, and how far each service that keeps something of them is.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::CustomerId;

/// A service that keeps something of customers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// Records, notes, follow-ups, imports: this service.
    Tenancy,
    /// Calls.
    Telemetry,
    /// Visits, the waitlist.
    Scheduling,
    /// Entries in employees' calendars.
    CalendarSync,
}

impl Holder {
    /// All, in the order in which they are asked: each may need what an earlier one answers.
    pub const ALL: [Self; 4] = [Self::Tenancy, Self::Telemetry, Self::Scheduling, Self::CalendarSync];

    /// The service's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tenancy => "tenancy",
            Self::Telemetry => "telemetry",
            Self::Scheduling => "scheduling",
            Self::CalendarSync => "calendar-sync",
        }
    }

    /// The holder of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|holder| holder.name() == name)
    }
}

/// How far a holder is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HolderState {
    /// Which.
    pub holder: Holder,
    /// When it confirmed that nothing of the person is left there.
    pub confirmed_at: Option<Timestamp>,
    /// What it waits for, for a person to read; empty otherwise.
    pub waiting_for: String,
    /// Records that nothing of the person is left in.
    pub records: i32,
}

/// A record that another service learns of by following the log it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownRecord {
    /// Which.
    pub id: Uuid,
    /// As of which version nothing of the person is in it.
    pub version: i64,
}

/// What the holders are asked by. Of a finished erasure, only ids are left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traces {
    /// The person's records.
    pub customers: Vec<KnownRecord>,
    /// What they were called.
    pub names: Vec<String>,
    /// Where they were reached.
    pub phones: Vec<String>,
    /// Where they were written to.
    pub emails: Vec<String>,
    /// Their visits, once scheduling has answered them.
    pub visits: Vec<KnownRecord>,
    /// Their calls, once telemetry has answered them.
    pub calls: Vec<Uuid>,
}

/// The erasure of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// Whom it is of; those who were part of them are erased with them.
    pub customer: CustomerId,
    /// Who began it, as the audit trail names them.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// When the last holder had confirmed.
    pub finished_at: Option<Timestamp>,
    /// Visits to come that were cancelled.
    pub cancelled: i32,
    /// How far each holder is, in their order.
    pub holders: Vec<HolderState>,
    /// What they are asked by.
    pub traces: Traces,
}

/// Shortest and longest pause between two questions to a holder that is not done.
const PAUSES: (SignedDuration, SignedDuration) =
    (SignedDuration::from_secs(1), SignedDuration::from_secs(60));

/// An erasure that takes longer may need a person.
const LATE: SignedDuration = SignedDuration::from_hours(1);
/// An erasure that takes longer needs the operator of the installation.
pub const OVERDUE: SignedDuration = SignedDuration::from_hours(24);

impl Erasure {
    /// One that begins now, with every holder to be asked.
    #[must_use]
    pub fn begin(customer: CustomerId, by: &str, at: Timestamp, traces: Traces) -> Self {
        let asked =
            |holder| HolderState { holder, confirmed_at: None, waiting_for: String::new(), records: 0 };
        let holders = Holder::ALL.into_iter().map(asked).collect();
        Self { customer, by: by.to_owned(), at, finished_at: None, cancelled: 0, holders, traces }
    }

    /// The holder that is asked next, if any has not confirmed.
    #[must_use]
    pub fn next(&self) -> Option<Holder> {
        self.holders.iter().find(|state| state.confirmed_at.is_none()).map(|state| state.holder)
    }

    /// After a holder confirmed. The last one ends the erasure, and nothing of the person is needed any more.
    #[must_use]
    pub fn confirmed(mut self, holder: Holder, records: i32, at: Timestamp) -> Self {
        for state in self.holders.iter_mut().filter(|state| state.holder == holder) {
            *state = HolderState { holder, confirmed_at: Some(at), waiting_for: String::new(), records };
        }
        if self.next().is_none() {
            self.finished_at = Some(at);
            self.traces = Traces { names: vec![], phones: vec![], emails: vec![], ..self.traces };
        }
        self
    }

    /// After a holder said what it waits for, or could not be asked.
    #[must_use]
    pub fn waiting(mut self, holder: Holder, waiting_for: &str) -> Self {
        for state in self.holders.iter_mut().filter(|state| state.holder == holder) {
            waiting_for.clone_into(&mut state.waiting_for);
        }
        self
    }

    /// Whether it takes so long that what it waits for may need a person.
    #[must_use]
    pub fn is_late(&self, now: Timestamp) -> bool {
        self.finished_at.is_none() && now.duration_since(self.at) > LATE
    }

    /// How long after its beginning it is looked at again: at first soon, later seldom.
    #[must_use]
    pub fn pause(&self, now: Timestamp) -> SignedDuration {
        (now.duration_since(self.at) / 10).clamp(PAUSES.0, PAUSES.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun() -> Erasure {
        let traces = Traces { names: vec!["Ana".to_owned()], ..Traces::default() };
        Erasure::begin(CustomerId(Uuid::nil()), "user:1", Timestamp::UNIX_EPOCH, traces)
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn holders_are_asked_one_after_another_and_the_last_one_ends_it() {
        let mut erasure = begun();
        for (holder, second) in Holder::ALL.into_iter().zip(1..) {
            assert_eq!((erasure.next(), erasure.finished_at), (Some(holder), None));
            assert_eq!(erasure.traces.names, ["Ana"], "the others are still asked by it");
            erasure = erasure.confirmed(holder, 3, at(second));
        }
        assert_eq!((erasure.next(), erasure.finished_at), (None, Some(at(4))));
        assert_eq!(erasure.traces.names, [""; 0], "nothing of the person is left");
    }

    #[test]
    fn a_holder_that_waits_is_asked_again_ever_more_seldom() {
        let waiting = begun().waiting(Holder::Tenancy, "the log");
        assert_eq!(
            (waiting.next(), waiting.holders[0].waiting_for.as_str()),
            (Some(Holder::Tenancy), "the log")
        );
        assert_eq!(waiting.pause(at(0)), SignedDuration::from_secs(1));
        assert_eq!(waiting.pause(at(300)), SignedDuration::from_secs(30));
        assert_eq!(waiting.pause(at(86_400)), SignedDuration::from_secs(60));
        assert_eq!(waiting.confirmed(Holder::Tenancy, 0, at(1)).holders[0].waiting_for, "");
    }

    #[test]
    fn it_is_late_after_an_hour_unless_it_has_ended() {
        assert!(!begun().is_late(at(3_600)) && begun().is_late(at(3_601)));
        let ended = Holder::ALL.into_iter().fold(begun(), |it, holder| it.confirmed(holder, 0, at(9)));
        assert!(!ended.is_late(at(86_400)));
    }

    #[test]
    fn every_holder_has_a_name_of_its_own() {
        for holder in Holder::ALL {
            assert_eq!(Holder::parse(holder.name()), Some(holder));
        }
    }
}
