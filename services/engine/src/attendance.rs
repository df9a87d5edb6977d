//! How an employee spends the time of a visit's item: with the customer, or free while something works in.

use jiff::SignedDuration;

use super::{
    id::SubjectId,
    progress::Stage,
    span::Span,
    visit::{Occupied, PlacedItem},
};

/// An item's time as its employee spends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attendance {
    /// With the customer, ascending.
    pub active: Vec<Span>,
    /// Free while the customer is not.
    pub processing: Vec<Span>,
    /// Kept free before the item.
    pub buffer_before: SignedDuration,
    /// Kept free after it.
    pub buffer_after: SignedDuration,
}

impl Attendance {
    /// The attendance of `item`, whose visit stands at `stage` and takes `rows`. Rows are the truth: they hold what
    /// a delay or a change of the service since the booking has made of it.
    #[must_use]
    pub fn of(item: &PlacedItem, stage: Stage, rows: &[Occupied]) -> Self {
        let whole = Span::new(item.starts_at, item.ends_at);
        let subject = SubjectId::from(item.employee);
        let within = |row: &&Occupied| {
            row.subject == subject && whole.is_some_and(|whole| whole.overlaps(row.service))
        };
        let mut rows: Vec<Occupied> = rows.iter().filter(within).copied().collect();
        rows.sort_unstable_by_key(|row| row.service);
        let active: Vec<Span> = rows.iter().map(|row| row.service).collect();
        // What a visit that ended early has given back is no processing.
        let lasts = match (stage, active.first(), active.last()) {
            (Stage::Completed | Stage::NoShow, Some(first), Some(last)) => Some(first.hull(*last)),
            (Stage::Completed | Stage::NoShow | Stage::Cancelled, ..) => None,
            _ => whole,
        };
        let before = |row: &Occupied| row.service.starts_at().duration_since(row.during.starts_at());
        let after = |row: &Occupied| row.during.ends_at().duration_since(row.service.ends_at());
        Self {
            processing: lasts.map(|lasts| lasts.without(&active)).unwrap_or_default(),
            buffer_before: rows.first().map(before).unwrap_or_default(),
            buffer_after: rows.last().map(after).unwrap_or_default(),
            active,
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::*;
    use crate::{
        id::{EmployeeId, ServiceId},
        item::Wish,
    };

    const ANA: EmployeeId = EmployeeId(Uuid::from_u128(1));
    const BEN: EmployeeId = EmployeeId(Uuid::from_u128(2));

    fn span(from: i64, to: i64) -> Span {
        let at = |minute| Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minute);
        Span::new(at(from), at(to)).unwrap()
    }

    fn item(from: i64, to: i64) -> PlacedItem {
        let whole = span(from, to);
        PlacedItem {
            guest: 0,
            service: ServiceId(Uuid::from_u128(3)),
            employee: ANA,
            starts_at: whole.starts_at(),
            ends_at: whole.ends_at(),
            resources: vec![],
            price_minor: 0,
            extra_minutes: 0,
            wish: Wish::Anyone,
        }
    }

    fn row(who: EmployeeId, during: (i64, i64), service: (i64, i64)) -> Occupied {
        Occupied {
            subject: SubjectId::from(who),
            during: span(during.0, during.1),
            service: span(service.0, service.1),
        }
    }

    #[test]
    fn an_employee_is_free_between_the_stretches_of_a_colour() {
        let rows = [
            row(ANA, (55, 90), (60, 90)),
            row(BEN, (60, 180), (60, 180)),
            row(ANA, (120, 190), (120, 180)),
            row(ANA, (200, 230), (200, 230)),
        ];
        let attendance = Attendance::of(&item(60, 180), Stage::Booked, &rows);
        assert_eq!(attendance.active, [span(60, 90), span(120, 180)]);
        assert_eq!(attendance.processing, [span(90, 120)]);
        assert_eq!(attendance.buffer_before, SignedDuration::from_mins(5));
        assert_eq!(attendance.buffer_after, SignedDuration::from_mins(10));
    }

    #[test]
    fn a_colour_that_ends_with_processing_leaves_the_employee_free_at_its_end() {
        let attendance = Attendance::of(&item(0, 40), Stage::InService, &[row(ANA, (0, 10), (0, 10))]);
        assert_eq!(attendance.processing, [span(10, 40)]);
    }

    #[test]
    fn what_an_early_end_gave_back_is_no_processing() {
        let rows = [row(ANA, (0, 10), (0, 10)), row(ANA, (30, 35), (30, 35))];
        let attendance = Attendance::of(&item(0, 60), Stage::Completed, &rows);
        assert_eq!(attendance.processing, [span(10, 30)]);
        assert_eq!(Attendance::of(&item(0, 60), Stage::NoShow, &[]).processing, []);
    }
}
