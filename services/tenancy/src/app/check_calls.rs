//! Looks for calls at platforms, for the voice door, which takes in those without a webhook.

use core::time::Duration;
use std::sync::Arc;

use caller::{InstallationScope, Worker};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{
    Error,
    domain::{
        PublicationFault, Span, VoiceConnection, has_settled, is_call_id, next_after, next_after_ours,
        next_look,
    },
    outside::{Account, CallHistory, Platforms, Wanted},
    store::{CallCheckTurn, ClaimedCallCheck, Store, Tx},
    vault::Vault,
    webhook_url::WebhookUrls,
};

/// How long no other door takes a look after one did: longer than a door spends on it.
const LEASE: SignedDuration = SignedDuration::from_secs(180);
/// How long one call of a platform's API may take, with all that it needs.
const PATIENCE: Duration = Duration::from_secs(20);
/// Connections without what a look needs, passed over in one go.
const MOST_PASSED: usize = 20;
/// The longest document of a call that is taken in, as the webhooks' are.
const LONGEST_DOCUMENT: usize = 1 << 20;
const WORKER: &str = "call-check";

/// Looks for calls.
#[derive(Debug, Clone)]
pub struct CallChecks {
    /// Where looks are kept.
    pub store: Store,
    /// Opens the platforms' keys.
    pub vault: Arc<Vault>,
    /// Where calls are looked for.
    pub platforms: Platforms,
    /// Where platforms deliver.
    pub webhooks: WebhookUrls,
}

/// A look that a door takes.
#[derive(Debug)]
pub struct CallCheck {
    /// The look.
    pub turn: CallCheckTurn,
    /// What it covers.
    pub span: Span,
    /// The version that the platform has, and since when.
    pub live: Option<(i32, jiff::Timestamp)>,
}

/// Ids of calls that have ended, and where the list goes on.
#[derive(Debug)]
pub struct EndedCalls {
    /// The platform's ids.
    pub calls: Vec<String>,
    /// The token of the next page.
    pub next: Option<String>,
}

