//! The published agent at voice platforms.

use caller::{BusinessId, Role};
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        AgentPublication, AgentPublicationFault as Fault, AgentPublicationState as State,
        CheckAgentPublicationRequest, CreateVoiceConnectionRequest, ListAgentPublicationsRequest,
        PublishToPlatformRequest, RotateVoiceSecretRequest, UpdateBusinessRequest,
        UpdateVoiceConnectionRequest, VoicePlatform,
        agent_publication_service_client::AgentPublicationServiceClient,
    },
};
use serde_json::{Value, json};
use testkit::as_user;
use tokio::time::{Duration, sleep, timeout};
use tonic::Status;

use crate::{
    agent_settings::{greeting, publish, roll_back, save_draft},
    platform_fakes::{KEY, Platforms, Trouble},
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
};

fn publications(stage: &Stage) -> AgentPublicationServiceClient<boot::peer::PeerChannel> {
    AgentPublicationServiceClient::new(stage.channel.clone())
}

pub fn connection(
    business: BusinessId,
    platform: VoicePlatform,
    agent: &str,
) -> CreateVoiceConnectionRequest {
    let one_key = matches!(platform, VoicePlatform::Retell | VoicePlatform::Twilio);
    let account = if platform == VoicePlatform::Twilio { "AC0123456789abcdef0123456789abcdef" } else { "" };
    CreateVoiceConnectionRequest {
        business_id: business.to_string(),
        platform: platform.into(),
        label: format!("{platform:?}"),
        secret: if one_key { KEY.to_owned() } else { "webhook_secret".to_owned() },
        api_key: if one_key { String::new() } else { KEY.to_owned() },
        platform_agent_id: agent.to_owned(),
        account: account.to_owned(),
        ..Default::default()
    }
}

pub async fn connect(stage: &Stage, request: CreateVoiceConnectionRequest) -> String {
    let business = request.business_id.parse().unwrap();
    let request = stage.owner_of(BusinessId(business), request);
    let made = stage.voice_connections().create_voice_connection(request).await.unwrap();
    made.into_inner().voice_connection.unwrap().id
}

/// A connection over which the agent of a business is published.
pub async fn connected(stage: &Stage, business: BusinessId) {
    connect(stage, connection(business, VoicePlatform::Retell, "agent_1")).await;
}

async fn list(stage: &Stage) -> Vec<AgentPublication> {
    let message = ListAgentPublicationsRequest { business_id: WILLOW.to_string(), ..Default::default() };
    let listed = publications(stage).list_agent_publications(stage.owner_of(WILLOW, message)).await.unwrap();
    listed.into_inner().agent_publications
}

pub async fn one(stage: &Stage, id: &str) -> AgentPublication {
    list(stage).await.into_iter().find(|publication| publication.voice_connection_id == id).unwrap()
}

/// Waits until what is known of a connection is as wanted.
pub async fn until(stage: &Stage, id: &str, wanted: impl Fn(&AgentPublication) -> bool) -> AgentPublication {
    let seen = timeout(Duration::from_secs(20), async {
        loop {
            let publication = one(stage, id).await;
            if wanted(&publication) {
                return publication;
            }
            sleep(Duration::from_millis(50)).await;
        }
    });
    match seen.await {
        Ok(publication) => publication,
        Err(_) => panic!("it stayed {:?}", one(stage, id).await),
    }
}

pub fn is_live(version: i32) -> impl Fn(&AgentPublication) -> bool {
    move |publication| publication.state() == State::Live && publication.live_version == version
}

async fn again(stage: &Stage, id: &str) -> Result<AgentPublication, Status> {
    let message =
        PublishToPlatformRequest { business_id: WILLOW.to_string(), voice_connection_id: id.to_owned() };
    let answer = publications(stage).publish_to_platform(stage.owner_of(WILLOW, message)).await?;
    Ok(answer.into_inner().agent_publication.unwrap())
}

pub async fn check(stage: &Stage, id: &str) -> Result<AgentPublication, Status> {
    let message =
        CheckAgentPublicationRequest { business_id: WILLOW.to_string(), voice_connection_id: id.to_owned() };
    let answer = publications(stage).check_agent_publication(stage.owner_of(WILLOW, message)).await?;
    Ok(answer.into_inner().agent_publication.unwrap())
}

