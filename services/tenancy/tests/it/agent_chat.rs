//! What conversations with the agent run on.

use caller::{BusinessId, Role, UserId};
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::tenancy::{
        internal::v1::{
            GetPublishedAgentRequest, published_agent_service_client::PublishedAgentServiceClient,
        },
        v1::{
            AgentChat, AgentSettings, GetAgentChatRequest, ListAuditEntriesRequest, ReadyAgent,
            StartAgentChatRequest, agent_chat_service_client::AgentChatServiceClient,
            audit_service_client::AuditServiceClient,
        },
    },
};
use testkit::{SESSION, as_agent, as_person, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::{
    agent_settings::{greeting, publish, save_draft},
    stage::{LINDE, Stage, WILLOW, assert_refused},
};

fn chats(stage: &Stage) -> AgentChatServiceClient<boot::peer::PeerChannel> {
    AgentChatServiceClient::new(stage.channel.clone())
}

/// A chat of an owner.
pub async fn started(stage: &Stage, business: BusinessId, draft: bool) -> Result<AgentChat, Status> {
    let message = StartAgentChatRequest { business_id: business.to_string(), draft };
    let started = chats(stage).start_agent_chat(stage.owner_of(business, message)).await?;
    Ok(started.into_inner().chat.unwrap())
}

fn read(id: &str) -> GetAgentChatRequest {
    GetAgentChatRequest { business_id: WILLOW.to_string(), agent_chat_id: id.to_owned() }
}

async fn on_the_telephone(stage: &Stage, business: BusinessId) -> ReadyAgent {
    let message = GetPublishedAgentRequest { business_id: business.to_string() };
    let request = as_agent(&stage.host, Uuid::from_u128(7), business, message);
    let mut client = PublishedAgentServiceClient::new(stage.channel.clone());
    client.get_published_agent(request).await.unwrap().into_inner().agent.unwrap()
}

#[tokio::test]
async fn calls_run_on_what_is_published_with_the_values_of_the_moment() {
    let stage = Stage::open().await;
    let first = on_the_telephone(&stage, WILLOW).await;
    assert_eq!((first.version, first.time_zone.as_str()), (0, "Europe/London"));
    let settings = first.settings.unwrap();
    assert_eq!(settings.greeting, format!("Hello, this is {}. How can I help?", first.salon));
    assert!(settings.prompt.contains("It is Monday, 1 June 2026, 09:00."), "{}", settings.prompt);

    let told = AgentSettings { may_cancel: false, ..greeting(&stage, "{{salon}}, hello.").await };
    save_draft(&stage, told).await;
    assert_eq!(on_the_telephone(&stage, WILLOW).await.version, 0, "a draft answers no call");
    publish(&stage, 0).await.unwrap();
    let now = on_the_telephone(&stage, WILLOW).await;
    let settings = now.settings.unwrap();
    assert_eq!((now.version, settings.may_cancel), (1, false));
    assert_eq!(settings.greeting, format!("{}, hello.", first.salon));
    assert_eq!(on_the_telephone(&stage, LINDE).await.version, 0);
}

#[tokio::test]
async fn a_chat_keeps_to_what_it_started_with_for_its_own_person_and_a_day() {
    let stage = Stage::open().await;
    let draft = greeting(&stage, "The draft of {{salon}}.").await;
    save_draft(&stage, draft).await;
    let chat = started(&stage, WILLOW, true).await.unwrap();
    let agent = chat.agent.clone().unwrap();
    assert!(agent.settings.unwrap().greeting.starts_with("The draft of "));
    assert!(chat.draft && agent.version == 0);
    let later = greeting(&stage, "Another.").await;
    save_draft(&stage, later).await;
    let published = started(&stage, WILLOW, false).await.unwrap();
    assert!(!published.agent.unwrap().settings.unwrap().greeting.contains("draft"));

    let mine = chats(&stage).get_agent_chat(stage.owner_of(WILLOW, read(&chat.id))).await.unwrap();
    assert_eq!(mine.into_inner().chat, Some(chat.clone()));
    let colleague = UserId(Uuid::from_u128(99));
    let owner = Some(Role::Owner);
    let theirs = as_person(&stage.host, colleague, SESSION, Some(WILLOW), owner, read(&chat.id));
    assert_refused(chats(&stage).get_agent_chat(theirs).await, Reason::NotFound);
    stage.time.advance(SignedDuration::from_hours(25));
    let old = stage.owner_of(WILLOW, read(&chat.id));
    assert_refused(chats(&stage).get_agent_chat(old).await, Reason::NotFound);
}

#[tokio::test]
async fn a_chat_is_noted_and_one_person_starts_sixty_an_hour() {
    let stage = Stage::open().await;
    let first = started(&stage, WILLOW, false).await.unwrap();
    let audit = ListAuditEntriesRequest {
        business_id: WILLOW.to_string(),
        record_id: first.id.clone(),
        ..ListAuditEntriesRequest::default()
    };
    let mut client = AuditServiceClient::new(stage.channel.clone());
    let noted = client.list_audit_entries(stage.owner_of(WILLOW, audit)).await.unwrap().into_inner().entries;
    let [entry] = &noted[..] else { panic!("{noted:?}") };
    assert_eq!((entry.action.as_str(), entry.record_kind.as_str()), ("StartAgentChat", "agent_chat"));
    assert!(entry.changes.iter().all(|change| change.field != "agent"), "a prompt is not copied");

    for _ in 1..60 {
        started(&stage, WILLOW, false).await.unwrap();
    }
    assert_refused(started(&stage, WILLOW, false).await, Reason::RateLimited);
    started(&stage, LINDE, false).await.unwrap();
    stage.time.advance(SignedDuration::from_mins(61));
    started(&stage, WILLOW, false).await.unwrap();
}

#[tokio::test]
async fn chats_are_the_owner_s_alone() {
    let stage = Stage::open().await;
    let message = StartAgentChatRequest { business_id: WILLOW.to_string(), draft: false };
    let manager = as_user(&stage.host, Role::Manager, WILLOW, message.clone());
    assert_refused(chats(&stage).start_agent_chat(manager).await, Reason::RoleTooLow);
    let foreign = stage.owner_of(LINDE, message);
    assert_refused(chats(&stage).start_agent_chat(foreign).await, Reason::NotFound);
}
