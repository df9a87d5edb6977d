//! What a visit says that its viewer can take back.

use jiff::SignedDuration;
use proto::{
    frontdesk::scheduling::v1::{
        AppointmentState as State, CancelRestOfSeriesRequest, GetAppointmentRequest, UndoableChange,
    },
    time::to_proto,
};

use crate::{
    changing::{booked, undo},
    moving,
    progress::set,
    salon::{ANA, CUT, Salon, WILLOW, by, local},
    series::{self, weekly},
};

const TUESDAY: &str = "2026-06-02";

async fn undoable(salon: &Salon, visit: &str) -> Option<UndoableChange> {
    let request = GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id: visit.to_owned() };
    salon.appointments().get_appointment(salon.employee(request)).await.unwrap().into_inner().undoable
}

#[tokio::test]
async fn changes_of_a_visit_are_named_one_after_the_other_for_ten_minutes() {
    let salon = Salon::open().await;
    let visit = booked(&salon).await.id;
    assert_eq!(undoable(&salon, &visit).await, None, "the agent booked it");
    moving::send(&salon, moving::request(&visit, local(TUESDAY, "11:00"))).await.unwrap();
    salon.time.advance(SignedDuration::from_mins(4));
    set(&salon, &visit, State::Confirmed).await.unwrap();
    let confirmed = undoable(&salon, &visit).await.unwrap();
    assert_eq!(confirmed.made_at, Some(to_proto(salon.time.now())));
    let until = salon.time.now() + SignedDuration::from_mins(10);
    assert_eq!((confirmed.undoable_until, confirmed.appointment_count), (Some(to_proto(until)), 1));
    undo(&salon, &confirmed.change_id).await.unwrap();
    let moved = undoable(&salon, &visit).await.unwrap();
    assert_ne!(moved.change_id, confirmed.change_id);
    salon.time.advance(SignedDuration::from_mins(6));
    assert_eq!(undoable(&salon, &visit).await, None, "ten minutes after the move");
}

#[tokio::test]
async fn a_change_that_would_be_refused_is_not_named_and_asking_changes_nothing() {
    let salon = Salon::open().await;
    let visit = booked(&salon).await.id;
    moving::send(&salon, moving::request(&visit, local(TUESDAY, "11:00"))).await.unwrap();
    let told = async || {
        let (trail, events) = (salon.trail().await, salon.count("SELECT count(*) FROM outbox").await);
        (trail, events, salon.booked().await)
    };
    let before = told().await;
    assert!(undoable(&salon, &visit).await.is_some());
    assert_eq!(told().await, before);

    let other = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap().id;
    assert_eq!(undoable(&salon, &visit).await, None, "its former time is taken");
    salon.cancel(&other).await.unwrap();
    assert!(undoable(&salon, &visit).await.is_some());
    sqlx::query("UPDATE undoable_change SET made_by = 'user:other'")
        .execute(&mut salon.superuser().await)
        .await
        .unwrap();
    assert_eq!(undoable(&salon, &visit).await, None, "another person moved it");
}

#[tokio::test]
async fn a_look_up_locks_no_kept_change_and_leaves_them_all_to_be_undone() {
    let salon = Salon::open().await;
    let visit = booked(&salon).await.id;
    moving::send(&salon, moving::request(&visit, local(TUESDAY, "11:00"))).await.unwrap();
    // Of two changes at one moment neither is the latest.
    salon.time.advance(SignedDuration::from_secs(1));
    set(&salon, &visit, State::Confirmed).await.unwrap();
    let kept = async || salon.count("SELECT count(*) FROM undoable_change").await;
    let before = kept().await;
    // Another transaction is taking them all back.
    let mut other = salon.superuser().await;
    sqlx::query("BEGIN").execute(&mut other).await.unwrap();
    sqlx::query("SELECT id FROM undoable_change FOR UPDATE").execute(&mut other).await.unwrap();
    let confirmed = undoable(&salon, &visit).await.unwrap();
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    assert_eq!(kept().await, before);
    undo(&salon, &confirmed.change_id).await.unwrap();
    let moved = undoable(&salon, &visit).await.unwrap();
    undo(&salon, &moved.change_id).await.unwrap();
}

#[tokio::test]
async fn a_change_of_several_visits_says_how_many_it_takes_back() {
    let salon = Salon::open().await;
    let wanted = series::request(vec![by(CUT, ANA)], local(TUESDAY, "10:00"), weekly(4));
    let booked = series::book(&salon, wanted).await.unwrap();
    salon.time.advance(SignedDuration::from_secs(1));
    let request = CancelRestOfSeriesRequest {
        business_id: WILLOW.to_string(),
        series_id: booked.id.clone(),
        from_appointment_id: booked.appointments[1].id.clone(),
        ..CancelRestOfSeriesRequest::default()
    };
    salon.series().cancel_rest_of_series(salon.manager(request)).await.unwrap();
    let of = async |index: usize| {
        undoable(&salon, &booked.appointments[index].id).await.map(|change| change.appointment_count)
    };
    assert_eq!((of(1).await, of(3).await), (Some(3), Some(3)));
    assert_eq!(of(0).await, None, "it was booked with others, which have changed since");
}
