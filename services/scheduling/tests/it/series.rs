//! Visits that repeat.

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::{
        error::v1 as error,
        events::v1::event::Payload,
        scheduling::v1::{
            Appointment, AppointmentState as State, BookSeriesRequest, Cadence, CancelRestOfSeriesRequest,
            GetSeriesRequest, MoveRestOfSeriesRequest, MoveRestOfSeriesResponse, OccurrenceChange,
            PlanSeriesRequest, PlanSeriesResponse, Recurrence, Series, VisitItem,
        },
    },
    time::to_proto,
};
use testkit::as_user;
use tonic::Status;
use tonic_types::StatusExt;

use crate::{
    events::events,
    moving,
    progress::set,
    salon::{
        ANA, BEN, COLOUR, CUT, OTHER, Salon, WILLOW, anyone, by, fact, field, local, reason, shown, with_key,
    },
};

pub fn weekly(count: i32) -> Recurrence {
    Recurrence { cadence: Cadence::Weekly.into(), every: 1, count }
}

fn tuesday() -> Timestamp {
    local("2026-06-02", "10:00")
}

pub fn request(items: Vec<VisitItem>, start: Timestamp, recurrence: Recurrence) -> BookSeriesRequest {
    BookSeriesRequest {
        business_id: WILLOW.to_string(),
        items,
        starts_at: Some(to_proto(start)),
        recurrence: Some(recurrence),
        ..BookSeriesRequest::default()
    }
}

pub async fn book(salon: &Salon, request: BookSeriesRequest) -> Result<Series, Status> {
    Ok(salon.series().book_series(salon.employee(request)).await?.into_inner().series.unwrap())
}

async fn plan(salon: &Salon, of: &BookSeriesRequest) -> PlanSeriesResponse {
    let request = PlanSeriesRequest {
        business_id: of.business_id.clone(),
        items: of.items.clone(),
        starts_at: of.starts_at,
        recurrence: of.recurrence,
        ..Default::default()
    };
    salon.series().plan_series(salon.employee(request)).await.unwrap().into_inner()
}

pub async fn get(salon: &Salon, id: &str) -> Series {
    let request = GetSeriesRequest { business_id: WILLOW.to_string(), series_id: id.to_owned() };
    salon.series().get_series(salon.employee(request)).await.unwrap().into_inner().series.unwrap()
}

pub fn rest(series: &Series, from: usize, start: Timestamp) -> MoveRestOfSeriesRequest {
    MoveRestOfSeriesRequest {
        business_id: WILLOW.to_string(),
        series_id: series.id.clone(),
        from_appointment_id: series.appointments[from].id.clone(),
        starts_at: Some(to_proto(start)),
        ..MoveRestOfSeriesRequest::default()
    }
}

pub async fn move_remainder(
    salon: &Salon,
    request: MoveRestOfSeriesRequest,
) -> Result<MoveRestOfSeriesResponse, Status> {
    Ok(salon.series().move_rest_of_series(salon.employee(request)).await?.into_inner())
}

async fn cancel_remainder(salon: &Salon, series: &Series, from: usize) -> Result<Series, Status> {
    let request = CancelRestOfSeriesRequest {
        business_id: WILLOW.to_string(),
        series_id: series.id.clone(),
        from_appointment_id: series.appointments[from].id.clone(),
        reason: "moves away".to_owned(),
        whole_series: false,
    };
    let response = salon.series().cancel_rest_of_series(salon.employee(request)).await?;
    Ok(response.into_inner().series.unwrap())
}

/// Dates and times by London's clock.
pub fn starts(appointments: &[Appointment]) -> Vec<String> {
    let start = |one: &Appointment| {
        let at = proto::time::required("starts_at", one.starts_at.as_ref()).unwrap();
        at.in_tz("Europe/London").unwrap().strftime("%m-%d %H:%M").to_string()
    };
    appointments.iter().map(start).collect()
}

/// Which visit of the series a refusal names.
fn occurrence(status: &Status) -> String {
    status.get_details_error_info().unwrap().metadata["occurrence"].clone()
}

