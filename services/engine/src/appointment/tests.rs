use jiff::SignedDuration;
use uuid::Uuid;

use super::*;
use crate::{id::ServiceId, item::Wish};

fn appointment(state: State) -> Appointment {
    let at = Timestamp::UNIX_EPOCH;
    let price = Price { minor: 4500, currency: "GBP".to_owned() };
    let placement = Placement { starts_at: at, ends_at: at, items: vec![], occupied: vec![], price };
    let booked = Appointment::book(VisitId(Uuid::from_u128(1)), &placement, BookingDetails::default(), at);
    Appointment { state, ..booked }
}

fn calling_off(canceller: Canceller) -> CancelRequest {
    CancelRequest { at: Timestamp::UNIX_EPOCH, by: "user:1".to_owned(), canceller, reason: String::new() }
}

fn cancellation(late: bool) -> Cancellation {
    Cancellation { at: Timestamp::UNIX_EPOCH, by: "user:1".to_owned(), reason: String::new(), late }
}

/// Cancels a visit `minutes` before its start, with one hour's notice required.
fn cancel(minutes: i64, canceller: Canceller) -> Result<State, CancelError> {
    let policy = Policy { cancellation: SignedDuration::from_hours(1), ..Policy::default() };
    let starts_at = Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes);
    let booked = Appointment { starts_at, ..appointment(State::Booked) };
    Ok(booked.cancel(calling_off(canceller), &policy)?.state)
}

#[test]
fn a_visit_can_be_cancelled_until_it_begins() {
    for state in [State::Booked, State::Confirmed, State::Arrived] {
        let cancelled = appointment(state).cancel(calling_off(Canceller::Customer), &Policy::default());
        let cancelled = cancelled.unwrap();
        assert_eq!((cancelled.state, cancelled.version), (State::Cancelled(cancellation(false)), 2));
    }
}

#[test]
fn a_visit_that_began_or_ended_stays() {
    let cancelled = State::Cancelled(cancellation(false));
    for state in [State::InService, State::Completed, State::NoShow, cancelled] {
        let refused = appointment(state).cancel(calling_off(Canceller::Staff), &Policy::default());
        assert_eq!(refused, Err(CancelError::WrongState(WrongState)));
    }
}

#[test]
fn a_visit_is_moved_as_a_whole_until_it_begins() {
    let [ana, ben] = [1, 2].map(|number| EmployeeId(Uuid::from_u128(number)));
    let service = ServiceId(Uuid::from_u128(3));
    let at = Timestamp::UNIX_EPOCH;
    let items = [ana, ben].map(|employee| PlacedItem {
        guest: 0,
        service,
        employee,
        starts_at: at,
        ends_at: at,
        resources: vec![],
        price_minor: 0,
        extra_minutes: 0,
        wish: Wish::Anyone,
    });
    let visit = |state| Appointment { items: items.to_vec(), ..appointment(state) };
    let by = |employees: &[Option<EmployeeId>]| {
        employees
            .iter()
            .map(|&employee| Item {
                service,
                employee,
                preferred: None,
                guest: 0,
                customer: None,
                extra_minutes: 0,
                wish: Wish::Anyone,
            })
            .collect::<Vec<_>>()
    };
    for state in [State::Booked, State::Confirmed, State::Arrived] {
        assert_eq!(visit(state.clone()).rearranged(None), Ok(by(&[Some(ana), Some(ben)])));
        assert_eq!(visit(state.clone()).rearranged(Some(&[None, Some(ana)])), Ok(by(&[None, Some(ana)])));
        assert_eq!(visit(state.clone()).rearranged(Some(&[None])), Err(RearrangeError::Count));
        let longer = visit(state.clone()).resized(None, &[0, 15], Consent::Unknown).unwrap();
        assert_eq!(longer.iter().map(|item| item.extra_minutes).collect::<Vec<_>>(), [0, 15]);
        let short = visit(state).resized(None, &[15], Consent::Unknown);
        assert_eq!(short, Err(RearrangeError::Lengths));
    }
    for state in [State::InService, State::Completed, State::NoShow] {
        assert_eq!(visit(state).rearranged(None), Err(RearrangeError::WrongState(WrongState)));
    }
}

#[test]
fn a_service_that_is_wanted_of_one_employee_alone_stays_with_them_unless_the_customer_agreed() {
    let [ana, ben] = [1, 2].map(|number| EmployeeId(Uuid::from_u128(number)));
    let at = Timestamp::UNIX_EPOCH;
    let visit = |employee, wish| {
        let item = PlacedItem {
            guest: 0,
            service: ServiceId(Uuid::from_u128(3)),
            employee,
            starts_at: at,
            ends_at: at,
            resources: vec![],
            price_minor: 0,
            extra_minutes: 0,
            wish,
        };
        Appointment { items: vec![item], ..appointment(State::Booked) }
    };
    let employee = |items: Result<Vec<Item>, _>| items.map(|items| items[0].employee);
    let locked = visit(ana, Wish::Only(ana));
    assert_eq!(employee(locked.rearranged(None)), Ok(Some(ana)));
    assert_eq!(employee(locked.rearranged(Some(&[None]))), Ok(Some(ana)), "anyone who can is Ana");
    assert_eq!(employee(locked.rearranged(Some(&[Some(ana)]))), Ok(Some(ana)));
    let refused = locked.rearranged(Some(&[Some(ben)]));
    assert_eq!(refused, Err(RearrangeError::Requested(ana)));
    let agreed = locked.rearranged_with(Some(&[Some(ben)]), Consent::Given).unwrap();
    assert_eq!((agreed[0].employee, agreed[0].wish), (Some(ben), Wish::Only(ana)), "the wish is kept");
    // Once given up, and for a softer wish, nothing is asked.
    for free in [visit(ben, Wish::Only(ana)), visit(ana, Wish::Prefers(ana)), visit(ana, Wish::Anyone)] {
        assert_eq!(employee(free.rearranged(Some(&[Some(ben)]))), Ok(Some(ben)));
        assert_eq!(employee(free.rearranged(Some(&[None]))), Ok(None));
    }
    let anyone = visit(ben, Wish::Prefers(ana)).rearranged(Some(&[None])).unwrap();
    assert_eq!(anyone[0].preferred, Some(ana));
}

#[test]
fn a_visit_that_was_changed_meanwhile_says_how_often() {
    let visit = || appointment(State::Booked);
    assert!(visit().seen_at(None).is_ok() && visit().seen_at(Some(1)).is_ok());
    assert_eq!(visit().seen_at(Some(2)), Err(Stale(1)));
}

#[test]
fn customers_cancel_in_time_or_not_at_all_and_staff_late() {
    let until = Timestamp::UNIX_EPOCH - SignedDuration::from_mins(1);
    assert_eq!(cancel(60, Canceller::Customer), Ok(State::Cancelled(cancellation(false))));
    assert_eq!(cancel(59, Canceller::Customer), Err(CancelError::TooLate(until)));
    assert_eq!(cancel(60, Canceller::Staff), Ok(State::Cancelled(cancellation(false))));
    assert_eq!(cancel(59, Canceller::Staff), Ok(State::Cancelled(cancellation(true))));
}
