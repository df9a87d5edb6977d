//! Moving visits.

use caller::Role;
use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            Appointment, AppointmentState as State, BookingPolicy, ExplainAvailabilityRequest,
            GetAppointmentRequest, Hypothesis, MoveAppointmentRequest, UpdateBookingPolicyRequest,
        },
    },
    time::to_proto,
};
use testkit::as_user;
use tonic::Status;
use uuid::Uuid;

use crate::{
    changing::make_cuts_dearer,
    events::events,
    explaining,
    progress::set,
    salon::{
        ANA, BEN, COLOUR, CUT, MASSAGE, OTHER, Salon, WILLOW, anyone, by, fact, field, local, monday, reason,
        shown, with_key,
    },
};

pub const TUESDAY: &str = "2026-06-02";

pub fn request(appointment: &str, start: Timestamp) -> MoveAppointmentRequest {
    MoveAppointmentRequest {
        business_id: WILLOW.to_string(),
        appointment_id: appointment.to_owned(),
        starts_at: Some(to_proto(start)),
        ..MoveAppointmentRequest::default()
    }
}

fn get(appointment: &str) -> GetAppointmentRequest {
    GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id: appointment.to_owned() }
}

pub fn to_employees(appointment: &str, employees: &[&str]) -> MoveAppointmentRequest {
    let employee_ids = employees.iter().map(ToString::to_string).collect();
    MoveAppointmentRequest { starts_at: None, employee_ids, ..request(appointment, Timestamp::UNIX_EPOCH) }
}

pub async fn send(salon: &Salon, request: MoveAppointmentRequest) -> Result<Appointment, Status> {
    let response = salon.appointments().move_appointment(salon.employee(request)).await?;
    Ok(response.into_inner().appointment.unwrap())
}

pub async fn move_to(salon: &Salon, appointment: &str, start: Timestamp) -> Result<Appointment, Status> {
    send(salon, request(appointment, start)).await
}

pub fn nine() -> Timestamp {
    local(TUESDAY, "09:00")
}

#[tokio::test]
async fn a_moved_visit_keeps_the_price_that_was_agreed() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    make_cuts_dearer(&salon).await;
    let moved = move_to(&salon, &booked.id, local("2026-06-03", "14:00")).await.unwrap();
    assert_eq!((moved.price_minor, moved.items[0].price_minor), (4500, 4500));
    let new = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    assert_eq!((new.price_minor, new.items[0].price_minor), (9900, 9900));
}

#[tokio::test]
async fn a_moved_visit_keeps_what_it_is_and_frees_its_old_time() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(COLOUR, ANA), by(CUT, BEN)], nine()).await.unwrap();
    let moved = move_to(&salon, &booked.id, local("2026-06-03", "14:00")).await.unwrap();
    let items: Vec<_> =
        moved.items.iter().map(|item| (item.employee_id.clone(), shown(item.starts_at.as_ref()))).collect();
    assert_eq!(items, [(ANA.to_string(), "14:00".into()), (BEN.to_string(), "15:15".into())]);
    let same = |visit: &Appointment| Appointment {
        starts_at: None,
        ends_at: None,
        items: vec![],
        version: 0,
        ..visit.clone()
    };
    assert_eq!((same(&moved), moved.version), (same(&booked), 2));
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.len(), 35);
    let refused = salon.book(vec![by(CUT, ANA)], local("2026-06-03", "14:00")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    assert_eq!(salon.booked().await, std::slice::from_ref(&moved));
    let told = events(&salon).await.into_iter().filter_map(|event| match event.payload {
        Some(Payload::Appointment(appointment)) => Some(appointment),
        _ => None,
    });
    assert_eq!(told.collect::<Vec<_>>(), [booked.clone(), moved]);
    let read =
        salon.appointments().get_appointment(salon.employee(get(&booked.id))).await.unwrap().into_inner();
    let left: Vec<_> = read
        .places_left
        .iter()
        .map(|place| {
            (place.starts_at, place.ends_at, place.employee_names.len(), shown(place.left_at.as_ref()))
        })
        .collect();
    assert_eq!(left, [(booked.starts_at, booked.ends_at, 2, "09:00".to_owned())]);
    assert!(read.places_left[0].left_by.starts_with("user:"));
    let noted = "SELECT count(*) FROM audit WHERE action = 'MoveAppointment'";
    assert_eq!(salon.count(noted).await, 1);
}

#[tokio::test]
async fn a_visit_is_never_in_its_own_way() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(COLOUR, ANA)], nine()).await.unwrap();
    for start in ["09:05", "09:35", "09:00", "10:10"] {
        let moved = move_to(&salon, &booked.id, local(TUESDAY, start)).await.unwrap();
        assert_eq!(shown(moved.starts_at.as_ref()), start);
    }
    assert_eq!(salon.overlaps().await, 0);
    let open = "SELECT count(*) FROM ledger WHERE is_open";
    assert_eq!(salon.count(open).await, 2);
}

