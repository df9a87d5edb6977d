//! Who did what to which record of a business.

use std::sync::LazyLock;

use caller::Method;
use proto::frontdesk::events::v1::event::Payload;
use sea_orm::DbErr;
use uuid::Uuid;

use crate::{Named, Tx, event, named};

/// Business, time and subject have their names in the log.
const NOTE: &str = "INSERT INTO audit (business_id, id, at, actor, action, subject_id)
    VALUES (:business_id, :audit_id, :occurred_at, :actor, :action, :aggregate_id)";

/// One round trip for an event and its audit row.
static PUBLISH_AUDITED: LazyLock<String> =
    LazyLock::new(|| format!("WITH published AS ({}) {NOTE}", event::PUSH));

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
        let subject: Uuid = subject.into();
        let business = self.business_id().map(|business| business.0);
        let about = named! { business_id: business, occurred_at: self.at(), aggregate_id: subject };
        self.execute(NOTE, self.note(method).and(about)).await.map(drop)
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
        self.execute(&PUBLISH_AUDITED, self.note(method).and(event)).await?;
        self.mark_published();
        Ok(())
    }

    fn note(&self, method: &Method) -> Named {
        named! { audit_id: self.new_id::<Uuid>(), actor: self.actor(), action: action(method) }
    }
}

/// What the audit trail calls a method.
fn action(method: &Method) -> &'static str {
    method.path.rsplit('/').next().unwrap_or(method.path)
}
