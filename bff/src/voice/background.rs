//! Work behind an answer that was given: a process that stops waits for it, and says what it gives up.

use core::{slice, time::Duration};

use boot::random::jitter;
use caller::BusinessId;
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::{
    sync::CancellationToken,
    task::{TaskTracker, task_tracker::TaskTrackerToken},
};
use tracing::Instrument;

/// While the process closes, what failed is tried again this soon, until it is given up.
const CLOSING_RETRY: Duration = Duration::from_secs(1);
/// For tasks to say what they leave undone.
const TO_REPORT: Duration = Duration::from_secs(1);

/// The tasks of this process that outlast their requests.
#[derive(Debug, Clone, Default)]
pub struct Background {
    tasks: TaskTracker,
    /// Cancelled when what is still under way has seconds left.
    closing: CancellationToken,
    /// Cancelled when it has none.
    ending: CancellationToken,
}

/// What a task is about, as logs name it: nothing of a person.
#[derive(Debug, Clone)]
pub struct About {
    /// What is lost if it is given up.
    pub what: &'static str,
    /// Whose.
    pub business: BusinessId,
    /// The platform's id of the call.
    pub call: String,
}

impl Background {
    /// Counts as a task for as long as it is held.
    pub fn token(&self) -> TaskTrackerToken {
        self.tasks.token()
    }

    /// Cancelled when what is still under way has seconds left.
    pub fn closing(&self) -> &CancellationToken {
        &self.closing
    }

    /// Cancelled when what is still under way is cut off.
    pub fn ending(&self) -> &CancellationToken {
        &self.ending
    }

    /// Runs a task that ends by itself in seconds.
    pub fn spawn<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        self.tasks.spawn(work)
    }

    /// Runs a task that may be given up, and is logged then.
    pub fn spawn_about(
        &self,
        about: About,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> JoinHandle<()> {
        let ending = self.ending.clone();
        let task = async move {
            tokio::select! {
                biased;
                () = work => {}
                () = ending.cancelled() => {
                    let About { what, business, call } = about;
                    tracing::error!(what, %business, call, "given up, the process stops");
                }
            }
        };
        self.tasks.spawn(task.in_current_span())
    }

    /// Waits before something is tried again; false once each of `waits` has passed. A process that closes waits a
    /// second each time, and tries until it ends.
    pub async fn try_again(&self, waits: &mut slice::Iter<'_, Duration>) -> bool {
        if self.closing.is_cancelled() {
            sleep(CLOSING_RETRY).await;
            return true;
        }
        let Some(wait) = waits.next() else { return false };
        tokio::select! {
            () = sleep(jitter(*wait)) => {}
            () = self.closing.cancelled() => {}
        }
        true
    }

    /// Waits until no task is under way. After `within` those that are left have seconds.
    pub async fn closed(&self, within: Duration) {
        self.tasks.close();
        if timeout(within, self.tasks.wait()).await.is_err() {
            self.closing.cancel();
            self.tasks.wait().await;
        }
    }

    /// Cuts off what is still under way.
    pub async fn give_up(&self) {
        self.tasks.close();
        self.ending.cancel();
        if timeout(TO_REPORT, self.tasks.wait()).await.is_err() {
            tracing::error!(tasks = self.tasks.len(), "cut off, the process stops");
        }
    }
}