#[tokio::test]
async fn a_visit_goes_to_another_employee_at_the_same_time() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA), by(CUT, ANA)], nine()).await.unwrap();
    let (ana, ben) = (ANA.to_string(), BEN.to_string());
    let moved = send(&salon, to_employees(&booked.id, &[&ben, &ana])).await.unwrap();
    let people: Vec<_> = moved.items.iter().map(|item| item.employee_id.clone()).collect();
    assert_eq!(people, [ben.clone(), ana]);
    assert_eq!(moved.starts_at, booked.starts_at);
    salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    // Only Ben is free for all of it.
    let moved = send(&salon, to_employees(&booked.id, &["", ""])).await.unwrap();
    assert!(moved.items.iter().all(|item| item.employee_id == ben));
}

#[tokio::test]
async fn a_visit_beyond_the_horizon_goes_to_another_employee_and_to_no_other_distant_time() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], local("2026-06-16", "10:00")).await.unwrap();
    let policy = BookingPolicy { increment_minutes: 15, horizon_days: 7, ..BookingPolicy::default() };
    let request =
        UpdateBookingPolicyRequest { business_id: WILLOW.to_string(), policy: Some(policy), seen: None };
    salon.booking_policies().update_booking_policy(salon.manager(request)).await.unwrap();
    let stays = ExplainAvailabilityRequest {
        hypothesis: Some(Hypothesis { without_visit_ids: vec![visit.id.clone()], ..Hypothesis::default() }),
        ..explaining::request(vec![by(CUT, BEN)], local("2026-06-16", "10:00"))
    };
    let free = salon.availability().explain_availability(salon.employee(stays)).await.unwrap().into_inner();
    assert!(free.obstacles.is_empty() && free.offer.is_some(), "{free:?}");
    let moved = send(&salon, to_employees(&visit.id, &[&BEN.to_string()])).await.unwrap();
    assert_eq!((moved.items[0].employee_id.clone(), moved.starts_at), (BEN.to_string(), visit.starts_at));
    let refused = move_to(&salon, &visit.id, local("2026-06-16", "11:00")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::TooFar);
    move_to(&salon, &visit.id, local(TUESDAY, "11:00")).await.unwrap();
}

#[tokio::test]
async fn a_refused_move_leaves_the_visit_where_it_was() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let days = salon.count("SELECT sum(version)::bigint FROM business_day").await;
    let refused = async |start| reason(&move_to(&salon, &booked.id, start).await.unwrap_err());
    assert_eq!(refused(local(TUESDAY, "10:15")).await, Reason::SlotTaken);
    assert_eq!(refused(local(TUESDAY, "17:45")).await, Reason::NotWorking);
    assert_eq!(refused(monday("08:50")).await, Reason::TooSoon);
    assert_eq!(refused(local("2026-12-01", "10:00")).await, Reason::TooFar);
    let missing_id = Uuid::from_u128(404).to_string();
    let refused = send(&salon, to_employees(&booked.id, &[&missing_id])).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotSkilled);
    let massage = salon.book(vec![by(MASSAGE, BEN)], nine()).await.unwrap();
    let refused = send(&salon, to_employees(&massage.id, &[&ANA.to_string()])).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotSkilled);
    // Only the last booking locked the day.
    assert_eq!(salon.count("SELECT sum(version)::bigint FROM business_day").await, days + 1);
    assert!(salon.booked().await.contains(&booked));
}

#[tokio::test]
async fn a_hold_is_in_the_way_of_a_move_until_it_expires() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    salon.hold(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let refused = move_to(&salon, &booked.id, local(TUESDAY, "10:00")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    salon.time.advance(SignedDuration::from_mins(6));
    move_to(&salon, &booked.id, local(TUESDAY, "10:00")).await.unwrap();
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_visit_that_began_ended_or_was_cancelled_is_not_moved() {
    let salon = Salon::open().await;
    let book = async |time| salon.book(vec![by(CUT, ANA)], monday(time)).await.unwrap().id;
    let refused = async |id: &str| reason(&move_to(&salon, id, local(TUESDAY, "15:00")).await.unwrap_err());
    for (time, state) in [("09:00", State::NoShow), ("09:30", State::InService), ("10:00", State::Completed)]
    {
        let visit = book(time).await;
        salon.time.set(monday(time));
        set(&salon, &visit, state).await.unwrap();
        assert_eq!(refused(&visit).await, Reason::WrongState, "{state:?}");
    }
    let cancelled = book("11:00").await;
    salon.cancel(&cancelled).await.unwrap();
    assert_eq!(refused(&cancelled).await, Reason::WrongState);
    let arrived = book("12:00").await;
    set(&salon, &arrived, State::Arrived).await.unwrap();
    let moved = move_to(&salon, &arrived, monday("12:15")).await.unwrap();
    assert_eq!(moved.state(), State::Arrived);
}

#[tokio::test]
async fn staff_move_within_the_lead_time_to_the_running_five_minutes() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], monday("10:00")).await.unwrap();
    salon.time.advance(SignedDuration::from_mins(4));
    let moved = move_to(&salon, &booked.id, monday("09:00")).await.unwrap();
    assert_eq!(shown(moved.starts_at.as_ref()), "09:00");
}

