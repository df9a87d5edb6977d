//! How Square is called: a year in few steps, and what was lost without reading one.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    extract::{Request, State},
    http::Method,
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use provider_fakes::{Fault, square::Square};
use tokio::sync::Barrier;

use crate::{
    others::{Theirs, connect, ours, serve},
    provider::{map, sync},
    salon::{MIA, Salon, at, visit},
};

/// Windows that are read at once, and in all.
const AT_ONCE: usize = 4;
const WINDOWS: usize = 16;
/// Shorter than a call may take.
const ALONE: Duration = Duration::from_secs(5);

/// Requests for lists of bookings, as they come in.
struct Lists {
    /// How many there were.
    asked: AtomicUsize,
    /// Of those, how many waited in vain for others.
    alone: AtomicUsize,
    together: Barrier,
}

async fn count(State(lists): State<Arc<Lists>>, request: Request, next: Next) -> Response {
    if request.method() == Method::GET && request.uri().path() == "/v2/bookings" {
        lists.asked.fetch_add(1, Ordering::SeqCst);
        if tokio::time::timeout(ALONE, lists.together.wait()).await.is_err() {
            lists.alone.fetch_add(1, Ordering::SeqCst);
        }
    }
    next.run(request).await
}

/// A salon whose Mia was read once from a Square that answers as many lists at once as are asked for together.
async fn read_once() -> (Salon, Square, Arc<Lists>) {
    let salon = Salon::open().await;
    let square = Square::new(salon.host.clock.clone());
    let lists = Lists {
        asked: AtomicUsize::default(),
        alone: AtomicUsize::default(),
        together: Barrier::new(AT_ONCE),
    };
    let lists = Arc::new(lists);
    let router: Router = square.router().layer(from_fn_with_state(lists.clone(), count));
    let url = serve(router).await;
    let connection = connect(&salon, Square::connecting(&url)).await.unwrap().id;
    sync(&salon, &connection, false).await;
    map(&salon, &connection, Square::mia(), Some(MIA)).await.unwrap();
    let read = "SELECT count(*) FROM sync_state WHERE synced_at IS NOT NULL AND lease IS NULL";
    salon.until(async || salon.count(read).await == 1).await;
    (salon, square, lists)
}

#[tokio::test]
async fn a_year_is_read_in_four_steps_of_four_windows() {
    let (_salon, _square, lists) = read_once().await;
    assert_eq!(lists.asked.load(Ordering::SeqCst), WINDOWS);
    assert_eq!(lists.alone.load(Ordering::SeqCst), 0, "each was asked for beside three others");
}

#[tokio::test]
async fn an_appointment_whose_answer_was_lost_is_sent_again_with_its_key_and_no_list_is_read() {
    let (salon, square, lists) = read_once().await;
    let before = lists.asked.load(Ordering::SeqCst);
    for (fault, n) in [(Fault::LostAnswer, 1_u32), (Fault::Unavailable, 2)] {
        square.fail(fault, 1);
        let hour = 30 + i64::from(n);
        salon.publish_and_wait_out(visit(0xF0 + u128::from(n), 1, &[(MIA, "Cut", hour, 30)])).await;
    }
    assert_eq!(ours(&square), [at(31, 0), at(32, 0)]);
    assert_eq!(lists.asked.load(Ordering::SeqCst), before);
}

#[tokio::test]
async fn what_someone_moved_before_its_lost_answer_was_asked_for_again_is_moved_back() {
    let (salon, square, lists) = read_once().await;
    let before = lists.asked.load(Ordering::SeqCst);
    square.fail(Fault::LostAnswer, 1);
    salon.publish_and_follow(visit(0xF1, 1, &[(MIA, "Cut", 30, 30)])).await;
    let lost = "SELECT count(*) FROM calendar_write WHERE last_error IS NOT NULL";
    salon.until(async || salon.count(lost).await == 1).await;
    let (id, ..) = square.standing().remove(0);
    square.shift(&id, at(35, 0));
    salon.wait_out().await;
    assert_eq!(ours(&square), [at(30, 0)]);
    assert_eq!(lists.asked.load(Ordering::SeqCst), before);
}
