//! Visits that take longer than planned.

use jiff::{SignedDuration, Timestamp};

use super::{
    appointment::{Appointment, State, WrongState},
    span::Span,
    visit::{Occupied, PlacedItem, Placement},
};

/// No row of the ledger is longer: it is looked for this far before a day.
const LONGEST: SignedDuration = SignedDuration::from_hours(24);

/// Why a visit can't end later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OverrunError {
    /// It has not begun, or is over.
    #[error(transparent)]
    WrongState(#[from] WrongState),
    /// It would occupy an employee for longer than a day.
    #[error("would make the visit longer than a day")]
    TooLong,
}

impl Appointment {
    /// Where a visit in service, which occupies `rows`, is if it continues until `ends_at`: the
    /// employees and resources in use at its planned end stay in use, and their buffers shift. For
    /// guests who end together the overrunning service is unknown, so all of them are extended.
    ///
    /// # Errors
    /// [`OverrunError`]
    pub fn overrun(&self, rows: &[Occupied], ends_at: Timestamp) -> Result<Placement, OverrunError> {
        if self.state != State::InService || ends_at <= self.ends_at {
            return Err(WrongState.into());
        }
        let late = ends_at.duration_since(self.ends_at);
        let ends_last = |item: &&PlacedItem| item.ends_at == self.ends_at;
        let goes_on = |row: &Occupied| {
            let uses = |item: &PlacedItem| {
                row.subject == item.employee.into()
                    || item.resources.iter().any(|&one| row.subject == one.into())
            };
            row.service.ends_at() == self.ends_at && self.items.iter().filter(ends_last).any(uses)
        };
        let longer = |span: Span| Span::new(span.starts_at(), span.ends_at() + late).unwrap_or(span);
        let row = |row: &Occupied| {
            if !goes_on(row) {
                return *row;
            }
            Occupied { during: longer(row.during), service: longer(row.service), ..*row }
        };
        let occupied: Vec<_> = rows.iter().map(row).collect();
        if occupied.iter().any(|row| row.during.length() > LONGEST) {
            return Err(OverrunError::TooLong);
        }
        let mut items = self.items.clone();
        for item in items.iter_mut().filter(|item| item.ends_at == self.ends_at) {
            item.ends_at = ends_at;
        }
        Ok(Placement { starts_at: self.starts_at, ends_at, items, occupied, price: self.price.clone() })
    }

    /// The visit, extended to `placement`.
    #[must_use]
    pub fn extended_to(self, placement: &Placement) -> Self {
        Self { items: placement.items.clone(), ends_at: placement.ends_at, version: self.version + 1, ..self }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{
        appointment::BookingDetails,
        id::{EmployeeId, ResourceId, ServiceId, SubjectId, VisitId},
        item::Wish,
        service::Price,
    };

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_second(minute * 60).unwrap()
    }

    fn span(from: i64, to: i64) -> Span {
        Span::new(at(from), at(to)).unwrap()
    }

    fn row(subject: impl Into<SubjectId>, service: Span, buffer: i64) -> Occupied {
        let ends_at = service.ends_at() + SignedDuration::from_mins(buffer);
        Occupied {
            subject: subject.into(),
            service,
            during: Span::new(service.starts_at(), ends_at).unwrap(),
        }
    }

    /// Ana until 30, then Ben on a chair until 60 with ten minutes to clean up.
    fn visit() -> (Appointment, Vec<Occupied>, [SubjectId; 3]) {
        let [ana, ben] = [1, 2].map(|number| EmployeeId(Uuid::from_u128(number)));
        let chair = ResourceId(Uuid::from_u128(3));
        let item = |employee, from, to, resources| PlacedItem {
            guest: 0,
            service: ServiceId(Uuid::nil()),
            employee,
            starts_at: at(from),
            ends_at: at(to),
            resources,
            price_minor: 4500,
            extra_minutes: 0,
            wish: Wish::Anyone,
        };
        let items = vec![item(ana, 0, 30, vec![]), item(ben, 30, 60, vec![chair])];
        let rows = vec![row(ana, span(0, 30), 10), row(ben, span(30, 60), 10), row(chair, span(30, 60), 10)];
        let price = Price { minor: 9000, currency: "GBP".to_owned() };
        let placement = Placement { starts_at: at(0), ends_at: at(60), items, occupied: rows.clone(), price };
        let booked = Appointment::book(VisitId(Uuid::nil()), &placement, BookingDetails::default(), at(0));
        let subjects = [ana.into(), ben.into(), chair.into()];
        (Appointment { state: State::InService, ..booked }, rows, subjects)
    }

    #[test]
    fn the_last_employee_and_resources_stay_and_their_buffers_shift() {
        let (visit, rows, [_, ben, chair]) = visit();
        let longer = visit.overrun(&rows, at(85)).unwrap();
        assert_eq!(longer.occupied, [rows[0], row(ben, span(30, 85), 10), row(chair, span(30, 85), 10)]);
        let extended = visit.clone().extended_to(&longer);
        assert_eq!((extended.starts_at, extended.ends_at, extended.version), (at(0), at(85), 2));
        assert_eq!(extended.items.iter().map(|item| item.ends_at).collect::<Vec<_>>(), [at(30), at(85)]);
        assert_eq!(extended.price, visit.price);
    }

    #[test]
    fn only_a_visit_in_service_runs_over_and_for_less_than_a_day() {
        let (visit, rows, _) = visit();
        let booked = Appointment { state: State::Booked, ..visit.clone() };
        assert_eq!(booked.overrun(&rows, at(65)), Err(OverrunError::WrongState(WrongState)));
        assert_eq!(visit.overrun(&rows, at(60)), Err(OverrunError::WrongState(WrongState)));
        assert_eq!(visit.overrun(&rows, at(60 + 24 * 60)), Err(OverrunError::TooLong));
    }
}
