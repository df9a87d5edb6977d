//! What each platform has once the agent is published there.

use proto::frontdesk::tenancy::v1::{
    AgentPublicationState as State, CreateVoiceConnectionRequest, VoicePlatform,
};
use serde_json::json;

use crate::{
    agent_publication::{connect, connection, greet, is_live, names, one, until},
    platform_fakes::Platforms,
    stage::{Stage, WILLOW},
};

#[tokio::test]
async fn retell_gets_a_new_version_beside_what_was_set_up_there() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Retell, "agent_1")).await;
    assert_eq!(one(&stage, &id).await.state(), State::NothingPublished);
    assert!(
        platforms.look(|records| records.changes.is_empty()),
        "nothing is published before a person does"
    );
    greet(&stage, "Hello from {{salon}}.").await;
    let live = until(&stage, &id, is_live(1)).await;
    assert_eq!((live.wanted_version, live.drift.len(), live.error), (1, 0, None));
    assert!(live.live_at.is_some());
    platforms.look(|records| {
        let changes = [
            "POST /create-agent-version/agent_1",
            "PATCH /update-retell-llm/llm_1",
            "PATCH /update-agent/agent_1",
            "POST /publish-agent-version/agent_1",
        ];
        assert_eq!(records.changes, changes);
        let (agents, llms) = (&records.retell_agents["agent_1"], &records.retell_llms["llm_1"]);
        assert_eq!((agents.len(), llms.len()), (2, 2));
        let (agent, llm) = (&agents[1], &llms[1]);
        assert_eq!(agent["is_published"], true);
        assert_eq!(agent["voice_id"], "11labs-Adrian", "a voice that was chosen there stays");
        assert_eq!(agent["language"], "en-US", "so does the kind of English");
        assert_eq!(
            agent["webhook_url"],
            format!("https://desk.test/api/webhooks/voice/retell/{id}?agent_version=1")
        );
        assert_eq!(llm["begin_message"], "Hello from Willow & Co.");
        let prompt = llm["general_prompt"].as_str().unwrap();
        assert!(
            prompt.contains("{{current_time_Europe/London}}") && prompt.contains("never guess them"),
            "{prompt}"
        );
        assert_eq!(llm["model"], "gpt-4.1");
        let tools = names(&llm["general_tools"]);
        assert_eq!((tools.len(), tools[0]), (13, "end_call"), "the tool that ends a call stays");
        assert_eq!(llms[0]["general_prompt"], "Sell.", "what was published stays as it was");
    });
}

#[tokio::test]
async fn vapi_gets_prompt_and_tools_inside_the_model_that_was_chosen_there() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let request = CreateVoiceConnectionRequest {
        voice: "11labs:rachel".to_owned(),
        ..connection(WILLOW, VoicePlatform::Vapi, "assistant_1")
    };
    let id = connect(&stage, request).await;
    greet(&stage, "Hello!").await;
    until(&stage, &id, is_live(1)).await;
    platforms.look(|records| {
        let assistant = &records.vapi_assistants["assistant_1"];
        let model = &assistant["model"];
        assert_eq!((&model["provider"], &model["temperature"]), (&json!("openai"), &json!(0.3)));
        let tools = names(&model["tools"]);
        assert_eq!((tools.len(), tools[0]), (13, "endCall"));
        let prompt = model["messages"][0]["content"].as_str().unwrap();
        assert!(prompt.contains(r#"{{"now" | date: "%A, %B %d, %Y, %H:%M", "Europe/London"}}"#), "{prompt}");
        assert_eq!(assistant["voice"], json!({"provider": "11labs", "voiceId": "rachel", "speed": 1.1}));
        let url = format!("https://desk.test/api/webhooks/voice/vapi/{id}?agent_version=1");
        assert_eq!(assistant["server"], json!({"url": url, "credentialId": "c1"}));
        assert_eq!(assistant["transcriber"], json!({"provider": "deepgram"}));
    });
}

#[tokio::test]
async fn elevenlabs_gets_tools_of_its_own_once_and_keeps_those_of_others() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Elevenlabs, "eleven_1")).await;
    greet(&stage, "Hello!").await;
    until(&stage, &id, is_live(1)).await;
    greet(&stage, "Good day!").await;
    until(&stage, &id, is_live(2)).await;
    platforms.look(|records| {
        assert_eq!(records.elevenlabs_tools.len(), 13, "twelve tools of ours, and the one of another");
        let config = &records.elevenlabs_agents["eleven_1"]["conversation_config"];
        assert_eq!(config["agent"]["first_message"], "Good day!");
        assert_eq!(config["agent"]["prompt"]["llm"], "gpt-4o");
        assert_eq!(config["agent"]["prompt"]["timezone"], "Europe/London");
        let variables = &config["agent"]["dynamic_variables"]["dynamic_variable_placeholders"];
        assert_eq!(variables["frontdesk_agent_version"], "2");
        assert_eq!(config["agent"]["prompt"]["tool_ids"].as_array().unwrap().len(), 13);
        assert_eq!(config["tts"]["voice_id"], "voice_1");
        let ours = records.elevenlabs_tools.values().filter(|tool| tool["name"] == "hold_slot");
        let url = format!("https://desk.test/api/webhooks/voice/elevenlabs/{id}?agent_version=2");
        let ours: Vec<_> = ours.filter(|tool| tool["api_schema"]["url"] == url).collect();
        assert_eq!(ours.len(), 1);
        let schema = &ours[0]["api_schema"];
        assert_eq!(schema["request_headers"]["Authorization"], "Bearer webhook_secret");
        let body = &schema["request_body_schema"]["properties"];
        assert_eq!(body["tool"]["constant_value"], "hold_slot");
        assert_eq!(body["conversation_id"]["dynamic_variable"], "system__conversation_id");
    });
    let kept = stage
        .count("SELECT count(*) FROM agent_publication WHERE pushed::text LIKE '%webhook_secret%'")
        .await;
    assert_eq!(kept, 0, "a secret is not kept with what was brought there");
}
