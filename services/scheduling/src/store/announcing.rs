//! What a transaction tells: events for whoever follows, the audit trail for people.

use std::sync::{LazyLock, atomic::Ordering};

use caller::Method;
use outbox::NewEvent;
use proto::frontdesk::events::v1::event::Payload;
use sea_orm::Value;
use uuid::Uuid;

use super::Tx;
use crate::Error;

/// The audit row of an event has its business, its time and its subject.
static ANNOUNCE_AUDITED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH announced AS ({}) INSERT INTO audit (business_id, id, at, actor, action, subject_id)
        VALUES ($2, $7, $5, $8, $9, $3)",
        outbox::PUSH
    )
});

impl Tx {
    /// Writes an event into the log.
    ///
    /// # Errors
    /// What the database refuses.
    pub async fn announce(
        &self,
        aggregate_id: impl Into<Uuid>,
        version: i64,
        payload: Payload,
    ) -> Result<(), Error> {
        outbox::push(self.open().await?, self.event(aggregate_id.into(), version, payload)).await?;
        self.announced.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Writes an event into the log and notes who did what it tells of, in one way there and back.
    ///
    /// # Errors
    /// What the database refuses.
    pub async fn announce_audited(
        &self,
        method: &Method,
        aggregate_id: impl Into<Uuid>,
        version: i64,
        payload: Payload,
    ) -> Result<(), Error> {
        let event = outbox::columns(self.event(aggregate_id.into(), version, payload));
        let audit = [self.new_id::<Uuid>().into(), self.actor.as_str().into(), action(method).into()];
        self.execute(&ANNOUNCE_AUDITED, event.into_iter().chain(audit)).await?;
        self.announced.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn event(&self, aggregate_id: Uuid, version: i64, payload: Payload) -> NewEvent {
        let (event_id, business) = (self.new_id(), Some(self.business));
        NewEvent { event_id, business, aggregate_id, version, occurred_at: self.now, payload }
    }

    /// Notes who did what to which record.
    ///
    /// # Errors
    /// What the database refuses.
    pub async fn audit(&self, method: &Method, subject: impl Into<Uuid>) -> Result<(), Error> {
        let sql = "INSERT INTO audit (business_id, id, at, actor, action, subject_id)
                   VALUES ($1, $2, $3, $4, $5, $6)";
        let values: [Value; 6] = [
            self.business.0.into(),
            self.new_id::<Uuid>().into(),
            self.at(),
            self.actor.as_str().into(),
            action(method).into(),
            subject.into().into(),
        ];
        self.execute(sql, values).await.map(drop)
    }
}

/// What the audit trail calls a method.
fn action(method: &Method) -> &'static str {
    method.path.rsplit('/').next().unwrap_or(method.path)
}
