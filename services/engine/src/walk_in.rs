//! Customers who come without an appointment.

use jiff::{SignedDuration, Timestamp};

use super::{
    appointment::{Appointment, BookingDetails, State},
    id::VisitId,
    placement::Placer,
    refusal::Refusal,
    slots::SLOT_SECONDS,
    span::Span,
    timeline::Timeline,
    visit::{Placement, VisitRequest},
};

/// When a walk-in may start: from the five-minute step that comes next, up to `within` from now.
#[must_use]
pub fn starts(now: Timestamp, within: SignedDuration) -> Span {
    let past = now.as_second().rem_euclid(SLOT_SECONDS);
    let floor = now - SignedDuration::new(past, now.subsec_nanosecond());
    let next = if floor < now { floor + SignedDuration::from_secs(SLOT_SECONDS) } else { floor };
    // The last instant counts as well, and the next step always does.
    let end = (now + within).max(next) + SignedDuration::from_nanos(1);
    Span::new(next, end).expect("it ends later")
}

/// The visit at the first of `starts` at which it fits, whatever the increment of offers is.
///
/// # Errors
/// EARLIER_VISIT, NOT_WORKING where it would fit nowhere even if nothing were taken, else SLOT_TAKEN.
pub fn first(line: &Timeline, request: &VisitRequest, starts: Span) -> Result<Placement, Refusal> {
    let first = |line: &Timeline| {
        let placer = Placer::new(line, request);
        let mut slots =
            line.slots_beginning_in(starts).filter(|slot| request.is_admitted(line.instant(*slot)));
        slots.find_map(|slot| Some(placer.place(slot)?.1))
    };
    if !line.slots_beginning_in(starts).any(|slot| request.is_admitted(line.instant(slot))) {
        return Err(Refusal::EarlierVisit);
    }
    let refusal = || if first(&line.untaken()).is_some() { Refusal::SlotTaken } else { Refusal::NotWorking };
    first(line).ok_or_else(refusal)
}

impl Appointment {
    /// Books a customer who is at the salon. A visit that starts at the next step is already `Arrived`.
    #[must_use]
    pub fn walk_in(id: VisitId, placement: &Placement, occasion: BookingDetails, now: Timestamp) -> Self {
        let booked = Self::book(id, placement, occasion, now);
        let waits = booked.starts_at.duration_since(now).as_secs() >= SLOT_SECONDS;
        Self { state: if waits { State::Booked } else { State::Arrived }, ..booked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_in_starts_at_the_next_step_or_later() {
        let starts = |now: &str, minutes| {
            let starts = starts(now.parse().unwrap(), SignedDuration::from_mins(minutes));
            (starts.starts_at().to_string(), starts.ends_at().to_string())
        };
        let span =
            |from: &str, to: &str| (format!("2026-06-01T{from}Z"), format!("2026-06-01T{to}.000000001Z"));
        assert_eq!(starts("2026-06-01T08:00:00Z", 5), span("08:00:00", "08:05:00"));
        assert_eq!(starts("2026-06-01T08:00:01Z", 5), span("08:05:00", "08:05:01"));
        assert_eq!(starts("2026-06-01T08:04:59.5Z", 60).0, "2026-06-01T08:05:00Z");
    }
}