#[tokio::test]
async fn what_lay_over_a_visit_gets_its_old_time_and_is_in_the_way_of_the_new() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    salon.import(vec![fact("dentist", nine(), local(TUESDAY, "10:00"))]).await.unwrap();
    assert_eq!(salon.conflicts().await.len(), 1);
    let refused = move_to(&salon, &booked.id, local(TUESDAY, "09:15")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    let both = send(
        &salon,
        MoveAppointmentRequest {
            employee_ids: vec![String::new()],
            ..request(&booked.id, local(TUESDAY, "09:15"))
        },
    );
    assert_eq!(both.await.unwrap().items[0].employee_id, BEN.to_string());
    assert_eq!(salon.conflicts().await.len(), 0);
    let refused = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_repeated_move_with_its_key_has_one_effect_and_a_stale_one_none() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![anyone(CUT)], nine()).await.unwrap();
    let to = |time| MoveAppointmentRequest { version: 1, ..request(&booked.id, local(TUESDAY, time)) };
    let key = || with_key(salon.employee(to("11:00")), "k1");
    let first = salon.appointments().move_appointment(key()).await.unwrap().into_inner();
    assert_eq!(first, salon.appointments().move_appointment(key()).await.unwrap().into_inner());
    assert_eq!(reason(&send(&salon, to("12:00")).await.unwrap_err()), Reason::Stale);
    assert_eq!(salon.booked().await, [first.appointment.unwrap()]);
}

#[tokio::test]
async fn a_visit_that_came_from_a_busier_day_is_never_in_two_places_at_one_instant() {
    let salon = Salon::open().await;
    for _ in 0..5 {
        let other = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
        salon.cancel(&other.id).await.unwrap();
    }
    let booked = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    for time in ["10:00", "10:10", "10:20"] {
        move_to(&salon, &booked.id, local("2026-06-03", time)).await.unwrap();
    }
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn of_many_moves_to_one_time_exactly_one_wins() {
    let salon = Salon::open().await;
    let mut visits = vec![];
    for hour in 9..15 {
        let start = local("2026-06-03", &format!("{hour:02}:00"));
        visits.push(salon.book(vec![by(CUT, ANA)], start).await.unwrap().id);
    }
    let moves = visits.iter().map(|id| move_to(&salon, id, nine()));
    let answers = futures::future::join_all(moves).await;
    let refused: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).map(reason).collect();
    assert_eq!(refused, [Reason::SlotTaken; 5]);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_visit_that_is_moved_and_cancelled_at_once_is_free_on_every_day() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    let moves = (3..9).map(|day| {
        let day = if day == 7 { 2 } else { day };
        move_to(&salon, &booked.id, local(&format!("2026-06-0{day}"), "10:00"))
    });
    let (moved, cancelled) = futures::join!(futures::future::join_all(moves), salon.cancel(&booked.id));
    let moved = moved.into_iter().filter(Result::is_ok).count() as i64;
    assert_eq!(cancelled.unwrap().version, moved + 2);
    assert_eq!(salon.count("SELECT count(*) FROM ledger WHERE is_open").await, 0);
    for day in ["2026-06-02", "2026-06-03", "2026-06-04", "2026-06-05", "2026-06-06", "2026-06-08"] {
        assert_eq!(salon.search(vec![by(CUT, ANA)], day).await.unwrap().offers.len(), 35, "{day}");
    }
    assert_eq!(salon.deadlocks().await, 0);
}

#[tokio::test]
async fn a_malformed_move_names_its_field() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![anyone(CUT)], nine()).await.unwrap();
    let refused = async |request| field(&send(&salon, request).await.unwrap_err());
    let odd = nine() + SignedDuration::from_mins(7);
    assert_eq!(refused(request(&booked.id, odd)).await, "starts_at");
    assert_eq!(refused(request("7", nine())).await, "appointment_id");
    assert_eq!(refused(to_employees(&booked.id, &["", ""])).await, "employee_ids");
    assert_eq!(refused(to_employees(&booked.id, &["Ana"])).await, "employee_ids[0]");
    assert_eq!(refused(to_employees(&booked.id, &[""; 7])).await, "employee_ids");
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, request(&booked.id, nine()));
        let refused = salon.appointments().move_appointment(request).await.unwrap_err();
        assert_eq!(reason(&refused), expected);
    }
}
