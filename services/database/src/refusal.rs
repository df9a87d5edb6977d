//! Changes that were refused, noted beside those that were made.

use std::sync::Arc;

use boot::Host;
use caller::{Refusal, Refusals, Tenant, Worker};
use sea_orm::DbErr;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::{Database, named};

/// Refusals that wait to be noted. Of a flood, the rest is counted by the metrics of the calls alone.
const WAITING: usize = 1_024;

const NOTE: &str = "INSERT INTO change_entry (business_id, id, at, actor, action, record_kind, refusal)
    VALUES (:business_id, :id, :at, :actor, :action, '', :refusal)";

/// Takes refusals on, without making their callers wait.
#[derive(Debug)]
struct Waiting(mpsc::Sender<Refusal>);

impl Refusals for Waiting {
    fn refused(&self, refusal: Refusal) {
        if self.0.try_send(refusal).is_err() {
            tracing::warn!("a refused change is not noted: too many wait");
        }
    }
}

/// Notes refused changes in the log of changes until the host shuts down.
#[must_use]
pub fn note_refusals(database: Database, host: &Host) -> Arc<dyn Refusals> {
    let (sender, mut waiting) = mpsc::channel(WAITING);
    let shutdown = host.shutdown.clone();
    tokio::spawn(async move {
        while let Some(refusal) = tokio::select! {
            next = waiting.recv() => next,
            () = shutdown.cancelled() => None,
        } {
            if let Err(error) = database.note_refusal(&refusal).await {
                tracing::warn!(%error, "a refused change is not noted");
            }
        }
    });
    Arc::new(Waiting(sender))
}

impl Database {
    async fn note_refusal(&self, refusal: &Refusal) -> Result<(), DbErr> {
        let worker = Worker::new("refusals", refusal.business);
        let tx = self.tx::<DbErr>(&worker);
        let values = named! {
            business_id: worker.business().0,
            id: tx.new_id::<Uuid>(),
            at: tx.at(),
            actor: refusal.actor.to_string(),
            action: refusal.method.path.rsplit('/').next().unwrap_or_default(),
            refusal: refusal.reason,
        };
        tx.execute(NOTE, values).await?;
        tx.commit().await
    }
}
