//! Appointments that a change of the schedule leaves without working time.

use super::{
    appointment::Appointment,
    attendance::Attendance,
    day::Day,
    id::{EmployeeId, VisitId},
    progress::Stage,
    schedule::Schedule,
    span::Span,
};

/// An employee's part of an appointment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stay {
    /// The appointment.
    pub appointment: VisitId,
    /// Who is needed.
    pub employee: EmployeeId,
    /// When.
    pub span: Span,
}

/// Why an employee is not at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idle {
    /// The salon is closed.
    Closed,
    /// They have time off.
    TimeOff,
    /// Their hours leave it out.
    NotWorking,
}

impl Schedule {
    /// Whether an employee is at work all through `span`.
    #[must_use]
    pub fn works(&self, employee: EmployeeId, span: Span) -> bool {
        let Some(rota) = self.rotas.get(&employee) else { return false };
        Day::covering(span, &self.zone).iter().all(|day| {
            let working = rota.on(day, &self.opening.on(day));
            day.slots_of(span).all(|slot| working.get(slot))
        })
    }

    /// Why an employee is not at work all through `span`, by the first slot in which they are not; `None` if they
    /// are.
    #[must_use]
    pub fn idle(&self, employee: EmployeeId, span: Span) -> Option<Idle> {
        Day::covering(span, &self.zone).iter().find_map(|day| {
            let hours = self.working_day(employee, day);
            let slot = day.slots_of(span).find(|slot| !hours.working.get(*slot))?;
            Some(match (hours.closed.get(slot), hours.away.get(slot)) {
                (true, _) => Idle::Closed,
                (false, true) => Idle::NotWorking,
                (false, false) => Idle::TimeOff,
            })
        })
    }

    /// Whether what was within working time no longer is in `changed`. What was outside of it
    /// before is nothing new.
    #[must_use]
    pub fn is_stranded(&self, changed: &Self, stay: &Stay) -> bool {
        self.works(stay.employee, stay.span) && !changed.works(stay.employee, stay.span)
    }
}

/// Whether a visit has to be dealt with once its employee is not at work: its customer is still to come, and it
/// was not squeezed in on purpose.
#[must_use]
pub fn can_be_stranded(appointment: &Appointment) -> bool {
    matches!(appointment.state.stage(), Stage::Booked | Stage::Confirmed) && !appointment.squeezed_in
}

