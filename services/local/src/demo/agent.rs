//! The agent that answers Willow's telephone.

use boot::peer::Peer;
use proto::frontdesk::tenancy::v1::{
    AgentSettings, GetAgentSettingsRequest, PublishAgentSettingsRequest, SaveAgentDraftRequest,
    agent_settings_service_client::AgentSettingsServiceClient,
};

use super::{TIMEOUT, business, salon::WILLOW};

const GREETING: &str = "{{salon}}, good day. How can I help?";
/// What it is told beside what every agent is told at first.
const HOUSE: &str = "The salon is at street level, a few minutes on foot from Russell Square station.
If a caller asks for a parking space, say that there is none in front of the door.";

/// Publishes it. A version that is there stays, and so does a draft that a person wrote.
pub async fn publish(tenancy: &Peer) -> anyhow::Result<()> {
    let willow = Some(business(WILLOW));
    let mut client = AgentSettingsServiceClient::new(tenancy.channel());
    let message = GetAgentSettingsRequest { business_id: WILLOW.to_owned() };
    let known = client.get_agent_settings(tenancy.as_service(willow, message, TIMEOUT)).await?.into_inner();
    if known.published.is_some_and(|published| published.version > 0) {
        return Ok(());
    }
    let draft = known.draft.unwrap_or_default();
    let revision = if !known.has_changes {
        let message = SaveAgentDraftRequest {
            business_id: WILLOW.to_owned(),
            settings: Some(told(draft)),
            revision: known.revision,
        };
        client.save_agent_draft(tenancy.as_service(willow, message, TIMEOUT)).await?.into_inner().revision
    } else if draft.prompt.ends_with(HOUSE) {
        // Kept by a start that was interrupted.
        known.revision
    } else {
        return Ok(());
    };
    let message = PublishAgentSettingsRequest { business_id: WILLOW.to_owned(), revision };
    client.publish_agent_settings(tenancy.as_service(willow, message, TIMEOUT)).await?;
    Ok(())
}

/// What every agent does at first, in the salon's own words.
fn told(initial: AgentSettings) -> AgentSettings {
    let prompt = format!("{}\n\n{HOUSE}", initial.prompt);
    AgentSettings { greeting: GREETING.to_owned(), prompt, ..initial }
}
