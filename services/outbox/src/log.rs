//! Serving the log.

use core::time::Duration;
use std::sync::Arc;

use boot::{Host, retention};
use caller::InstallationScope;
use database::{Database, Tx, named, to_db};
use jiff::Timestamp;
use prost::Message;
use proto::{
    ResponseStream,
    error::{Reason, refuse},
    frontdesk::events::v1::{
        Event, EventLogServiceHandler, FollowRequest, FollowResponse, follow_request::From as Begin,
    },
};
use sea_orm::{DbErr, FromQueryResult};
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, async_trait};
use uuid::Uuid;

/// How often the log is read when nothing wakes it.
const POLL: Duration = Duration::from_millis(200);
/// The head is read no more often than this, however often it is woken: under load, one reading
/// serves many commits.
const BREATH: Duration = Duration::from_millis(5);
const BATCH: u64 = 500;
const PRUNE_EVERY: Duration = Duration::from_secs(3600);

/// Everything below the oldest running transaction is final.
const FINAL: &str = "(pg_snapshot_xmin(pg_current_snapshot())::text::bigint << 20)";

/// A service's own log.
#[derive(Debug)]
pub struct Log {
    database: Database,
    head: watch::Receiver<i64>,
}

impl Log {
    /// Starts watching the head of the log and pruning its tail.
    #[must_use]
    pub fn start(database: Database, host: &Host) -> Arc<Self> {
        let (sender, head) = watch::channel(0);
        let watching = watch_head(database.clone(), sender);
        let pruning = prune_regularly(database.clone(), host.clone());
        let shutdown = host.shutdown.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = watching => {}
                () = pruning => {}
            }
        });
        Arc::new(Self { database, head })
    }
}

#[async_trait]
impl EventLogServiceHandler for Log {
    async fn follow(
        &self,
        _scope: InstallationScope,
        request: FollowRequest,
    ) -> Result<ResponseStream<FollowResponse>, Status> {
        let hello = self.begin(request.from, &request.log).await.map_err(unreadable)?;
        let FollowResponse { position, reset, .. } = hello;
        tracing::debug!(follower = %request.follower, position, reset, "following");
        let (sender, receiver) = mpsc::channel(64);
        tokio::spawn(stream(self.database.clone(), self.head.clone(), hello, sender));
        Ok(Box::pin(ReceiverStream::new(receiver)))
    }
}

/// Where the log begins and ends.
#[derive(FromQueryResult)]
struct Ends {
    head: i64,
    horizon: i64,
    log: Uuid,
}

#[derive(FromQueryResult)]
struct Row {
    position: i64,
    event: Vec<u8>,
}

impl Log {
    /// Where to begin, and whether something is missing from there on: the wanted position is older than the log
    /// keeps, or is none of this log.
    async fn begin(&self, from: Option<Begin>, wanted: &str) -> Result<FollowResponse, DbErr> {
        let sql = format!("SELECT {FINAL} - 1 AS head, position AS horizon, log FROM outbox_horizon");
        let tx = installation_tx(&self.database);
        let ends = tx.row(&sql, []).await?;
        tx.commit().await?;
        let Ends { head, horizon, log } =
            ends.ok_or_else(|| DbErr::RecordNotFound("outbox_horizon".to_owned()))?;
        let log = log.to_string();
        let (position, reset) = match from {
            // A server that was restored has had fewer transactions.
            Some(Begin::After(after)) if after > head || !(wanted.is_empty() || wanted == log) => {
                (horizon, true)
            }
            Some(Begin::After(after)) => (after.max(horizon), after != 0 && after < horizon),
            Some(Begin::Now(_)) | None => (head, false),
        };
        Ok(FollowResponse { event: None, position, reset, log })
    }
}

/// Sends batches until the reader goes away, sleeping between heads.
async fn stream(
    database: Database,
    mut head: watch::Receiver<i64>,
    hello: FollowResponse,
    sender: mpsc::Sender<Result<FollowResponse, Status>>,
) {
    let mut position = hello.position;
    if sender.send(Ok(hello)).await.is_err() {
        return;
    }
    loop {
        match batch(&database, position).await {
            Ok(events) if events.is_empty() => {
                let moved = head.wait_for(|head| *head > position);
                tokio::select! {
                    () = sender.closed() => return,
                    moved = moved => if moved.is_err() { return },
                }
            }
            Ok(events) => {
                for event in events {
                    position = event.position;
                    let response =
                        FollowResponse { event: Some(event), position, ..FollowResponse::default() };
                    if sender.send(Ok(response)).await.is_err() {
                        return;
                    }
                }
            }
            Err(error) => {
                // The reader comes back from its saved position.
                drop(sender.send(Err(unreadable(error))).await);
                return;
            }
        }
    }
}

async fn batch(database: &Database, after: i64) -> Result<Vec<Event>, DbErr> {
    let tx = installation_tx(database);
    let sql = format!(
        "SELECT position, event FROM outbox WHERE position > :after AND position < {FINAL}
         ORDER BY position LIMIT {BATCH}"
    );
    let rows = tx.rows(&sql, named! { after }).await?;
    tx.commit().await?;
    rows.into_iter().map(decode).collect()
}

fn decode(Row { position, event }: Row) -> Result<Event, DbErr> {
    let event = Event::decode(event.as_slice()).map_err(|error| DbErr::Custom(error.to_string()))?;
    Ok(Event { position, ..event })
}

/// The position of the newest final event, 0 for an empty log.
pub async fn head(database: &Database) -> Result<i64, DbErr> {
    let sql = format!("SELECT COALESCE(max(position), 0) FROM outbox WHERE position < {FINAL}");
    let tx = installation_tx(database);
    let head = tx.value(&sql, []).await?;
    tx.commit().await?;
    Ok(head.unwrap_or_default())
}

async fn watch_head(database: Database, sender: watch::Sender<i64>) {
    loop {
        let woken = database.wake().woken();
        match head(&database).await {
            Ok(head) => {
                sender.send_if_modified(|known| {
                    let moved = head > *known;
                    *known = head.max(*known);
                    moved
                });
            }
            Err(error) => tracing::warn!(%error, "the log's head can't be read"),
        }
        tokio::time::sleep(BREATH).await;
        drop(tokio::time::timeout(POLL, woken).await);
    }
}

async fn prune_regularly(database: Database, host: Host) {
    loop {
        if let Err(error) = prune(&database, host.clock.now() - retention::EVENTS).await {
            tracing::warn!(%error, "the log's tail was not pruned");
        }
        tokio::time::sleep(PRUNE_EVERY).await;
    }
}

/// Drops events older than `before` and remembers up to where.
async fn prune(database: &Database, before: Timestamp) -> Result<(), DbErr> {
    let tx = installation_tx(database);
    let sql = "WITH gone AS (DELETE FROM outbox WHERE occurred_at < :before RETURNING position)
        UPDATE outbox_horizon SET position = GREATEST(position, (SELECT max(position) FROM gone))";
    tx.execute(sql, named! { before: to_db(before) }).await?;
    tx.commit().await
}

/// The log holds the events of every business.
pub(crate) fn installation_tx(database: &Database) -> Tx<DbErr> {
    database.installation_tx(&InstallationScope::worker("outbox"))
}

fn unreadable(error: DbErr) -> Status {
    tracing::warn!(%error, "the log can't be read");
    refuse(Reason::Unavailable, "the event log can't be read")
}
