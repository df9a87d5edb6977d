//! Appointments that a change of the schedule leaves without working time.

use super::{
    appointment::Appointment,
    attendance::Attendance,
    day::Day,
    id::{EmployeeId, VisitId},
    progress::Stage,
    schedule::Schedule,
    span::Span,
    working::Rota,
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
    /// A manager squeezed the appointment in, whatever the hours say.
    pub squeezed_in: bool,
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

    /// Why an employee is absent for some of `span`, whatever the hours say: a closure, or time off.
    fn absent(&self, employee: EmployeeId, span: Span) -> Option<Idle> {
        let closes = |day: &Day| {
            let open = self.opening.on(day);
            self.opening.exception_on(day.date()).is_some() && day.slots_of(span).any(|slot| !open.get(slot))
        };
        let days = Day::covering(span, &self.zone);
        if days.iter().any(closes) {
            return Some(Idle::Closed);
        }
        let rota = self.rotas.get(&employee)?;
        let is_off = rota.absences().iter().any(|absence| absence.span.overlaps(span))
            || days.iter().any(|day| self.is_gone(rota, day, span));
        is_off.then_some(Idle::TimeOff)
    }

    /// Whether an employee is gone for the part of `span` in a day because of time off from their hours around it:
    /// who is off until the end of them, as when sick, does not come back that day, and who is off for all of them
    /// does not come at all.
    fn is_gone(&self, rota: &Rota, day: &Day, span: Span) -> bool {
        let open = self.opening.on(day);
        let (hours, working) = (rota.hours_on(day).and(&open), rota.on(day, &open));
        let Some(last) = (0..day.slots()).rev().find(|slot| hours.get(*slot)) else { return false };
        if working.get(last) {
            return false;
        }
        working.count() == 0 || day.slots_of(span).any(|slot| slot > last)
    }

    /// Why an employee can't be there for a stay; `None` if they can. Hours strand no appointment that was squeezed in:
    /// it may lie outside of them on purpose.
    #[must_use]
    pub fn stranding(&self, stay: &Stay) -> Option<Idle> {
        match stay.squeezed_in {
            true => self.absent(stay.employee, stay.span),
            false => self.idle(stay.employee, stay.span),
        }
    }

    /// Whether an employee can't be there for a stay.
    #[must_use]
    pub fn strands(&self, stay: &Stay) -> bool {
        match stay.squeezed_in {
            true => self.absent(stay.employee, stay.span).is_some(),
            false => !self.works(stay.employee, stay.span),
        }
    }

    /// Whether an employee who could be there for a stay no longer can in `changed`. What was stranded before is
    /// nothing new.
    #[must_use]
    pub fn is_stranded(&self, changed: &Self, stay: &Stay) -> bool {
        !self.strands(stay) && changed.strands(stay)
    }

    /// Whether an employee can't be there for some of what they do in an appointment whose customer is still to come.
    #[must_use]
    pub fn strands_item(
        &self,
        appointment: &Appointment,
        employee: EmployeeId,
        attendance: &Attendance,
    ) -> bool {
        let stay = |span: &Span| Stay {
            appointment: appointment.id,
            employee,
            span: *span,
            squeezed_in: appointment.squeezed_in,
        };
        is_to_come(appointment) && attendance.active.iter().any(|span| self.strands(&stay(span)))
    }
}

