//! Which offers come first, where it is not simply the earliest.

use jiff::Timestamp;

use super::{
    schedule::Schedule,
    service::Segments,
    slots::{DaySlots, SLOT_MINUTES},
    timeline::Timeline,
    visit::{Placement, VisitRequest},
};

/// Where an offer stands among others; less is better. No two starts rank alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// Number of services done by another employee than the preferred one.
    pub disliked: usize,
    /// Minutes of gaps left that are too short for any service.
    pub lost_minutes: u16,
    /// When it starts.
    pub starts_at: Timestamp,
}

/// The shortest service, in slots: a gap below it is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortest(usize);

impl Shortest {
    /// Of all that the salon sells.
    #[must_use]
    pub fn of(schedule: &Schedule) -> Self {
        let courses = schedule.services.values().flat_map(|service| service.courses());
        Self::of_minutes(courses.map(Segments::minutes).min().unwrap_or(SLOT_MINUTES))
    }

    /// A service that takes `minutes`.
    #[must_use]
    pub fn of_minutes(minutes: u16) -> Self {
        Self(usize::from(minutes / SLOT_MINUTES))
    }

    /// In minutes.
    #[must_use]
    pub fn minutes(self) -> u16 {
        u16::try_from(self.0).unwrap_or(u16::MAX).saturating_mul(SLOT_MINUTES)
    }
}

impl Rank {
    /// Where a placement of `request` on `line` stands.
    #[must_use]
    pub fn of(placement: &Placement, request: &VisitRequest, line: &Timeline, shortest: Shortest) -> Self {
        let disliked = request.steps().iter().filter(|step| {
            let mine = |employee| {
                let mut items = placement.items.iter();
                items.any(|item| {
                    (item.service, item.guest, item.employee) == (step.service, step.guest, employee)
                })
            };
            step.preferred.is_some_and(|preferred| !mine(preferred))
        });
        Self {
            disliked: disliked.count(),
            lost_minutes: lost_minutes(placement, line, shortest),
            starts_at: placement.starts_at,
        }
    }
}

/// Minutes of the gaps around a placement that are too short for any service.
#[must_use]
pub fn lost_minutes(placement: &Placement, line: &Timeline, shortest: Shortest) -> u16 {
    let mut people: Vec<_> = placement.items.iter().map(|item| item.employee).collect();
    people.sort_unstable();
    people.dedup();
    let lost = people.into_iter().filter_map(|employee| {
        let person = line.person(employee)?;
        let free = |slot: usize| person.working.get(slot) && !person.occupied.get(slot);
        let rows = || placement.occupied.iter().filter(|row| row.subject == employee.into());
        let from = rows().map(|row| row.during.starts_at()).min()?;
        let to = rows().map(|row| row.during.ends_at()).max()?;
        let (from, to) = (line.slots_beginning_before(from), line.slots_beginning_before(to));
        let before = (0..from).rev().take(shortest.0).take_while(|slot| free(*slot)).count();
        let behind = (to..line.len()).take(shortest.0).take_while(|slot| free(*slot)).count();
        Some([before, behind].into_iter().filter(|gap| *gap < shortest.0).sum::<usize>())
    });
    u16::try_from(lost.sum::<usize>()).unwrap_or(u16::MAX).saturating_mul(SLOT_MINUTES)
}

/// Minutes of a day's free slots that lie in gaps too short for any service.
#[must_use]
pub fn lost_minutes_of_day(free: &DaySlots, shortest: Shortest) -> u16 {
    u16::try_from(free.count_in_short_runs(shortest.0)).unwrap_or(u16::MAX).saturating_mul(SLOT_MINUTES)
}

#[cfg(test)]
mod tests;
