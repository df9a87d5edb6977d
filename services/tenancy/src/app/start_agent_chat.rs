//! Starts a chat with a business's agent.

use crate::{
    Error,
    domain::{AgentChat, AgentVersion, ReadyAgent},
    store::Tx,
};

/// What the agent of a business runs on now.
///
/// # Errors
/// [`Error::NotFound`] when there is no such business.
pub async fn published_agent(tx: Tx) -> Result<ReadyAgent, Error> {
    let version = tx.published_agent().await?;
    let ready = ready(&tx, version).await?;
    tx.commit().await?;
    Ok(ready)
}

/// A chat to start.
#[derive(Debug)]
pub struct StartAgentChat {
    /// Whether it runs on the draft.
    pub draft: bool,
}

impl StartAgentChat {
    /// Starts it.
    ///
    /// # Errors
    /// [`Error::TooManyChats`].
    pub async fn run(self, tx: Tx) -> Result<AgentChat, Error> {
        AgentChat::may_start(&tx.recent_agent_chats().await?, tx.now())?;
        let published = tx.published_agent().await?;
        let version = match self.draft {
            true => AgentVersion { settings: tx.agent_draft().await?.settings, ..published },
            false => published,
        };
        let chat = AgentChat {
            id: tx.new_id(),
            by: tx.actor().to_owned(),
            at: tx.now(),
            draft: self.draft,
            agent: ready(&tx, version).await?,
        };
        tx.add_agent_chat(&chat).await?;
        tx.commit().await?;
        Ok(chat)
    }
}

async fn ready(tx: &Tx, version: AgentVersion) -> Result<ReadyAgent, Error> {
    let business = tx.business().await?;
    let ready = ReadyAgent::of(version, &business, tx.now());
    ready.map_err(|error| Error::Stored("agent's settings", Box::new(error)))
}
