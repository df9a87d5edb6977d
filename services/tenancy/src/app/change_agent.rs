//! Changes how a business's agent speaks and what it may do.

use crate::{
    Error,
    domain::{AgentDraft, AgentSettings, AgentVersion, Dialled},
    store::Tx,
};

/// Settings to keep as the draft.
#[derive(Debug)]
pub struct SaveAgentDraft {
    /// The settings.
    pub settings: AgentSettings,
    /// Whom the agent passes callers on to.
    pub transfer: Option<Dialled>,
    /// The revision that was seen.
    pub revision: Option<i64>,
}

impl SaveAgentDraft {
    /// Keeps them; says whether they differ from what is published.
    ///
    /// # Errors
    /// [`Error::Stale`]; [`Error::Phone`].
    pub async fn run(self, tx: Tx) -> Result<(AgentDraft, bool), Error> {
        let before = taken_draft(&tx).await?;
        let transfer = tx.complete_phone(self.transfer).await?;
        let settings = self.settings.passing_on_to(transfer.as_ref());
        let after = before.clone().seen_at(self.revision)?.rewritten(settings);
        if after != before {
            tx.save_agent_draft(&after).await?;
        }
        let has_changes = after.settings != tx.published_agent().await?.settings;
        tx.commit().await?;
        Ok((after, has_changes))
    }
}

/// Makes the draft the version that calls run on.
#[derive(Debug)]
pub struct PublishAgent {
    /// The revision of the draft that was seen.
    pub revision: Option<i64>,
}

impl PublishAgent {
    /// Publishes it, unless it is published already. What an agent does at first is published like any other draft.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub async fn run(self, tx: Tx) -> Result<AgentVersion, Error> {
        let draft = taken_draft(&tx).await?.seen_at(self.revision)?;
        let before = tx.published_agent().await?;
        if before.is_published() && draft.settings == before.settings {
            return Ok(before);
        }
        let after = before.next(draft.settings, tx.actor(), tx.now(), None);
        tx.add_agent_version(&after).await?;
        tx.wish_publication(None).await?;
        tx.commit().await?;
        Ok(after)
    }
}

/// Publishes an earlier version again.
#[derive(Debug)]
pub struct RollBackAgent {
    /// Which.
    pub version: i32,
    /// The revision of the draft that was seen.
    pub revision: Option<i64>,
}

impl RollBackAgent {
    /// Publishes it as the next version, and makes the draft the same.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Stale`].
    pub async fn run(self, tx: Tx) -> Result<AgentVersion, Error> {
        let draft = taken_draft(&tx).await?.seen_at(self.revision)?;
        let earlier = tx.agent_version(self.version).await?;
        let before = tx.published_agent().await?;
        if earlier.settings == before.settings {
            return Ok(before);
        }
        let after = before.next(earlier.settings.clone(), tx.actor(), tx.now(), Some(self.version));
        tx.add_agent_version(&after).await?;
        tx.save_agent_draft(&draft.rewritten(earlier.settings)).await?;
        tx.wish_publication(None).await?;
        tx.commit().await?;
        Ok(after)
    }
}

/// The draft, which no one else writes or publishes until this transaction ends: before the first one, there is no row of
/// its own to lock.
async fn taken_draft(tx: &Tx) -> Result<AgentDraft, Error> {
    tx.take_agent_turn().await?;
    tx.agent_draft().await
}
