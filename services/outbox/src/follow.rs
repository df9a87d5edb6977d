//! Following another service's log.

use core::time::Duration;

use boot::{Host, peer::Peer};
use database::{Database, named};
use futures::StreamExt;
use proto::frontdesk::events::v1::{
    FollowRequest, FollowResponse, event_log_service_client::EventLogServiceClient,
    follow_request::From as Begin,
};
use sea_orm::{DbErr, FromQueryResult};
use uuid::Uuid;

use crate::{
    effect::{Apply, FollowError},
    log::installation_tx,
    measure::Measure,
};

/// Events that take effect in one transaction, where that many have come.
const TOGETHER: usize = 64;
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Takes the position to another log, once: another replica may have done it.
const TURN_TO: &str = "INSERT INTO outbox_position AS known (follower, source, position, log)
    VALUES (:follower, :source, :position, :log)
    ON CONFLICT (follower, source) DO UPDATE SET position = EXCLUDED.position, log = EXCLUDED.log
    WHERE known.log IS DISTINCT FROM EXCLUDED.log";
/// Remembers which log a position of the release before is of.
const ADOPT: &str = "INSERT INTO outbox_position AS known (follower, source, position, log)
    VALUES (:follower, :source, 0, :log)
    ON CONFLICT (follower, source) DO UPDATE SET log = EXCLUDED.log WHERE known.log IS NULL";

/// How far a log was read, and which.
#[derive(Debug, Default, FromQueryResult)]
struct Known {
    position: i64,
    log: Option<Uuid>,
}

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
        let known = self.known().await?;
        let message = FollowRequest {
            follower: self.name.to_owned(),
            from: Some(Begin::After(known.position)),
            log: known.log.map(|log| log.to_string()).unwrap_or_default(),
        };
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
            if let Some(hello) = responses.iter().find(|response| response.event.is_none()) {
                self.meet(&known, hello).await?;
            }
            let events: Vec<_> = responses.into_iter().filter_map(|response| response.event).collect();
            self.take(apply, &events).await?;
        }
        Ok(())
    }

    /// Hears which log this is, before any event of it.
    async fn meet(&self, known: &Known, hello: &FollowResponse) -> Result<(), DbErr> {
        let (follower, source) = (self.name, self.source.service());
        let Ok(log) = hello.log.parse::<Uuid>() else { return Ok(()) };
        if known.log == Some(log) || (known.log.is_none() && !hello.reset) {
            if hello.reset {
                tracing::error!(follower, source, "the log no longer keeps what was not yet read");
            }
            let tx = self.database.untenanted_tx::<DbErr>();
            tx.execute(ADOPT, named! { follower, source, log }).await?;
            return tx.commit().await;
        }
        tracing::warn!(follower, source, "the source was restored: all of its log is news");
        let tx = installation_tx(&self.database);
        if tx.execute(TURN_TO, named! { follower, source, position: hello.position, log }).await? == 1 {
            for table in ["outbox_seen", "outbox_parked"] {
                let sql = format!("DELETE FROM {table} WHERE follower = :follower AND source = :source");
                tx.execute(&sql, named! { follower, source }).await?;
            }
        }
        tx.commit().await
    }

    async fn position(&self) -> Result<i64, DbErr> {
        Ok(self.known().await?.position)
    }

    async fn known(&self) -> Result<Known, DbErr> {
        known(&self.database, self.name, self.source.service()).await
    }
}

/// Whether a follower has applied everything up to `target` of its source.
pub async fn caught_up(
    database: &Database,
    follower: &'static str,
    source: &'static str,
    target: i64,
) -> Result<bool, DbErr> {
    Ok(known(database, follower, source).await?.position >= target)
}

async fn known(database: &Database, follower: &'static str, source: &'static str) -> Result<Known, DbErr> {
    let tx = database.untenanted_tx::<DbErr>();
    let sql = "SELECT position, log FROM outbox_position WHERE follower = :follower AND source = :source";
    let known = tx.row(sql, named! { follower, source }).await?;
    tx.commit().await?;
    Ok(known.unwrap_or_default())
}
