//! Holds: keeping time for a customer.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{CreateHoldRequest, appointment_service_client::AppointmentServiceClient},
    time::to_proto,
};
use testkit::{as_agent, as_user};
use uuid::Uuid;

use crate::salon::{
    ANA, BEN, COLOUR, CONNECTION, CUT, OTHER, Salon, WILLOW, anyone, booking, by, fact, field, local, reason,
    shown,
};

fn nine() -> jiff::Timestamp {
    local("2026-06-02", "09:00")
}

#[tokio::test]
async fn a_held_time_is_kept_for_five_minutes() {
    let salon = Salon::open().await;
    let hold = salon.hold(vec![by(COLOUR, ANA)], nine()).await.unwrap();
    let expires = proto::time::required("expires_at", hold.expires_at.as_ref()).unwrap();
    assert_eq!(expires.duration_since(salon.time.now()), SignedDuration::from_mins(5));
    assert_eq!(shown(hold.offer.unwrap().ends_at.as_ref()), "10:15");
    let refused = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    // Another booking fits into the processing time.
    salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:30")).await.unwrap();
    salon.time.advance(SignedDuration::from_mins(5));
    salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_hold_becomes_the_appointment_of_the_same_id() {
    let salon = Salon::open().await;
    let hold = salon.hold(vec![by(COLOUR, ANA), by(CUT, BEN)], nine()).await.unwrap();
    let booked = salon.book_hold(&hold.id).await.unwrap();
    assert_eq!(booked.id, hold.id);
    let offer = hold.offer.unwrap();
    assert_eq!((booked.starts_at, booked.ends_at), (offer.starts_at, offer.ends_at));
    assert_eq!(booked.items, offer.items);
    assert_eq!(booked.price_minor, offer.price_minor);
    assert_eq!(booked.call_id, crate::salon::CALL.to_string());
    salon.time.advance(SignedDuration::from_mins(6));
    assert_eq!(reason(&salon.book(vec![by(CUT, ANA)], nine()).await.unwrap_err()), Reason::SlotTaken);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_hold_is_booked_once_and_not_after_it_has_ended() {
    let salon = Salon::open().await;
    let booked = salon.hold(vec![by(CUT, ANA)], nine()).await.unwrap();
    salon.book_hold(&booked.id).await.unwrap();
    assert_eq!(reason(&salon.book_hold(&booked.id).await.unwrap_err()), Reason::HoldGone);
    let released = salon.hold(vec![by(CUT, BEN)], nine()).await.unwrap();
    salon.release(&released.id).await.unwrap();
    assert_eq!(reason(&salon.book_hold(&released.id).await.unwrap_err()), Reason::HoldGone);
    let expired = salon.hold(vec![by(CUT, BEN)], nine()).await.unwrap();
    salon.time.advance(SignedDuration::from_mins(5));
    assert_eq!(reason(&salon.book_hold(&expired.id).await.unwrap_err()), Reason::HoldGone);
    assert_eq!(
        reason(&salon.book_hold(&Uuid::from_u128(404).to_string()).await.unwrap_err()),
        Reason::NotFound
    );
    assert_eq!(salon.booked().await.len(), 1);
}

#[tokio::test]
async fn a_released_time_is_free_at_once() {
    let salon = Salon::open().await;
    let hold = salon.hold(vec![by(CUT, ANA)], nine()).await.unwrap();
    salon.release(&hold.id).await.unwrap();
    salon.release(&hold.id).await.unwrap();
    let appointment = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    assert_ne!(appointment.id, hold.id);
    let booked = salon.hold(vec![by(CUT, BEN)], nine()).await.unwrap();
    salon.book_hold(&booked.id).await.unwrap();
    assert_eq!(reason(&salon.release(&booked.id).await.unwrap_err()), Reason::HoldGone);
}

#[tokio::test]
async fn a_call_holds_three_times_at_most_and_gives_them_back_when_it_ends() {
    let salon = Salon::open().await;
    for hour in ["09:00", "10:00", "11:00"] {
        salon.hold(vec![by(CUT, ANA)], local("2026-06-02", hour)).await.unwrap();
    }
    let fourth = || salon.hold(vec![by(CUT, ANA)], local("2026-06-03", "09:00"));
    assert_eq!(reason(&fourth().await.unwrap_err()), Reason::TooManyHolds);
    assert_eq!(salon.release_call().await, 3);
    assert_eq!(salon.release_call().await, 0);
    fourth().await.unwrap();
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await[0], "09:00");
}

#[tokio::test]
async fn holds_that_have_expired_no_longer_count() {
    let salon = Salon::open().await;
    for hour in ["09:00", "10:00", "11:00"] {
        salon.hold(vec![by(CUT, ANA)], local("2026-06-02", hour)).await.unwrap();
    }
    salon.time.advance(SignedDuration::from_mins(5));
    salon.hold(vec![by(CUT, ANA)], nine()).await.unwrap();
    assert_eq!(salon.release_call().await, 1);
}

#[tokio::test]
async fn calls_that_hold_at_once_hold_three_times_at_most() {
    let salon = Salon::open().await;
    let hours = ["09:00", "10:00", "11:00", "12:00", "13:00", "14:00", "15:00", "16:00"];
    let attempts = hours.map(|hour| salon.hold(vec![by(CUT, ANA)], local("2026-06-02", hour)));
    let held = futures::future::join_all(attempts).await.into_iter().filter(Result::is_ok).count();
    assert_eq!(held, 3);
}

#[tokio::test]
async fn a_hold_that_another_replicas_clock_has_ended_is_not_booked() {
    let salon = Salon::open().await;
    let hold = salon.hold(vec![by(COLOUR, ANA)], nine()).await.unwrap();
    let (ahead, time) = boot::clock::Clock::test(salon.time.now() + SignedDuration::from_mins(5));
    let host = testkit::host_on("scheduling", ahead);
    let mut replica = AppointmentServiceClient::new(salon.replica_on(&host).await);
    let request = as_agent(&host, CONNECTION, WILLOW, booking(vec![by(CUT, ANA)], nine()));
    replica.book_appointment(request).await.unwrap();
    assert!(time.now() > salon.time.now());
    assert_eq!(reason(&salon.book_hold(&hold.id).await.unwrap_err()), Reason::HoldGone);
    assert_eq!(salon.booked().await.len(), 1);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_busy_fact_goes_before_a_hold() {
    let salon = Salon::open().await;
    let hold = salon.hold(vec![by(COLOUR, ANA)], nine()).await.unwrap();
    let dentist = fact("dentist", local("2026-06-02", "10:00"), local("2026-06-02", "12:00"));
    assert_eq!(salon.import(vec![dentist]).await.unwrap(), 0);
    assert_eq!(reason(&salon.book_hold(&hold.id).await.unwrap_err()), Reason::HoldGone);
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await[..4], ["09:00", "09:15", "09:30", "12:00"]);
}

#[tokio::test]
async fn a_hold_over_midnight_is_booked_and_released_whole() {
    let salon = Salon::open().await;
    let mut late = crate::salon::weekdays(20, 24);
    late.extend(crate::salon::weekdays(0, 4));
    salon.set_hours(WILLOW, late.clone()).await;
    salon.set_week(ANA, late).await;
    let night = local("2026-06-02", "23:30");
    let hold = salon.hold(vec![by(COLOUR, ANA)], night).await.unwrap();
    salon.release(&hold.id).await.unwrap();
    assert_eq!(salon.count("SELECT count(*) FROM ledger WHERE is_open").await, 0);
    let hold = salon.hold(vec![by(COLOUR, ANA)], night).await.unwrap();
    salon.book_hold(&hold.id).await.unwrap();
    assert_eq!(salon.count("SELECT count(*) FROM ledger WHERE is_open AND kind = 'BOOKING'").await, 2);
    let next = salon.book(vec![by(CUT, ANA)], local("2026-06-03", "00:30")).await.unwrap_err();
    assert_eq!(reason(&next), Reason::SlotTaken);
}

#[tokio::test]
async fn a_hold_is_refused_for_the_reasons_a_booking_is() {
    let salon = Salon::open().await;
    let refused = async |items, start| reason(&salon.hold(items, start).await.unwrap_err());
    assert_eq!(refused(vec![anyone(CUT)], local("2026-06-02", "08:00")).await, Reason::NotWorking);
    assert_eq!(refused(vec![anyone(CUT)], local("2026-05-30", "10:00")).await, Reason::TooSoon);
    assert_eq!(refused(vec![by(crate::salon::MASSAGE, ANA)], nine()).await, Reason::NotSkilled);
    let odd = salon.hold(vec![anyone(CUT)], nine() + SignedDuration::from_mins(3)).await.unwrap_err();
    assert_eq!(field(&odd), "starts_at");
}

#[tokio::test]
async fn a_person_holds_eight_times_at_once_outside_calls() {
    let salon = Salon::open().await;
    let nth = |n: i64| CreateHoldRequest {
        business_id: WILLOW.to_string(),
        items: vec![by(CUT, ANA)],
        starts_at: Some(to_proto(nine() + SignedDuration::from_mins(30 * n))),
        ..Default::default()
    };
    let hold = async |n| {
        let held = salon.availability().create_hold(salon.employee(nth(n))).await?;
        Ok::<_, tonic::Status>(held.into_inner().hold.unwrap().id)
    };
    let first = hold(0).await.unwrap();
    for n in 1..8 {
        hold(n).await.unwrap();
    }
    let refused = hold(8).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::TooManyHolds);
    assert!(refused.message().starts_with("you hold 8 times already"), "{}", refused.message());
    let colleague = caller::UserId(uuid::Uuid::from_u128(0xb0b));
    let other = testkit::as_person(
        &salon.host,
        colleague,
        testkit::SESSION,
        Some(WILLOW),
        Some(Role::Employee),
        nth(8),
    );
    salon.availability().create_hold(other).await.unwrap();
    salon.hold(vec![by(CUT, ANA)], nine() + SignedDuration::from_mins(270)).await.unwrap();
    salon.release(&first).await.unwrap();
    hold(0).await.unwrap();
    assert_eq!(reason(&hold(10).await.unwrap_err()), Reason::TooManyHolds);
    salon.time.advance(scheduling::store::HELD_FOR);
    hold(10).await.unwrap();
}

#[tokio::test]
async fn holding_is_refused_to_guests_and_strangers() {
    let salon = Salon::open().await;
    let request = CreateHoldRequest {
        business_id: WILLOW.to_string(),
        items: vec![anyone(CUT)],
        starts_at: Some(to_proto(nine())),
        call_id: String::new(),
        ..Default::default()
    };
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, request.clone());
        assert_eq!(reason(&salon.availability().create_hold(request).await.unwrap_err()), expected);
    }
}
