//! Customers who come without an appointment.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        Appointment, AppointmentState as State, BookWalkInRequest, BookingPolicy, GetAppointmentRequest,
        UpdateBookingPolicyRequest, VisitItem,
    },
};
use testkit::as_user;
use tonic::Status;

use crate::salon::{
    ANA, BEN, COLOUR, CUT, MASSAGE, OTHER, Salon, WILLOW, anyone, by, field, monday, reason, shown, with_key,
};

fn request(items: Vec<VisitItem>, within_minutes: i32) -> BookWalkInRequest {
    BookWalkInRequest {
        business_id: WILLOW.to_string(),
        items,
        within_minutes,
        ..BookWalkInRequest::default()
    }
}

async fn walk_in(salon: &Salon, items: Vec<VisitItem>, within: i32) -> Result<Appointment, Status> {
    let response = salon.appointments().book_walk_in(salon.employee(request(items, within))).await?;
    Ok(response.into_inner().appointment.unwrap())
}

#[tokio::test]
async fn a_walk_in_starts_at_the_next_step_and_has_arrived() {
    let salon = Salon::open().await;
    let policy = BookingPolicy {
        increment_minutes: 60,
        lead_minutes: 24 * 60,
        horizon_days: 10,
        cancellation_window_minutes: 0,
    };
    let update =
        UpdateBookingPolicyRequest { business_id: WILLOW.to_string(), policy: Some(policy), seen: None };
    salon.booking_policies().update_booking_policy(salon.manager(update)).await.unwrap();
    salon.time.advance(SignedDuration::from_secs(61));
    let visit = walk_in(&salon, vec![anyone(CUT)], 0).await.unwrap();
    assert_eq!((shown(visit.starts_at.as_ref()), visit.state()), ("09:05".to_owned(), State::Arrived));
    assert_eq!((visit.customer_id.as_str(), visit.version), ("", 1));
    let read = GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id: visit.id };
    let read = salon.appointments().get_appointment(salon.employee(read)).await.unwrap().into_inner();
    let way: Vec<_> = read.state_changes.iter().map(|change| change.state()).collect();
    assert_eq!(way, [State::Booked, State::Arrived]);
}

#[tokio::test]
async fn a_walk_in_waits_for_the_first_free_time_as_long_as_it_may() {
    let salon = Salon::open().await;
    for employee in [ANA, BEN] {
        salon.book(vec![by(CUT, employee)], monday("09:00")).await.unwrap();
    }
    salon.book(vec![by(CUT, ANA)], monday("09:30")).await.unwrap();
    let refused = walk_in(&salon, vec![by(CUT, ANA)], 59).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    assert_eq!(salon.booked().await.len(), 3);
    let ana = walk_in(&salon, vec![by(CUT, ANA)], 60).await.unwrap();
    assert_eq!((shown(ana.starts_at.as_ref()), ana.state()), ("10:00".to_owned(), State::Booked));
    let anyone = walk_in(&salon, vec![anyone(CUT)], 60).await.unwrap();
    assert_eq!(shown(anyone.starts_at.as_ref()), "09:30");
    assert_eq!(anyone.items[0].employee_id, BEN.to_string());
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_pause_while_the_colour_takes_is_time_for_a_walk_in() {
    let salon = Salon::open().await;
    salon.book(vec![by(COLOUR, ANA)], monday("09:00")).await.unwrap();
    let visit = walk_in(&salon, vec![by(CUT, ANA)], 60).await.unwrap();
    assert_eq!(shown(visit.starts_at.as_ref()), "09:30");
}

#[tokio::test]
async fn a_walk_in_outside_working_time_or_without_a_skilled_employee_is_refused() {
    let salon = Salon::open().await;
    let unskilled = walk_in(&salon, vec![by(MASSAGE, ANA)], 60).await.unwrap_err();
    assert_eq!(reason(&unskilled), Reason::NotSkilled);
    salon.time.advance(SignedDuration::from_mins(8 * 60 + 40));
    let closing = walk_in(&salon, vec![anyone(CUT)], 720).await.unwrap_err();
    assert_eq!(reason(&closing), Reason::NotWorking);
    assert_eq!(salon.booked().await.len(), 0);
}

#[tokio::test]
async fn of_many_walk_ins_at_once_each_gets_a_time_of_its_own() {
    let salon = Salon::open().await;
    let attempts = (0..10).map(|_| walk_in(&salon, vec![anyone(CUT)], 90));
    let answers = futures::future::join_all(attempts).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 8);
    let refused = answers.iter().filter_map(|answer| answer.as_ref().err());
    assert!(refused.map(reason).all(|reason| reason == Reason::SlotTaken));
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_repeated_walk_in_with_its_key_is_one() {
    let salon = Salon::open().await;
    let send = async || {
        let request = with_key(salon.employee(request(vec![anyone(CUT)], 0)), "k1");
        salon.appointments().book_walk_in(request).await.unwrap().into_inner()
    };
    assert_eq!(send().await, send().await);
    assert_eq!(salon.booked().await.len(), 1);
}

#[tokio::test]
async fn a_refused_walk_in_says_why() {
    let salon = Salon::open().await;
    for minutes in [-1, 4, 721] {
        let refused = walk_in(&salon, vec![anyone(CUT)], minutes).await.unwrap_err();
        assert_eq!(field(&refused), "within_minutes");
    }
    assert_eq!(field(&walk_in(&salon, vec![], 0).await.unwrap_err()), "items");
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, request(vec![anyone(CUT)], 0));
        assert_eq!(reason(&salon.appointments().book_walk_in(request).await.unwrap_err()), expected);
    }
    let agent = salon.agent(request(vec![anyone(CUT)], 0));
    assert_eq!(reason(&salon.appointments().book_walk_in(agent).await.unwrap_err()), Reason::RoleTooLow);
}