/// Publishes a version that greets like this.
pub async fn greet(stage: &Stage, words: &str) {
    let settings = greeting(stage, words).await;
    save_draft(stage, settings).await;
    publish(stage, 0).await.unwrap();
}

pub fn names(tools: &Value) -> Vec<&str> {
    tools
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| {
            tool["name"].as_str().or(tool["function"]["name"].as_str()).or(tool["type"].as_str())
        })
        .collect()
}

#[tokio::test]
async fn what_is_changed_there_is_found_and_put_right_on_request() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    for (platform, agent) in [
        (VoicePlatform::Retell, "agent_1"),
        (VoicePlatform::Vapi, "assistant_1"),
        (VoicePlatform::Elevenlabs, "eleven_1"),
    ] {
        connect(&stage, connection(WILLOW, platform, agent)).await;
    }
    greet(&stage, "Hello!").await;
    for publication in list(&stage).await {
        let id = publication.voice_connection_id;
        until(&stage, &id, is_live(1)).await;
        let checked = check(&stage, &id).await.unwrap();
        assert!(checked.checking);
        let same = until(&stage, &id, |publication| !publication.checking).await;
        assert_eq!((same.drift, same.needs_owner), (vec![], false), "{}", same.label);
    }
    platforms.look(|records| {
        records.retell_llms.get_mut("llm_1").unwrap()[1]["general_prompt"] = json!("Sell more.");
        records.vapi_assistants.get_mut("assistant_1").unwrap()["model"]["tools"] = json!([]);
        records.elevenlabs_agents.get_mut("eleven_1").unwrap()["conversation_config"]["agent"]["first_message"] = json!("Yo");
    });
    for (label, drift) in [("Elevenlabs", "greeting"), ("Retell", "prompt"), ("Vapi", "tools")] {
        let known = list(&stage).await.into_iter().find(|publication| publication.label == label).unwrap();
        let id = known.voice_connection_id;
        check(&stage, &id).await.unwrap();
        let drifted = until(&stage, &id, |publication| !publication.drift.is_empty()).await;
        assert_eq!((drifted.drift, drifted.live_version), (vec![drift.to_owned()], 1), "{label}");
        assert!(drifted.needs_owner, "{label}");
        again(&stage, &id).await.unwrap();
        until(&stage, &id, |publication| publication.state() == State::Live && publication.drift.is_empty())
            .await;
    }
}

#[tokio::test]
async fn an_hour_later_what_is_there_is_compared_by_itself() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Vapi, "assistant_1")).await;
    greet(&stage, "Hello!").await;
    let live = until(&stage, &id, is_live(1)).await;
    stage.time.advance(jiff::SignedDuration::from_secs(61));
    until(&stage, &id, |publication| publication.checked_at != live.checked_at).await;
    platforms.look(|records| {
        records.vapi_assistants.get_mut("assistant_1").unwrap()["firstMessage"] = json!("Yo")
    });
    stage.time.advance(jiff::SignedDuration::from_mins(59));
    assert_eq!(one(&stage, &id).await.drift, Vec::<String>::new());
    stage.time.advance(jiff::SignedDuration::from_mins(2));
    until(&stage, &id, |publication| publication.drift == ["greeting"]).await;
}

#[tokio::test]
async fn a_platform_that_says_it_took_what_it_did_not_is_found_out_in_a_minute() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Vapi, "assistant_1")).await;
    platforms.trouble([Trouble::Ignored]);
    greet(&stage, "Hello!").await;
    until(&stage, &id, is_live(1)).await;
    stage.time.advance(jiff::SignedDuration::from_secs(61));
    let found = until(&stage, &id, |publication| !publication.drift.is_empty()).await;
    assert!(found.needs_owner && found.drift.contains(&"greeting".to_owned()), "{found:?}");
    again(&stage, &id).await.unwrap();
    until(&stage, &id, |publication| publication.drift.is_empty()).await;
}

