//! Following another service's log.

use core::time::Duration;

use boot::{Host, peer::Peer};
use database::{Database, named};
use futures::StreamExt;
use proto::frontdesk::events::v1::{
    FollowRequest, FollowResponse, event_log_service_client::EventLogServiceClient,
    follow_request::From as Begin,
};
use sea_orm::DbErr;

use crate::{
    effect::{Apply, FollowError},
    measure::Measure,
};

/// Events that take effect in one transaction, where that many have come.
const TOGETHER: usize = 64;
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A reader of one service's log with a position of its own.
#[derive(Debug)]
pub struct Follower {
    pub(crate) name: &'static str,
    pub(crate) source: Peer,
    pub(crate) database: Database,
    pub(crate) host: Host,
    pub(crate) measure: Measure,
}

impl Follower {
    /// A follower called `name` of the log of `source`.
    #[must_use]
    pub fn new(name: &'static str, source: Peer, database: Database, host: &Host) -> Self {
        let measure = Measure::new(name, source.service());
        Self { name, source, database, host: host.clone(), measure }
    }

    /// Follows until the host shuts down.
    pub async fn run(self, apply: impl Apply) {
        let shutdown = self.host.shutdown.clone();
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = self.reconnect(&apply) => {}
        }
    }

    async fn reconnect(&self, apply: &impl Apply) {
        let mut pause = FIRST_PAUSE;
        loop {
            let before = self.position().await;
            let followed = self.follow(apply).await;
            self.measure.connected(false);
            match followed {
                Ok(()) => tracing::debug!(follower = self.name, "the log's stream ended"),
                Err(error) => {
                    tracing::warn!(follower = self.name, source = self.source.service(), %error, "following stopped");
                }
            }
            // Progress since the last time means the source is well again.
            let progressed = matches!((before, self.position().await), (Ok(a), Ok(b)) if b > a);
            pause = if progressed { FIRST_PAUSE } else { (pause * 2).min(LONGEST_PAUSE) };
            tokio::time::sleep(boot::random::jitter(pause)).await;
        }
    }

    async fn follow(&self, apply: &impl Apply) -> Result<(), FollowError> {
        let after = self.position().await?;
        let message = FollowRequest { follower: self.name.to_owned(), from: Some(Begin::After(after)) };
        let request = self.source.as_service_stream(None, message);
        let mut client = EventLogServiceClient::new(self.source.channel());
        let retry = |status: tonic::Status| FollowError::Retry(status.message().to_owned());
        let stream = client.follow(request).await.map_err(retry)?.into_inner();
        self.measure.connected(true);
        let mut read = stream.ready_chunks(TOGETHER);
        while let Some(responses) = read.next().await {
            // What was read before a failure is read again: the position is behind it.
            let responses: Vec<FollowResponse> =
                responses.into_iter().collect::<Result<_, _>>().map_err(retry)?;
            if responses.iter().any(|response| response.reset) {
                tracing::error!(follower = self.name, after, "the log no longer keeps what was not yet read");
            }
            let events: Vec<_> = responses.into_iter().filter_map(|response| response.event).collect();
            self.take(apply, &events).await?;
        }
        Ok(())
    }

    async fn position(&self) -> Result<i64, DbErr> {
        position(&self.database, self.name, self.source.service()).await
    }
}

/// Whether a follower has applied everything up to `target` of its source.
pub async fn caught_up(
    database: &Database,
    follower: &'static str,
    source: &'static str,
    target: i64,
) -> Result<bool, DbErr> {
    Ok(position(database, follower, source).await? >= target)
}

async fn position(database: &Database, follower: &'static str, source: &'static str) -> Result<i64, DbErr> {
    let tx = database.untenanted_tx::<DbErr>();
    let sql = "SELECT position FROM outbox_position WHERE follower = :follower AND source = :source";
    let position = tx.value(sql, named! { follower, source }).await?;
    tx.commit().await?;
    Ok(position.unwrap_or_default())
}
