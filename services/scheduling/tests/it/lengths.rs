//! How long visits take: another length while they are moved, searched, held and booked.

use jiff::Timestamp;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{Appointment, MoveAppointmentRequest, VisitItem},
};

use crate::{
    moving::{TUESDAY, move_to, nine, request, send, to_employees},
    salon::{ANA, BEN, CUT, Salon, by, field, local, monday, reason, shown},
};

fn resized(appointment: &str, extra_minutes: &[i32]) -> MoveAppointmentRequest {
    let extra_minutes = extra_minutes.to_vec();
    MoveAppointmentRequest { starts_at: None, extra_minutes, ..request(appointment, Timestamp::UNIX_EPOCH) }
}

/// From when to when each service of a visit takes place.
fn times(visit: &Appointment) -> Vec<(String, String)> {
    visit.items.iter().map(|item| (shown(item.starts_at.as_ref()), shown(item.ends_at.as_ref()))).collect()
}

#[tokio::test]
async fn a_visit_gets_another_length_and_keeps_it_wherever_it_goes() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    let longer = send(&salon, resized(&booked.id, &[30])).await.unwrap();
    assert_eq!(times(&longer), [("09:00".into(), "10:00".into())]);
    assert_eq!((longer.items[0].extra_minutes, longer.price_minor), (30, booked.price_minor));
    let refused = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:45")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    let moved = move_to(&salon, &booked.id, local(TUESDAY, "11:00")).await.unwrap();
    assert_eq!(times(&moved), [("11:00".into(), "12:00".into())]);
    let shorter = send(&salon, resized(&booked.id, &[-15])).await.unwrap();
    assert_eq!(times(&shorter), [("11:00".into(), "11:15".into())]);
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "11:15")).await.unwrap();
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_late_visit_gets_more_time_or_another_employee_but_no_past_start() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], monday("10:00")).await.unwrap();
    salon.time.set(monday("10:20"));
    let longer = send(&salon, resized(&booked.id, &[15])).await.unwrap();
    assert_eq!(times(&longer), [("10:00".into(), "10:45".into())]);
    let given = send(&salon, to_employees(&booked.id, &[&BEN.to_string()])).await.unwrap();
    assert_eq!(given.items[0].employee_id, BEN.to_string());
    let refused = move_to(&salon, &booked.id, monday("10:05")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::TooSoon);
}

#[tokio::test]
async fn a_visit_is_not_made_longer_into_what_is_taken() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let longer = send(&salon, resized(&booked.id, &[30])).await.unwrap();
    assert_eq!(times(&longer), [("09:00".into(), "10:00".into())]);
    let refused = send(&salon, resized(&booked.id, &[35])).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_length_is_searched_held_and_booked_as_it_is_wanted() {
    let salon = Salon::open().await;
    let long = || VisitItem { extra_minutes: 45, ..by(CUT, ANA) };
    let offers = salon.offered_on_tuesday(vec![long()]).await;
    assert_eq!(offers.len(), 35 - 3);
    let hold = salon.hold(vec![long()], nine()).await.unwrap();
    let booked = salon.book_hold(&hold.id).await.unwrap();
    assert_eq!(times(&booked), [("09:00".into(), "10:15".into())]);
    assert_eq!(booked.items[0].extra_minutes, 45);
    let refused = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
}

#[tokio::test]
async fn a_length_that_a_service_can_not_have_is_refused_by_its_name() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    let refused = async |extra: &[i32]| field(&send(&salon, resized(&booked.id, extra)).await.unwrap_err());
    assert_eq!(refused(&[-30]).await, "extra_minutes[0]");
    assert_eq!(refused(&[7]).await, "extra_minutes[0]");
    assert_eq!(refused(&[725]).await, "extra_minutes[0]");
    assert_eq!(refused(&[5, 5]).await, "extra_minutes");
    assert_eq!(refused(&[0; 49]).await, "extra_minutes");
    for extra_minutes in [-30, 3] {
        let item = VisitItem { extra_minutes, ..by(CUT, ANA) };
        let refused = salon.book(vec![item], local(TUESDAY, "12:00")).await.unwrap_err();
        assert_eq!(field(&refused), "items[0].extra_minutes");
    }
}
