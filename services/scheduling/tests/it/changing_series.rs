//! What the visits of a series are, changed: this one, those that follow, or all.

use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        Appointment, AppointmentState as State, ChangeAppointmentRequest, EmployeeWish as Wish,
        MoveAppointmentRequest, MoveRestOfSeriesRequest, MoveToWaitlistRequest, Series, SeriesScope,
    },
    time::to_proto,
};
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::{
    changing::{TUESDAY, booked, change, item, ten, to, undo, wished, without_version},
    moving,
    salon::{ANA, BEN, CUT, MASSAGE, Salon, WILLOW, by, field, local, reason},
    series::{self, starts, weekly},
};

#[tokio::test]
async fn a_series_changes_from_one_visit_on_or_whole_each_keeping_its_time_and_hands() {
    let salon = Salon::open().await;
    let wanted = series::request(vec![by(CUT, ANA)], ten(), weekly(4));
    let before = series::book(&salon, wanted).await.unwrap();
    moving::send(
        &salon,
        MoveAppointmentRequest {
            employee_ids: vec![BEN.to_string()],
            ..moving::request(&before.appointments[2].id, local("2026-06-18", "12:00"))
        },
    )
    .await
    .unwrap();
    let before = series::get(&salon, &before.id).await;
    let items = vec![item(CUT, ANA), item(MASSAGE, BEN)];
    let following = ChangeAppointmentRequest {
        scope: SeriesScope::Following.into(),
        notes: Some("Quiet".to_owned()),
        ..to(&before.appointments[1], items.clone())
    };
    let answer = change(&salon, following).await.unwrap();
    assert_eq!((answer.changed_count, answer.left_appointment_ids.len()), (3, 0));
    let now = series::get(&salon, &before.id).await;
    assert_eq!(starts(&now.appointments), starts(&before.appointments));
    let lengths: Vec<_> = now.appointments.iter().map(|visit| visit.items.len()).collect();
    assert_eq!(lengths, [1, 2, 2, 2]);
    assert_eq!(now.appointments[2].items[0].employee_id, BEN.to_string(), "Ben keeps the cut he has");
    assert!(now.appointments[1..].iter().all(|visit| visit.notes == "Quiet"));
    undo(&salon, &answer.change_id).await.unwrap();
    let back = series::get(&salon, &before.id).await;
    let visits = |series: &Series| series.appointments.iter().map(without_version).collect::<Vec<_>>();
    assert_eq!(visits(&back), visits(&before));

    salon.book(vec![by(MASSAGE, BEN)], local("2026-06-23", "10:35")).await.unwrap();
    let all = ChangeAppointmentRequest { scope: SeriesScope::All.into(), ..to(&back.appointments[1], items) };
    let refused = change(&salon, all.clone()).await.unwrap_err();
    let metadata = refused.get_details_error_info().unwrap().metadata;
    assert_eq!((reason(&refused), metadata["occurrence"].as_str()), (Reason::SlotTaken, "4"));
    assert_eq!(visits(&series::get(&salon, &before.id).await), visits(&before));
    let rest = change(&salon, ChangeAppointmentRequest { leave_taken: true, ..all }).await.unwrap();
    assert_eq!(rest.changed_count, 3);
    assert_eq!(rest.left_appointment_ids, [before.appointments[3].id.clone()]);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn wishes_of_a_series_change_without_its_visits_leaving_their_places() {
    let salon = Salon::open().await;
    let wanted = series::request(vec![by(CUT, ANA)], ten(), weekly(3));
    let before = series::book(&salon, wanted).await.unwrap();
    let all = ChangeAppointmentRequest {
        scope: SeriesScope::All.into(),
        ..to(&before.appointments[0], vec![wished(item(CUT, ANA), Wish::Only, ANA)])
    };
    assert_eq!(change(&salon, all).await.unwrap().changed_count, 3);
    let locked = series::get(&salon, &before.id).await;
    assert!(locked.appointments.iter().all(|visit| visit.items[0].employee_wish() == Wish::Only));

    // A move of them to another employee needs the customer's consent as well.
    let to_ben = MoveRestOfSeriesRequest {
        starts_at: None,
        employee_ids: vec![BEN.to_string()],
        ..series::rest(&locked, 0, ten())
    };
    let refused = series::move_remainder(&salon, to_ben.clone()).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::EmployeeRequested);
    let agreed = MoveRestOfSeriesRequest { customer_agreed: true, ..to_ben };
    let moved = series::move_remainder(&salon, agreed).await.unwrap().series.unwrap();
    assert!(moved.appointments.iter().all(|visit| visit.items[0].employee_id == BEN.to_string()));
}

#[tokio::test]
async fn one_visit_has_no_series_and_several_keep_their_starts() {
    let salon = Salon::open().await;
    let single = booked(&salon).await;
    let all = |visit: &Appointment| ChangeAppointmentRequest {
        scope: SeriesScope::All.into(),
        ..to(visit, vec![item(CUT, ANA)])
    };
    assert_eq!(field(&change(&salon, all(&single)).await.unwrap_err()), "scope");
    let moved = ChangeAppointmentRequest { starts_at: Some(to_proto(ten())), ..all(&single) };
    assert_eq!(field(&change(&salon, moved).await.unwrap_err()), "starts_at");
}

#[tokio::test]
async fn a_visit_of_a_series_goes_to_the_waitlist_with_those_that_follow_and_comes_back() {
    let salon = Salon::open().await;
    let mut wanted = series::request(vec![by(CUT, ANA)], ten(), weekly(3));
    wanted.customer_id = Uuid::from_u128(0xd1).to_string();
    let before = series::book(&salon, wanted).await.unwrap();
    let wait = MoveToWaitlistRequest {
        business_id: WILLOW.to_string(),
        appointment_id: before.appointments[1].id.clone(),
        first_date: TUESDAY.to_owned(),
        last_date: "2026-06-20".to_owned(),
        scope: SeriesScope::Following.into(),
        ..MoveToWaitlistRequest::default()
    };
    let answer = salon.waitlist().move_to_waitlist(salon.employee(wait)).await.unwrap().into_inner();
    assert_eq!(answer.cancelled_count, 2);
    let states = async || {
        let series = series::get(&salon, &before.id).await;
        series.appointments.iter().map(Appointment::state).collect::<Vec<_>>()
    };
    assert_eq!(states().await, [State::Booked, State::Cancelled, State::Cancelled]);
    let waiting = "SELECT count(*) FROM waitlist_entry WHERE state = 'WAITING'";
    assert_eq!(salon.count(waiting).await, 1);
    undo(&salon, &answer.change_id).await.unwrap();
    assert_eq!(states().await, [State::Booked; 3]);
    assert_eq!(salon.count(waiting).await, 0);
}
