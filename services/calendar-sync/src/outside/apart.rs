//! Long work on what servers send.

use tokio::sync::Semaphore;

/// Works that are done at once.
static PLACES: Semaphore = Semaphore::const_new(2);

/// Works through something long where nothing else waits for it; `None` where that broke. The work goes on when who
/// asked for it gives up, and keeps its place until it ends.
pub(super) async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let place = PLACES.acquire().await.ok()?;
    let work = move || {
        let done = work();
        drop(place);
        done
    };
    tokio::task::spawn_blocking(work).await.ok()
}
