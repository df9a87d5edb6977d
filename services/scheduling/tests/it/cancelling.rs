//! Cancelling.

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{Appointment, AppointmentState, CancelAppointmentRequest},
};
use testkit::as_user;
use uuid::Uuid;

use crate::{
    moving, progress,
    salon::{ANA, BEN, COLOUR, CUT, OTHER, Salon, WILLOW, by, field, local, reason},
};

async fn booked(salon: &Salon) -> Appointment {
    salon.book(vec![by(COLOUR, ANA)], local("2026-06-02", "09:00")).await.unwrap()
}

#[tokio::test]
async fn a_cancelled_visit_frees_its_time_and_stays_on_record() {
    let salon = Salon::open().await;
    let appointment = booked(&salon).await;
    let cancelled = salon.cancel(&appointment.id).await.unwrap();
    assert_eq!((cancelled.state(), cancelled.version), (AppointmentState::Cancelled, 2));
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.len(), 35);
    assert_eq!(salon.booked().await[0].state(), AppointmentState::Cancelled);
    let record = "SELECT count(*) FROM appointment WHERE cancel_reason = 'ill'
        AND cancelled_by LIKE 'agent:%' AND cancelled_at = '2026-06-01T08:00:00Z'";
    assert_eq!(salon.count(record).await, 1);
    salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:00")).await.unwrap();
}

#[tokio::test]
async fn the_ledger_still_reads_as_it_was_before_a_cancellation() {
    let salon = Salon::open().await;
    let appointment = booked(&salon).await;
    salon.time.advance(jiff::SignedDuration::from_mins(30));
    salon.cancel(&appointment.id).await.unwrap();
    let as_of = |time: &str| format!("SELECT count(*) FROM ledger WHERE recorded @> '{time}'::timestamptz");
    assert_eq!(salon.count(&as_of("2026-06-01T08:29:59Z")).await, 2);
    assert_eq!(salon.count(&as_of("2026-06-01T08:30:00Z")).await, 0);
    assert_eq!(salon.count(&as_of("2026-06-01T07:59:59Z")).await, 0);
}

#[tokio::test]
async fn a_visit_is_cancelled_once() {
    let salon = Salon::open().await;
    let appointment = booked(&salon).await;
    salon.cancel(&appointment.id).await.unwrap();
    assert_eq!(reason(&salon.cancel(&appointment.id).await.unwrap_err()), Reason::WrongState);
}

#[tokio::test]
async fn of_many_cancellations_at_once_exactly_one_takes_effect() {
    let salon = Salon::open().await;
    let appointment = booked(&salon).await;
    let attempts = (0..20).map(|_| salon.cancel(&appointment.id));
    let done = futures::future::join_all(attempts).await.into_iter().filter(Result::is_ok).count();
    assert_eq!(done, 1);
    assert_eq!(salon.booked().await[0].version, 2);
}

#[tokio::test]
async fn a_visit_that_has_begun_or_ended_is_not_cancelled() {
    let salon = Salon::open().await;
    for (hour, state) in [("09:00", "IN_SERVICE"), ("11:00", "COMPLETED"), ("13:00", "NO_SHOW")] {
        let visit = salon.book(vec![by(CUT, ANA)], local("2026-06-02", hour)).await.unwrap();
        let sql = sqlx::AssertSqlSafe(format!(
            "UPDATE appointment SET state = '{state}' WHERE id = '{}'",
            visit.id
        ));
        sqlx::query(sql).execute(&mut salon.superuser().await).await.unwrap();
        assert_eq!(reason(&salon.cancel(&visit.id).await.unwrap_err()), Reason::WrongState, "{state}");
    }
    assert_eq!(salon.count("SELECT count(*) FROM ledger WHERE is_open").await, 3);
}

#[tokio::test]
async fn a_refused_cancellation_says_why() {
    let salon = Salon::open().await;
    let appointment = booked(&salon).await;
    let unknown = salon.cancel(&Uuid::from_u128(404).to_string()).await.unwrap_err();
    assert_eq!(reason(&unknown), Reason::NotFound);
    assert_eq!(field(&salon.cancel("7").await.unwrap_err()), "appointment_id");
    let request = CancelAppointmentRequest {
        business_id: WILLOW.to_string(),
        appointment_id: appointment.id.clone(),
        reason: "x".repeat(501),
    };
    let too_long =
        salon.appointments().cancel_appointment(salon.employee(request.clone())).await.unwrap_err();
    assert_eq!(field(&too_long), "reason");
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, request.clone());
        let refused = salon.appointments().cancel_appointment(request).await.unwrap_err();
        assert_eq!(reason(&refused), expected);
    }
    salon.set_hours(OTHER, crate::salon::weekdays(9, 18)).await;
    let foreign = CancelAppointmentRequest {
        business_id: OTHER.to_string(),
        appointment_id: appointment.id,
        reason: String::new(),
    };
    let foreign = as_user(&salon.host, Role::Owner, OTHER, foreign);
    let refused = salon.appointments().cancel_appointment(foreign).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    assert_eq!(salon.booked().await[0].state(), AppointmentState::Booked);
}

#[tokio::test]
async fn a_visit_that_was_moved_from_a_busier_day_is_restored_with_its_time() {
    let salon = Salon::open().await;
    // A hundred changes of Tuesday, at one instant of the clock: it is ahead of Wednesday.
    for _ in 0..50 {
        let held = salon.hold(vec![by(CUT, BEN)], local("2026-06-02", "16:00")).await.unwrap();
        salon.release(&held.id).await.unwrap();
    }
    let booked = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "10:00")).await.unwrap();
    let wednesday = local("2026-06-03", "10:00");
    moving::send(&salon, moving::request(&booked.id, wednesday)).await.unwrap();
    salon.cancel(&booked.id).await.unwrap();
    progress::restore(&salon, &booked.id).await.unwrap();
    let refused = salon.book(vec![by(CUT, ANA)], wednesday).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
}
