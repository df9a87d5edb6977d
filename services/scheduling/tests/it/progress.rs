//! What visits go through, and wrong clicks.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        Appointment, AppointmentState as State, CancelAppointmentRequest, GetAppointmentRequest,
        RestoreAppointmentRequest, SetAppointmentStateRequest,
    },
};
use testkit::as_user;
use tonic::Status;
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::salon::{
    ANA, COLOUR, CUT, OTHER, Salon, WILLOW, by, fact, field, local, monday, reason, shown, with_key,
};

pub fn request(appointment: &str, state: State) -> SetAppointmentStateRequest {
    SetAppointmentStateRequest {
        business_id: WILLOW.to_string(),
        appointment_id: appointment.to_owned(),
        state: state.into(),
        version: 0,
    }
}

pub async fn set(salon: &Salon, appointment: &str, state: State) -> Result<Appointment, Status> {
    let response =
        salon.appointments().set_appointment_state(salon.employee(request(appointment, state))).await?;
    Ok(response.into_inner().appointment.unwrap())
}

fn restoration(appointment: &str) -> RestoreAppointmentRequest {
    RestoreAppointmentRequest {
        business_id: WILLOW.to_string(),
        appointment_id: appointment.to_owned(),
        version: 0,
    }
}

pub async fn restore(salon: &Salon, appointment: &str) -> Result<Appointment, Status> {
    let response = salon.appointments().restore_appointment(salon.employee(restoration(appointment))).await?;
    Ok(response.into_inner().appointment.unwrap())
}

/// Monday's colour of Ana's: at work from nine to half past, and from ten to a quarter past, with
/// ten minutes after it. It is nine.
async fn begun() -> (Salon, Appointment) {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(COLOUR, ANA)], monday("09:00")).await.unwrap();
    (salon, visit)
}

/// Who has what of Ana's time now, by London's clock.
async fn taken(salon: &Salon) -> Vec<String> {
    let sql = "SELECT to_char(starts_at AT TIME ZONE 'Europe/London', 'HH24:MI') || ' ' ||
        to_char(ends_at AT TIME ZONE 'Europe/London', 'HH24:MI')
        FROM ledger WHERE is_open AND kind = 'BOOKING' ORDER BY starts_at";
    sqlx::query_scalar(sql).fetch_all(&mut salon.superuser().await).await.unwrap()
}

fn minutes(minutes: i64) -> SignedDuration {
    SignedDuration::from_mins(minutes)
}

#[tokio::test]
async fn every_state_on_the_way_is_told_audited_and_kept_with_its_time() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(COLOUR, ANA)], monday("09:30")).await.unwrap();
    for state in [State::Confirmed, State::Arrived, State::InService, State::Completed] {
        salon.time.advance(minutes(1));
        let changed = set(&salon, &visit.id, state).await.unwrap();
        assert_eq!(changed.state(), state);
    }
    let request = GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id: visit.id };
    let read = salon.appointments().get_appointment(salon.employee(request)).await.unwrap().into_inner();
    assert_eq!(read.appointment.unwrap().version, 5);
    let way: Vec<_> = read
        .state_changes
        .iter()
        .map(|change| {
            let by = change.entered_by.split(':').next().unwrap_or_default();
            (change.state(), shown(change.entered_at.as_ref()), by.to_owned())
        })
        .collect();
    let expected = [
        (State::Booked, "09:00", "agent"),
        (State::Confirmed, "09:01", "user"),
        (State::Arrived, "09:02", "user"),
        (State::InService, "09:03", "user"),
        (State::Completed, "09:04", "user"),
    ];
    assert_eq!(way, expected.map(|(state, at, by)| (state, at.to_owned(), by.to_owned())));
    let told = "SELECT count(*) FROM outbox WHERE aggregate_id IN (SELECT id FROM appointment)";
    assert_eq!(salon.count(told).await, 5);
    let noted = "SELECT count(*) FROM audit WHERE action = 'SetAppointmentState'";
    assert_eq!(salon.count(noted).await, 4);
}

#[tokio::test]
async fn a_jump_forward_is_one_call_and_a_wrong_click_is_taken_back() {
    let (salon, visit) = begun().await;
    set(&salon, &visit.id, State::InService).await.unwrap();
    let back = set(&salon, &visit.id, State::Booked).await.unwrap();
    assert_eq!((back.state(), back.version), (State::Booked, 3));
    set(&salon, &visit.id, State::Arrived).await.unwrap();
    for refused in [State::Arrived, State::Confirmed, State::NoShow] {
        let refused = set(&salon, &visit.id, refused).await.unwrap_err();
        assert_eq!(reason(&refused), Reason::WrongState);
    }
    // In London it is the next day an hour before it is in UTC.
    salon.time.advance(minutes(15 * 60));
    let late = set(&salon, &visit.id, State::Booked).await.unwrap_err();
    assert_eq!(reason(&late), Reason::WrongState);
    let kept = "SELECT count(*) FROM state_change WHERE undone_at IS NOT NULL";
    assert_eq!(salon.count(kept).await, 1);
}

