//! How long a connection is kept, so that replicas share the load and one that leaves loses none.

use core::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use axum::response::Response;
use boot::random;
use http::{HeaderValue, StatusCode, Version, header};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// One connection's.
#[derive(Debug)]
pub(super) struct Lease {
    until: Instant,
    leaving: CancellationToken,
    /// HTTP/1 has no way to say goodbye but with an answer: a client may send the next request while
    /// an idle connection is closed under it.
    http1: AtomicBool,
}

impl Lease {
    /// A lease of about `age`, cut short when the process is `leaving`.
    pub(super) fn begin(age: Duration, leaving: CancellationToken) -> Self {
        Self { until: Instant::now() + random::spread(age), leaving, http1: AtomicBool::new(false) }
    }

    /// Notes what the client speaks.
    pub(super) fn used_by(&self, version: Version) {
        if version < Version::HTTP_2 {
            self.http1.store(true, Ordering::Relaxed);
        }
    }

    /// Has the client of HTTP/1 close the connection after this answer if the lease is over. What is no
    /// longer HTTP is left alone.
    pub(super) fn sign(&self, version: Version, response: &mut Response) {
        let over = self.leaving.is_cancelled() || Instant::now() >= self.until;
        if over && version < Version::HTTP_2 && response.status() != StatusCode::SWITCHING_PROTOCOLS {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }

    /// Resolves when the connection is to say goodbye: at its age if it can, at `shutdown` in any case.
    pub(super) async fn over(&self, shutdown: &CancellationToken) {
        let aged = async {
            sleep_until(self.until).await;
            if self.http1.load(Ordering::Relaxed) {
                core::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = aged => {}
        }
    }
}
