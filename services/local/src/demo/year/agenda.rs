//! When the employees of the salon have time.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::dice::Dice;
use crate::demo::salon::{EMPLOYEES, OPENING, SERVICES};

/// Starts lie so many minutes apart.
const STEP: i32 = 15;

/// A time with an employee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// By their place in [`EMPLOYEES`].
    pub employee: usize,
    /// The day.
    pub date: Date,
    /// The minute of it.
    pub minute: i32,
}

/// What is taken of each employee's days.
#[derive(Debug, Default)]
pub struct Agenda(BTreeMap<(usize, Date), Vec<(i32, i32)>>);

/// How long a service keeps its employee, with what is kept free behind it.
pub fn minutes(service: usize) -> i32 {
    length(service) + SERVICES[service].buffer_after
}

/// How long a customer of it stays.
pub fn length(service: usize) -> i32 {
    SERVICES[service].segments.iter().map(|(_, minutes)| minutes).sum()
}

/// Whether an employee works on a day.
pub fn works(employee: usize, date: Date) -> bool {
    let weekday = i32::from(date.weekday().to_monday_one_offset());
    EMPLOYEES[employee].weekdays.contains(&weekday)
}

impl Agenda {
    /// Takes a time of an employee's day within some hours, if there is one: mostly one that leaves no gap.
    pub fn take(
        &mut self,
        dice: &mut Dice,
        (employee, date): (usize, Date),
        service: usize,
        (from, to): (i32, i32),
    ) -> Option<Place> {
        if !works(employee, date) {
            return None;
        }
        let day = usize::try_from(date.weekday().to_monday_zero_offset()).unwrap_or_default();
        let (salon_opens, salon_closes) = *OPENING.get(day)?;
        let (begins, ends) = EMPLOYEES[employee].hours;
        let (opens, closes) = (begins.max(salon_opens), ends.min(salon_closes));
        let taken = self.0.entry((employee, date)).or_default();
        let needed = minutes(service);
        let last = closes * 60 - needed;
        let free: Vec<i32> = (opens * 60..=last)
            .step_by(usize::try_from(STEP).unwrap_or(1))
            .filter(|minute| (from * 60..to * 60).contains(minute))
            .filter(|minute| taken.iter().all(|(start, end)| minute + needed <= *start || end <= minute))
            .collect();
        // Beside another visit, or at the beginning of the day.
        let touches = |minute: i32| {
            minute == opens * 60 || taken.iter().any(|(start, end)| minute - end < STEP && *start < minute)
        };
        let close: Vec<i32> = free.iter().copied().filter(|minute| touches(*minute)).collect();
        let among = if !close.is_empty() && dice.percent(70) { close } else { free };
        if among.is_empty() {
            return None;
        }
        let minute = *dice.pick(&among);
        taken.push((minute, minute + needed));
        Some(Place { employee, date, minute })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_fills_up_and_no_time_is_given_twice() {
        let (mut agenda, mut dice) = (Agenda::default(), Dice::new(1, "agenda"));
        let tuesday = Date::constant(2026, 6, 2);
        let mut places = vec![];
        while let Some(place) = agenda.take(&mut dice, (0, tuesday), 0, (0, 24)) {
            places.push(place.minute);
        }
        places.sort_unstable();
        assert!((6..=8).contains(&places.len()), "{places:?}");
        assert!(places.is_sorted_by(|one, next| one + minutes(0) <= *next));
        assert_eq!(
            agenda.take(&mut dice, (0, Date::constant(2026, 6, 6)), 0, (0, 24)),
            None,
            "off on Saturdays"
        );
        assert_eq!(agenda.take(&mut dice, (1, tuesday), 0, (7, 9)), None, "begins at ten");
    }

    #[test]
    fn who_works_longer_than_the_salon_is_open_is_booked_while_it_is() {
        let (mut agenda, mut dice) = (Agenda::default(), Dice::new(1, "agenda"));
        let saturday = Date::constant(2026, 6, 6);
        let last = EMPLOYEES.len() - 1;
        assert!(works(last, saturday) && EMPLOYEES[last].hours.1 > OPENING[5].1);
        let mut ends = vec![];
        while let Some(place) = agenda.take(&mut dice, (last, saturday), 0, (0, 24)) {
            ends.push(place.minute + minutes(0));
        }
        assert!(!ends.is_empty() && ends.iter().all(|end| *end <= OPENING[5].1 * 60), "{ends:?}");
    }
}
