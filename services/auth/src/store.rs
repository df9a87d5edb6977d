//! Postgres. What is here alone speaks SQL.
//!
//! People belong to no business, so transactions have none, but for the one that
//! changes a membership: its event is the business's.

mod account;
mod code_flow;
mod device;
mod email_proof;
mod export_reader;
mod identity;
mod invitation;
mod known_business;
mod last_seen;
mod mail;
mod mail_limit;
mod member;
mod membership;
mod naming;
mod one_time_token;
mod profile;
mod retention;
mod security_event;
mod session;
mod signing_key;

use core::ops::Deref;

use boot::{Host, security::Retention};
use caller::{BusinessId, BusinessScope, Method, Tenant, UserId, Worker};
use database::{Attempt, Database};
use prost::Message;
use tonic::Status;
use uuid::Uuid;

pub use account::NewAccount;
pub use code_flow::{Binding, Flow, name as flow_name};
pub use device::Device;
pub use email_proof::EmailProof;
pub use export_reader::export_readers;
pub use identity::Identity;
pub use invitation::{Invitation, InvitationPlace};
pub use known_business::save_business;
pub use last_seen::AliveSession;
pub use mail::{ClaimedMail, queue_mail_in};
pub use member::Member;
pub use membership::{NamedMembership, Owners, Place};
pub use naming::NAMINGS;
pub use profile::Profile;
pub use retention::Stale;
pub use security_event::SecurityEvent;
pub use session::{EndReason, NewSession, Proof, Standing};

use sealing::SealingKey;

use crate::Error;

/// The statements of every sign-in, refresh and admission, all of which must use an index.
pub const HOT_STATEMENTS: &[&str] = &[
    account::BY_EMAIL,
    account::BY_ID,
    mail::CLAIM,
    identity::OWNER,
    device::BY_ID,
    device::OF_SESSION,
    member::BY_ACCOUNT,
    member::BY_ADDRESS,
    membership::OF_PERSON,
    membership::OWNERS,
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
    kept: Retention,
    limited: bool,
    sealing: SealingKey,
}

impl Store {
    /// A store that seals what waits to be sent.
    #[must_use]
    pub fn new(database: Database, host: &Host, sealing: SealingKey) -> Self {
        let (kept, limited) = (host.security.events, host.security.sign_in.is_some());
        Self { database, kept, limited, sealing }
    }

    /// A transaction on people.
    #[must_use]
    pub fn begin(&self) -> Tx {
        self.tx(self.database.untenanted_tx())
    }

    /// A transaction on people whose events belong to a business.
    #[must_use]
    pub fn begin_in(&self, business: BusinessId) -> Tx {
        self.tx(self.database.publishing_tx(&Worker::new("provisioning", business)))
    }

    /// As [`Self::begin_in`], in the name of the one who acts there.
    #[must_use]
    pub fn begin_as(&self, tenant: &impl Tenant) -> Tx {
        self.tx(self.database.publishing_tx(tenant))
    }

    /// Does a write in a business once per idempotency key: `work` and its answer commit together, and a repeated request
    /// gets the answer of the first. Changes are recorded as `person`'s, also if a service acts on their behalf.
    ///
    /// # Errors
    /// Those of `work`, and [`Error::KeyReused`] for another request under the same key.
    pub async fn idempotent_for<R: Message + Default>(
        &self,
        person: UserId,
        scope: &BusinessScope,
        method: &'static Method,
        request: &impl Message,
        work: impl AsyncFnOnce(&Tx) -> Result<R, Status>,
    ) -> Result<R, Status> {
        let tx = self.tx(self.database.publishing_tx(scope).on_behalf_of(person));
        Attempt::new(scope, method, request).once(tx, work, Tx::commit).await
    }

    fn tx(&self, inner: database::Tx<Error>) -> Tx {
        Tx { inner, kept: self.kept, limited: self.limited, sealing: self.sealing.clone() }
    }
}

/// A transaction; rolled back unless committed.
#[derive(Debug)]
pub struct Tx {
    inner: database::Tx<Error>,
    /// How much of each account's record is kept.
    kept: Retention,
    /// Whether the profile limits what can be asked for.
    limited: bool,
    sealing: SealingKey,
}

impl Deref for Tx {
    type Target = database::Tx<Error>;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl Tx {
    /// An id for a new row.
    #[must_use]
    pub fn new_id(&self) -> Uuid {
        self.inner.new_id()
    }

    /// Makes the changes last, and wakes the followers if any was published.
    pub async fn commit(self) -> Result<(), Error> {
        self.inner.commit().await
    }
}
