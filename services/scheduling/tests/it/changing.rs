//! What a booked visit is, changed: services, lengths, wishes, guests and notes.

use caller::Role;
use jiff::Timestamp;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            Appointment, AppointmentDifference as Difference, AppointmentState as State,
            ChangeAppointmentRequest, ChangeAppointmentResponse, ChangedItem, EmployeeWish as Wish,
            GetAppointmentRequest, GetAppointmentResponse, UndoChangeRequest, UpdateServiceRequest,
            appointment_difference::Kind,
        },
    },
    time::to_proto,
};
use testkit::as_user;
use tonic::Status;
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::{
    events::events,
    progress::set,
    salon::{
        ANA, BEN, COLOUR, CUT, MASSAGE, OTHER, Salon, WILLOW, by, field, local, reason, shown, with_key,
    },
    squeezing_in,
};

pub const TUESDAY: &str = "2026-06-02";

pub fn item(service: Uuid, employee: Uuid) -> ChangedItem {
    ChangedItem {
        service_id: service.to_string(),
        employee_id: employee.to_string(),
        ..ChangedItem::default()
    }
}

fn anyone(service: Uuid) -> ChangedItem {
    ChangedItem { employee_id: String::new(), ..item(service, ANA) }
}

pub fn wished(item: ChangedItem, wish: Wish, employee: Uuid) -> ChangedItem {
    ChangedItem { employee_wish: wish.into(), wished_employee_id: employee.to_string(), ..item }
}

pub fn to(visit: &Appointment, items: Vec<ChangedItem>) -> ChangeAppointmentRequest {
    ChangeAppointmentRequest {
        business_id: WILLOW.to_string(),
        appointment_id: visit.id.clone(),
        items,
        ..ChangeAppointmentRequest::default()
    }
}

fn noted(visit: &Appointment, notes: &str) -> ChangeAppointmentRequest {
    ChangeAppointmentRequest { notes: Some(notes.to_owned()), ..to(visit, vec![]) }
}

pub async fn change(
    salon: &Salon,
    request: ChangeAppointmentRequest,
) -> Result<ChangeAppointmentResponse, Status> {
    Ok(salon.appointments().change_appointment(salon.employee(request)).await?.into_inner())
}

async fn changed(salon: &Salon, request: ChangeAppointmentRequest) -> Appointment {
    change(salon, request).await.unwrap().appointment.unwrap()
}

async fn read(salon: &Salon, id: &str) -> GetAppointmentResponse {
    let request = GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id: id.to_owned() };
    salon.appointments().get_appointment(salon.employee(request)).await.unwrap().into_inner()
}

pub async fn undo(salon: &Salon, change_id: &str) -> Result<Vec<Appointment>, Status> {
    let request = UndoChangeRequest { business_id: WILLOW.to_string(), change_id: change_id.to_owned() };
    Ok(salon.changes().undo_change(salon.employee(request)).await?.into_inner().appointments)
}

pub fn without_version(visit: &Appointment) -> Appointment {
    Appointment { version: 0, ..visit.clone() }
}

fn what(visit: &Appointment) -> Vec<(String, String, String)> {
    let item = |item: &proto::frontdesk::scheduling::v1::PlacedItem| {
        (item.service_name.clone(), item.employee_id.clone(), shown(item.starts_at.as_ref()))
    };
    visit.items.iter().map(item).collect()
}

pub async fn booked(salon: &Salon) -> Appointment {
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap()
}

/// From 45 to 99 pounds.
pub async fn make_cuts_dearer(salon: &Salon) {
    let mut cut = crate::salon::service(CUT, "Cut", &[30], &[ANA, BEN]);
    (cut.id, cut.price_minor, cut.version) = (String::new(), 9900, 1);
    let request = UpdateServiceRequest {
        business_id: WILLOW.to_string(),
        service_id: CUT.to_string(),
        service: Some(cut),
    };
    salon.catalogue().update_service(salon.manager(request)).await.unwrap();
}

pub fn ten() -> Timestamp {
    local(TUESDAY, "10:00")
}

