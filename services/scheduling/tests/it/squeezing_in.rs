//! Visits that a manager squeezes in beside others.

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{Appointment, AppointmentState as State, BookAppointmentRequest, VisitItem},
};
use uuid::Uuid;

use crate::{
    moving,
    progress::{restore, set},
    salon::{
        ANA, BEN, COLOUR, CUT, MASSAGE, Salon, anyone, booking, by, field, local, monday, reason, shown,
        with_key,
    },
};

pub async fn squeeze(salon: &Salon, items: Vec<VisitItem>, start: Timestamp) -> Appointment {
    salon.book_as(salon.manager(squeezed(items, start))).await.unwrap()
}

fn squeezed(items: Vec<VisitItem>, start: Timestamp) -> BookAppointmentRequest {
    BookAppointmentRequest { squeeze_in: true, ..booking(items, start) }
}

fn nine() -> Timestamp {
    local("2026-06-02", "09:00")
}

#[tokio::test]
async fn a_manager_squeezes_a_visit_in_beside_another() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    let request = || squeezed(vec![by(CUT, ANA)], nine());
    let beside = salon.book_as(with_key(salon.manager(request()), "k1")).await.unwrap();
    assert_eq!(beside, salon.book_as(with_key(salon.manager(request()), "k1")).await.unwrap());
    assert!(beside.squeezed_in && !booked.squeezed_in);
    assert_eq!(beside.starts_at, booked.starts_at);
    assert_eq!(salon.booked().await.len(), 2);
    // It occupies no time of others.
    salon.cancel(&booked.id).await.unwrap();
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.len(), 35);
    let again = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    assert!(!again.squeezed_in);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn skill_is_needed_and_working_time_is_not() {
    let salon = Salon::open().await;
    let send = async |items, start| salon.book_as(salon.manager(squeezed(items, start))).await;
    let late = send(vec![by(COLOUR, ANA), by(CUT, BEN)], local("2026-06-02", "18:00")).await.unwrap();
    assert_eq!(shown(late.ends_at.as_ref()), "19:45");
    send(vec![by(CUT, ANA)], local("2026-06-07", "10:00")).await.unwrap();
    let unskilled = send(vec![by(MASSAGE, ANA)], nine()).await.unwrap_err();
    assert_eq!(reason(&unskilled), Reason::NotSkilled);
    let unknown = send(vec![by(Uuid::from_u128(404), ANA)], nine()).await.unwrap_err();
    assert_eq!(reason(&unknown), Reason::NotFound);
    assert_eq!(reason(&send(vec![by(CUT, ANA)], monday("08:50")).await.unwrap_err()), Reason::TooSoon);
    let far = send(vec![by(CUT, ANA)], local("2026-12-01", "10:00")).await.unwrap_err();
    assert_eq!(reason(&far), Reason::TooFar);
    salon.time.advance(SignedDuration::from_mins(3));
    send(vec![by(CUT, ANA)], monday("09:00")).await.unwrap();
}

#[tokio::test]
async fn only_a_manager_squeezes_in() {
    let salon = Salon::open().await;
    let request = || squeezed(vec![by(CUT, ANA)], nine());
    for request in [salon.employee(request()), salon.agent(request()), salon.service("local", request())] {
        assert_eq!(reason(&salon.book_as(request).await.unwrap_err()), Reason::RoleTooLow);
    }
    assert_eq!(salon.booked().await.len(), 0);
}

#[tokio::test]
async fn a_malformed_squeeze_in_names_its_field() {
    let salon = Salon::open().await;
    let refused = async |request| field(&salon.book_as(salon.manager(request)).await.unwrap_err());
    let unassigned = squeezed(vec![by(CUT, ANA), anyone(CUT)], nine());
    assert_eq!(refused(unassigned).await, "items[1].employee_id");
    let held = BookAppointmentRequest {
        hold_id: Uuid::from_u128(1).to_string(),
        items: vec![],
        starts_at: None,
        ..squeezed(vec![], nine())
    };
    assert_eq!(refused(held).await, "squeeze_in");
}

#[tokio::test]
async fn a_squeezed_visit_stays_beside_others_through_its_states_and_is_an_ordinary_one_once_moved() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    let beside = salon.book_as(salon.manager(squeezed(vec![by(CUT, ANA)], nine()))).await.unwrap();
    salon.cancel(&beside.id).await.unwrap();
    assert!(restore(&salon, &beside.id).await.unwrap().squeezed_in);
    salon.time.set(local("2026-06-02", "08:45"));
    set(&salon, &beside.id, State::Arrived).await.unwrap();
    let taken = moving::send(&salon, moving::request(&beside.id, local("2026-06-02", "09:15"))).await;
    assert_eq!(reason(&taken.unwrap_err()), Reason::SlotTaken);
    let free = moving::request(&beside.id, local("2026-06-02", "09:30"));
    assert!(!moving::send(&salon, free).await.unwrap().squeezed_in);
    let refused = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:30")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    assert_eq!(salon.overlaps().await, 0);
}
