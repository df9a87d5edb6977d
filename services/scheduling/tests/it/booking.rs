//! Booking.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{AppointmentState, BookAppointmentRequest, GetAppointmentRequest},
};
use testkit::{as_service, as_user};
use tonic::Code;
use uuid::Uuid;

use crate::{
    proposal::violation,
    salon::{
        ANA, BEN, CALL, COLOUR, CUT, MASSAGE, OTHER, Salon, WILLOW, anyone, booking, by, fact, field, local,
        monday, reason, shown,
    },
};

fn nine() -> jiff::Timestamp {
    local("2026-06-02", "09:00")
}

#[tokio::test]
async fn a_free_time_is_booked_and_can_be_read_again() {
    let salon = Salon::open().await;
    let mia = Uuid::from_u128(0x71a);
    let request = BookAppointmentRequest {
        customer_id: mia.to_string(),
        call_id: CALL.to_string(),
        notes: " allergic to lavender ".to_owned(),
        ..booking(vec![by(COLOUR, ANA), anyone(CUT)], nine())
    };
    let booked = salon.book_as(salon.agent(request)).await.unwrap();
    assert_eq!(booked.state(), AppointmentState::Booked);
    assert_eq!(
        (shown(booked.starts_at.as_ref()), shown(booked.ends_at.as_ref())),
        ("09:00".into(), "10:45".into())
    );
    let items: Vec<_> = booked
        .items
        .iter()
        .map(|item| (item.service_name.as_str(), item.employee_id.clone(), shown(item.starts_at.as_ref())))
        .collect();
    assert_eq!(
        items,
        [("Colour", ANA.to_string(), "09:00".into()), ("Cut", ANA.to_string(), "10:15".into())]
    );
    assert_eq!((booked.price_minor, booked.currency.as_str(), booked.version), (9000, "GBP", 1));
    assert_eq!((booked.customer_id.clone(), booked.call_id.clone()), (mia.to_string(), CALL.to_string()));
    // The customer's event has not arrived.
    assert_eq!((booked.customer_name.as_str(), booked.notes.as_str()), ("", "allergic to lavender"));
    let request =
        GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id: booked.id.clone() };
    let read = salon.appointments().get_appointment(salon.employee(request)).await.unwrap().into_inner();
    assert_eq!((read.appointment, read.time_zone), (Some(booked), "Europe/London".to_owned()));
}

#[tokio::test]
async fn a_time_is_booked_once() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    for start in ["08:45", "09:00", "09:05", "09:25"] {
        let refused = salon.book(vec![by(CUT, ANA)], local("2026-06-02", start)).await.unwrap_err();
        assert!([Reason::SlotTaken, Reason::NotWorking].contains(&reason(&refused)), "{start}");
    }
    salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:30")).await.unwrap();
    assert_eq!(salon.booked().await.len(), 2);
}

#[tokio::test]
async fn a_booking_without_an_employee_gets_a_free_one() {
    let salon = Salon::open().await;
    let first = salon.book(vec![anyone(CUT)], nine()).await.unwrap();
    let second = salon.book(vec![anyone(CUT)], nine()).await.unwrap();
    let third = salon.book(vec![anyone(CUT)], nine()).await.unwrap_err();
    assert_eq!(first.items[0].employee_id, ANA.to_string());
    assert_eq!(second.items[0].employee_id, BEN.to_string());
    assert_eq!(reason(&third), Reason::SlotTaken);
}

#[tokio::test]
async fn buffers_stay_free_between_visits_and_fall_away_within_one() {
    let salon = Salon::open().await;
    // Ben's massage wants five minutes before it, but he is at the same customer already.
    let visit = salon.book(vec![by(CUT, BEN), by(MASSAGE, BEN)], nine()).await.unwrap();
    assert_eq!(shown(visit.ends_at.as_ref()), "10:15");
    let refused = salon.book(vec![by(MASSAGE, BEN)], local("2026-06-02", "10:15")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    salon.book(vec![by(MASSAGE, BEN)], local("2026-06-02", "10:20")).await.unwrap();
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn an_employee_may_come_back_within_a_visit() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(COLOUR, ANA), by(CUT, BEN), by(CUT, ANA)], nine()).await.unwrap();
    let people: Vec<_> = visit.items.iter().map(|item| item.employee_id.clone()).collect();
    assert_eq!(people, [ANA, BEN, ANA].map(|id| id.to_string()));
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn busy_time_from_a_calendar_can_not_be_booked() {
    let salon = Salon::open().await;
    salon.import(vec![fact("dentist", nine(), local("2026-06-02", "10:00"))]).await.unwrap();
    let refused = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:45")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
}

#[tokio::test]
async fn a_refused_booking_says_why_and_leaves_nothing() {
    let salon = Salon::open().await;
    let refused = async |items, start| reason(&salon.book(items, start).await.unwrap_err());
    assert_eq!(refused(vec![anyone(CUT)], local("2026-06-02", "17:45")).await, Reason::NotWorking);
    assert_eq!(refused(vec![anyone(CUT)], local("2026-06-07", "10:00")).await, Reason::NotWorking);
    assert_eq!(refused(vec![by(MASSAGE, ANA)], nine()).await, Reason::NotSkilled);
    assert_eq!(refused(vec![by(CUT, Uuid::from_u128(404))], nine()).await, Reason::NotSkilled);
    assert_eq!(refused(vec![anyone(CUT)], monday("08:55")).await, Reason::TooSoon);
    assert_eq!(refused(vec![anyone(CUT)], local("2026-12-01", "10:00")).await, Reason::TooFar);
    let unknown = salon.book(vec![anyone(CUT), anyone(Uuid::from_u128(404))], nine()).await.unwrap_err();
    assert_eq!((reason(&unknown), violation(&unknown)), (Reason::NotFound, "items[1].service_id".into()));
    for table in ["appointment", "ledger", "hold", "business_day", "audit"] {
        let rows = format!("SELECT count(*) FROM {table} WHERE true");
        let seeded = if table == "audit" { 6 } else { 0 };
        assert_eq!(salon.count(&rows).await, seeded, "{table}");
    }
}

