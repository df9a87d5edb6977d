use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::*;
use crate::{
    appointment::{BookingDetails, State},
    id::{EmployeeId, VisitId},
};

const ANA: EmployeeId = EmployeeId(Uuid::from_u128(1));
const BEN: EmployeeId = EmployeeId(Uuid::from_u128(2));
const CUT: ServiceId = ServiceId(Uuid::from_u128(3));
const TINT: ServiceId = ServiceId(Uuid::from_u128(4));

fn placed(service: ServiceId, employee: EmployeeId, wish: Wish) -> PlacedItem {
    PlacedItem {
        guest: 0,
        service,
        employee,
        starts_at: Timestamp::UNIX_EPOCH,
        ends_at: Timestamp::UNIX_EPOCH + SignedDuration::from_mins(30),
        resources: vec![],
        price_minor: 1000,
        extra_minutes: 0,
        wish,
    }
}

fn visit(items: Vec<PlacedItem>) -> Appointment {
    let at = Timestamp::UNIX_EPOCH;
    let price = Price { minor: 1000, currency: "GBP".to_owned() };
    let placement = Placement { starts_at: at, ends_at: at, items, occupied: vec![], price };
    Appointment::book(VisitId(Uuid::from_u128(9)), &placement, BookingDetails::default(), at)
}

fn wanted(service: ServiceId, employee: Option<EmployeeId>, wish: Wish) -> Item {
    Item { service, employee, preferred: None, guest: 0, customer: None, extra_minutes: 0, wish }
}

#[test]
fn wishes_alone_leave_a_visit_where_it_is() {
    let visit = visit(vec![placed(CUT, ANA, Wish::Anyone)]);
    let edit = visit.edited(&[wanted(CUT, Some(ANA), Wish::Only(ANA))], Consent::Unknown);
    assert_eq!(edit, Ok(Edit::Described(vec![Wish::Only(ANA)])));
    let longer = Item { extra_minutes: 15, ..wanted(CUT, Some(ANA), Wish::Anyone) };
    for items in
        [vec![longer], vec![wanted(CUT, None, Wish::Anyone)], vec![wanted(TINT, Some(ANA), Wish::Anyone)]]
    {
        assert_eq!(visit.edited(&items, Consent::Unknown), Ok(Edit::Placed(items)));
    }
}

#[test]
fn a_service_leaves_the_only_employee_wanted_by_consent_alone() {
    let visit = visit(vec![placed(CUT, ANA, Wish::Only(ANA))]);
    for wish in [Wish::Only(ANA), Wish::Only(BEN), Wish::Anyone] {
        let items = [wanted(CUT, Some(BEN), wish)];
        assert_eq!(visit.edited(&items, Consent::Unknown), Err(RearrangeError::Requested(ANA)));
        assert_eq!(visit.edited(&items, Consent::Given), Ok(Edit::Placed(items.to_vec())));
    }
    // The service is no longer wanted at all.
    let instead = [wanted(TINT, Some(BEN), Wish::Anyone)];
    assert!(visit.edited(&instead, Consent::Unknown).is_ok());
    // The customer was asked before the wish was taken back.
    assert!(visit.edited(&[wanted(CUT, None, Wish::Anyone)], Consent::Unknown).is_ok());
}

#[test]
fn services_change_before_a_visit_begins() {
    let items = [wanted(CUT, Some(ANA), Wish::Anyone)];
    for state in [State::InService, State::Completed, State::NoShow] {
        let visit = Appointment { state, ..visit(vec![placed(CUT, ANA, Wish::Anyone)]) };
        assert_eq!(visit.edited(&items, Consent::Given), Err(RearrangeError::WrongState(WrongState)));
    }
}

#[test]
fn other_visits_of_a_series_keep_who_does_what_stays() {
    let named = visit(vec![placed(CUT, ANA, Wish::Anyone)]);
    let other = visit(vec![placed(CUT, BEN, Wish::Anyone)]);
    let added = [wanted(CUT, Some(ANA), Wish::Anyone), wanted(TINT, Some(ANA), Wish::Anyone)];
    let here: Vec<_> = other.as_wanted_of(&named, &added).iter().map(|item| item.employee).collect();
    assert_eq!(here, [Some(BEN), Some(ANA)]);
    let given = [wanted(CUT, Some(BEN), Wish::Anyone)];
    let all = visit(vec![placed(CUT, ANA, Wish::Anyone)]);
    assert_eq!(all.as_wanted_of(&named, &given)[0].employee, Some(BEN), "another employee is for all");
}

#[test]
fn agreed_prices_stay_and_the_sum_follows() {
    let before = visit(vec![placed(CUT, ANA, Wish::Anyone)]);
    let dearer = PlacedItem { price_minor: 1500, ..placed(CUT, ANA, Wish::Anyone) };
    let items = vec![dearer, PlacedItem { price_minor: 700, ..placed(TINT, BEN, Wish::Anyone) }];
    let price = Price { minor: 2200, currency: "GBP".to_owned() };
    let at = before.starts_at;
    let placement = Placement { starts_at: at, ends_at: at, items, occupied: vec![], price };
    let after = before.edited_to(&placement);
    assert_eq!(after.items.iter().map(|item| item.price_minor).collect::<Vec<_>>(), [1000, 700]);
    assert_eq!((after.price.minor, after.version), (1700, 2));
}

#[test]
fn differences_name_what_was_added_removed_lengthened_and_wished() {
    let before = visit(vec![placed(CUT, ANA, Wish::Anyone), placed(CUT, BEN, Wish::Anyone)]);
    let longer = PlacedItem {
        extra_minutes: 15,
        ends_at: Timestamp::UNIX_EPOCH + SignedDuration::from_mins(45),
        ..placed(CUT, ANA, Wish::Prefers(ANA))
    };
    let after = visit(vec![longer, placed(TINT, BEN, Wish::Anyone)]).with_notes(Some("Call first"));
    let expected = [
        Difference::Length((CUT, 0), 45),
        Difference::Wished((CUT, 0), Wish::Prefers(ANA)),
        Difference::Added((TINT, 0)),
        Difference::Removed((CUT, 0)),
        Difference::Notes,
    ];
    assert_eq!(before.differences(&after), expected);
    assert_eq!(before.differences(&before), []);
}

#[test]
fn a_visit_leaves_its_place_with_another_start_or_employee() {
    let before = visit(vec![placed(CUT, ANA, Wish::Anyone)]);
    let added = visit(vec![placed(CUT, ANA, Wish::Anyone), placed(TINT, BEN, Wish::Anyone)]);
    let later = Appointment { starts_at: before.starts_at + SignedDuration::from_mins(5), ..before.clone() };
    assert!(!before.leaves_place_for(&before) && !before.leaves_place_for(&added));
    assert!(before.leaves_place_for(&later));
    assert!(before.leaves_place_for(&visit(vec![placed(CUT, BEN, Wish::Anyone)])));
}
