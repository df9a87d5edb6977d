//! Who talks to a caller on the telephone waits for no desk.

use futures::future::join_all;
use sqlx::Connection;

use crate::salon::{ANA, CUT, Salon, anyone, booking, by, local};

/// Of the 16 connections that a salon in tests has, a fifth is for calls.
const FOR_ALL: i64 = 13;
const MORE_THAN_THERE_ARE: i64 = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_is_offered_times_while_bookings_of_the_desk_wait_for_the_database() {
    let salon = Salon::open().await;
    let mut administrator = salon.superuser().await;
    let mut held = administrator.begin().await.unwrap();
    sqlx::query("LOCK TABLE ledger IN EXCLUSIVE MODE").execute(&mut *held).await.unwrap();
    let bookings = (0..MORE_THAN_THERE_ARE).map(|quarter| {
        let start = local("2026-06-03", "09:00") + jiff::SignedDuration::from_mins(15 * quarter);
        salon.book_as(salon.manager(booking(vec![anyone(CUT)], start)))
    });
    let call = async {
        let waiting = "SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND usename = 'scheduling_app' AND wait_event_type = 'Lock'";
        while salon.count(waiting).await < FOR_ALL {}
        let offered = salon.offered_on_tuesday(vec![by(CUT, ANA)]).await;
        let waited = salon.count(waiting).await;
        held.rollback().await.unwrap();
        (offered.len(), waited)
    };
    let (booked, (offered, waited)) = futures::join!(join_all(bookings), call);
    assert!(offered > 0);
    assert_eq!(waited, FOR_ALL, "the desk waits in front of the connections for calls");
    assert!(booked.iter().filter(|booked| booked.is_ok()).count() > 1, "{booked:?}");
}
