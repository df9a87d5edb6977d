//! Checks platforms for calls, for the voice door, which takes in those without a webhook.

use core::time::Duration;
use std::sync::Arc;

use caller::{InstallationScope, Worker};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{
    Error,
    domain::{
        PublicationFault, Span, UnreadCall, VoiceConnection, has_settled, is_call_id, next_after,
        next_after_ours, next_call_check, shown_since,
    },
    outside::{Account, CallHistory, Platforms, Wanted},
    store::{CallCheckTurn, ClaimedCallCheck, Store, Tx},
    vault::Vault,
    webhook_url::WebhookUrls,
};

/// How long no other door takes a check after one did: longer than a door spends on it.
const LEASE: SignedDuration = SignedDuration::from_secs(180);
/// How long one call of a platform's API may take, with all that it needs.
const PATIENCE: Duration = Duration::from_secs(20);
/// Connections without what a check needs, passed over in one go.
const MOST_PASSED: usize = 20;
/// The longest document of a call that is taken in, as the webhooks' are.
const LONGEST_DOCUMENT: usize = 2 << 20;
const WORKER: &str = "call-check";

/// Checks platforms for calls.
#[derive(Debug, Clone)]
pub struct CallChecks {
    /// Where checks are kept.
    pub store: Store,
    /// Opens the platforms' keys.
    pub vault: Arc<Vault>,
    /// Where calls are looked for.
    pub platforms: Platforms,
    /// Where platforms deliver.
    pub webhooks: WebhookUrls,
}

/// A check that a door takes.
#[derive(Debug)]
pub struct CallCheck {
    /// The check.
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

    /// The check that is due longest, leased.
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

    /// A page of the check's calls that have ended a while ago.
    ///
    /// # Errors
    /// [`Error::NoCalls`] if the platform does not answer as it should, which ends the check.
    pub async fn list(&self, turn: &CallCheckTurn, span: Span, page: &str) -> Result<EndedCalls, Error> {
        let (connection, account) = self.account(turn).await?;
        let webhook = self.webhooks.of(&connection);
        let wanted = Wanted { span, webhook: &webhook, page };
        let listed = patient(self.history(&connection).list(&account, wanted)).await;
        let found = self.told(turn, listed).await?;
        let now = self.store.clock().now();
        let settled =
            found.calls.into_iter().filter(|call| has_settled(call.ended_at, now) && is_call_id(&call.id));
        let mut calls: Vec<String> = settled.map(|call| call.id).collect();
        let tx = self.begin(turn);
        let given_up = tx.given_up_calls(turn.connection, &calls).await?;
        tx.commit().await?;
        calls.retain(|call| !given_up.contains(call));
        Ok(EndedCalls { calls, next: found.next })
    }

    /// All that the platform knows of one call, as JSON.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it no longer has the call; [`Error::UntoldCall`] and [`Error::LongCall`] if the call is
    /// given up; [`Error::CallAway`] if it may be read later; [`Error::CallRests`] if it was not asked for, as the
    /// last attempt failed lately; [`Error::NoCalls`] if the platform takes no requests over the connection, which ends
    /// the check.
    pub async fn read(&self, turn: &CallCheckTurn, call: &str) -> Result<String, Error> {
        let (connection, account) = self.account(turn).await?;
        let known = self.unread(turn, call).await?;
        if let Some(known) = known.as_ref().filter(|known| known.rests(self.store.clock().now())) {
            let fault = PublicationFault::Unreachable(known.reason.clone());
            return Err(known.next.map_or(Error::UntoldCall(fault), Error::CallRests));
        }
        let attempts = known.map_or(0, |known| known.attempts);
        match patient(self.history(&connection).read(&account, call)).await {
            Ok(document) => {
                let document = document.to_string();
                if document.len() > LONGEST_DOCUMENT {
                    return Err(self.give_up(turn, call, attempts, Error::LongCall).await?);
                }
                if attempts > 0 {
                    let tx = self.begin(turn);
                    tx.forget_unread_call(turn.connection, call).await?;
                    tx.commit().await?;
                }
                Ok(document)
            }
            Err(PublicationFault::Agent) => Err(Error::NotFound("call at the platform")),
            Err(fault @ (PublicationFault::Refused(_) | PublicationFault::Kind(_))) => {
                Err(self.give_up(turn, call, attempts, Error::UntoldCall(fault)).await?)
            }
            Err(fault @ PublicationFault::Unreachable(_)) => {
                let failed = UnreadCall::failed(call, attempts, fault.detail(), self.store.clock().now());
                self.note(turn, &failed).await?;
                Err(if failed.next.is_some() { Error::CallAway(fault) } else { Error::UntoldCall(fault) })
            }
            Err(fault @ (PublicationFault::ApiKey | PublicationFault::Busy(_))) => {
                self.told(turn, Err(fault)).await
            }
        }
    }

    async fn unread(&self, turn: &CallCheckTurn, call: &str) -> Result<Option<UnreadCall>, Error> {
        let tx = self.begin(turn);
        let known = tx.unread_call(turn.connection, call).await?;
        tx.commit().await?;
        Ok(known)
    }

    /// Asks for the call no more; hands over why.
    async fn give_up(
        &self,
        turn: &CallCheckTurn,
        call: &str,
        attempts: i32,
        why: Error,
    ) -> Result<Error, Error> {
        let reason = match &why {
            Error::UntoldCall(fault) => fault.detail(),
            other => other.to_string(),
        };
        self.note(turn, &UnreadCall::given_up(call, attempts, reason, self.store.clock().now())).await?;
        Ok(why)
    }

    async fn note(&self, turn: &CallCheckTurn, call: &UnreadCall) -> Result<(), Error> {
        let tx = self.begin(turn);
        tx.save_unread_call(turn.connection, call).await?;
        tx.commit().await
    }

    /// Ends a check; `taken` calls were taken in, and some could not be kept where it is `incomplete`.
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
        tx.forget_unread_calls(turn.connection, shown_since(now)).await?;
        if incomplete {
            tx.save_incomplete(turn, taken, next_after_ours(now)).await?;
        } else {
            tx.save_checked(turn, span, taken, next_call_check(span.until, now)).await?;
        }
        tx.commit().await
    }

    async fn account(&self, turn: &CallCheckTurn) -> Result<(VoiceConnection, Account), Error> {
        let tx = self.begin(turn);
        // A span of one agent is not asked of another.
        tx.call_check_failures(turn).await?.ok_or(Error::CheckOver)?;
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
            tx.save_check_failed(turn, &fault, due_at).await?;
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