#[tokio::test]
async fn a_malformed_booking_names_its_field() {
    let salon = Salon::open().await;
    let refused = async |change: &dyn Fn(&mut BookAppointmentRequest)| {
        let mut request = booking(vec![anyone(CUT)], nine());
        change(&mut request);
        field(&salon.book_as(salon.employee(request)).await.unwrap_err())
    };
    assert_eq!(refused(&|request| request.starts_at = None).await, "starts_at");
    let odd = Some(proto::time::to_proto(nine() + SignedDuration::from_mins(7)));
    assert_eq!(refused(&|request| request.starts_at = odd).await, "starts_at");
    let odd = Some(proto::time::to_proto(nine() + SignedDuration::from_nanos(1)));
    assert_eq!(refused(&|request| request.starts_at = odd).await, "starts_at");
    assert_eq!(refused(&|request| request.items.clear()).await, "items");
    assert_eq!(refused(&|request| request.customer_id = "Mia".into()).await, "customer_id");
    assert_eq!(refused(&|request| request.call_id = "7".into()).await, "call_id");
    assert_eq!(refused(&|request| request.notes = "x".repeat(2001)).await, "notes");
    assert_eq!(refused(&|request| request.hold_id = "7".into()).await, "hold_id");
    let hold = Uuid::from_u128(1).to_string();
    assert_eq!(refused(&|request| request.hold_id = hold.clone()).await, "items");
    let only_start = |request: &mut BookAppointmentRequest| {
        request.hold_id = hold.clone();
        request.items.clear();
    };
    assert_eq!(refused(&only_start).await, "starts_at");
}

#[tokio::test]
async fn the_installation_enters_what_has_happened_already() {
    let salon = Salon::open().await;
    let last_week = || booking(vec![by(CUT, ANA)], local("2026-05-26", "10:00"));
    let refused = salon.book_as(salon.employee(last_week())).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::TooSoon);
    salon.book_as(salon.service("local", last_week())).await.unwrap();
    let again = salon.book_as(salon.service("local", last_week())).await.unwrap_err();
    assert_eq!(reason(&again), Reason::SlotTaken);
}

#[tokio::test]
async fn booking_is_refused_to_whom_it_does_not_concern() {
    let salon = Salon::open().await;
    let request = || booking(vec![anyone(CUT)], nine());
    let guest = as_user(&salon.host, Role::Guest, WILLOW, request());
    assert_eq!(reason(&salon.book_as(guest).await.unwrap_err()), Reason::RoleTooLow);
    let stranger = as_user(&salon.host, Role::Owner, OTHER, request());
    assert_eq!(reason(&salon.book_as(stranger).await.unwrap_err()), Reason::NotFound);
    let service = as_service("telemetry", &salon.host, Some(WILLOW), request());
    assert_eq!(reason(&salon.book_as(service).await.unwrap_err()), Reason::RoleTooLow);
    let anonymous = salon.book_as(tonic::Request::new(request())).await.unwrap_err();
    assert_eq!(reason(&anonymous), Reason::PassportRefused);
    assert_eq!(salon.booked().await.len(), 0);
}

#[tokio::test]
async fn another_business_does_not_see_an_appointment() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![anyone(CUT)], nine()).await.unwrap();
    salon.set_hours(OTHER, crate::salon::weekdays(9, 18)).await;
    let request = GetAppointmentRequest { business_id: OTHER.to_string(), appointment_id: booked.id };
    let request = as_user(&salon.host, Role::Owner, OTHER, request);
    assert_eq!(reason(&salon.appointments().get_appointment(request).await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn of_200_bookings_of_one_time_at_once_exactly_one_wins() {
    let salon = Salon::open().await;
    // A machine with other work may be too busy for all at once, and says so.
    let ask = async || loop {
        match salon.book(vec![by(CUT, ANA)], nine()).await {
            Err(busy) if busy.code() == Code::Unavailable => tokio::task::yield_now().await,
            answer => return answer,
        }
    };
    let attempts = (0..200).map(|_| ask());
    let (won, lost): (Vec<_>, Vec<_>) =
        futures::future::join_all(attempts).await.into_iter().partition(Result::is_ok);
    assert_eq!(won.len(), 1);
    for refused in lost {
        assert_eq!(reason(&refused.unwrap_err()), Reason::SlotTaken);
    }
    assert_eq!(salon.count("SELECT count(DISTINCT visit_id) FROM ledger").await, 1);
    assert_eq!(salon.count("SELECT count(*) FROM appointment").await, 1);
    assert_eq!(
        salon.count("SELECT count(*) FROM outbox WHERE aggregate_id IN (SELECT id FROM appointment)").await,
        1
    );
}