impl Attendance {
    /// Whether some of what the employee does lies outside of their working time.
    #[must_use]
    pub fn is_outside_working_time(&self, employee: EmployeeId, schedule: &Schedule) -> bool {
        self.active.iter().any(|span| !schedule.works(employee, *span))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::{
        SignedDuration, Timestamp,
        civil::{Weekday, date},
        tz::TimeZone,
    };
    use uuid::Uuid;

    use super::*;
    use crate::{
        appointment::{BookingDetails, State},
        hours::{DayHours, DaySpan, WeeklyPattern, WeeklySpan},
        id::TimeOffId,
        policy::Policy,
        service::Price,
        visit::Placement,
        working::{Absence, Opening, Rota},
    };

    const ANA: EmployeeId = EmployeeId(Uuid::from_u128(1));

    fn tuesdays(from: u16, to: u16) -> WeeklyPattern {
        WeeklyPattern::new(vec![WeeklySpan { weekday: Weekday::Tuesday, from, to }]).unwrap()
    }

    /// Ana works on Tuesdays in London, in minutes after midnight.
    fn works(from: u16, to: u16) -> Schedule {
        Schedule {
            version: 1,
            zone: TimeZone::get("Europe/London").unwrap(),
            policy: Policy::default(),
            opening: Opening::from(tuesdays(0, 1440)),
            rotas: BTreeMap::from([(ANA, Rota::from(tuesdays(from, to)))]),
            services: BTreeMap::new(),
            resources: BTreeMap::new(),
            dependencies: vec![],
            names: BTreeMap::new(),
        }
    }

    /// On a Tuesday in summer, by London's clock.
    fn stay(from: &str, to: &str) -> Stay {
        let at = |time: &str| format!("2026-06-02T{time}:00+01:00").parse().unwrap();
        let span = Span::new(at(from), at(to)).unwrap();
        Stay { appointment: VisitId(Uuid::from_u128(2)), employee: ANA, span }
    }

    #[test]
    fn what_loses_some_of_its_working_time_is_stranded() {
        let (before, after) = (works(540, 1080), works(600, 1080));
        assert!(before.is_stranded(&after, &stay("09:30", "10:05")));
        assert!(!before.is_stranded(&after, &stay("10:00", "10:30")));
        assert!(!after.is_stranded(&before, &stay("09:30", "10:05")));
    }

    #[test]
    fn an_idle_employee_has_time_off_other_hours_or_a_closed_salon() {
        let nine_to_five = || works(540, 1020);
        let ten = stay("10:00", "10:30").span;
        assert_eq!(nine_to_five().idle(ANA, ten), None);
        assert_eq!(nine_to_five().idle(ANA, stay("16:45", "17:15").span), Some(Idle::NotWorking));
        let closed = Schedule { opening: Opening::from(tuesdays(660, 1440)), ..nine_to_five() };
        assert_eq!(closed.idle(ANA, ten), Some(Idle::Closed));
        let mut away = nine_to_five();
        let absence = Absence { time_off: TimeOffId(Uuid::nil()), span: stay("10:15", "12:00").span };
        let week = BTreeMap::from([(None, tuesdays(540, 1020))]);
        away.rotas.insert(ANA, Rota::new(week, BTreeMap::new(), vec![absence]));
        assert_eq!(away.idle(ANA, ten), Some(Idle::TimeOff));
        away.rotas.clear();
        assert_eq!(away.idle(ANA, ten), Some(Idle::NotWorking));
    }

    #[test]
    fn what_had_no_working_time_before_is_nothing_new() {
        assert!(!works(600, 1080).is_stranded(&works(660, 1080), &stay("09:30", "10:30")));
    }

    #[test]
    fn only_a_customer_who_is_to_come_can_be_stranded() {
        let at = |state| Appointment { state, ..visit() };
        assert!(can_be_stranded(&at(State::Booked)) && can_be_stranded(&at(State::Confirmed)));
        for state in [State::Arrived, State::InService, State::Completed, State::NoShow] {
            assert!(!can_be_stranded(&at(state.clone())), "{state:?}");
        }
        assert!(!can_be_stranded(&Appointment { squeezed_in: true, ..visit() }));
    }

    #[test]
    fn time_in_which_the_employee_is_free_may_lie_outside_of_working_time() {
        let span = |from: &str, to: &str| stay(from, to).span;
        let attendance = Attendance {
            active: vec![span("10:00", "10:30"), span("11:30", "12:00")],
            processing: vec![span("10:30", "11:30")],
            buffer_before: SignedDuration::ZERO,
            buffer_after: SignedDuration::ZERO,
        };
        let tuesday = date(2026, 6, 2);
        let hours = |spans: &[(u16, u16)]| {
            let spans = spans.iter().map(|&(from, to)| DaySpan { from, to }).collect();
            let days = BTreeMap::from([(tuesday, DayHours::new(spans).unwrap())]);
            let mut schedule = works(0, 1440);
            schedule.rotas.insert(ANA, Rota::new(BTreeMap::new(), days, vec![]));
            schedule
        };
        assert!(!attendance.is_outside_working_time(ANA, &hours(&[(600, 630), (690, 720)])));
        assert!(attendance.is_outside_working_time(ANA, &hours(&[(600, 630), (695, 720)])));
    }

    fn visit() -> Appointment {
        let at = Timestamp::UNIX_EPOCH;
        let price = Price { minor: 4500, currency: "GBP".to_owned() };
        let placement = Placement { starts_at: at, ends_at: at, items: vec![], occupied: vec![], price };
        Appointment::book(VisitId(Uuid::from_u128(2)), &placement, BookingDetails::default(), at)
    }

    #[test]
    fn an_employee_without_hours_never_works() {
        let mut idle = works(540, 1080);
        idle.rotas.clear();
        assert!(works(540, 1080).is_stranded(&idle, &stay("10:00", "10:30")));
        assert!(!idle.works(ANA, stay("10:00", "10:30").span));
    }
}