#[tokio::test]
async fn a_visit_that_ends_early_frees_what_is_left_but_for_the_cleaning() {
    let (salon, visit) = begun().await;
    assert_eq!(taken(&salon).await, ["09:00 09:30", "10:00 10:25"]);
    salon.time.advance(minutes(65));
    set(&salon, &visit.id, State::Completed).await.unwrap();
    assert_eq!(taken(&salon).await, ["09:00 09:30", "10:00 10:15"]);
    salon.book(vec![by(CUT, ANA)], monday("10:15")).await.unwrap();
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_no_show_frees_the_rest_and_an_arrival_takes_it_again() {
    let (salon, visit) = begun().await;
    salon.time.advance(minutes(20));
    set(&salon, &visit.id, State::NoShow).await.unwrap();
    assert_eq!(taken(&salon).await, ["09:00 09:20"]);
    let back = set(&salon, &visit.id, State::Booked).await.unwrap();
    assert_eq!(back.state(), State::Booked);
    assert_eq!(taken(&salon).await, ["09:00 09:30", "10:00 10:25"]);
    set(&salon, &visit.id, State::NoShow).await.unwrap();
    let walk_in = salon.book(vec![by(CUT, ANA)], monday("10:00")).await.unwrap();
    let refused = set(&salon, &visit.id, State::Booked).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    assert_eq!(taken(&salon).await, ["09:00 09:20", "10:00 10:30"]);
    salon.cancel(&walk_in.id).await.unwrap();
    set(&salon, &visit.id, State::Booked).await.unwrap();
    assert_eq!(salon.overlaps().await, 0);
    // The ledger as recorded while the visit was a no-show.
    let as_of = "SELECT count(*) FROM ledger WHERE kind = 'BOOKING' AND blocking AND
        recorded @> (SELECT freed_at FROM state_change WHERE state = 'NO_SHOW' ORDER BY position LIMIT 1)";
    assert_eq!(salon.count(as_of).await, 1);
}

#[tokio::test]
async fn an_end_after_the_planned_one_changes_nothing_of_the_ledger() {
    let (salon, visit) = begun().await;
    salon.time.advance(minutes(90));
    set(&salon, &visit.id, State::Completed).await.unwrap();
    set(&salon, &visit.id, State::Booked).await.unwrap();
    assert_eq!(taken(&salon).await, ["09:00 09:30", "10:00 10:25"]);
    assert_eq!(salon.count("SELECT count(*) FROM ledger").await, 2);
    assert_eq!(salon.count("SELECT version FROM business_day").await, 1);
}

#[tokio::test]
async fn a_state_is_refused_before_and_after_its_time() {
    let salon = Salon::open().await;
    let start = local("2026-06-02", "09:00");
    let visit = salon.book(vec![by(CUT, ANA)], start).await.unwrap();
    let refused = async |state, bound: &str| {
        let refused = set(&salon, &visit.id, state).await.unwrap_err();
        let bound = refused.get_details_error_info().unwrap().metadata.get(bound).cloned();
        (reason(&refused), bound.map(|bound| bound.parse().unwrap()))
    };
    let ahead = Some(start - minutes(120));
    assert_eq!(refused(State::Arrived, "from").await, (Reason::NotYet, ahead));
    assert_eq!(refused(State::InService, "from").await, (Reason::NotYet, ahead));
    assert_eq!(refused(State::Completed, "from").await, (Reason::NotYet, Some(start)));
    assert_eq!(refused(State::NoShow, "from").await, (Reason::NotYet, Some(start)));
    salon.time.set(start);
    assert_eq!(refused(State::Confirmed, "until").await, (Reason::NoLonger, Some(start)));
    set(&salon, &visit.id, State::NoShow).await.unwrap();
}

#[tokio::test]
async fn what_was_seen_in_another_version_is_refused_with_the_present_one() {
    let (salon, visit) = begun().await;
    let seen = |version| SetAppointmentStateRequest { version, ..request(&visit.id, State::Arrived) };
    let refused = salon.appointments().set_appointment_state(salon.employee(seen(2))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Stale);
    let told = refused.get_details_error_info().unwrap().metadata;
    assert_eq!(told.get("version").map(String::as_str), Some("1"));
    salon.appointments().set_appointment_state(salon.employee(seen(1))).await.unwrap();
}

#[tokio::test]
async fn of_many_who_see_the_same_version_one_changes_it() {
    let (salon, visit) = begun().await;
    let seen = SetAppointmentStateRequest { version: 1, ..request(&visit.id, State::Arrived) };
    let attempts = (0..10).map(|_| async {
        salon.appointments().set_appointment_state(salon.employee(seen.clone())).await.map_err(|e| reason(&e))
    });
    let answers = futures::future::join_all(attempts).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert!(answers.iter().flat_map(|answer| answer.as_ref().err()).all(|one| *one == Reason::Stale));
}

#[tokio::test]
async fn a_cancellation_is_taken_back_on_its_day_while_the_time_is_free() {
    let salon = Salon::open().await;
    let tuesday = |time| local("2026-06-02", time);
    let visit = salon.book(vec![by(COLOUR, ANA)], tuesday("09:00")).await.unwrap();
    set(&salon, &visit.id, State::Confirmed).await.unwrap();
    salon.cancel(&visit.id).await.unwrap();
    let other = salon.book(vec![by(CUT, ANA)], tuesday("10:00")).await.unwrap();
    assert_eq!(reason(&restore(&salon, &visit.id).await.unwrap_err()), Reason::SlotTaken);
    salon.cancel(&other.id).await.unwrap();
    let restored = restore(&salon, &visit.id).await.unwrap();
    assert_eq!((restored.state(), restored.version), (State::Confirmed, 4));
    assert_eq!(taken(&salon).await, ["09:00 09:30", "10:00 10:25"]);
    assert_eq!(reason(&restore(&salon, &visit.id).await.unwrap_err()), Reason::WrongState);
    salon.cancel(&visit.id).await.unwrap();
    salon.time.advance(minutes(24 * 60));
    assert_eq!(reason(&restore(&salon, &visit.id).await.unwrap_err()), Reason::WrongState);
}

#[tokio::test]
async fn what_lay_over_a_visit_gets_the_time_that_the_visit_gives_back() {
    let (salon, visit) = begun().await;
    // From within the first half-hour to within the second time at work.
    let facts = vec![fact("dentist", monday("09:10"), monday("10:05"))];
    assert_eq!(salon.import(facts).await.unwrap(), 1);
    salon.time.advance(minutes(20));
    set(&salon, &visit.id, State::NoShow).await.unwrap();
    // It still lies over the ten minutes that Ana waited.
    assert_eq!(salon.conflicts().await.len(), 1);
    let busy = "SELECT sum(extract(epoch FROM ends_at - starts_at))::bigint / 60 FROM ledger
        WHERE is_open AND kind = 'BUSY'";
    assert_eq!(salon.count(busy).await, 45);
    let refused = salon.book(vec![by(CUT, ANA)], monday("09:45")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_repeated_click_with_its_key_has_one_effect() {
    let (salon, visit) = begun().await;
    let click = || with_key(salon.employee(request(&visit.id, State::Arrived)), "k1");
    let first = salon.appointments().set_appointment_state(click()).await.unwrap().into_inner();
    let again = salon.appointments().set_appointment_state(click()).await.unwrap().into_inner();
    assert_eq!(first, again);
    salon.cancel(&visit.id).await.unwrap();
    let key = || with_key(salon.employee(restoration(&visit.id)), "k2");
    let first = salon.appointments().restore_appointment(key()).await.unwrap().into_inner();
    assert_eq!(first, salon.appointments().restore_appointment(key()).await.unwrap().into_inner());
}

#[tokio::test]
async fn a_refused_change_of_state_says_why() {
    let (salon, visit) = begun().await;
    let refused = async |request| salon.appointments().set_appointment_state(request).await.unwrap_err();
    let none = refused(salon.employee(request(&visit.id, State::Unspecified))).await;
    assert_eq!(field(&none), "state");
    let cancelled = refused(salon.employee(request(&visit.id, State::Cancelled))).await;
    assert_eq!(field(&cancelled), "state");
    assert_eq!(field(&refused(salon.employee(request("7", State::Arrived))).await), "appointment_id");
    let negative = SetAppointmentStateRequest { version: -1, ..request(&visit.id, State::Arrived) };
    assert_eq!(field(&refused(salon.employee(negative)).await), "version");
    let missing_id = Uuid::from_u128(404).to_string();
    assert_eq!(
        reason(&refused(salon.employee(request(&missing_id, State::Arrived))).await),
        Reason::NotFound
    );
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let change = as_user(&salon.host, role, business, request(&visit.id, State::Arrived));
        assert_eq!(reason(&refused(change).await), expected);
    }
    let agent = refused(salon.agent(request(&visit.id, State::Arrived))).await;
    assert_eq!(reason(&agent), Reason::RoleTooLow);
    salon.set_hours(OTHER, crate::salon::weekdays(9, 18)).await;
    let foreign = RestoreAppointmentRequest { business_id: OTHER.to_string(), ..restoration(&visit.id) };
    let foreign = as_user(&salon.host, Role::Owner, OTHER, foreign);
    let refused = salon.appointments().restore_appointment(foreign).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    assert_eq!(salon.booked().await[0].state(), State::Booked);
}

#[tokio::test]
async fn staff_may_cancel_an_arrived_visit() {
    let (salon, visit) = begun().await;
    set(&salon, &visit.id, State::Arrived).await.unwrap();
    let request = CancelAppointmentRequest {
        business_id: WILLOW.to_string(),
        appointment_id: visit.id.clone(),
        reason: String::new(),
    };
    salon.appointments().cancel_appointment(salon.employee(request)).await.unwrap();
    assert_eq!(taken(&salon).await, Vec::<String>::new());
    assert_eq!(restore(&salon, &visit.id).await.unwrap().state(), State::Arrived);
}
