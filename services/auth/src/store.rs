//! Postgres. What is here alone speaks SQL.
//!
//! People belong to no business, so transactions have none, but for the one that
//! changes a membership: its event is the business's.

mod account;
mod business_name;
mod code_flow;
mod device;
mod email_proof;
mod forgetting;
mod identity;
mod invitation;
mod mail;
mod mail_limit;
mod member;
mod membership;
mod one_time_token;
mod profile;
mod security_event;
mod session;
mod signing_key;
mod whereabouts;

use boot::{Host, clock::Clock, postgres::Database, security::Retention};
use caller::{BusinessId, Worker};
use outbox::{NewEvent, Wake};
use proto::frontdesk::events::v1::event::Payload;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, FromQueryResult, Statement, Value};
use uuid::Uuid;

pub use account::NewAccount;
pub use business_name::save_business_name;
pub use code_flow::{Binding, Flow, name as flow_name};
pub use device::Device;
pub use email_proof::EmailProof;
pub use forgetting::Stale;
pub use identity::Identity;
pub use invitation::{Invitation, InvitationPlace};
pub use mail::ClaimedMail;
pub use member::Member;
pub use membership::{NamedMembership, Place};
pub use security_event::SecurityEvent;
pub use session::{EndReason, NewSession, Proof, Standing};
pub use whereabouts::AliveSession;

use crate::{Error, domain::sealing::SealingKey};

/// The statements of every sign-in, refresh and admission, all of which must use an index.
pub const HOT_STATEMENTS: &[&str] = &[
    account::BY_EMAIL,
    account::BY_ID,
    mail::CLAIM,
    identity::BY_SUBJECT,
    device::BY_ID,
    device::OF_SESSION,
    membership::OF_PERSON,
    session::BY_ID,
    session::ROTATE,
    session::FORGET_EXPIRED,
    session::STANDING,
    security_event::OF_PERSON,
];

/// The service's database.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
    clock: Clock,
    kept: Retention,
    limited: bool,
    wake: Wake,
    sealing: SealingKey,
}

impl Store {
    /// A store that wakes followers after each commit and seals what waits to be sent.
    #[must_use]
    pub fn new(database: Database, host: &Host, wake: Wake, sealing: SealingKey) -> Self {
        let (kept, limited) = (host.security.events, host.security.sign_in.is_some());
        Self { database, clock: host.clock.clone(), kept, limited, wake, sealing }
    }

    fn tx(&self, sql: DatabaseTransaction, business: Option<BusinessId>) -> Tx {
        let Self { clock, kept, limited, wake, sealing, .. } = self.clone();
        Tx { sql, business, clock, kept, limited, wake, sealing }
    }

    /// Begins a transaction on people.
    ///
    /// # Errors
    /// When there is no connection.
    pub async fn begin(&self) -> Result<Tx, Error> {
        Ok(self.tx(self.database.begin_untenanted().await?, None))
    }

    /// Begins a transaction on people whose events belong to a business.
    ///
    /// # Errors
    /// When there is no connection.
    pub async fn begin_in(&self, business: BusinessId) -> Result<Tx, Error> {
        let sql = self.database.begin(&Worker::new("provisioning", business)).await?;
        Ok(self.tx(sql, Some(business)))
    }
}

/// A transaction; rolled back unless committed.
#[derive(Debug)]
pub struct Tx {
    sql: DatabaseTransaction,
    business: Option<BusinessId>,
    clock: Clock,
    /// How much of each account's record is kept.
    kept: Retention,
    /// Whether the profile limits what can be asked for.
    limited: bool,
    wake: Wake,
    sealing: SealingKey,
}

impl Tx {
    /// Makes the changes last and tells the followers.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn commit(self) -> Result<(), Error> {
        self.sql.commit().await?;
        self.wake.wake();
        Ok(())
    }

    /// An id for a new row.
    #[must_use]
    pub fn new_id(&self) -> Uuid {
        self.clock.new_id()
    }

    async fn announce(&self, aggregate_id: Uuid, version: i64, payload: Payload) -> Result<(), Error> {
        let event = NewEvent {
            event_id: self.clock.new_id(),
            business: self.business,
            aggregate_id,
            version,
            occurred_at: self.clock.now(),
            payload,
        };
        Ok(outbox::push(&self.sql, event).await?)
    }

    async fn execute(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<u64, Error> {
        Ok(self.sql.execute_raw(statement(sql, values)).await?.rows_affected())
    }

    /// Reads rows into what the domain knows.
    async fn all<R, T>(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<Vec<T>, Error>
    where
        R: FromQueryResult + TryInto<T, Error = Error>,
    {
        let rows = R::find_by_statement(statement(sql, values)).all(&self.sql).await?;
        rows.into_iter().map(TryInto::try_into).collect()
    }

    /// Reads at most one row into what the domain knows.
    async fn one<R, T>(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<Option<T>, Error>
    where
        R: FromQueryResult + TryInto<T, Error = Error>,
    {
        let row = R::find_by_statement(statement(sql, values)).one(&self.sql).await?;
        row.map(TryInto::try_into).transpose()
    }
}

fn statement(sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}