#[tokio::test]
async fn books_every_visit_of_a_series_at_the_same_local_time() {
    let salon = Salon::open().await;
    let wanted = request(vec![by(CUT, ANA)], local("2026-10-13", "10:00"), weekly(3));
    let series = book(&salon, wanted).await.unwrap();
    assert_eq!(starts(&series.appointments), ["10-13 10:00", "10-20 10:00", "10-27 10:00"]);
    assert!(series.appointments.iter().all(|one| one.series_id == series.id));
    assert_eq!(series.appointments.iter().map(|one| one.occurrence).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(get(&salon, &series.id).await, series);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn each_visit_has_its_event_and_the_series_its_entry_in_the_trail() {
    let salon = Salon::open().await;
    let series = book(&salon, request(vec![by(CUT, ANA)], tuesday(), weekly(2))).await.unwrap();
    let told: Vec<_> = events(&salon)
        .await
        .into_iter()
        .filter_map(|event| match event.payload {
            Some(Payload::Appointment(appointment)) => Some(appointment),
            _ => None,
        })
        .collect();
    assert_eq!(told, series.appointments);
    let trail = salon.trail().await;
    assert_eq!(trail.iter().filter(|(action, _)| action == "BookSeries").count(), 3);
}

#[tokio::test]
async fn a_plan_says_what_is_taken_and_what_is_free_near_it() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], local("2026-06-09", "10:00")).await.unwrap();
    let wanted = request(vec![by(CUT, ANA)], tuesday(), weekly(3));
    let occurrences = plan(&salon, &wanted).await.occurrences;
    let reasons: Vec<_> = occurrences.iter().map(|one| one.reason()).collect();
    use error::Reason::{SlotTaken, Unspecified};
    assert_eq!(reasons, [Unspecified, SlotTaken, Unspecified]);
    assert!(occurrences[0].offer.is_some() && occurrences[0].nearest.is_none());
    assert!(occurrences[1].offer.is_none());
    let nearest = occurrences[1].nearest.as_ref().unwrap();
    assert_eq!(shown(nearest.starts_at.as_ref()), "09:30");
    assert_eq!(occurrences[1].date, "2026-06-09");
    assert_eq!(salon.count("SELECT count(*) FROM appointment").await, 1);
}

#[tokio::test]
async fn a_series_is_booked_whole_or_not_at_all() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], local("2026-06-09", "10:00")).await.unwrap();
    let wanted = request(vec![by(CUT, ANA)], tuesday(), weekly(3));
    let refused = book(&salon, wanted.clone()).await.unwrap_err();
    assert_eq!((reason(&refused), occurrence(&refused).as_str()), (Reason::SlotTaken, "2"));
    assert_eq!(salon.count("SELECT count(*) FROM appointment").await, 1);
    let elsewhere = OccurrenceChange { number: 2, starts_at: Some(to_proto(local("2026-06-09", "10:30"))) };
    let left_out = OccurrenceChange { number: 3, starts_at: None };
    let series =
        book(&salon, BookSeriesRequest { changes: vec![elsewhere, left_out], ..wanted }).await.unwrap();
    assert_eq!(starts(&series.appointments), ["06-02 10:00", "06-09 10:30"]);
}

#[tokio::test]
async fn a_series_beyond_the_horizon_names_its_first_visit_there() {
    let salon = Salon::open().await;
    let monthly = Recurrence { cadence: Cadence::Monthly.into(), every: 3, count: 4 };
    let refused = book(&salon, request(vec![anyone(CUT)], tuesday(), monthly)).await.unwrap_err();
    assert_eq!((reason(&refused), occurrence(&refused).as_str()), (Reason::TooFar, "3"));
}