#[tokio::test]
async fn a_roll_back_while_a_version_is_brought_there_is_what_is_there_in_the_end() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Vapi, "assistant_1")).await;
    greet(&stage, "One").await;
    until(&stage, &id, is_live(1)).await;
    // The second version waits for a platform that fails, while it is taken back.
    platforms.trouble([Trouble::Status(503)]);
    greet(&stage, "Two").await;
    until(&stage, &id, |publication| publication.error.is_some()).await;
    let back = roll_back(&stage, "1").await.unwrap();
    assert_eq!(back.version, 3);
    let live = until(&stage, &id, is_live(3)).await;
    assert_eq!((live.wanted_version, live.drift), (3, vec![]));
    let says = platforms.look(|records| records.vapi_assistants["assistant_1"]["firstMessage"].clone());
    assert_eq!(says, json!("One"));
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_an_answer_that_was_lost_changes_nothing_twice() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Retell, "agent_1")).await;
    platforms.trouble([Trouble::Status(503)]);
    greet(&stage, "Hello!").await;
    let failed = until(&stage, &id, |publication| publication.error.is_some()).await;
    assert_eq!(failed.state(), State::Waiting);
    let error = failed.error.unwrap();
    assert_eq!((error.fault(), error.detail.as_str()), (Fault::Unreachable, "the platform answers 503"));
    assert!(error.next_attempt_at.is_some());
    platforms.trouble([Trouble::Busy(90)]);
    stage.time.advance(jiff::SignedDuration::from_secs(11));
    let busy =
        until(&stage, &id, |known| known.error.as_ref().is_some_and(|error| error.fault() == Fault::Busy))
            .await;
    let error = busy.error.unwrap();
    let wait = error.next_attempt_at.unwrap().seconds - error.at.unwrap().seconds;
    assert_eq!(wait, 90, "the platform says for how long it is left alone");
    // A draft is made, and written, and then published: the answers are lost.
    platforms.trouble([Trouble::LostAnswer]);
    stage.time.advance(jiff::SignedDuration::from_secs(91));
    until(&stage, &id, |known| known.error.as_ref().is_some_and(|error| error.fault() == Fault::Unreachable))
        .await;
    stage.time.advance(jiff::SignedDuration::from_mins(2));
    let live = until(&stage, &id, is_live(1)).await;
    assert_eq!(live.error, None);
    platforms.look(|records| assert_eq!(records.retell_agents["agent_1"].len(), 2, "one draft, made once"));
    again(&stage, &id).await.unwrap();
    until(&stage, &id, is_live(1)).await;
    platforms.look(|records| {
        assert_eq!(records.retell_agents["agent_1"].len(), 2, "the same is not published twice")
    });
}

#[tokio::test]
async fn what_a_person_must_change_waits_for_them_and_says_why() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let request = CreateVoiceConnectionRequest {
        api_key: "api_key_of_before".to_owned(),
        ..connection(WILLOW, VoicePlatform::Vapi, "assistant_9")
    };
    let id = connect(&stage, request).await;
    greet(&stage, "Hello!").await;
    let failed = until(&stage, &id, |publication| publication.state() == State::Failed).await;
    let error = failed.error.unwrap();
    assert_eq!((error.fault(), error.next_attempt_at), (Fault::ApiKey, None));

    let message = RotateVoiceSecretRequest {
        business_id: WILLOW.to_string(),
        voice_connection_id: id.clone(),
        secret: String::new(),
        api_key: KEY.to_owned(),
    };
    stage.voice_connections().rotate_voice_secret(stage.owner_of(WILLOW, message)).await.unwrap();
    until(&stage, &id, |known| known.error.as_ref().is_some_and(|error| error.fault() == Fault::Agent)).await;

    let update = |agent: &str, voice: &str| UpdateVoiceConnectionRequest {
        business_id: WILLOW.to_string(),
        voice_connection_id: id.clone(),
        label: "Vapi".to_owned(),
        platform_agent_id: agent.to_owned(),
        voice: voice.to_owned(),
    };
    let wrong = stage.owner_of(WILLOW, update("assistant_1", "rachel"));
    assert_field_refused(stage.voice_connections().update_voice_connection(wrong).await, "voice");
    let right = stage.owner_of(WILLOW, update("assistant_1", ""));
    stage.voice_connections().update_voice_connection(right).await.unwrap();
    let live = until(&stage, &id, is_live(1)).await;
    assert_eq!(live.error, None);

    platforms.trouble([Trouble::Status(400)]);
    greet(&stage, "Hi!").await;
    let refused = until(&stage, &id, |publication| publication.state() == State::Failed).await;
    assert_eq!((refused.wanted_version, refused.live_version), (2, 1), "the one before stays live");
    let error = refused.error.unwrap();
    assert_eq!((error.fault(), error.detail.as_str()), (Fault::Refused, "no such luck"));
}

