//! How Square is called: a year in few steps.

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
use provider_fakes::square::Square;
use tokio::sync::Barrier;

use crate::{
    others::{Theirs, connect, serve},
    provider::{map, sync},
    salon::{MIA, Salon},
};

/// Windows that are read at once, and in all.
const AT_ONCE: usize = 4;
const WINDOWS: usize = 16;
/// Shorter than a call may take.
const ALONE: Duration = Duration::from_secs(5);

/// What is asked for lists of bookings.
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