/// Whether the customer of an appointment has yet to come.
fn is_to_come(appointment: &Appointment) -> bool {
    matches!(appointment.state.stage(), Stage::Booked | Stage::Confirmed)
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
        dates::DateRange,
        hours::{DayHours, DaySpan, WeeklyPattern, WeeklySpan},
        id::{OpeningExceptionId, TimeOffId},
        policy::Policy,
        service::Price,
        visit::Placement,
        working::{Absence, Opening, OpeningException},
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

    /// Ana works from ten to five, and has time off in between.
    fn off(from: &str, to: &str) -> Schedule {
        let absence = Absence { time_off: TimeOffId(Uuid::nil()), span: stay(from, to).span };
        let week = BTreeMap::from([(None, tuesdays(600, 1020))]);
        let mut schedule = works(600, 1020);
        schedule.rotas.insert(ANA, Rota::new(week, BTreeMap::new(), vec![absence]));
        schedule
    }

    /// On a Tuesday in summer, by London's clock.
    fn stay(from: &str, to: &str) -> Stay {
        let at = |time: &str| format!("2026-06-02T{time}:00+01:00").parse().unwrap();
        let span = Span::new(at(from), at(to)).unwrap();
        Stay { appointment: VisitId(Uuid::from_u128(2)), employee: ANA, span, squeezed_in: false }
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
        let ten = Attendance { active: vec![stay("10:00", "10:30").span], ..attendance() };
        let strands = |state| works(660, 1080).strands_item(&Appointment { state, ..visit() }, ANA, &ten);
        assert!(strands(State::Booked) && strands(State::Confirmed));
        for state in [State::Arrived, State::InService, State::Completed, State::NoShow] {
            assert!(!strands(state.clone()), "{state:?}");
        }
    }

    #[test]
    fn hours_strand_no_visit_that_was_squeezed_in_but_time_off_and_closures_do() {
        let squeezed = |from, to| Stay { squeezed_in: true, ..stay(from, to) };
        let at_ten = || works(600, 1020);
        assert_eq!(at_ten().stranding(&squeezed("09:30", "10:15")), None, "before her hours");
        let late_opening = Schedule { opening: Opening::from(tuesdays(660, 1440)), ..at_ten() };
        assert_eq!(late_opening.stranding(&squeezed("10:30", "11:15")), None, "before the salon's hours");

        let sick = off("10:00", "17:00");
        for (from, to) in [("12:00", "12:30"), ("09:30", "10:15"), ("16:45", "17:30")] {
            assert_eq!(sick.stranding(&squeezed(from, to)), Some(Idle::TimeOff), "{from}");
            assert!(at_ten().is_stranded(&sick, &squeezed(from, to)), "{from}");
        }

        let day = date(2026, 6, 2);
        let until_noon = OpeningException {
            id: OpeningExceptionId(Uuid::nil()),
            dates: DateRange::new(day, day).unwrap(),
            hours: DayHours::new(vec![DaySpan { from: 600, to: 720 }]).unwrap(),
            label: String::new(),
        };
        let closed = Schedule { opening: Opening::new(tuesdays(0, 1440), vec![until_noon]), ..sick };
        assert_eq!(closed.stranding(&squeezed("11:45", "12:15")), Some(Idle::Closed));
        assert_eq!(closed.stranding(&squeezed("11:15", "11:45")), Some(Idle::TimeOff));
        let early = Stay { employee: EmployeeId(Uuid::from_u128(3)), ..squeezed("11:15", "11:45") };
        assert_eq!(closed.stranding(&early), None, "open until noon");
    }

    #[test]
    fn time_off_until_the_end_of_the_hours_strands_what_was_squeezed_in_later_that_day() {
        let strands = |schedule: &Schedule, from, to| {
            let squeezed = Stay { squeezed_in: true, ..stay(from, to) };
            assert_eq!(schedule.strands(&squeezed), schedule.stranding(&squeezed) == Some(Idle::TimeOff));
            schedule.strands(&squeezed)
        };
        let all_day = off("10:00", "17:00");
        assert!(strands(&all_day, "17:00", "17:30") && strands(&all_day, "08:00", "08:30"));
        let went_home = off("12:00", "17:00");
        assert!(strands(&went_home, "18:00", "18:30"));
        assert!(!strands(&went_home, "09:00", "09:30"), "she came in the morning");
        let came_back = off("12:00", "16:00");
        assert!(!strands(&came_back, "18:00", "18:30") && !strands(&came_back, "09:00", "09:30"));
        let late = off("10:00", "11:00");
        assert!(!strands(&late, "17:00", "17:30"));
    }

    #[test]
    fn time_in_which_the_employee_is_free_may_lie_outside_of_working_time() {
        let span = |from: &str, to: &str| stay(from, to).span;
        let colour = Attendance {
            active: vec![span("10:00", "10:30"), span("11:30", "12:00")],
            processing: vec![span("10:30", "11:30")],
            ..attendance()
        };
        let tuesday = date(2026, 6, 2);
        let hours = |spans: &[(u16, u16)]| {
            let spans = spans.iter().map(|&(from, to)| DaySpan { from, to }).collect();
            let days = BTreeMap::from([(tuesday, DayHours::new(spans).unwrap())]);
            let mut schedule = works(0, 1440);
            schedule.rotas.insert(ANA, Rota::new(BTreeMap::new(), days, vec![]));
            schedule
        };
        assert!(!hours(&[(600, 630), (690, 720)]).strands_item(&visit(), ANA, &colour));
        assert!(hours(&[(600, 630), (695, 720)]).strands_item(&visit(), ANA, &colour));
    }

    fn attendance() -> Attendance {
        let none = SignedDuration::ZERO;
        Attendance { active: vec![], processing: vec![], buffer_before: none, buffer_after: none }
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
