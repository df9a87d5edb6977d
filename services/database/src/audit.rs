//! Who did what to which record of a business.

use std::sync::LazyLock;

use caller::Method;
use proto::frontdesk::events::v1::event::Payload;
use sea_orm::{DbErr, Value};
use uuid::Uuid;

use crate::{Tx, event};

const NOTE: &str = "INSERT INTO audit (business_id, id, at, actor, action, subject_id)
    VALUES ($1, $2, $3, $4, $5, $6)";

/// One round trip for an event and its audit row, which share business, time and subject.
static PUBLISH_AUDITED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH published AS ({}) INSERT INTO audit (business_id, id, at, actor, action, subject_id)
        VALUES ($2, $7, $5, $8, $9, $3)",
        event::PUSH
    )
});

/// Creates the table `audit`, whose rows the service adds and reads.
#[must_use]
pub fn audit_sql() -> &'static str {
    "CREATE TABLE audit (
        business_id uuid NOT NULL,
        id uuid NOT NULL,
        at timestamptz NOT NULL,
        actor text NOT NULL,
        action text NOT NULL,
        subject_id uuid NOT NULL,
        PRIMARY KEY (business_id, id)
    );
    CREATE INDEX audit_at ON audit (business_id, at, id);
    "
}

impl<E: From<DbErr>> Tx<E> {
    /// Notes who did what to which record.
    pub async fn audit(&self, method: &Method, subject: impl Into<Uuid>) -> Result<(), E> {
        let values: [Value; 6] = [
            self.business_id().map(|business| business.0).into(),
            self.new_id::<Uuid>().into(),
            self.at(),
            self.actor().into(),
            action(method).into(),
            subject.into().into(),
        ];
        self.execute(NOTE, values).await.map(drop)
    }

    /// [`Self::publish_change`] and [`Self::audit`] in one round trip.
    pub async fn publish_audited_change(
        &self,
        method: &Method,
        aggregate_id: impl Into<Uuid>,
        version: i64,
        payload: Payload,
    ) -> Result<(), E> {
        let event = event::columns(self.event(self.business_id(), aggregate_id.into(), version, payload));
        let audit = [self.new_id::<Uuid>().into(), self.actor().into(), action(method).into()];
        self.execute(&PUBLISH_AUDITED, event.into_iter().chain(audit)).await?;
        self.mark_published();
        Ok(())
    }
}

/// What the audit trail calls a method.
fn action(method: &Method) -> &'static str {
    method.path.rsplit('/').next().unwrap_or(method.path)
}
