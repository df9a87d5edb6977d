//! What voice platforms have of the published agent, for its owner.

use std::sync::Arc;

use caller::BusinessScope;
use jiff::Timestamp;
use proto::{
    frontdesk::tenancy::v1::{
        self as pb, AgentPublicationServiceHandler, CheckAgentPublicationRequest,
        CheckAgentPublicationResponse, ListAgentPublicationsRequest, ListAgentPublicationsResponse,
        PublishToPlatformRequest, PublishToPlatformResponse,
    },
    parse::id,
    time::to_proto,
};
use tokio::sync::Notify;
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{CheckPublication, PublishToPlatform},
    domain::{CallCheckStatus, PublicationError, PublicationState, PublishedConnection, UnreadCall},
    store::Store,
};

/// Serves `AgentPublicationService`.
#[derive(Debug)]
pub(crate) struct AgentPublications {
    store: Store,
    hint: Arc<Notify>,
}

impl AgentPublications {
    /// `hint` is notified when there is something to do at a platform.
    pub(crate) fn new(store: Store, hint: Arc<Notify>) -> Self {
        Self { store, hint }
    }
}

#[async_trait]
impl AgentPublicationServiceHandler for AgentPublications {
    async fn list_agent_publications(
        &self,
        scope: BusinessScope,
        request: ListAgentPublicationsRequest,
    ) -> Result<ListAgentPublicationsResponse, Status> {
        let (page, listing) = fields::listing(request.page_size, &request.page_token)?;
        let tx = self.store.begin(&scope);
        let rows = tx.agent_publications(&listing).await?;
        let now = tx.now();
        tx.commit().await?;
        let key = |row: &&PublishedConnection| (row.connection.label.clone(), row.connection.id.0);
        let (agent_publications, next_page_token) = page.answer(&rows, key, |row| to_wire(row, now));
        Ok(ListAgentPublicationsResponse { agent_publications, next_page_token })
    }

    async fn publish_to_platform(
        &self,
        scope: BusinessScope,
        request: PublishToPlatformRequest,
    ) -> Result<PublishToPlatformResponse, Status> {
        let command =
            PublishToPlatform { connection: id("voice_connection_id", &request.voice_connection_id)? };
        let tx = self.store.begin(&scope);
        let now = tx.now();
        let wished = command.run(tx).await?;
        self.hint.notify_one();
        Ok(PublishToPlatformResponse { agent_publication: Some(to_wire(&wished, now)) })
    }

    async fn check_agent_publication(
        &self,
        scope: BusinessScope,
        request: CheckAgentPublicationRequest,
    ) -> Result<CheckAgentPublicationResponse, Status> {
        let command =
            CheckPublication { connection: id("voice_connection_id", &request.voice_connection_id)? };
        let tx = self.store.begin(&scope);
        let now = tx.now();
        let wished = command.run(tx).await?;
        self.hint.notify_one();
        Ok(CheckAgentPublicationResponse { agent_publication: Some(to_wire(&wished, now)) })
    }
}

fn to_wire(published: &PublishedConnection, now: Timestamp) -> pb::AgentPublication {
    let PublishedConnection { connection, publication, calls } = published;
    let publication = publication.as_ref().filter(|_| connection.takes_no_publication().is_none());
    let (live_version, live_at) = publication.and_then(|publication| publication.live).unzip();
    pb::AgentPublication {
        voice_connection_id: connection.id.to_string(),
        platform: pb::VoicePlatform::from(connection.platform).into(),
        label: connection.label.clone(),
        state: pb::AgentPublicationState::from(published.state()).into(),
        wanted_version: publication.map_or(0, |publication| publication.wanted),
        live_version: live_version.unwrap_or_default(),
        live_at: live_at.map(to_proto),
        checked_at: publication.and_then(|publication| publication.checked_at).map(to_proto),
        drift: publication.map(|publication| publication.drift.clone()).unwrap_or_default(),
        checking: publication.is_some_and(|publication| publication.checking),
        error: publication.and_then(|publication| error(publication.error.as_ref(), publication.due_at)),
        call_check: (connection.lists_calls() && calls.is_kept()).then(|| call_check(calls)),
        needs_owner: published.needs_owner(now),
    }
}

fn call_check(calls: &CallCheckStatus) -> pb::CallCheckStatus {
    pb::CallCheckStatus {
        checked_at: calls.checked_at.map(to_proto),
        taken_count: calls.taken,
        taken_at: calls.taken_at.map(to_proto),
        error: error(calls.error.as_ref(), calls.due_at),
        unread_calls: calls.unread.iter().map(unread_call).collect(),
        unread_call_count: i32::try_from(calls.unread_count).unwrap_or(i32::MAX),
    }
}

fn unread_call(call: &UnreadCall) -> pb::UnreadCall {
    pb::UnreadCall {
        platform_call_id: call.id.clone(),
        reason: call.reason.clone(),
        at: Some(to_proto(call.at)),
    }
}

fn error(
    error: Option<&PublicationError>,
    next_attempt: Option<Timestamp>,
) -> Option<pb::AgentPublicationError> {
    let PublicationError { fault, detail, at } = error?;
    let fault = match fault.as_str() {
        "API_KEY" => pb::AgentPublicationFault::ApiKey,
        "AGENT" => pb::AgentPublicationFault::Agent,
        "KIND" => pb::AgentPublicationFault::Kind,
        "REFUSED" => pb::AgentPublicationFault::Refused,
        "BUSY" => pb::AgentPublicationFault::Busy,
        _ => pb::AgentPublicationFault::Unreachable,
    };
    Some(pb::AgentPublicationError {
        fault: fault.into(),
        detail: detail.clone(),
        at: Some(to_proto(*at)),
        next_attempt_at: next_attempt.map(to_proto),
    })
}

impl From<PublicationState> for pb::AgentPublicationState {
    fn from(state: PublicationState) -> Self {
        match state {
            PublicationState::OwnAgent => Self::OwnAgent,
            PublicationState::NoApiKey => Self::NoApiKey,
            PublicationState::NoAgent => Self::NoAgent,
            PublicationState::NothingPublished => Self::NothingPublished,
            PublicationState::Waiting => Self::Waiting,
            PublicationState::Live => Self::Live,
            PublicationState::Failed => Self::Failed,
        }
    }
}
