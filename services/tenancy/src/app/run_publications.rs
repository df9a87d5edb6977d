//! Brings the published agent to voice platforms, and compares what they have with what was brought there. Nothing is locked
//! while a platform is called, and doing it twice is doing it once: an attempt whose answer was lost is made again.

use core::time::Duration;
use std::sync::Arc;

use boot::Host;
use caller::{InstallationScope, Worker};
use jiff::SignedDuration;
use tokio::sync::Notify;
use uuid::Uuid;

use super::take_turns::take_turns;
use crate::{
    Error,
    domain::{PlatformAgent, PublicationFault, Script, VoicePlatform, first_check, next_check},
    measure::Publications,
    outside::{Account, AgentPlatform, Platforms},
    store::{PublicationTurn, Store, Tx},
    vault::Vault,
    webhook_url::WebhookUrls,
};

/// How long no other worker looks at a publication after one did: longer than all calls of one take.
const LEASE: SignedDuration = SignedDuration::from_secs(180);
/// How long all calls of one publication may take.
const PATIENCE: Duration = Duration::from_secs(150);
const WORKER: &str = "agent-publication";

/// Works on publications, beside the workers of other replicas.
#[derive(Debug)]
pub struct PublicationWorker {
    /// Where they are kept.
    pub store: Store,
    /// Opens the platforms' keys.
    pub vault: Arc<Vault>,
    /// Where they are brought to.
    pub platforms: Platforms,
    /// Where platforms deliver.
    pub webhooks: WebhookUrls,
    /// How they go.
    pub measure: Publications,
    /// Notified when one may be due.
    pub hint: Arc<Notify>,
}

/// What a turn works with.
struct Job<'a> {
    platform: &'a dyn AgentPlatform,
    kind: VoicePlatform,
    account: Account,
    script: Script,
    version: i32,
}

impl PublicationWorker {
    /// Works until the host shuts down.
    pub async fn run(self, host: Host) {
        take_turns(&host, &self.hint, "publications rest", || self.turn()).await;
    }

    /// Takes a turn at a publication that is due; whether one was.
    async fn turn(&self) -> Result<bool, Error> {
        let tx = self.store.begin_installation(&InstallationScope::worker(WORKER));
        let lease: Uuid = tx.new_id();
        let claimed = tx.claim_publication(lease, tx.now() + LEASE).await?;
        tx.commit().await?;
        let Some(turn) = claimed else { return Ok(false) };
        match self.job(&turn).await? {
            None => {
                let tx = self.begin(&turn);
                tx.drop_publication(&turn).await?;
                tx.commit().await?;
            }
            Some(job) if turn.publishes => self.publish(&turn, &job).await?,
            Some(job) => self.compare(&turn, &job).await?,
        }
        Ok(true)
    }

    /// What is to be done; `None` where nothing is published over the connection any more.
    async fn job(&self, turn: &PublicationTurn) -> Result<Option<Job<'_>>, Error> {
        let tx = self.begin(turn);
        let sealed = match tx.sealed_voice_connection(turn.connection).await {
            Err(Error::NotFound(_)) => return Ok(None),
            sealed => sealed?,
        };
        let version = tx.published_agent().await?;
        let business = tx.business().await?;
        tx.commit().await?;
        let connection = &sealed.connection;
        let platform = self.platforms.of(connection.platform);
        let Some(platform) = platform.filter(|_| connection.takes_no_publication().is_none()) else {
            return Ok(None);
        };
        let secrets = self.vault.open(&sealed)?;
        let key = secrets.api_key.unwrap_or_else(|| secrets.secret.clone());
        let (agent, number) = (connection.platform_agent.clone(), connection.account.clone());
        let account = Account { agent, number, key, secret: secrets.secret };
        let clock = connection.platform.clock(&business.zone.to_string());
        let webhook = self.webhooks.of_version(connection, version.version);
        let script = Script::of(&version, &business, &clock, &connection.voice, webhook)
            .map_err(|error| Error::Stored("agent's settings", Box::new(error)))?;
        Ok(Some(Job { platform, kind: connection.platform, account, script, version: version.version }))
    }

    async fn publish(&self, turn: &PublicationTurn, job: &Job<'_>) -> Result<(), Error> {
        let published = patient(job.platform.publish(&job.account, &job.script)).await;
        self.measure.published(job.kind, published.as_ref().err());
        if let Err(fault) = published {
            return self.failed(turn, &fault).await;
        }
        let tx = self.begin(turn);
        let pushed = job.platform.expected(&job.script);
        tx.save_published(turn, &pushed, job.version, first_check(tx.now())).await?;
        tx.commit().await
    }

    async fn compare(&self, turn: &PublicationTurn, job: &Job<'_>) -> Result<(), Error> {
        let found = match patient(job.platform.read(&job.account, &job.script.webhook)).await {
            Ok(found) => found,
            Err(fault) => return self.failed(turn, &fault).await,
        };
        let drift =
            turn.pushed.as_ref().map(|pushed: &PlatformAgent| pushed.drift(&found)).unwrap_or_default();
        self.measure.compared(job.kind, !drift.is_empty());
        let tx = self.begin(turn);
        let drift = drift.into_iter().map(|part| part.name().to_owned()).collect();
        tx.save_compared(turn, drift, next_check(tx.now())).await?;
        tx.commit().await
    }

    async fn failed(&self, turn: &PublicationTurn, fault: &PublicationFault) -> Result<(), Error> {
        tracing::warn!(voice.connection.id = %turn.connection, fault = fault.name(), "a platform does not have the agent");
        let tx = self.begin(turn);
        let again_at = fault.pause(turn.failures.saturating_add(1)).map(|pause| tx.now() + pause);
        tx.save_failed(turn, fault, again_at, next_check(tx.now())).await?;
        tx.commit().await
    }

    fn begin(&self, turn: &PublicationTurn) -> Tx {
        self.store.begin(&Worker::new(WORKER, turn.business))
    }
}

async fn patient<T>(work: impl Future<Output = Result<T, PublicationFault>>) -> Result<T, PublicationFault> {
    let late = || PublicationFault::Unreachable("the platform took too long".to_owned());
    tokio::time::timeout(PATIENCE, work).await.map_err(|_| late())?
}