#[tokio::test]
async fn the_rest_moves_and_what_was_moved_by_itself_stays() {
    let salon = Salon::open().await;
    let series = book(&salon, request(vec![by(CUT, ANA)], tuesday(), weekly(4))).await.unwrap();
    let alone = moving::request(&series.appointments[2].id, local("2026-06-18", "12:00"));
    moving::send(&salon, alone).await.unwrap();
    let moved = move_remainder(&salon, rest(&series, 1, local("2026-06-10", "14:00"))).await.unwrap();
    let now = moved.series.unwrap();
    assert_eq!(starts(&now.appointments), ["06-02 10:00", "06-10 14:00", "06-18 12:00", "06-24 14:00"]);
    assert_eq!(moved.left_appointment_ids, [series.appointments[2].id.clone()]);
    let alone: Vec<_> = now.appointments.iter().map(|one| one.moved_alone).collect();
    assert_eq!(alone, [false, false, true, false]);
    // From there it goes on.
    let moved = move_remainder(&salon, rest(&now, 3, local("2026-06-25", "09:00"))).await.unwrap();
    assert_eq!(starts(&moved.series.unwrap().appointments)[3], "06-25 09:00");
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_visit_that_was_moved_by_itself_takes_the_rest_along_to_where_it_goes() {
    let salon = Salon::open().await;
    let series = book(&salon, request(vec![by(CUT, ANA)], tuesday(), weekly(3))).await.unwrap();
    let alone = moving::request(&series.appointments[1].id, local("2026-06-11", "12:00"));
    moving::send(&salon, alone).await.unwrap();
    let moved = move_remainder(&salon, rest(&series, 1, local("2026-06-10", "14:00"))).await.unwrap();
    let now = moved.series.unwrap();
    assert_eq!(starts(&now.appointments), ["06-02 10:00", "06-10 14:00", "06-17 14:00"]);
    assert!(now.appointments.iter().all(|one| !one.moved_alone));
    assert_eq!(moved.left_appointment_ids, Vec::<String>::new());
}

#[tokio::test]
async fn one_visit_may_move_to_where_the_next_one_was() {
    let salon = Salon::open().await;
    let series = book(&salon, request(vec![by(CUT, ANA)], tuesday(), weekly(3))).await.unwrap();
    let moved = move_remainder(&salon, rest(&series, 0, local("2026-06-09", "10:00"))).await.unwrap();
    let now = moved.series.unwrap();
    assert_eq!(starts(&now.appointments), ["06-09 10:00", "06-16 10:00", "06-23 10:00"]);
    assert_eq!(now.appointments[0].id, series.appointments[0].id);
}

#[tokio::test]
async fn what_cannot_move_stays_or_keeps_all_from_moving() {
    let salon = Salon::open().await;
    let series = book(&salon, request(vec![by(CUT, ANA)], tuesday(), weekly(3))).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local("2026-06-09", "14:00")).await.unwrap();
    let wanted = rest(&series, 0, local("2026-06-02", "14:00"));
    let refused = move_remainder(&salon, wanted.clone()).await.unwrap_err();
    assert_eq!((reason(&refused), occurrence(&refused).as_str()), (Reason::SlotTaken, "2"));
    assert_eq!(get(&salon, &series.id).await, series);
    let some = MoveRestOfSeriesRequest { leave_taken: true, ..wanted };
    let moved = move_remainder(&salon, some).await.unwrap();
    assert_eq!(starts(&moved.series.unwrap().appointments), ["06-02 14:00", "06-09 10:00", "06-16 14:00"]);
    assert_eq!(moved.left_appointment_ids, [series.appointments[1].id.clone()]);
}

#[tokio::test]
async fn what_stays_keeps_those_from_moving_that_would_take_its_time() {
    let salon = Salon::open().await;
    let series = book(&salon, request(vec![by(CUT, ANA)], tuesday(), weekly(3))).await.unwrap();
    // The last can't move on, so the one before can't take its place, and so on.
    salon.book(vec![by(CUT, ANA)], local("2026-06-23", "10:00")).await.unwrap();
    let wanted = rest(&series, 0, local("2026-06-09", "10:00"));
    let moved =
        move_remainder(&salon, MoveRestOfSeriesRequest { leave_taken: true, ..wanted }).await.unwrap();
    assert_eq!(moved.left_appointment_ids.len(), 3);
    assert_eq!(get(&salon, &series.id).await, series);
}

#[tokio::test]
async fn the_rest_goes_to_another_employee() {
    let salon = Salon::open().await;
    let series = book(&salon, request(vec![by(CUT, ANA)], tuesday(), weekly(3))).await.unwrap();
    let wanted = rest(&series, 1, local("2026-06-09", "10:00"));
    let to_ben = MoveRestOfSeriesRequest { employee_ids: vec![BEN.to_string()], ..wanted.clone() };
    let now = move_remainder(&salon, to_ben).await.unwrap().series.unwrap();
    let who: Vec<_> = now.appointments.iter().map(|one| one.items[0].employee_id.clone()).collect();
    assert_eq!(who, [ANA, BEN, BEN].map(|who| who.to_string()));
    let two = MoveRestOfSeriesRequest { employee_ids: vec![String::new(), String::new()], ..wanted };
    assert_eq!(field(&move_remainder(&salon, two).await.unwrap_err()), "employee_ids");
}

