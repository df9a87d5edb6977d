//! Telling the cache of a change.

use core::{future::Future, time::Duration};
use std::time::Instant;

use caller::BusinessId;
use tracing::Instrument;

use crate::{
    Cache, Kind, LIFE, Open, Unreachable,
    operation::{Outcome, Verb},
    place::{Generation, generation_key},
    read::GENERATION_LIFE,
};

/// A generation that could not be told is told again this soon, as long as there may be
/// values of the one before.
const AGAIN: Duration = Duration::from_millis(250);

impl Cache {
    /// Runs `commit` and then makes values of `kinds` in `business` count no more, whatever
    /// came of it: a commit that failed may have reached the database all the same.
    ///
    /// Both run in a task of their own, so a caller who hangs up can't have one without the
    /// other. The cache fails no commit; a change it can't be told of is told later.
    ///
    /// # Errors
    /// What `commit` refuses.
    ///
    /// # Panics
    /// When `commit` does.
    pub async fn changing<T: Send + 'static, E: Send + 'static>(
        &self,
        kinds: &'static [Kind],
        business: BusinessId,
        commit: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Result<T, E> {
        let cache = self.clone();
        let both = async move {
            let committed = commit.await;
            cache.changed(kinds, business).await;
            committed
        };
        match tokio::spawn(both.in_current_span()).await {
            Ok(committed) => committed,
            Err(gone) => std::panic::resume_unwind(gone.into_panic()),
        }
    }

    async fn changed(&self, kinds: &'static [Kind], business: BusinessId) {
        let Some(open) = &self.open else { return };
        if let Err(error) = self.tell(open, kinds, business).await {
            tracing::warn!(%error, %business, "the cache is told of a change later");
            let (cache, open, began) = (self.clone(), open.clone(), Instant::now());
            tokio::spawn(async move {
                while began.elapsed() < LIFE {
                    tokio::time::sleep(AGAIN).await;
                    if cache.tell(&open, kinds, business).await.is_ok() {
                        return;
                    }
                }
            });
        }
    }

    async fn tell(&self, open: &Open, kinds: &[Kind], business: BusinessId) -> Result<(), Unreachable> {
        let began = Instant::now();
        let mut pipeline = redis::pipe();
        for kind in kinds {
            let key = generation_key(self.service, *kind, business);
            pipeline.set_ex(key, Generation::draw().bytes(), GENERATION_LIFE.as_secs()).ignore();
        }
        let told = open.redis.tell(&pipeline).await;
        let outcome = if told.is_ok() { Outcome::Removed } else { Outcome::Error };
        for kind in kinds {
            let key = generation_key(self.service, *kind, business);
            self.record(open, *kind, Verb::Invalidate, outcome, &key, began.elapsed());
        }
        told
    }
}
