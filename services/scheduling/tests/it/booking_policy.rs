//! When a business takes bookings and cancellations.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        Appointment, BookingPolicy, CancelAppointmentRequest, GetBookingPolicyRequest,
        UpdateBookingPolicyRequest,
    },
};
use testkit::as_user;
use tonic::{Request, Status};
use tonic_types::StatusExt;

use crate::{
    events::schedule_versions,
    salon::{ANA, CUT, OTHER, Salon, WILLOW, by, field, local, reason, starts, with_key},
};

/// Half-hours, an hour's lead, two weeks ahead, a day's notice of cancellations.
fn strict() -> BookingPolicy {
    BookingPolicy {
        increment_minutes: 30,
        lead_minutes: 60,
        horizon_days: 14,
        cancellation_window_minutes: 24 * 60,
    }
}

fn request(policy: BookingPolicy) -> UpdateBookingPolicyRequest {
    UpdateBookingPolicyRequest { business_id: WILLOW.to_string(), policy: Some(policy), seen: None }
}

async fn update(
    salon: &Salon,
    request: Request<UpdateBookingPolicyRequest>,
) -> Result<BookingPolicy, Status> {
    Ok(salon.booking_policies().update_booking_policy(request).await?.into_inner().policy.unwrap())
}

async fn policy(salon: &Salon) -> BookingPolicy {
    let request = GetBookingPolicyRequest { business_id: WILLOW.to_string() };
    let response = salon.booking_policies().get_booking_policy(salon.employee(request)).await.unwrap();
    response.into_inner().policy.unwrap()
}

/// Cancels as an employee of the salon.
async fn cancel_as_staff(salon: &Salon, id: &str) -> Appointment {
    let request = CancelAppointmentRequest {
        business_id: WILLOW.to_string(),
        appointment_id: id.to_owned(),
        reason: String::new(),
    };
    let response = salon.appointments().cancel_appointment(salon.employee(request)).await.unwrap();
    response.into_inner().appointment.unwrap()
}

#[tokio::test]
async fn a_policy_counts_from_the_next_search_on() {
    let salon = Salon::open().await;
    let before = BookingPolicy {
        increment_minutes: 15,
        lead_minutes: 0,
        horizon_days: 180,
        cancellation_window_minutes: 0,
    };
    assert_eq!(policy(&salon).await, before);
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.len(), 35);
    assert_eq!(update(&salon, salon.manager(request(strict()))).await.unwrap(), strict());
    assert_eq!(policy(&salon).await, strict());
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.len(), 18);
    // It is nine in London.
    let today = salon.search(vec![by(CUT, ANA)], "2026-06-01").await.unwrap();
    assert_eq!(starts(&today.offers)[0], "10:00");
    let refused = salon.book(vec![by(CUT, ANA)], local("2026-06-16", "10:00")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::TooFar);
}

#[tokio::test]
async fn a_change_is_told_and_audited_once_however_often_it_is_sent() {
    let salon = Salon::open().await;
    let told = schedule_versions(&salon).await.len();
    for _ in 0..2 {
        update(&salon, with_key(salon.manager(request(strict())), "k1")).await.unwrap();
    }
    assert_eq!(schedule_versions(&salon).await.len(), told + 1);
    let changes = salon.trail().await.into_iter().filter(|(action, _)| action == "UpdateBookingPolicy");
    assert_eq!(changes.count(), 1);
}

#[tokio::test]
async fn a_policy_out_of_bounds_names_its_field_and_changes_nothing() {
    let salon = Salon::open().await;
    let refused = async |policy| field(&update(&salon, salon.manager(request(policy))).await.unwrap_err());
    let odd = BookingPolicy { increment_minutes: 7, ..strict() };
    assert_eq!(refused(odd).await, "policy.increment_minutes");
    let long = BookingPolicy { lead_minutes: 43_201, ..strict() };
    assert_eq!(refused(long).await, "policy.lead_minutes");
    let none = BookingPolicy { horizon_days: 0, ..strict() };
    assert_eq!(refused(none).await, "policy.horizon_days");
    let negative = BookingPolicy { cancellation_window_minutes: -1, ..strict() };
    assert_eq!(refused(negative).await, "policy.cancellation_window_minutes");
    let empty = UpdateBookingPolicyRequest { business_id: WILLOW.to_string(), policy: None, seen: None };
    assert_eq!(field(&update(&salon, salon.manager(empty)).await.unwrap_err()), "policy");
    assert_eq!(policy(&salon).await.increment_minutes, 15);
}