#[tokio::test]
async fn services_are_added_and_removed_at_agreed_prices_and_the_ledger_follows() {
    let salon = Salon::open().await;
    let before = booked(&salon).await;
    make_cuts_dearer(&salon).await;

    let answer = change(&salon, to(&before, vec![item(CUT, ANA), item(MASSAGE, BEN)])).await.unwrap();
    let after = answer.appointment.unwrap();
    let [ana, ben] = [ANA, BEN].map(|who| who.to_string());
    let expected =
        [("Cut".to_owned(), ana, "10:00".to_owned()), ("Massage".to_owned(), ben, "10:30".to_owned())];
    assert_eq!((what(&after), after.version, answer.changed_count), (expected.to_vec(), 2, 1));
    assert_eq!((after.price_minor, after.items[0].price_minor), (9000, 4500), "the cut keeps its price");
    assert_eq!(salon.booked().await, std::slice::from_ref(&after));
    let taken = salon.book(vec![by(MASSAGE, BEN)], local(TUESDAY, "10:35")).await.unwrap_err();
    assert_eq!(reason(&taken), Reason::SlotTaken);
    let last = events(&salon).await.pop().unwrap().payload;
    assert_eq!(last, Some(Payload::Appointment(after.clone())));

    let fewer = changed(&salon, to(&after, vec![item(MASSAGE, BEN)])).await;
    assert_eq!((fewer.items.len(), fewer.price_minor), (1, 4500));
    salon.book(vec![by(CUT, ANA)], ten()).await.unwrap();
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_change_is_undone_with_price_notes_wishes_and_time() {
    let salon = Salon::open().await;
    let before = booked(&salon).await;
    let longer = ChangedItem { extra_minutes: 15, ..wished(item(CUT, ANA), Wish::Only, ANA) };
    let request = ChangeAppointmentRequest {
        items: vec![longer, item(MASSAGE, BEN)],
        notes: Some("Allergic".to_owned()),
        starts_at: Some(to_proto(local(TUESDAY, "11:00"))),
        ..to(&before, vec![])
    };
    let answer = change(&salon, request).await.unwrap();
    let after = answer.appointment.unwrap();
    assert_eq!((shown(after.starts_at.as_ref()), after.notes.as_str()), ("11:00".to_owned(), "Allergic"));
    salon.book(vec![by(COLOUR, ANA)], local(TUESDAY, "14:00")).await.unwrap();
    let restored = undo(&salon, &answer.change_id).await.unwrap();
    assert_eq!(without_version(&restored[0]), without_version(&before));
    assert_eq!(reason(&undo(&salon, &answer.change_id).await.unwrap_err()), Reason::NotFound);

    // Wishes and notes alone, also when the time before is another's.
    let wish = change(&salon, to(&before, vec![wished(item(CUT, ANA), Wish::Prefers, ANA)])).await.unwrap();
    assert_eq!(wish.appointment.unwrap().items[0].employee_wish(), Wish::Prefers);
    let restored = undo(&salon, &wish.change_id).await.unwrap();
    assert_eq!(without_version(&restored[0]), without_version(&before));
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn what_does_not_fit_is_refused_with_the_reason_and_changes_nothing() {
    let salon = Salon::open().await;
    let before = booked(&salon).await;
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:30")).await.unwrap();
    let now = salon.booked().await;
    let longer = ChangedItem { extra_minutes: 15, ..item(CUT, ANA) };
    for (items, expected) in
        [(vec![longer], Reason::SlotTaken), (vec![item(CUT, ANA), item(MASSAGE, ANA)], Reason::NotSkilled)]
    {
        assert_eq!(reason(&change(&salon, to(&before, items)).await.unwrap_err()), expected);
    }
    let late = ChangeAppointmentRequest {
        starts_at: Some(to_proto(local(TUESDAY, "17:45"))),
        ..to(&before, vec![item(CUT, ANA)])
    };
    assert_eq!(reason(&change(&salon, late).await.unwrap_err()), Reason::NotWorking);
    let stale = ChangeAppointmentRequest { version: 7, ..to(&before, vec![anyone(CUT)]) };
    assert_eq!(reason(&change(&salon, stale).await.unwrap_err()), Reason::Stale);
    assert_eq!(salon.booked().await, now);
    // Anyone who can: Ben has the time.
    let longer = ChangedItem { extra_minutes: 15, ..anyone(CUT) };
    assert_eq!(changed(&salon, to(&before, vec![longer])).await.items[0].employee_id, BEN.to_string());
}

#[tokio::test]
async fn guests_join_and_leave_a_visit() {
    let salon = Salon::open().await;
    let before = booked(&salon).await;
    let guest = ChangedItem { guest: 1, ..item(CUT, BEN) };
    let two = changed(&salon, to(&before, vec![item(CUT, ANA), guest])).await;
    let places: Vec<_> = two.items.iter().map(|item| (item.guest, shown(item.starts_at.as_ref()))).collect();
    assert_eq!(places, [(0, "10:00".to_owned()), (1, "10:00".to_owned())]);
    let gap = ChangedItem { guest: 2, ..item(CUT, BEN) };
    let refused = change(&salon, to(&two, vec![item(CUT, ANA), gap])).await.unwrap_err();
    assert_eq!(field(&refused), "items");
    assert_eq!(changed(&salon, to(&two, vec![item(CUT, ANA)])).await.items.len(), 1);
    salon.book(vec![by(CUT, BEN)], ten()).await.unwrap();
}

#[tokio::test]
async fn a_wish_is_changed_in_place_and_broken_by_consent_alone() {
    let salon = Salon::open().await;
    let before = booked(&salon).await;
    let locked = changed(&salon, to(&before, vec![wished(item(CUT, ANA), Wish::Only, ANA)])).await;
    assert_eq!((locked.items[0].employee_wish(), locked.version), (Wish::Only, 2));
    for wish in [Wish::Only, Wish::Prefers] {
        let away = to(&locked, vec![wished(item(CUT, BEN), wish, ANA)]);
        let refused = change(&salon, away.clone()).await.unwrap_err();
        let metadata = refused.get_details_error_info().unwrap().metadata;
        assert_eq!(reason(&refused), Reason::EmployeeRequested);
        assert_eq!(metadata.get("employee_id"), Some(&ANA.to_string()));
    }
    let agreed = ChangeAppointmentRequest {
        customer_agreed: true,
        ..to(&locked, vec![wished(item(CUT, BEN), Wish::Only, ANA)])
    };
    let with_ben = changed(&salon, agreed).await;
    assert_eq!(with_ben.items[0].employee_id, BEN.to_string());
    assert_eq!(with_ben.items[0].wished_employee_id, ANA.to_string(), "the wish is known");
    let wish = wished(anyone(CUT), Wish::Only, ANA);
    let back = changed(&salon, to(&with_ben, vec![wish])).await;
    assert_eq!(back.items[0].employee_id, ANA.to_string(), "anyone who can is whom they want alone");
    for (item, wrong) in [
        (ChangedItem { employee_wish: Wish::Only.into(), ..item(CUT, ANA) }, "items[0].wished_employee_id"),
        (
            ChangedItem { wished_employee_id: ANA.to_string(), ..item(CUT, ANA) },
            "items[0].wished_employee_id",
        ),
    ] {
        assert_eq!(field(&change(&salon, to(&back, vec![item])).await.unwrap_err()), wrong);
    }
}

#[tokio::test]
async fn a_squeezed_in_visit_keeps_its_place_while_only_its_wishes_and_notes_change() {
    let salon = Salon::open().await;
    booked(&salon).await;
    let squeezed = squeezing_in::squeeze(&salon, vec![by(CUT, ANA)], ten()).await;
    let noted = changed(
        &salon,
        ChangeAppointmentRequest {
            notes: Some("In a hurry".to_owned()),
            ..to(&squeezed, vec![wished(item(CUT, ANA), Wish::Prefers, ANA)])
        },
    )
    .await;
    assert!(noted.squeezed_in && noted.notes == "In a hurry");
    let longer = ChangedItem { extra_minutes: 15, ..item(CUT, ANA) };
    assert_eq!(reason(&change(&salon, to(&noted, vec![longer])).await.unwrap_err()), Reason::SlotTaken);
}

#[tokio::test]
async fn notes_change_in_any_state_and_services_before_the_visit_begins() {
    let salon = Salon::open().await;
    let before = booked(&salon).await;
    salon.time.set(ten());
    set(&salon, &before.id, State::Completed).await.unwrap();
    let answer = change(&salon, noted(&before, "Patch of grey at the back")).await.unwrap();
    assert_eq!(answer.appointment.unwrap().notes, "Patch of grey at the back");
    assert_eq!(undo(&salon, &answer.change_id).await.unwrap()[0].notes, "");
    let same = change(&salon, noted(&before, "")).await.unwrap();
    assert_eq!((same.change_id.as_str(), same.changed_count), ("", 0), "nothing is different");
    let items = vec![item(CUT, ANA), item(MASSAGE, BEN)];
    assert_eq!(reason(&change(&salon, to(&before, items)).await.unwrap_err()), Reason::WrongState);
}

#[tokio::test]
async fn the_history_says_who_changed_what() {
    let salon = Salon::open().await;
    let before = booked(&salon).await;
    let longer = ChangedItem { extra_minutes: 15, ..wished(item(CUT, ANA), Wish::Only, ANA) };
    let answer = change(
        &salon,
        ChangeAppointmentRequest {
            notes: Some("Allergic".to_owned()),
            ..to(&before, vec![longer, item(MASSAGE, BEN)])
        },
    )
    .await
    .unwrap();
    undo(&salon, &answer.change_id).await.unwrap();
    let history = read(&salon, &before.id).await;
    let told: Vec<Vec<_>> = history
        .edits
        .iter()
        .map(|edit| edit.differences.iter().map(|one| (one.kind(), one.service_name.as_str())).collect())
        .collect();
    let first =
        vec![(Kind::Length, "Cut"), (Kind::Wish, "Cut"), (Kind::ServiceAdded, "Massage"), (Kind::Notes, "")];
    let back = vec![
        (Kind::Length, "Cut"),
        (Kind::Wish, "Cut"),
        (Kind::ServiceRemoved, "Massage"),
        (Kind::Notes, ""),
    ];
    assert_eq!(told, [first, back]);
    let length = &history.edits[0].differences[0];
    assert_eq!(length, &Difference { minutes: 45, ..length.clone() });
    assert_eq!(history.edits[0].differences[1].employee_wish(), Wish::Only);
    assert!(history.edits.iter().all(|edit| edit.edited_by.starts_with("user:")));
    assert!(history.places_left.is_empty(), "it stayed where it was");

    let moved = ChangeAppointmentRequest {
        starts_at: Some(to_proto(local(TUESDAY, "12:00"))),
        ..to(&before, vec![item(CUT, ANA), item(MASSAGE, BEN)])
    };
    changed(&salon, moved).await;
    let history = read(&salon, &before.id).await;
    assert_eq!((history.edits.len(), history.places_left.len()), (3, 1));
    let noted = "SELECT count(*) FROM audit WHERE action = 'ChangeAppointment'";
    assert_eq!(salon.count(noted).await, 2);
}

#[tokio::test]
async fn only_members_of_the_business_change_its_visits_and_once_per_key() {
    let salon = Salon::open().await;
    let visit = booked(&salon).await;
    let request = noted(&visit, "Hello");
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let sent = as_user(&salon.host, role, business, request.clone());
        let refused = salon.appointments().change_appointment(sent).await.unwrap_err();
        assert_eq!(reason(&refused), expected);
    }
    salon.set_hours(OTHER, crate::salon::weekdays(9, 18)).await;
    let foreign = ChangeAppointmentRequest { business_id: OTHER.to_string(), ..request.clone() };
    let foreign = as_user(&salon.host, Role::Owner, OTHER, foreign);
    let refused = salon.appointments().change_appointment(foreign).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    let keyed = async || {
        let sent = with_key(salon.employee(request.clone()), "k1");
        salon.appointments().change_appointment(sent).await.unwrap().into_inner()
    };
    assert_eq!(keyed().await, keyed().await);
    assert_eq!(read(&salon, &visit.id).await.appointment.unwrap().version, 2);
}