#[tokio::test]
async fn a_fact_under_a_visit_takes_its_time_once_the_rest_moves() {
    let salon = Salon::open().await;
    let series = book(&salon, request(vec![by(CUT, ANA)], tuesday(), weekly(2))).await.unwrap();
    let second = local("2026-06-09", "10:00");
    salon.import(vec![fact("a", second, second + SignedDuration::from_mins(30))]).await.unwrap();
    // Onto the same time of day: the second can't stay where the fact is and keep its own time.
    let later = move_remainder(&salon, rest(&series, 0, local("2026-06-02", "10:15"))).await.unwrap_err();
    assert_eq!((reason(&later), occurrence(&later).as_str()), (Reason::SlotTaken, "2"));
    move_remainder(&salon, rest(&series, 0, local("2026-06-02", "10:30"))).await.unwrap();
    assert!(salon.conflicts().await.is_empty());
    assert!(
        !salon
            .search(vec![by(CUT, ANA)], "2026-06-09")
            .await
            .unwrap()
            .offers
            .iter()
            .any(|offer| { shown(offer.starts_at.as_ref()) == "10:00" })
    );
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn the_rest_is_called_off_and_what_has_begun_stays() {
    let salon = Salon::open().await;
    let series = book(&salon, request(vec![by(COLOUR, ANA)], tuesday(), weekly(3))).await.unwrap();
    salon.time.set(local("2026-06-09", "09:45"));
    set(&salon, &series.appointments[1].id, State::Arrived).await.unwrap();
    set(&salon, &series.appointments[1].id, State::InService).await.unwrap();
    let now = cancel_remainder(&salon, &series, 1).await.unwrap();
    let states: Vec<_> = now.appointments.iter().map(Appointment::state).collect();
    assert_eq!(states, [State::Booked, State::InService, State::Cancelled]);
    let freed = salon.search(vec![by(COLOUR, ANA)], "2026-06-16").await.unwrap().offers;
    assert!(freed.iter().any(|offer| shown(offer.starts_at.as_ref()) == "10:00"));
    // Nothing is left to cancel: that is no error.
    assert_eq!(cancel_remainder(&salon, &series, 2).await.unwrap(), get(&salon, &series.id).await);
}

#[tokio::test]
async fn a_repeated_request_books_one_series() {
    let salon = Salon::open().await;
    let wanted = request(vec![by(CUT, ANA)], tuesday(), weekly(2));
    let mut booked = vec![];
    for _ in 0..2 {
        let request = with_key(salon.employee(wanted.clone()), "k1");
        booked.push(salon.series().book_series(request).await.unwrap().into_inner());
    }
    assert_eq!(booked[0], booked[1]);
    assert_eq!(salon.count("SELECT count(*) FROM series").await, 1);
}

#[tokio::test]
async fn a_wrong_field_is_named() {
    let salon = Salon::open().await;
    let good = || request(vec![by(CUT, ANA)], tuesday(), weekly(3));
    let out = |number| OccurrenceChange { number, starts_at: None };
    let wrong = [
        ("recurrence", BookSeriesRequest { recurrence: None, ..good() }),
        (
            "recurrence.cadence",
            BookSeriesRequest {
                recurrence: Some(Recurrence { count: 3, ..Recurrence::default() }),
                ..good()
            },
        ),
        (
            "recurrence.every",
            BookSeriesRequest { recurrence: Some(Recurrence { every: 13, ..weekly(3) }), ..good() },
        ),
        ("recurrence.count", BookSeriesRequest { recurrence: Some(weekly(1)), ..good() }),
        ("recurrence.count", BookSeriesRequest { recurrence: Some(weekly(53)), ..good() }),
        ("items", BookSeriesRequest { items: vec![], ..good() }),
        ("starts_at", BookSeriesRequest { starts_at: None, ..good() }),
        ("changes[0].number", BookSeriesRequest { changes: vec![out(4)], ..good() }),
        ("changes[1].number", BookSeriesRequest { changes: vec![out(1), out(1)], ..good() }),
        ("changes", BookSeriesRequest { changes: (1..4).map(out).collect(), ..good() }),
    ];
    for (name, request) in wrong {
        assert_eq!(field(&book(&salon, request).await.unwrap_err()), name);
    }
    assert_eq!(salon.count("SELECT count(*) FROM series").await, 0);
}

#[tokio::test]
async fn another_business_sees_no_series() {
    let salon = Salon::open().await;
    let series = book(&salon, request(vec![by(CUT, ANA)], tuesday(), weekly(2))).await.unwrap();
    let request = GetSeriesRequest { business_id: OTHER.to_string(), series_id: series.id };
    let foreign = as_user(&salon.host, caller::Role::Owner, OTHER, request);
    let refused = salon.series().get_series(foreign).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
}
