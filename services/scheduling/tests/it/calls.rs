//! Visits that people book from a call.

use std::sync::atomic::Ordering;

use proto::{
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            Appointment, AppointmentState, BookAppointmentRequest, BookFromWaitlistRequest,
            BookSeriesRequest, CreateHoldRequest,
        },
    },
    time::to_proto,
};
use tonic::{Response, Status};

use crate::{
    changing::undo,
    events::events,
    salon::{ANA, CALL, CUT, STRANGER, Salon, WILLOW, booking, by, field, local},
    series::{self, weekly},
};

const TUESDAY: &str = "2026-06-02";

fn from_call(call: &str) -> BookAppointmentRequest {
    BookAppointmentRequest {
        call_id: call.to_owned(),
        ..booking(vec![by(CUT, ANA)], local(TUESDAY, "09:00"))
    }
}

fn named<T>(answer: Result<Response<T>, Status>) -> String {
    field(&answer.map(drop).expect_err("an unknown call is refused"))
}

/// As the log tells of visits, the latest last.
async fn told(salon: &Salon) -> Vec<(String, Appointment)> {
    let visit = |event: proto::frontdesk::events::v1::Event| match event.payload {
        Some(Payload::Appointment(appointment)) => Some((event.actor, appointment)),
        _ => None,
    };
    events(salon).await.into_iter().filter_map(visit).collect()
}

#[tokio::test]
async fn a_visit_keeps_the_call_that_a_person_booked_it_from_and_so_does_its_undoing() {
    let salon = Salon::open().await;
    let request = salon.employee(from_call(&CALL.to_string()));
    let booked = salon.appointments().book_appointment(request).await.unwrap().into_inner();
    let visit = booked.appointment.unwrap();
    assert_eq!(visit.call_id, CALL.to_string());
    undo(&salon, &booked.change_id).await.unwrap();
    let told = told(&salon).await;
    let [(by, first), .., (_, last)] = told.as_slice() else { panic!("{told:?}") };
    assert!(by.starts_with("user:"), "the log says that a person booked it: {by}");
    assert_eq!((&first.call_id, first.version), (&CALL.to_string(), 1));
    assert_eq!((&last.call_id, last.state()), (&CALL.to_string(), AppointmentState::Cancelled));
}

#[tokio::test]
async fn the_visits_of_a_series_keep_the_call_that_it_was_booked_from() {
    let salon = Salon::open().await;
    let request = series::request(vec![by(CUT, ANA)], local(TUESDAY, "09:00"), weekly(3));
    let booked =
        series::book(&salon, BookSeriesRequest { call_id: CALL.to_string(), ..request }).await.unwrap();
    let calls: Vec<_> = booked.appointments.iter().map(|visit| visit.call_id.clone()).collect();
    assert_eq!(calls, vec![CALL.to_string(); 3]);
}

#[tokio::test]
async fn a_call_that_the_business_does_not_have_is_named_by_every_request_of_a_person_that_takes_one() {
    let salon = Salon::open().await;
    let (call_id, items) = (STRANGER.to_string(), vec![by(CUT, ANA)]);
    let start = local(TUESDAY, "09:00");
    let book = salon.employee(from_call(&call_id));
    assert_eq!(named(salon.appointments().book_appointment(book).await), "call_id");
    let hold = CreateHoldRequest {
        business_id: WILLOW.to_string(),
        items: items.clone(),
        starts_at: Some(to_proto(start)),
        call_id: call_id.clone(),
        ..CreateHoldRequest::default()
    };
    assert_eq!(named(salon.availability().create_hold(salon.employee(hold)).await), "call_id");
    let repeated = series::request(items, start, weekly(2));
    let repeated = salon.employee(BookSeriesRequest { call_id: call_id.clone(), ..repeated });
    assert_eq!(named(salon.series().book_series(repeated).await), "call_id");
    let waiting = BookFromWaitlistRequest {
        business_id: WILLOW.to_string(),
        entry_id: STRANGER.to_string(),
        starts_at: Some(to_proto(start)),
        call_id,
    };
    assert_eq!(named(salon.waitlist().book_from_waitlist(salon.employee(waiting)).await), "call_id");
    assert_eq!(salon.booked().await.len(), 0, "nothing was booked");
}

#[tokio::test]
async fn no_booking_waits_for_calls_that_can_not_be_looked_up_and_none_asks_about_a_call_of_the_agent() {
    let salon = Salon::open().await;
    salon.calls.away.store(true, Ordering::SeqCst);
    let booked = salon.book_as(salon.employee(from_call(&CALL.to_string()))).await.unwrap();
    assert_eq!(booked.call_id, CALL.to_string());
    assert_eq!(salon.calls.asked.load(Ordering::SeqCst), 1);

    let later = BookAppointmentRequest {
        starts_at: Some(to_proto(local(TUESDAY, "11:00"))),
        ..from_call(&STRANGER.to_string())
    };
    salon.book_as(salon.agent(later)).await.unwrap();
    let plain = booking(vec![by(CUT, ANA)], local(TUESDAY, "14:00"));
    salon.book_as(salon.employee(plain)).await.unwrap();
    assert_eq!(
        salon.calls.asked.load(Ordering::SeqCst),
        1,
        "the door knows its call; a desk booking has none"
    );
}