impl CallChecks {
    /// Has calls looked for over connections that an earlier release created.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn adopt(&self) -> Result<u64, Error> {
        let tx = self.store.begin_installation(&InstallationScope::worker(WORKER));
        let adopted = tx.expect_all_calls().await?;
        tx.commit().await?;
        Ok(adopted)
    }

    /// The look that is due longest, leased.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn claim(&self, scope: &InstallationScope) -> Result<Option<CallCheck>, Error> {
        for _ in 0..MOST_PASSED {
            let tx = self.store.begin_installation(scope);
            let lease: Uuid = tx.new_id();
            let now = tx.now();
            let Some(claimed) = tx.claim_call_check(lease, now + LEASE).await? else { return Ok(None) };
            let ClaimedCallCheck { turn, first_at, seen_until, live } = claimed;
            let lists = match tx.sealed_connection(turn.connection).await {
                Ok(sealed) => sealed.connection.lists_calls(),
                Err(Error::NotFound(_)) => false,
                // It holds up no other connection, and is tried again when the lease ends.
                Err(error @ Error::Stored(..)) => {
                    tracing::error!(%error, voice.connection.id = %turn.connection, "a connection can't be read");
                    tx.commit().await?;
                    continue;
                }
                Err(error) => return Err(error),
            };
            if !lists {
                tx.rest_call_check(&turn).await?;
            }
            tx.commit().await?;
            if lists {
                return Ok(Some(CallCheck { turn, span: Span::after(seen_until, first_at, now), live }));
            }
        }
        Ok(None)
    }

    /// A page of the look's calls that have ended a while ago.
    ///
    /// # Errors
    /// [`Error::NoCalls`] if the platform does not answer as it should, which ends the look.
    pub async fn list(&self, turn: &CallCheckTurn, span: Span, page: &str) -> Result<EndedCalls, Error> {
        let (connection, account) = self.account(turn).await?;
        let webhook = self.webhooks.of(&connection);
        let wanted = Wanted { span, webhook: &webhook, page };
        let listed = patient(self.history(&connection).list(&account, wanted)).await;
        let found = self.told(turn, listed).await?;
        let now = self.store.clock().now();
        let settled =
            found.calls.into_iter().filter(|call| has_settled(call.ended_at, now) && is_call_id(&call.id));
        Ok(EndedCalls { calls: settled.map(|call| call.id).collect(), next: found.next })
    }

    /// All that the platform knows of one call, as JSON.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it no longer has the call; [`Error::UntoldCall`] and [`Error::LongCall`] if the call can't
    /// be taken in; [`Error::CallAway`] if it may be later; [`Error::NoCalls`] if the platform takes no requests over the
    /// connection, which ends the look.
    pub async fn read(&self, turn: &CallCheckTurn, call: &str) -> Result<String, Error> {
        let (connection, account) = self.account(turn).await?;
        let read = patient(self.history(&connection).read(&account, call)).await;
        let document = match read {
            Ok(document) => document.to_string(),
            Err(PublicationFault::Agent) => return Err(Error::NotFound("call at the platform")),
            Err(fault @ (PublicationFault::Refused(_) | PublicationFault::Kind(_))) => {
                return Err(Error::UntoldCall(fault));
            }
            Err(fault @ PublicationFault::Unreachable(_)) => return Err(Error::CallAway(fault)),
            Err(fault @ (PublicationFault::ApiKey | PublicationFault::Busy(_))) => {
                return self.told(turn, Err(fault)).await;
            }
        };
        if document.len() > LONGEST_DOCUMENT {
            return Err(Error::LongCall);
        }
        Ok(document)
    }

    /// Ends a look; `taken` calls were taken in, and some could not be kept where it is `incomplete`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn finish(
        &self,
        turn: &CallCheckTurn,
        span: Span,
        taken: i32,
        incomplete: bool,
    ) -> Result<(), Error> {
        let tx = self.begin(turn);
        let now = tx.now();
        if incomplete {
            tx.save_incomplete(turn, taken, next_after_ours(now)).await?;
        } else {
            tx.save_looked(turn, span, taken, next_look(span.until, now)).await?;
        }
        tx.commit().await
    }

    async fn account(&self, turn: &CallCheckTurn) -> Result<(VoiceConnection, Account), Error> {
        let tx = self.begin(turn);
        // A span of one agent is not asked of another.
        tx.call_check_failures(turn).await?.ok_or(Error::LookOver)?;
        let sealed = tx.sealed_voice_connection(turn.connection).await?;
        tx.commit().await?;
        let secrets = self.vault.open(&sealed)?;
        let connection = sealed.connection;
        let key = secrets.api_key.unwrap_or_else(|| secrets.secret.clone());
        let (agent, number) = (connection.platform_agent.clone(), connection.account.clone());
        Ok((connection, Account { agent, number, key, secret: secrets.secret }))
    }

    fn history(&self, connection: &VoiceConnection) -> &dyn CallHistory {
        self.platforms.history(connection.platform)
    }

    async fn told<T>(&self, turn: &CallCheckTurn, told: Result<T, PublicationFault>) -> Result<T, Error> {
        let fault = match told {
            Ok(told) => return Ok(told),
            Err(fault) => fault,
        };
        tracing::warn!(voice.connection.id = %turn.connection, fault = fault.name(), "a platform does not tell its calls");
        let tx = self.begin(turn);
        if let Some(failures) = tx.call_check_failures(turn).await? {
            let due_at = next_after(&fault, failures.saturating_add(1), tx.now());
            tx.save_look_failed(turn, &fault, due_at).await?;
            tx.commit().await?;
        }
        Err(Error::NoCalls(fault))
    }

    fn begin(&self, turn: &CallCheckTurn) -> Tx {
        self.store.begin(&Worker::new(WORKER, turn.business))
    }
}

async fn patient<T>(work: impl Future<Output = Result<T, PublicationFault>>) -> Result<T, PublicationFault> {
    let late = || PublicationFault::Unreachable("the platform took too long".to_owned());
    tokio::time::timeout(PATIENCE, work).await.map_err(|_| late())?
}
