//! OAuthFlows with the provider that the door drives, and the handoffs they end in. Each row is good
//! once: taking it deletes it.

use caller::UserId;
use database::{Named, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;

use super::Tx;
use crate::{
    Error,
    domain::code_flow::{RedirectUri, TicketHash},
};

const BEGIN: &str = "INSERT INTO provider_transaction
        (state_hash, binding_hash, sealed_verifier, redirect_uri, expires_at)
    VALUES (:state_hash, :binding_hash, :sealed_verifier, :redirect_uri, :expires_at)";
// Flows can be begun without an account, so beginning one also deletes some that have expired.
const FORGET_EXPIRED: &str = "DELETE FROM provider_transaction WHERE state_hash IN
    (SELECT state_hash FROM provider_transaction WHERE expires_at <= :now
     ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)";
const TAKE: &str = "DELETE FROM provider_transaction
    WHERE state_hash = :ticket_hash AND binding_hash = :binding_hash AND expires_at > :now
    RETURNING sealed_verifier, redirect_uri";
const HAND_OFF: &str = "INSERT INTO handoff (ticket_hash, binding_hash, account_id, expires_at)
    VALUES (:ticket_hash, :binding_hash, :account_id, :expires_at)";
const FORGET_HANDOFFS: &str = "DELETE FROM handoff WHERE expires_at <= :now";
const FORGET_HANDOFFS_OF: &str = "DELETE FROM handoff WHERE account_id = :account_id";
const REDEEM: &str = "DELETE FROM handoff
    WHERE ticket_hash = :ticket_hash AND binding_hash = :binding_hash AND expires_at > :now
    RETURNING account_id";

/// A flow that the door drives.
#[derive(Debug)]
pub struct Flow {
    /// The code verifier, sealed under [`name`].
    pub sealed_verifier: Vec<u8>,
    /// Where the provider sends the browser back to.
    pub redirect_uri: RedirectUri,
}

/// What brings a browser and its flow together again.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// From the address.
    pub ticket: TicketHash,
    /// From the browser's cookie.
    pub browser: TicketHash,
}

/// The name a flow's verifier is sealed under.
#[must_use]
pub fn name(state: TicketHash) -> String {
    let hex: String = state.0.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("provider transaction {hex}")
}

#[derive(FromQueryResult)]
struct FlowRow {
    sealed_verifier: Vec<u8>,
    redirect_uri: String,
}

impl TryFrom<FlowRow> for Flow {
    type Error = Error;
    fn try_from(row: FlowRow) -> Result<Self, Error> {
        let redirect_uri = RedirectUri::stored(row.redirect_uri);
        Ok(Self { sealed_verifier: row.sealed_verifier, redirect_uri })
    }
}

impl Tx {
    /// Keeps a flow until `expires_at`.
    pub async fn begin_flow(
        &self,
        binding: Binding,
        flow: &Flow,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), Error> {
        self.execute(FORGET_EXPIRED, named! { now: to_db(now) }).await?;
        let values = named! {
            state_hash: binding.ticket.0.to_vec(),
            binding_hash: binding.browser.0.to_vec(),
            sealed_verifier: flow.sealed_verifier.clone(),
            redirect_uri: flow.redirect_uri.as_str(),
            expires_at: to_db(expires_at),
        };
        self.execute(BEGIN, values).await.map(drop)
    }

    /// Takes a flow that this browser began.
    ///
    /// # Errors
    /// [`Error::FlowOver`].
    pub async fn take_flow(&self, binding: Binding, now: Timestamp) -> Result<Flow, Error> {
        self.one::<FlowRow, _>(TAKE, bound(binding, now)).await?.ok_or(Error::FlowOver)
    }

    /// Keeps a person's handoff until `expires_at`.
    pub async fn hand_off(
        &self,
        binding: Binding,
        person: UserId,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), Error> {
        self.execute(FORGET_HANDOFFS, named! { now: to_db(now) }).await?;
        let values = named! {
            ticket_hash: binding.ticket.0.to_vec(),
            binding_hash: binding.browser.0.to_vec(),
            account_id: person.0,
            expires_at: to_db(expires_at),
        };
        self.execute(HAND_OFF, values).await.map(drop)
    }

    /// Lets no handoff of a person open a session any more.
    pub async fn forget_handoffs_of(&self, person: UserId) -> Result<(), Error> {
        self.execute(FORGET_HANDOFFS_OF, named! { account_id: person.0 }).await.map(drop)
    }

    /// Whose handoff this browser redeems.
    ///
    /// # Errors
    /// [`Error::FlowOver`].
    pub async fn redeem(&self, binding: Binding, now: Timestamp) -> Result<UserId, Error> {
        self.value(REDEEM, bound(binding, now)).await?.map(UserId).ok_or(Error::FlowOver)
    }
}

fn bound(Binding { ticket, browser }: Binding, now: Timestamp) -> Named {
    named! { ticket_hash: ticket.0.to_vec(), binding_hash: browser.0.to_vec(), now: to_db(now) }
}
