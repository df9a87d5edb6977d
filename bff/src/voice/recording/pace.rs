//! How fast a long body must come.

use core::time::Duration;

use tokio::time::Instant;

use crate::{body, refusal::Refusal};

/// The pace of one body.
#[derive(Debug)]
pub struct Pace {
    /// So many bytes, …
    bytes: usize,
    /// … each within this time.
    time: Duration,
    /// Bytes until the next ones have their time.
    left: usize,
    until: Instant,
}

impl Pace {
    /// So many bytes, each within a time, the first ones from now on.
    pub fn new((bytes, time): (usize, Duration)) -> Self {
        Self { bytes, time, left: bytes, until: Instant::now() + time }
    }

    /// What a read hands over.
    ///
    /// # Errors
    /// 408 when the body comes too slowly.
    pub async fn within<T>(&self, read: impl Future<Output = T>) -> Result<T, Refusal> {
        tokio::time::timeout_at(self.until, read).await.map_err(|_| body::too_late())
    }

    /// So many bytes came.
    pub fn count(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
        if self.left == 0 {
            *self = Self::new((self.bytes, self.time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn a_read_that_takes_too_long_is_refused() {
        let pace = Pace::new((10, Duration::from_millis(1)));
        assert!(pace.within(core::future::pending::<()>()).await.is_err());
        assert_eq!(Pace::new((10, TIME)).within(async { 1 }).await.ok(), Some(1));
    }

    #[test]
    fn bytes_have_their_time_once_those_before_them_came() {
        let mut pace = Pace::new((10, TIME));
        let first = Instant::now();
        pace.until = first;
        for bytes in [0, 4, 5] {
            pace.count(bytes);
            assert_eq!(pace.until, first, "trickling bytes gain no time");
        }
        pace.count(1);
        assert!(pace.until > first && pace.left == 10);
        pace.count(1_000);
        assert_eq!(pace.left, 10);
    }
}
