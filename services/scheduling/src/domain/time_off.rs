//! Time off: asked for, decided, taken back.

use caller::Role;
use engine::{
    dates::DateRange,
    id::{EmployeeId, TimeOffId},
    span::Span,
};
use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::busy::{Backwards, Held};

/// What time off is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Holiday.
    Holiday,
    /// Illness.
    Sick,
    /// Training.
    Training,
    /// Anything else.
    Other,
}

/// When it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// From one instant to another.
    Span(Span),
    /// Whole local days, wherever the business's zone has them begin and end.
    Days(DateRange),
}

/// Why a time is no time off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// Ends at its start, or before.
    #[error("must lie after starts_at")]
    Empty,
    /// Longer than is held of busy time.
    #[error("must lie at most 366 days after starts_at")]
    TooLong,
    /// Outside the years that days are counted in.
    #[error("must lie, as starts_at, in the years 2000 to 2199")]
    OutOfRange,
}

impl Extent {
    /// From one instant to another, all of which can be held.
    ///
    /// # Errors
    /// What is wrong with the end.
    pub fn between(starts_at: Timestamp, ends_at: Timestamp) -> Result<Self, SpanError> {
        match Held::of(starts_at, ends_at, starts_at) {
            Err(Backwards) | Ok(Held::Whole(None)) => Err(SpanError::Empty),
            Ok(Held::Until(_)) => Err(SpanError::TooLong),
            Ok(Held::Whole(Some(span))) if (span.starts_at(), span.ends_at()) == (starts_at, ends_at) => {
                Ok(Self::Span(span))
            }
            Ok(Held::Whole(Some(_)) | Held::Outside) => Err(SpanError::OutOfRange),
        }
    }

    /// The time it takes; `None` if the zone skipped all of its days.
    #[must_use]
    pub fn span(&self, zone: &TimeZone) -> Option<Span> {
        match self {
            Self::Span(span) => Some(*span),
            Self::Days(dates) => dates.span(zone),
        }
    }
}

/// Who decided, when and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// When.
    pub at: Timestamp,
    /// Who, as the audit trail names them.
    pub by: String,
    /// Why, or empty.
    pub note: String,
}

/// Where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Not decided yet.
    Requested,
    /// Takes working time away.
    Approved(Decision),
    /// Was not allowed.
    Declined(Decision),
    /// Was taken back, before or after it was approved.
    Withdrawn(Decision),
}

/// The stage of a request, without who brought it there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// As [`State::Requested`].
    Requested,
    /// As [`State::Approved`].
    Approved,
    /// As [`State::Declined`].
    Declined,
    /// As [`State::Withdrawn`].
    Withdrawn,
}

impl State {
    /// The state without what it carries.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self {
            Self::Requested => Stage::Requested,
            Self::Approved(_) => Stage::Approved,
            Self::Declined(_) => Stage::Declined,
            Self::Withdrawn(_) => Stage::Withdrawn,
        }
    }

    fn without_note(self) -> Self {
        let bare = |decision| Decision { note: String::new(), ..decision };
        match self {
            Self::Requested => Self::Requested,
            Self::Approved(decision) => Self::Approved(bare(decision)),
            Self::Declined(decision) => Self::Declined(bare(decision)),
            Self::Withdrawn(decision) => Self::Withdrawn(bare(decision)),
        }
    }

    /// What brought it there.
    #[must_use]
    pub fn decision(&self) -> Option<&Decision> {
        match self {
            Self::Requested => None,
            Self::Approved(decision) | Self::Declined(decision) | Self::Withdrawn(decision) => Some(decision),
        }
    }
}

/// The time off is not in a state that allows this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the time off was approved, declined or withdrawn before")]
pub struct WrongState;

/// Whether a member of this role is told of everybody's requests, and why each is away. Others are
/// told of their own, and when colleagues are away.
#[must_use]
pub fn is_told_all(role: Role) -> bool {
    role >= Role::Manager
}

/// Time off of one employee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeOff {
    /// Its id.
    pub id: TimeOffId,
    /// Whose.
    pub employee: EmployeeId,
    /// What for.
    pub kind: Kind,
    /// In words, or empty.
    pub reason: String,
    /// When.
    pub extent: Extent,
    /// Where it stands.
    pub state: State,
    /// Who asked for it, as the audit trail names them.
    pub requested_by: String,
    /// When it was asked for.
    pub requested_at: Timestamp,
    /// Grows by one with each change.
    pub version: i64,
}

impl TimeOff {
    /// Approves what was asked for.
    ///
    /// # Errors
    /// Once it is decided.
    pub fn approve(self, decision: Decision) -> Result<Self, WrongState> {
        match self.state {
            State::Requested => Ok(self.changed(State::Approved(decision))),
            State::Approved(_) | State::Declined(_) | State::Withdrawn(_) => Err(WrongState),
        }
    }

    /// Declines what was asked for.
    ///
    /// # Errors
    /// Once it is decided.
    pub fn decline(self, decision: Decision) -> Result<Self, WrongState> {
        match self.state {
            State::Requested => Ok(self.changed(State::Declined(decision))),
            State::Approved(_) | State::Declined(_) | State::Withdrawn(_) => Err(WrongState),
        }
    }

    /// Takes it back.
    ///
    /// # Errors
    /// Once it is declined or withdrawn.
    pub fn withdraw(self, decision: Decision) -> Result<Self, WrongState> {
        match self.state {
            State::Requested | State::Approved(_) => Ok(self.changed(State::Withdrawn(decision))),
            State::Declined(_) | State::Withdrawn(_) => Err(WrongState),
        }
    }

