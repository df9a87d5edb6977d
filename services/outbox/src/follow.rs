//! Following another service's log.

use core::time::Duration;

use boot::{Host, peer::Peer, postgres::Database, postgres::to_db, telemetry::set_parent};
use caller::{BusinessId, Worker};
use futures::StreamExt;
use opentelemetry::{KeyValue, global};
use prost::Message;
use proto::frontdesk::events::v1::{
    Event, FollowRequest, event_log_service_client::EventLogServiceClient, follow_request::From as Begin,
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement, Value};
use tonic::async_trait;
use tracing::Instrument;
use uuid::Uuid;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Why an event did not take effect.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// It never will: its aggregate is parked, everything else goes on.
    #[error("poison: {0}")]
    Poison(String),
    /// It may later: the log waits.
    #[error("{0}")]
    Retry(String),
}

impl From<DbErr> for FollowError {
    fn from(error: DbErr) -> Self {
        Self::Retry(error.to_string())
    }
}

/// What an event does here.
#[async_trait]
pub trait Apply: Send + Sync + 'static {
    /// Applies one event inside the transaction that also saves the position;
    /// `app.business_id` is the event's business.
    async fn apply(&self, tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError>;
}

/// A reader of one service's log with a position of its own.
#[derive(Debug)]
pub struct Follower {
    name: &'static str,
    source: Peer,
    database: Database,
    host: Host,
}

