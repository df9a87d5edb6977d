use uuid::Uuid;

use super::*;
use crate::{
    id::ServiceId,
    item::Wish,
    service::Price,
    visit::{PlacedItem, Placement},
};

fn place() -> Place {
    let at = Timestamp::UNIX_EPOCH;
    Place { starts_at: at, ends_at: at, employees: vec![] }
}

fn id(number: u128) -> ProposalLineId {
    ProposalLineId(Uuid::from_u128(number))
}

fn end() -> End {
    End { at: Timestamp::UNIX_EPOCH, by: "user:1".to_owned() }
}

/// Two visits that could move, and one that could not.
fn proposal() -> Proposal {
    let visit = |number| VisitId(Uuid::from_u128(number));
    let moved = |number| Change::Move { visit: visit(number), from: place(), to: place() };
    let changes = [moved(1), Change::Unplaced { visit: visit(2), from: place() }, moved(3)];
    let line = |(number, change)| Line { id: id(number), change, seen: 1, state: LineState::Open };
    Proposal {
        id: ProposalId(Uuid::nil()),
        date: jiff::civil::date(2026, 6, 1),
        cause: Cause::Delay { visit: visit(1), minutes: 10 },
        lines: (1..).zip(changes).map(line).collect(),
        state: State::Open,
        created_by: "user:1".to_owned(),
        created_at: Timestamp::UNIX_EPOCH,
        version: 1,
    }
}

#[test]
fn lines_are_chosen_in_the_proposals_order_with_their_place_among_the_names() {
    let proposal = proposal();
    let chosen = proposal.select(&[id(3), id(1)]).unwrap();
    assert_eq!(
        chosen.iter().map(|(place, line)| (*place, line.id)).collect::<Vec<_>>(),
        [(1, id(1)), (0, id(3))]
    );
}

#[test]
fn a_line_that_can_not_be_applied_is_named_by_its_place() {
    let refused = |proposal: &Proposal, ids: &[u128]| {
        proposal.select(&ids.iter().copied().map(id).collect::<Vec<_>>()).map(drop).unwrap_err()
    };
    assert_eq!(refused(&proposal(), &[1, 4]), SelectError::Unknown(1));
    assert_eq!(refused(&proposal(), &[1, 3, 1]), SelectError::Twice(2));
    assert_eq!(refused(&proposal(), &[2]), SelectError::Unplaced(0));
    assert_eq!(refused(&proposal().applied(&[id(1)], end()), &[1]), SelectError::Applied(0));
    let dismissed = proposal().dismiss(end()).unwrap();
    assert_eq!(refused(&dismissed, &[1]), SelectError::WrongState(WrongState));
    assert_eq!(dismissed.dismiss(end()), Err(WrongState));
}

#[test]
fn a_proposal_is_applied_once_all_of_its_lines_are() {
    let proposal =
        Proposal { lines: vec![proposal().lines.remove(0), proposal().lines.remove(2)], ..proposal() };
    let half = proposal.applied(&[id(1)], end());
    assert_eq!((half.state.clone(), half.version, half.open_lines()), (State::Open, 2, 1));
    let whole = half.applied(&[id(3)], end());
    assert_eq!((whole.state.clone(), whole.version), (State::Applied(end()), 3));
    assert_eq!(whole.dismiss(end()), Err(WrongState));
}

#[test]
fn an_unplaced_visit_keeps_its_proposal_open() {
    let applied = proposal().applied(&[id(1), id(3)], end());
    assert_eq!((applied.state, applied.lines[1].state.clone()), (State::Open, LineState::Open));
}

fn item(employee: EmployeeId) -> PlacedItem {
    PlacedItem {
        guest: 0,
        service: ServiceId(Uuid::nil()),
        employee,
        starts_at: Timestamp::UNIX_EPOCH,
        ends_at: Timestamp::UNIX_EPOCH,
        resources: vec![],
        price_minor: 0,
        extra_minutes: 0,
        wish: Wish::Anyone,
    }
}

fn placement(items: Vec<PlacedItem>) -> Placement {
    let at = Timestamp::UNIX_EPOCH;
    let price = Price { minor: 0, currency: String::new() };
    Placement { starts_at: at, ends_at: at, items, occupied: vec![], price }
}

#[test]
fn a_new_place_names_who_stays_before_who_changes() {
    let [ana, ben, cleo] = [1, 2, 3].map(|number| EmployeeId(Uuid::from_u128(number)));
    let place = Place::anew(&[item(ana), item(ben)], &placement(vec![item(cleo), item(ana)]));
    assert_eq!(place.employees, [ana, cleo]);
    let before = Place { employees: vec![ana, ben], ..place.clone() };
    assert_eq!((before.employees_changed(&place), before.shift_minutes(&place)), (1, 0));
}

/// A place in which they had would be another one, and may not be free.
#[test]
fn a_longer_and_a_shorter_service_do_not_change_hands_on_paper() {
    let [ana, ben] = [1, 2].map(|number| EmployeeId(Uuid::from_u128(number)));
    let longer = |employee| PlacedItem { extra_minutes: 5, ..item(employee) };
    let place = Place::anew(&[item(ana), longer(ben)], &placement(vec![longer(ana), item(ben)]));
    assert_eq!(place.employees, [ben, ana]);
    let resized = Place::anew(&[item(ana), item(ben)], &placement(vec![longer(ben), longer(ana)]));
    assert_eq!(resized.employees, [ana, ben]);
}
