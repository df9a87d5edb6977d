//! Chats with agents.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue};
use serde_json::json;
use uuid::Uuid;

use super::{Tx, no_business, refused};
use crate::{
    Error,
    domain::{AgentChat, AgentChatId},
};

/// When a person's latest chats started.
pub const RECENT_AGENT_CHATS: &str = "SELECT started_at FROM agent_chat
    WHERE business_id = :business_id AND started_by = :by AND started_at > :since
    ORDER BY started_at DESC LIMIT :limit";
const ADD: &str = "INSERT INTO agent_chat (business_id, id, started_by, started_at, draft, version, agent)
    VALUES (:business_id, :id, :by, :at, :draft, :version, :agent)";
const BY_ID: &str = "SELECT id, started_by, started_at, draft, agent FROM agent_chat
    WHERE business_id = :business_id AND id = :id AND started_by = :by AND started_at > :since";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    started_by: String,
    started_at: DateTime<Utc>,
    draft: bool,
    agent: JsonValue,
}

impl TryFrom<Row> for AgentChat {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let agent = serde_json::from_value(row.agent);
        Ok(Self {
            id: AgentChatId(row.id),
            by: row.started_by,
            at: from_db(row.started_at),
            draft: row.draft,
            agent: agent.map_err(|error| Error::Stored("chat", Box::new(error)))?,
        })
    }
}

#[derive(FromQueryResult)]
struct StartedRow {
    started_at: DateTime<Utc>,
}

impl TryFrom<StartedRow> for Timestamp {
    type Error = Error;
    fn try_from(row: StartedRow) -> Result<Self, Error> {
        Ok(from_db(row.started_at))
    }
}

impl Tx {
    /// When this transaction's person started chats that still count, the latest first.
    pub async fn recent_agent_chats(&self) -> Result<Vec<Timestamp>, Error> {
        let values = named! {
            business_id: self.business.0,
            by: self.actor(),
            since: to_db(AgentChat::counted_since(self.now())),
            limit: AgentChat::most_counted(),
        };
        self.all::<StartedRow, _>(RECENT_AGENT_CHATS, values).await
    }

    /// Adds a chat.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn add_agent_chat(&self, chat: &AgentChat) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: chat.id.0,
            by: chat.by.as_str(),
            at: to_db(chat.at),
            draft: chat.draft,
            version: chat.agent.version,
            agent: json!(chat.agent),
        };
        let added = self.try_execute(ADD, values).await;
        added.map(drop).map_err(|error| refused(error, &[("agent_chat_business", no_business)]))
    }

    /// A chat of this transaction's person that can be gone on with.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn agent_chat(&self, id: AgentChatId) -> Result<AgentChat, Error> {
        let values = named! {
            business_id: self.business.0,
            id: id.0,
            by: self.actor(),
            since: to_db(AgentChat::open_since(self.now())),
        };
        self.one::<Row, _>(BY_ID, values).await?.ok_or(Error::NotFound("chat"))
    }
}