#[tokio::test]
async fn an_agent_of_another_kind_is_left_alone() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Retell, "flow_1")).await;
    greet(&stage, "Hello!").await;
    let failed = until(&stage, &id, |publication| publication.state() == State::Failed).await;
    let error = failed.error.unwrap();
    assert_eq!(error.fault(), Fault::Kind);
    assert!(error.detail.contains("conversation-flow"), "{}", error.detail);
    assert!(platforms.look(|records| records.changes.is_empty()));
}

#[tokio::test]
async fn a_new_name_of_the_salon_reaches_the_platforms() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Vapi, "assistant_1")).await;
    greet(&stage, "Hello from {{salon}}.").await;
    until(&stage, &id, is_live(1)).await;
    let message = UpdateBusinessRequest {
        business_id: WILLOW.to_string(),
        name: "Willow & Daughters".to_owned(),
        ..Default::default()
    };
    stage.businesses().update_business(stage.owner_of(WILLOW, message)).await.unwrap();
    timeout(Duration::from_secs(20), async {
        let wanted = json!("Hello from Willow & Daughters.");
        while platforms.look(|records| records.vapi_assistants["assistant_1"]["firstMessage"] != wanted) {
            sleep(Duration::from_millis(50)).await;
        }
    })
    .await
    .expect("the new name is there");
}

#[tokio::test]
async fn a_connection_says_what_it_lacks_and_takes_no_order_without_it() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let twilio = connect(&stage, connection(WILLOW, VoicePlatform::Twilio, "")).await;
    let nameless = connect(&stage, connection(WILLOW, VoicePlatform::Retell, "")).await;
    let keyless = CreateVoiceConnectionRequest {
        api_key: String::new(),
        ..connection(WILLOW, VoicePlatform::Vapi, "a")
    };
    let keyless = connect(&stage, keyless).await;
    let unpublished = connect(&stage, connection(WILLOW, VoicePlatform::Elevenlabs, "eleven_1")).await;
    let states = [
        (&twilio, State::OwnAgent),
        (&nameless, State::NoAgent),
        (&keyless, State::NoApiKey),
        (&unpublished, State::NothingPublished),
    ];
    for (id, state) in states {
        assert_eq!(one(&stage, id).await.state(), state);
        assert_refused(again(&stage, id).await, Reason::WrongState);
        assert_refused(check(&stage, id).await, Reason::WrongState);
    }
    let unknown = uuid::Uuid::from_u128(9).to_string();
    assert_refused(again(&stage, &unknown).await, Reason::NotFound);
    assert_field_refused(check(&stage, "x").await, "voice_connection_id");
}

#[tokio::test]
async fn owners_alone_see_and_order_publications_and_of_their_business_alone() {
    let stage = Stage::open().await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Retell, "agent_1")).await;
    let message = ListAgentPublicationsRequest { business_id: WILLOW.to_string(), ..Default::default() };
    let request = as_user(&stage.host, Role::Manager, WILLOW, message);
    assert_refused(publications(&stage).list_agent_publications(request).await, Reason::RoleTooLow);
    let theirs = PublishToPlatformRequest { business_id: LINDE.to_string(), voice_connection_id: id };
    let request = stage.owner_of(LINDE, theirs);
    assert_refused(publications(&stage).publish_to_platform(request).await, Reason::NotFound);
}