impl Follower {
    /// A follower called `name` of the log of `source`.
    #[must_use]
    pub fn new(name: &'static str, source: Peer, database: Database, host: &Host) -> Self {
        Self { name, source, database, host: host.clone() }
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
            match self.follow(apply).await {
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
        let mut stream = client.follow(request).await.map_err(retry)?.into_inner();
        while let Some(response) = stream.next().await {
            let response = response.map_err(retry)?;
            if response.reset {
                tracing::error!(follower = self.name, after, "the log no longer keeps what was not yet read");
            }
            if let Some(event) = response.event {
                self.take(apply, &event).await?;
            }
        }
        Ok(())
    }

    /// Applies one event, or parks it.
    async fn take(&self, apply: &impl Apply, event: &Event) -> Result<(), FollowError> {
        let span = tracing::info_span!(
            "follow",
            otel.name = format!("{} follow {}", self.source.service(), self.name),
            otel.kind = "consumer",
            frontdesk.service = self.host.service,
            messaging.operation.type = "process",
            messaging.message.id = %event.event_id,
            event.position = event.position,
        );
        set_parent(&span, &event.traceparent);
        async {
            match self.apply_once(apply, event).await {
                Err(FollowError::Poison(reason)) => self.park(event, &reason).await?,
                other => other?,
            }
            self.record_lag(event);
            Ok(())
        }
        .instrument(span)
        .await
    }

    async fn apply_once(&self, apply: &impl Apply, event: &Event) -> Result<(), FollowError> {
        let tx = self.begin(event).await?;
        if self.is_parked(&tx, event).await? {
            return Err(FollowError::Poison("an earlier event of this aggregate is parked".to_owned()));
        }
        if self.is_newer(&tx, event).await? {
            apply.apply(&tx, event).await?;
        }
        self.save(&tx, event.position).await?;
        Ok(tx.commit().await?)
    }

    async fn begin(&self, event: &Event) -> Result<DatabaseTransaction, DbErr> {
        match event.business_id.parse::<BusinessId>() {
            Ok(business) => self.database.begin(&Worker::new(self.name, business)).await,
            Err(_) => self.database.begin_untenanted().await,
        }
    }

    async fn is_parked(&self, tx: &DatabaseTransaction, event: &Event) -> Result<bool, FollowError> {
        let sql = "SELECT 1 FROM outbox_parked WHERE follower = $1 AND aggregate_id = $2 LIMIT 1";
        let row = tx.query_one_raw(statement(sql, [self.name.into(), aggregate(event)?.into()])).await?;
        Ok(row.is_some())
    }

    /// Remembers the version, and whether it was news. A second replica waits here
    /// for the first one's commit and then finds nothing new.
    async fn is_newer(&self, tx: &DatabaseTransaction, event: &Event) -> Result<bool, FollowError> {
        let sql = "INSERT INTO outbox_seen AS seen (follower, aggregate_id, version) VALUES ($1, $2, $3)
                   ON CONFLICT (follower, aggregate_id) DO UPDATE SET version = EXCLUDED.version
                   WHERE seen.version < EXCLUDED.version";
        let values = [self.name.into(), aggregate(event)?.into(), event.version.into()];
        Ok(tx.execute_raw(statement(sql, values)).await?.rows_affected() == 1)
    }

    async fn save(&self, tx: &DatabaseTransaction, position: i64) -> Result<(), DbErr> {
        let sql = "INSERT INTO outbox_position AS known (follower, source, position) VALUES ($1, $2, $3)
                   ON CONFLICT (follower, source) DO UPDATE SET position = EXCLUDED.position
                   WHERE known.position < EXCLUDED.position";
        let values = [self.name.into(), self.source.service().into(), position.into()];
        tx.execute_raw(statement(sql, values)).await.map(drop)
    }

    async fn park(&self, event: &Event, reason: &str) -> Result<(), FollowError> {
        tracing::error!(follower = self.name, aggregate = %event.aggregate_id, reason, "event parked");
        global::meter("outbox").u64_counter("frontdesk.outbox.parked").build().add(1, &self.attributes());
        let tx = self.begin(event).await?;
        let sql = "INSERT INTO outbox_parked
                   (follower, source, position, business_id, aggregate_id, reason, parked_at, event)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
        let values: [Value; 8] = [
            self.name.into(),
            self.source.service().into(),
            event.position.into(),
            event.business_id.parse::<Uuid>().ok().into(),
            event.aggregate_id.parse::<Uuid>().unwrap_or_default().into(),
            reason.into(),
            to_db(self.host.clock.now()).into(),
            event.encode_to_vec().into(),
        ];
        tx.execute_raw(statement(sql, values)).await?;
        self.save(&tx, event.position).await?;
        Ok(tx.commit().await?)
    }

    async fn position(&self) -> Result<i64, DbErr> {
        position(&self.database, self.name, self.source.service()).await
    }

    fn record_lag(&self, event: &Event) {
        let Ok(Some(occurred)) = proto::time::parse("occurred_at", event.occurred_at.as_ref()) else {
            return;
        };
        let lag = self.host.clock.now().duration_since(occurred).as_secs_f64();
        let histogram = global::meter("outbox").f64_histogram("frontdesk.outbox.lag").with_unit("s").build();
        histogram.record(lag.max(0.0), &self.attributes());
    }

    fn attributes(&self) -> [KeyValue; 2] {
        [KeyValue::new("follower", self.name), KeyValue::new("source", self.source.service())]
    }
}

/// Whether a follower has applied everything up to `target` of its source.
///
/// # Errors
/// When the database can't be read.
pub async fn caught_up(
    database: &Database,
    follower: &'static str,
    source: &'static str,
    target: i64,
) -> Result<bool, DbErr> {
    Ok(position(database, follower, source).await? >= target)
}

async fn position(database: &Database, follower: &'static str, source: &'static str) -> Result<i64, DbErr> {
    let tx = database.begin_untenanted().await?;
    let sql = "SELECT position FROM outbox_position WHERE follower = $1 AND source = $2";
    let row = tx.query_one_raw(statement(sql, [follower.into(), source.into()])).await?;
    tx.commit().await?;
    row.map_or(Ok(0), |row| row.try_get("", "position"))
}

fn aggregate(event: &Event) -> Result<Uuid, FollowError> {
    event.aggregate_id.parse().map_err(|_| FollowError::Poison("aggregate_id is not a UUID".to_owned()))
}

fn statement<const N: usize>(sql: &str, values: [Value; N]) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}
