//! How the books of several businesses are, for administrators.

use caller::{BusinessId, Role};
use jiff::Timestamp;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{BookingHealth, ListBookingHealthRequest},
    time::to_proto,
};
use testkit::{SESSION, USER, as_person, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::{
    following::{follow, leaving},
    salon::{ANA, BEN, CUT, OTHER, Salon, WILLOW, booking, by, field, local, reason, service, weekdays},
};

fn of(businesses: &[BusinessId], since: Timestamp, until: Timestamp) -> ListBookingHealthRequest {
    ListBookingHealthRequest {
        business_ids: businesses.iter().map(ToString::to_string).collect(),
        since: Some(to_proto(since)),
        until: Some(to_proto(until)),
    }
}

fn around() -> (Timestamp, Timestamp) {
    (local("2026-05-25", "00:00"), local("2026-06-08", "00:00"))
}

async fn health(salon: &Salon, request: ListBookingHealthRequest) -> Result<Vec<BookingHealth>, Status> {
    let request = as_person(&salon.host, USER, SESSION, None, Some(Role::Admin), request);
    Ok(salon.booking_health().list_booking_health(request).await?.into_inner().bookings)
}

#[tokio::test]
async fn a_book_is_told_by_what_can_be_booked_and_what_is() {
    let salon = Salon::open().await;
    salon.set_hours(OTHER, weekdays(10, 16)).await;
    salon.create_service(service(Uuid::from_u128(0xc9), "Consultation", &[15], &[])).await.unwrap();
    for (employee, day) in [(ANA, "2026-06-02"), (ANA, "2026-06-03"), (BEN, "2026-06-20")] {
        let request = booking(vec![by(CUT, employee)], local(day, "10:00"));
        salon.book_as(salon.service("local", request)).await.unwrap();
    }
    let request = booking(vec![by(CUT, BEN)], local("2026-06-04", "10:00"));
    let cancelled = salon.book_as(salon.service("local", request)).await.unwrap();
    salon.cancel(&cancelled.id).await.unwrap();
    let (since, until) = around();
    let missing = BusinessId(Uuid::from_u128(0xbad));
    let told = health(&salon, of(&[OTHER, missing, WILLOW], since, until)).await.unwrap();
    let expected = [
        BookingHealth { business_id: OTHER.to_string(), open_day_count: 6, ..Default::default() },
        BookingHealth {
            business_id: WILLOW.to_string(),
            service_count: 4,
            bookable_service_count: 3,
            open_day_count: 6,
            scheduled_employee_count: 2,
            past_visit_count: 0,
            coming_visit_count: 2,
            open_conflict_count: 0,
        },
    ];
    assert_eq!(told, expected);
    salon.time.set(local("2026-06-02", "12:00"));
    let told = health(&salon, of(&[WILLOW], since, until)).await.unwrap();
    assert_eq!((told[0].past_visit_count, told[0].coming_visit_count), (1, 1));
    // Who has left has hours and skills on record, and does nothing any more.
    follow(&salon, vec![leaving(1, ANA, "2026-06-01"), leaving(2, BEN, "2026-06-02")]).await;
    let told = health(&salon, of(&[WILLOW], since, until)).await.unwrap();
    assert_eq!((told[0].scheduled_employee_count, told[0].bookable_service_count), (1, 3));
    // It is still the day before in UTC: the salon's own date counts.
    salon.time.set(local("2026-06-03", "00:30"));
    let told = health(&salon, of(&[WILLOW], since, until)).await.unwrap();
    assert_eq!((told[0].scheduled_employee_count, told[0].bookable_service_count), (0, 0));
}

#[tokio::test]
async fn it_is_for_administrators_about_a_month_either_way() {
    let salon = Salon::open().await;
    let (since, until) = around();
    let owner = as_user(&salon.host, Role::Owner, WILLOW, of(&[WILLOW], since, until));
    let refused = salon.booking_health().list_booking_health(owner).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    let refused = async |request| field(&health(&salon, request).await.unwrap_err());
    assert_eq!(refused(of(&[], since, until)).await, "business_ids");
    assert_eq!(refused(of(&[WILLOW; 51], since, until)).await, "business_ids");
    assert_eq!(refused(of(&[WILLOW], local("2026-04-01", "00:00"), until)).await, "since");
    assert_eq!(refused(of(&[WILLOW], since, local("2026-08-01", "00:00"))).await, "until");
}
