//! What conversations run on: those of callers, and chats in which a person tries the agent.

use caller::BusinessScope;
use proto::{
    frontdesk::tenancy::{
        internal::v1::{GetPublishedAgentRequest, GetPublishedAgentResponse, PublishedAgentServiceHandler},
        v1::{
            self as pb, AgentChatServiceHandler, GetAgentChatRequest, GetAgentChatResponse,
            StartAgentChatRequest, StartAgentChatResponse,
        },
    },
    parse::id,
    time::to_proto,
};
use tonic::{Status, async_trait};

use super::agent_settings;
use crate::{
    app::{StartAgentChat, published_agent},
    domain::{AgentChat, ReadyAgent},
    store::Store,
};

/// Serves `AgentChatService` and `PublishedAgentService`.
#[derive(Debug)]
pub(crate) struct AgentChats {
    store: Store,
}

impl AgentChats {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl PublishedAgentServiceHandler for AgentChats {
    async fn get_published_agent(
        &self,
        scope: BusinessScope,
        _: GetPublishedAgentRequest,
    ) -> Result<GetPublishedAgentResponse, Status> {
        let agent = published_agent(self.store.begin(&scope)).await?;
        Ok(GetPublishedAgentResponse { agent: Some(ready(&agent)) })
    }
}

#[async_trait]
impl AgentChatServiceHandler for AgentChats {
    async fn start_agent_chat(
        &self,
        scope: BusinessScope,
        request: StartAgentChatRequest,
    ) -> Result<StartAgentChatResponse, Status> {
        let chat = StartAgentChat { draft: request.draft }.run(self.store.begin(&scope)).await?;
        Ok(StartAgentChatResponse { chat: Some(wire(&chat)) })
    }

    async fn get_agent_chat(
        &self,
        scope: BusinessScope,
        request: GetAgentChatRequest,
    ) -> Result<GetAgentChatResponse, Status> {
        let id = id("agent_chat_id", &request.agent_chat_id)?;
        let tx = self.store.begin(&scope);
        let chat = tx.agent_chat(id).await?;
        tx.commit().await?;
        Ok(GetAgentChatResponse { chat: Some(wire(&chat)) })
    }
}

fn wire(chat: &AgentChat) -> pb::AgentChat {
    pb::AgentChat {
        id: chat.id.to_string(),
        draft: chat.draft,
        agent: Some(ready(&chat.agent)),
        started_at: Some(to_proto(chat.at)),
    }
}

fn ready(agent: &ReadyAgent) -> pb::ReadyAgent {
    pb::ReadyAgent {
        version: agent.version,
        settings: Some(agent_settings::wire(&agent.settings)),
        salon: agent.salon.clone(),
        time_zone: agent.zone.clone(),
    }
}