#[tokio::test]
async fn a_policy_under_which_no_customer_could_book_is_refused() {
    let salon = Salon::open().await;
    let never = BookingPolicy { lead_minutes: 14 * 24 * 60, ..strict() };
    let refused = update(&salon, salon.manager(request(never))).await.unwrap_err();
    assert_eq!(field(&refused), "policy.lead_minutes");
    let extreme = BookingPolicy {
        increment_minutes: i32::MAX,
        lead_minutes: i32::MIN,
        horizon_days: i32::MAX,
        cancellation_window_minutes: i32::MIN,
    };
    let refused = update(&salon, salon.manager(request(extreme))).await.unwrap_err();
    assert_eq!(field(&refused), "policy.increment_minutes");
    assert_eq!(policy(&salon).await.lead_minutes, 0);
}

#[tokio::test]
async fn two_managers_do_not_overwrite_each_others_policy() {
    let salon = Salon::open().await;
    let seen = policy(&salon).await;
    let from =
        |seen: BookingPolicy, policy| UpdateBookingPolicyRequest { seen: Some(seen), ..request(policy) };
    let notice = BookingPolicy { cancellation_window_minutes: 24 * 60, ..seen };
    let halves = BookingPolicy { increment_minutes: 30, ..seen };
    let both = futures::join!(
        update(&salon, salon.manager(from(seen, notice))),
        update(&salon, salon.manager(from(seen, halves))),
    );
    let refused: Vec<_> = [both.0, both.1].into_iter().filter_map(Result::err).collect();
    assert_eq!(refused.iter().map(reason).collect::<Vec<_>>(), [Reason::Stale]);
    let now = policy(&salon).await;
    assert!(now == notice || now == halves, "{now:?}");
    update(&salon, salon.manager(from(now, strict()))).await.unwrap();
    assert_eq!(policy(&salon).await, strict());
}

#[tokio::test]
async fn what_is_booked_already_is_cancelled_by_the_policy_of_today() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:00")).await.unwrap();
    update(&salon, salon.manager(request(BookingPolicy { cancellation_window_minutes: 2_880, ..strict() })))
        .await
        .unwrap();
    assert_eq!(reason(&salon.cancel(&visit.id).await.unwrap_err()), Reason::CancellationWindow);
}

#[tokio::test]
async fn only_managers_change_a_policy_and_other_businesses_cannot_read_it() {
    let salon = Salon::open().await;
    let refused = update(&salon, salon.employee(request(strict()))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    let read = GetBookingPolicyRequest { business_id: WILLOW.to_string() };
    let guest = as_user(&salon.host, Role::Guest, WILLOW, read.clone());
    let refused = salon.booking_policies().get_booking_policy(guest).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    let stranger = as_user(&salon.host, Role::Owner, OTHER, read);
    let refused = salon.booking_policies().get_booking_policy(stranger).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
}

#[tokio::test]
async fn within_the_window_the_voice_agent_cancels_nothing_and_staff_cancel_late() {
    let salon = Salon::open().await;
    update(&salon, salon.manager(request(strict()))).await.unwrap();
    let visit = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:00")).await.unwrap();
    salon.time.advance(SignedDuration::from_secs(1));
    let refused = salon.cancel(&visit.id).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::CancellationWindow);
    let told = refused.get_details_error_info().unwrap().metadata;
    assert_eq!(told.get("until").map(String::as_str), Some("2026-06-01T08:00:00Z"));
    assert!(cancel_as_staff(&salon, &visit.id).await.late_cancellation);
}

#[tokio::test]
async fn a_cancellation_before_the_deadline_is_never_late() {
    let salon = Salon::open().await;
    update(&salon, salon.manager(request(strict()))).await.unwrap();
    let at = |time| local("2026-06-02", time);
    let by_agent = salon.book(vec![by(CUT, ANA)], at("09:00")).await.unwrap();
    let by_staff = salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap();
    assert!(!salon.cancel(&by_agent.id).await.unwrap().late_cancellation);
    assert!(!cancel_as_staff(&salon, &by_staff.id).await.late_cancellation);
}
