//! How agents speak and what they may do.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use sea_orm::{FromQueryResult, JsonValue};
use serde_json::json;

use super::{Tx, no_business, refused};
use crate::{
    Error,
    domain::{AgentDraft, AgentSettings, AgentVersion},
};

/// Of changes of the draft and of what is published.
const TURN: &str = "SELECT pg_advisory_xact_lock(hashtextextended('agent:' || :business_id::uuid, 0))";
const DRAFT: &str = "SELECT settings, revision FROM agent_draft WHERE business_id = :business_id FOR UPDATE";
const SAVE_DRAFT: &str = "INSERT INTO agent_draft (business_id, settings, revision)
    VALUES (:business_id, :settings, :revision)
    ON CONFLICT (business_id) DO UPDATE SET settings = excluded.settings, revision = excluded.revision";
const SELECT_LATEST: &str =
    "SELECT version, settings, published_by, published_at, rolled_back_to FROM agent_version
    WHERE business_id = :business_id ORDER BY version DESC LIMIT 1";
const SELECT_VERSION: &str =
    "SELECT version, settings, published_by, published_at, rolled_back_to FROM agent_version
    WHERE business_id = :business_id AND version = :version";
/// A page, the latest first.
pub const AGENT_VERSIONS: &str = "SELECT version, settings, published_by, published_at, rolled_back_to
    FROM agent_version WHERE business_id = :business_id AND version < :before ORDER BY version DESC LIMIT :limit";
const ADD_VERSION: &str =
    "INSERT INTO agent_version (business_id, version, settings, published_by, published_at, rolled_back_to)
    VALUES (:business_id, :version, :settings, :published_by, :published_at, :rolled_back_to)";

#[derive(FromQueryResult)]
struct DraftRow {
    settings: JsonValue,
    revision: i64,
}

impl TryFrom<DraftRow> for AgentDraft {
    type Error = Error;
    fn try_from(row: DraftRow) -> Result<Self, Error> {
        Ok(Self { settings: read(row.settings)?, revision: row.revision })
    }
}

#[derive(FromQueryResult)]
struct VersionRow {
    version: i32,
    settings: JsonValue,
    published_by: String,
    published_at: DateTime<Utc>,
    rolled_back_to: Option<i32>,
}

impl TryFrom<VersionRow> for AgentVersion {
    type Error = Error;
    fn try_from(row: VersionRow) -> Result<Self, Error> {
        Ok(Self {
            version: row.version,
            settings: read(row.settings)?,
            published: Some((row.published_by, from_db(row.published_at))),
            rolled_back_to: row.rolled_back_to,
        })
    }
}

fn read(settings: JsonValue) -> Result<AgentSettings, Error> {
    serde_json::from_value(settings).map_err(|error| Error::Stored("agent's settings", Box::new(error)))
}

impl Tx {
    /// Waits until no one else changes the draft or publishes.
    pub async fn take_agent_turn(&self) -> Result<(), Error> {
        self.execute(TURN, named! { business_id: self.business.0 }).await.map(drop)
    }

    /// The draft; before the first, what is published. Where there is one, no other transaction changes it until this
    /// one ends.
    pub async fn agent_draft(&self) -> Result<AgentDraft, Error> {
        let stored = self.one::<DraftRow, _>(DRAFT, named! { business_id: self.business.0 }).await?;
        match stored {
            Some(draft) => Ok(draft),
            None => Ok(AgentDraft::unwritten(self.published_agent().await?.settings)),
        }
    }

    /// Saves the draft.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn save_agent_draft(&self, draft: &AgentDraft) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            settings: json!(draft.settings),
            revision: draft.revision,
        };
        let saved = self.try_execute(SAVE_DRAFT, values).await;
        saved.map(drop).map_err(|error| refused(error, &[("agent_draft_business", no_business)]))
    }

    /// What calls run on.
    pub async fn published_agent(&self) -> Result<AgentVersion, Error> {
        let latest =
            self.one::<VersionRow, _>(SELECT_LATEST, named! { business_id: self.business.0 }).await?;
        Ok(latest.unwrap_or_else(AgentVersion::initial))
    }

    /// A version; 0 is what an agent does before anything is published.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn agent_version(&self, version: i32) -> Result<AgentVersion, Error> {
        if version == 0 {
            return Ok(AgentVersion::initial());
        }
        let values = named! { business_id: self.business.0, version };
        let found = self.one::<VersionRow, _>(SELECT_VERSION, values).await?;
        found.ok_or(Error::NotFound("version of the agent's settings"))
    }

    /// Versions before one, the latest first, and one more if there are more.
    pub async fn agent_versions(&self, before: i32, limit: u32) -> Result<Vec<AgentVersion>, Error> {
        let values = named! { business_id: self.business.0, before, limit: i64::from(limit) };
        self.all::<VersionRow, _>(AGENT_VERSIONS, values).await
    }

    /// Adds a version.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn add_agent_version(&self, version: &AgentVersion) -> Result<(), Error> {
        let (by, at) = match &version.published {
            Some((by, at)) => (by.as_str(), *at),
            None => (self.actor(), self.now()),
        };
        let values = named! {
            business_id: self.business.0,
            version: version.version,
            settings: json!(version.settings),
            published_by: by,
            published_at: to_db(at),
            rolled_back_to: version.rolled_back_to,
        };
        let added = self.try_execute(ADD_VERSION, values).await;
        added.map(drop).map_err(|error| refused(error, &[("agent_version_business", no_business)]))
    }
}
