//! Employees whom customers ask for: alone, or rather than others.

use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        Appointment, EmployeeWish as Wish, MoveAppointmentRequest, ProposedChange as Change, VisitItem,
    },
};
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::{
    absence::{report, sick},
    inbox, moving,
    proposal::apply,
    salon::{ANA, BEN, CUT, Salon, anyone, by, field, local, monday, reason},
};

const TUESDAY: &str = "2026-06-02";

fn only(employee: Uuid) -> VisitItem {
    VisitItem { employee_only: true, ..by(CUT, employee) }
}

fn rather(employee: Uuid) -> VisitItem {
    VisitItem { preferred_employee_id: employee.to_string(), ..anyone(CUT) }
}

/// Who does the first service, and whom the customer asked for.
fn asked(visit: &Appointment) -> (String, Wish, String) {
    let item = &visit.items[0];
    (item.employee_id.clone(), item.employee_wish(), item.wished_employee_id.clone())
}

fn to(visit: &Appointment, employee: &str) -> MoveAppointmentRequest {
    let start = proto::time::required("starts_at", visit.starts_at.as_ref()).unwrap();
    MoveAppointmentRequest { employee_ids: vec![employee.to_owned()], ..moving::request(&visit.id, start) }
}

#[tokio::test]
async fn a_wish_is_kept_from_the_hold_through_moves() {
    let salon = Salon::open().await;
    let (ana, ben) = (ANA.to_string(), BEN.to_string());
    let hold = salon.hold(vec![only(ANA)], local(TUESDAY, "09:00")).await.unwrap();
    let booked = salon.book_hold(&hold.id).await.unwrap();
    assert_eq!(asked(&booked), (ana.clone(), Wish::Only, ana.clone()));
    let later = moving::send(&salon, moving::request(&booked.id, local(TUESDAY, "11:00"))).await.unwrap();
    assert_eq!(asked(&later), (ana.clone(), Wish::Only, ana.clone()));

    // Ana is preferred and has no time: Ben does it, and the wish is known.
    let second = salon.book(vec![rather(ANA)], local(TUESDAY, "11:00")).await.unwrap();
    assert_eq!(asked(&second), (ben, Wish::Prefers, ana.clone()));
    let third = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "12:00")).await.unwrap();
    assert_eq!(asked(&third), (ana, Wish::Unspecified, String::new()));
}

#[tokio::test]
async fn a_visit_of_one_employee_alone_is_moved_to_another_only_with_consent() {
    let salon = Salon::open().await;
    let (ana, ben) = (ANA.to_string(), BEN.to_string());
    let booked = salon.book(vec![only(ANA)], local(TUESDAY, "09:00")).await.unwrap();
    let refused = moving::send(&salon, to(&booked, &ben)).await.unwrap_err();
    let metadata = refused.get_details_error_info().unwrap().metadata;
    assert_eq!((reason(&refused), metadata.get("employee_id")), (Reason::EmployeeRequested, Some(&ana)));
    assert_eq!(salon.booked().await, std::slice::from_ref(&booked));
    let stays = moving::send(&salon, to(&booked, "")).await.unwrap();
    assert_eq!(asked(&stays).0, ana, "anyone who can is whom they asked for");

    let agreed = MoveAppointmentRequest { customer_agreed: true, ..to(&booked, &ben) };
    let moved = moving::send(&salon, agreed).await.unwrap();
    assert_eq!(asked(&moved), (ben.clone(), Wish::Only, ana.clone()));
    // Given up once, it is not asked about again, until the visit is back with Ana.
    let back = moving::send(&salon, to(&moved, &ana)).await.unwrap();
    assert_eq!(asked(&back).0, ana);
    let again = moving::send(&salon, to(&back, &ben)).await.unwrap_err();
    assert_eq!(reason(&again), Reason::EmployeeRequested);

    let soft = salon.book(vec![rather(ANA)], local(TUESDAY, "14:00")).await.unwrap();
    assert_eq!(asked(&moving::send(&salon, to(&soft, &ben)).await.unwrap()).0, ben);
}

#[tokio::test]
async fn an_absence_gives_no_one_else_a_visit_of_one_employee_alone() {
    let salon = Salon::open().await;
    let locked = salon.book(vec![only(ANA)], monday("10:00")).await.unwrap().id;
    let free = salon.book(vec![by(CUT, ANA)], monday("11:00")).await.unwrap().id;
    let proposal = report(&salon, sick(ANA)).await.unwrap().proposal.unwrap();
    let lines: Vec<_> =
        proposal.lines.iter().map(|line| (line.change(), line.appointment_id.clone())).collect();
    assert_eq!(lines, [(Change::Unplaced, locked.clone()), (Change::Move, free)]);
    apply(&salon, &proposal, &[1]).await.unwrap();
    assert_eq!(inbox::open_ids(&salon).await, [locked], "only its customer can say what becomes of it");
}

#[tokio::test]
async fn a_wish_for_one_alone_needs_the_employee() {
    let salon = Salon::open().await;
    let item = VisitItem { employee_only: true, ..anyone(CUT) };
    let refused = salon.book(vec![item], monday("10:00")).await.unwrap_err();
    assert_eq!(field(&refused), "items[0].employee_only");
}
