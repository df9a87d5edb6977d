//! Appointments, cut into what each booked employee has to do.

use uuid::Uuid;

use super::{
    AppointmentId, CalendarId, EmployeeId,
    event::{Event, EventId, Span},
};

/// Who stands for a customer without a name.
const WALK_IN: &str = "Walk-in";
/// Between what is done and for whom, in a title.
pub const FOR: &str = " – ";

/// How the title of a customer's visit ends.
#[must_use]
pub fn for_whom(customer: Option<&str>) -> String {
    format!("{FOR}{}", customer.unwrap_or(WALK_IN))
}

/// An appointment as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booking {
    /// Which.
    pub appointment: AppointmentId,
    /// Who comes; `None` for a walk-in without a name.
    pub customer: Option<String>,
    /// What is done; nothing when it was cancelled.
    pub items: Vec<Item>,
}

/// One service, placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Who does it.
    pub employee: EmployeeId,
    /// Which, as scheduling knows it.
    pub service_id: Option<Uuid>,
    /// Its name.
    pub service: String,
    /// When.
    pub span: Span,
}

/// What one employee does without a gap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Who.
    pub employee: EmployeeId,
    /// Which of the employee's parts, from 0: the same after a move.
    pub index: i32,
    /// As the calendar shows it.
    pub title: String,
    /// When.
    pub span: Span,
    /// What it begins with, as scheduling knows it.
    pub service: Option<Uuid>,
}

impl Part {
    /// Its event in a calendar.
    #[must_use]
    pub fn event_in(&self, calendar: CalendarId, appointment: AppointmentId) -> Event {
        Event {
            id: EventId::of_part(calendar, appointment, self.employee, self.index),
            title: self.title.clone(),
            span: self.span,
            appointment: Some(appointment),
        }
    }
}

impl Booking {
    /// Each booked employee's parts, in order.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let mut employees: Vec<EmployeeId> = self.items.iter().map(|item| item.employee).collect();
        employees.sort_unstable();
        employees.dedup();
        employees.into_iter().flat_map(|employee| self.parts_of(employee)).collect()
    }

    fn parts_of(&self, employee: EmployeeId) -> Vec<Part> {
        let mut items: Vec<&Item> = self.items.iter().filter(|item| item.employee == employee).collect();
        items.sort_by_key(|item| item.span.starts());
        let mut runs: Vec<(Vec<&Item>, Span)> = vec![];
        for item in items {
            match runs.last_mut() {
                Some((items, span)) if item.span.starts() <= span.ends() => {
                    items.push(item);
                    *span = span.with(item.span);
                }
                _ => runs.push((vec![item], item.span)),
            }
        }
        let for_whom = for_whom(self.customer.as_deref());
        let part = |((items, span), index): ((Vec<&Item>, Span), i32)| {
            let services: Vec<&str> = items.iter().map(|item| item.service.as_str()).collect();
            let title = format!("{}{for_whom}", services.join(" + "));
            Part { employee, index, title, span, service: items.first().and_then(|item| item.service_id) }
        };
        runs.into_iter().zip(0..).map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::*;

    const MIA: EmployeeId = EmployeeId(Uuid::from_u128(1));
    const TOM: EmployeeId = EmployeeId(Uuid::from_u128(2));

    fn span(from: i64, to: i64) -> Span {
        let at = |minute: i64| Timestamp::from_second(1_780_000_000 + 60 * minute).unwrap();
        Span::new(at(from), at(to)).unwrap()
    }

    fn item(employee: EmployeeId, service: &str, from: i64, to: i64) -> Item {
        Item { employee, service_id: None, service: service.to_owned(), span: span(from, to) }
    }

    fn booking(customer: Option<&str>, items: Vec<Item>) -> Booking {
        let customer = customer.map(str::to_owned);
        Booking { appointment: AppointmentId(Uuid::from_u128(9)), customer, items }
    }

    fn shown(booking: &Booking) -> Vec<(EmployeeId, i32, String, Span)> {
        booking.parts().into_iter().map(|part| (part.employee, part.index, part.title, part.span)).collect()
    }

    #[test]
    fn each_employee_gets_their_own_part() {
        let visit = booking(Some("Ana"), vec![item(TOM, "Colour", 0, 30), item(MIA, "Cut", 30, 60)]);
        let expected = [
            (MIA, 0, "Cut – Ana".to_owned(), span(30, 60)),
            (TOM, 0, "Colour – Ana".to_owned(), span(0, 30)),
        ];
        assert_eq!(shown(&visit), expected);
    }

    #[test]
    fn services_without_a_gap_are_one_event_and_a_gap_makes_two() {
        let items = vec![item(MIA, "Blow-dry", 60, 75), item(MIA, "Wash", 0, 10), item(MIA, "Cut", 10, 40)];
        let expected = [
            (MIA, 0, "Wash + Cut – Walk-in".to_owned(), span(0, 40)),
            (MIA, 1, "Blow-dry – Walk-in".to_owned(), span(60, 75)),
        ];
        assert_eq!(shown(&booking(None, items)), expected);
    }

    #[test]
    fn a_cancelled_appointment_has_no_parts() {
        assert!(booking(Some("Ana"), vec![]).parts().is_empty());
    }
}