    /// Takes a decision back: it is to be decided again.
    ///
    /// # Errors
    /// If it is not approved or declined.
    pub fn reopen(self) -> Result<Self, WrongState> {
        match self.state {
            State::Approved(_) | State::Declined(_) => Ok(self.changed(State::Requested)),
            State::Requested | State::Withdrawn(_) => Err(WrongState),
        }
    }

    /// Takes its withdrawal back: it stands where it stood.
    ///
    /// # Errors
    /// If it is not withdrawn.
    pub fn restore(self, before: State) -> Result<Self, WrongState> {
        match self.state {
            State::Withdrawn(_) => Ok(self.changed(before)),
            State::Requested | State::Approved(_) | State::Declined(_) => Err(WrongState),
        }
    }

    /// Whether `actor`, with this role, may read all of it and withdraw it: the requester or a manager.
    #[must_use]
    pub fn concerns(&self, actor: &str, role: Role) -> bool {
        is_told_all(role) || actor == self.requested_by
    }

    /// As `actor`, of this role, sees it. Why a colleague is away, illness above all, is between
    /// the colleague and the managers.
    #[must_use]
    pub fn seen_by(self, actor: &str, role: Role) -> Self {
        if self.concerns(actor, role) {
            return self;
        }
        Self { kind: Kind::Other, reason: String::new(), state: self.state.without_note(), ..self }
    }

    /// Whether it may strand appointments: it is requested or approved.
    #[must_use]
    pub fn stands(&self) -> bool {
        match self.state {
            State::Requested | State::Approved(_) => true,
            State::Declined(_) | State::Withdrawn(_) => false,
        }
    }

    fn changed(self, state: State) -> Self {
        Self { state, version: self.version + 1, ..self }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn decision() -> Decision {
        Decision { at: Timestamp::UNIX_EPOCH, by: "user:2".to_owned(), note: String::new() }
    }

    fn time_off(state: State) -> TimeOff {
        let dates = DateRange::new(jiff::civil::date(2026, 6, 1), jiff::civil::date(2026, 6, 5)).unwrap();
        TimeOff {
            id: TimeOffId(Uuid::nil()),
            employee: EmployeeId(Uuid::nil()),
            kind: Kind::Holiday,
            reason: String::new(),
            extent: Extent::Days(dates),
            state,
            requested_by: "user:1".to_owned(),
            requested_at: Timestamp::UNIX_EPOCH,
            version: 1,
        }
    }

    #[test]
    fn time_off_is_as_long_and_as_near_as_busy_time_can_be_held() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let between = |from: &str, to: &str| Extent::between(at(from), at(to));
        let june = "2026-06-01T00:00:00Z";
        assert_eq!(between(june, june), Err(SpanError::Empty));
        assert_eq!(between(june, "2026-05-31T00:00:00Z"), Err(SpanError::Empty));
        assert!(between(june, "2027-06-02T00:00:00Z").is_ok());
        assert_eq!(between(june, "2027-06-02T00:00:01Z"), Err(SpanError::TooLong));
        for (from, to) in [
            ("1999-12-31T00:00:00Z", "2000-01-02T00:00:00Z"),
            ("2199-12-31T00:00:00Z", "2200-01-02T00:00:00Z"),
        ] {
            assert_eq!(between(from, to), Err(SpanError::OutOfRange));
        }
    }

    #[test]
    fn a_request_can_be_approved_declined_and_withdrawn() {
        let requested = || time_off(State::Requested);
        let states = [
            (requested().approve(decision()), State::Approved(decision())),
            (requested().decline(decision()), State::Declined(decision())),
            (requested().withdraw(decision()), State::Withdrawn(decision())),
        ];
        for (changed, state) in states {
            let changed = changed.unwrap();
            assert_eq!((changed.state, changed.version), (state, 2));
        }
    }

    #[test]
    fn what_is_approved_can_only_be_withdrawn() {
        let approved = || time_off(State::Approved(decision()));
        assert_eq!(approved().withdraw(decision()).unwrap().state, State::Withdrawn(decision()));
        assert_eq!(approved().approve(decision()), Err(WrongState));
        assert_eq!(approved().decline(decision()), Err(WrongState));
    }

    #[test]
    fn what_is_declined_or_withdrawn_stays_so() {
        for state in [State::Declined(decision()), State::Withdrawn(decision())] {
            let is = || time_off(state.clone());
            assert!(is().approve(decision()).is_err() && is().decline(decision()).is_err());
            assert!(is().withdraw(decision()).is_err() && !is().stands());
        }
    }

    #[test]
    fn employees_take_back_what_they_asked_for_and_managers_everything() {
        let requested = time_off(State::Requested);
        assert!(requested.concerns("user:1", Role::Employee));
        assert!(!requested.concerns("user:2", Role::Employee));
        assert!(requested.concerns("user:2", Role::Manager));
    }

    #[test]
    fn why_a_colleague_is_away_is_told_to_managers_and_to_who_asked() {
        let sick = TimeOff {
            kind: Kind::Sick,
            reason: "a broken leg".to_owned(),
            ..time_off(State::Approved(Decision { note: "get well".to_owned(), ..decision() }))
        };
        assert_eq!(sick.clone().seen_by("user:1", Role::Employee), sick);
        assert_eq!(sick.clone().seen_by("user:9", Role::Manager), sick);
        let seen = sick.seen_by("user:9", Role::Employee);
        assert_eq!((seen.kind, seen.reason.as_str()), (Kind::Other, ""));
        assert_eq!(seen.state, State::Approved(decision()));
    }
}
