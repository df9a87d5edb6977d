//! How much a browser may say.

use core::time::Duration;

use tokio::time::Instant;

use super::end::End;

const SECOND: Duration = Duration::from_secs(1);

/// How much a browser says.
#[derive(Debug)]
pub struct Frames {
    most: u32,
    since: Instant,
    heard: u32,
}

impl Frames {
    /// At most so many in a second.
    #[must_use]
    pub fn new(most: u32) -> Self {
        Self { most, since: Instant::now(), heard: 0 }
    }

    /// Counts one.
    ///
    /// # Errors
    /// [`End::Talkative`].
    pub fn count(&mut self) -> Result<(), End> {
        if self.since.elapsed() >= SECOND {
            (self.since, self.heard) = (Instant::now(), 0);
        }
        self.heard += 1;
        if self.heard > self.most { Err(End::Talkative) } else { Ok(()) }
    }
}
