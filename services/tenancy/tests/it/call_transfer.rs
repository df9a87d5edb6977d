//! Callers who are put through: the tool that platforms get for it, and live calls that a person takes over.

use caller::BusinessId;
use proto::{
    error::Reason,
    frontdesk::tenancy::{
        internal::v1::{
            GetCallTransferRequest, GetCallTransferResponse, OpenPlatformRecordingRequest,
            OpenPlatformRecordingResponse, TransferCallRequest, TransferHindrance as Hindrance,
            call_transfer_service_client::CallTransferServiceClient,
        },
        v1::{AgentSettings, CreateVoiceConnectionRequest, VoicePlatform},
    },
};
use serde_json::{Value, json};
use testkit::as_service;
use tonic::{Request, Status};

use crate::{
    agent_publication::{check, connect, connection, is_live, names, until},
    agent_settings::{greeting, publish, save_draft},
    call_fakes::ACCOUNT,
    platform_fakes::{KEY, Platforms, Trouble},
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
};

const NUMBER: &str = "+442079460018";
const PLATFORMS: [(VoicePlatform, &str); 3] = [
    (VoicePlatform::Retell, "agent_1"),
    (VoicePlatform::Vapi, "assistant_1"),
    (VoicePlatform::Elevenlabs, "eleven_1"),
];

/// Publishes settings that pass callers on to this number.
async fn pass_on_to(stage: &Stage, number: &str) -> i32 {
    let settings = AgentSettings { transfer_phone: number.to_owned(), ..greeting(stage, "Hello!").await };
    save_draft(stage, settings).await;
    publish(stage, 0).await.unwrap().version
}

fn of_telemetry<T>(stage: &Stage, business: BusinessId, message: T) -> Request<T> {
    as_service("telemetry", &stage.host, Some(business), message)
}

fn transfers(stage: &Stage) -> CallTransferServiceClient<boot::peer::PeerChannel> {
    CallTransferServiceClient::new(stage.channel.clone())
}

fn get(connection: &str) -> GetCallTransferRequest {
    GetCallTransferRequest { business_id: WILLOW.to_string(), voice_connection_id: connection.to_owned() }
}

async fn known(stage: &Stage, connection: &str) -> GetCallTransferResponse {
    let request = of_telemetry(stage, WILLOW, get(connection));
    transfers(stage).get_call_transfer(request).await.unwrap().into_inner()
}

fn transfer(connection: &str, call: &str) -> TransferCallRequest {
    TransferCallRequest {
        business_id: WILLOW.to_string(),
        voice_connection_id: connection.to_owned(),
        platform_call_id: call.to_owned(),
    }
}

async fn put_through(stage: &Stage, connection: &str, call: &str) -> Result<String, Status> {
    let request = of_telemetry(stage, WILLOW, transfer(connection, call));
    Ok(transfers(stage).transfer_call(request).await?.into_inner().phone)
}

/// The tools of the agent at each platform that put callers through.
fn own_tools(platforms: &Platforms) -> [Option<Value>; 3] {
    platforms.look(|records| {
        let llm = records.retell_llms["llm_1"].last().unwrap();
        let tools = |list: &Value, kind: &str| {
            let found: Vec<_> =
                list.as_array().unwrap().iter().filter(|tool| tool["type"] == kind).cloned().collect();
            assert!(found.len() <= 1, "{found:?}");
            found.into_iter().next()
        };
        let config = &records.elevenlabs_agents["eleven_1"]["conversation_config"];
        let own = &config["agent"]["prompt"]["built_in_tools"]["transfer_to_number"];
        [
            tools(&llm["general_tools"], "transfer_call"),
            tools(&records.vapi_assistants["assistant_1"]["model"]["tools"], "transferCall"),
            Some(own.clone()).filter(|tool| !tool.is_null()),
        ]
    })
}

#[tokio::test]
async fn each_platform_gets_its_own_tool_with_the_number_and_loses_it_with_the_number() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let mut ids = vec![];
    for (platform, agent) in PLATFORMS {
        ids.push(connect(&stage, connection(WILLOW, platform, agent)).await);
    }
    let all_live = async |version: i32| {
        for id in &ids {
            until(&stage, id, is_live(version)).await;
            check(&stage, id).await.unwrap();
            let same = until(&stage, id, |publication| !publication.checking).await;
            assert_eq!(same.drift, Vec::<String>::new(), "{}", same.label);
        }
    };
    all_live(pass_on_to(&stage, NUMBER).await).await;
    let [retell, vapi, eleven] = own_tools(&platforms).map(Option::unwrap);
    assert_eq!(retell["transfer_destination"], json!({"type": "predefined", "number": NUMBER}));
    assert_eq!((&retell["name"], &retell["url"]), (&json!("transfer_call"), &Value::Null));
    assert_eq!(vapi["destinations"][0]["number"], NUMBER);
    assert_eq!(
        eleven["params"]["transfers"][0]["transfer_destination"],
        json!({"type": "phone", "phone_number": NUMBER})
    );
    all_live(pass_on_to(&stage, "+442079460019").await).await;
    assert!(own_tools(&platforms).iter().flatten().all(|tool| tool.to_string().contains("+442079460019")));
    all_live(pass_on_to(&stage, "").await).await;
    assert_eq!(own_tools(&platforms), [None, None, None], "without a number nothing is offered");
}

#[tokio::test]
async fn a_number_that_is_changed_there_is_found() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Vapi, "assistant_1")).await;
    let version = pass_on_to(&stage, NUMBER).await;
    until(&stage, &id, is_live(version)).await;
    platforms.look(|records| {
        let tools = &mut records.vapi_assistants.get_mut("assistant_1").unwrap()["model"]["tools"];
        let own = tools.as_array_mut().unwrap().iter_mut().find(|tool| tool["type"] == "transferCall");
        own.unwrap()["destinations"][0]["number"] = json!("+19005550100");
    });
    check(&stage, &id).await.unwrap();
    let drifted = until(&stage, &id, |publication| !publication.drift.is_empty()).await;
    assert_eq!(drifted.drift, ["tools"]);
}

#[tokio::test]
async fn a_tool_that_an_owner_set_up_there_stays_until_there_is_a_number_here() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Vapi, "assistant_1")).await;
    let theirs =
        json!({"type": "transferCall", "destinations": [{"type": "number", "number": "+442079460055"}]});
    platforms.look(|records| {
        let tools = &mut records.vapi_assistants.get_mut("assistant_1").unwrap()["model"]["tools"];
        tools.as_array_mut().unwrap().push(theirs.clone());
    });
    let [without, with] = ["", NUMBER];
    let version = pass_on_to(&stage, without).await;
    until(&stage, &id, is_live(version)).await;
    assert_eq!(own_tools(&platforms)[1], Some(theirs));
    let version = pass_on_to(&stage, with).await;
    until(&stage, &id, is_live(version)).await;
    let own = own_tools(&platforms)[1].clone().unwrap();
    assert_eq!(own["destinations"][0]["number"], NUMBER);
    platforms.look(|records| {
        let tools = names(&records.vapi_assistants["assistant_1"]["model"]["tools"]).len();
        assert_eq!(tools, 14, "ours, the one that ends a call, and one that puts callers through");
    });
}

#[tokio::test]
async fn a_connection_says_whether_its_calls_can_be_put_through() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let retell = connect(&stage, connection(WILLOW, VoicePlatform::Retell, "agent_1")).await;
    let twilio = connect(&stage, connection(WILLOW, VoicePlatform::Twilio, "")).await;
    let keyless = CreateVoiceConnectionRequest {
        api_key: String::new(),
        ..connection(WILLOW, VoicePlatform::Vapi, "a")
    };
    let keyless = connect(&stage, keyless).await;
    assert_eq!(known(&stage, &twilio).await.hindrance(), Hindrance::NoNumber);
    pass_on_to(&stage, NUMBER).await;
    let ready = known(&stage, &twilio).await;
    assert_eq!((ready.hindrance(), ready.phone.as_str()), (Hindrance::Unspecified, NUMBER));
    assert_eq!(known(&stage, &keyless).await.hindrance(), Hindrance::NoApiKey);
    assert_eq!(known(&stage, &retell).await.hindrance(), Hindrance::Platform);
    assert_refused(put_through(&stage, &retell, "c").await, Reason::WrongState);
    assert_refused(put_through(&stage, &keyless, "c").await, Reason::WrongState);
    let elsewhere = of_telemetry(
        &stage,
        LINDE,
        GetCallTransferRequest { business_id: LINDE.to_string(), voice_connection_id: twilio.clone() },
    );
    assert_refused(transfers(&stage).get_call_transfer(elsewhere).await, Reason::NotFound);
    let message = get(&twilio);
    assert_refused(
        transfers(&stage).get_call_transfer(stage.owner_of(WILLOW, message)).await,
        Reason::RoleTooLow,
    );
    let door = as_service("bff", &stage.host, Some(WILLOW), transfer(&twilio, "c"));
    assert_refused(transfers(&stage).transfer_call(door).await, Reason::RoleTooLow);
    assert_field_refused(put_through(&stage, &twilio, "").await, "platform_call_id");
}

#[tokio::test]
async fn twilio_is_told_to_ask_our_door_where_the_call_goes_on() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Twilio, "")).await;
    pass_on_to(&stage, NUMBER).await;
    platforms.look(|records| {
        let call = |sid: &str, status: &str| json!({"sid": sid, "status": status});
        records.calls.twilio = vec![call("CA1", "in-progress"), call("CA2", "completed")];
    });
    assert_eq!(put_through(&stage, &id, "CA1").await.unwrap(), NUMBER);
    let url = format!("https://desk.test/api/webhooks/voice/twilio/{id}?hand_over=%2B442079460018");
    platforms.look(|records| {
        let told = ("CA1".to_owned(), json!({"Url": url, "Method": "POST"}));
        assert_eq!(records.calls.commands, [told]);
    });
    let over = put_through(&stage, &id, "CA2").await.unwrap_err();
    assert!(over.message().contains("Call is not in-progress"), "{over}");
    assert_refused(Err::<(), _>(over), Reason::WrongState);
    assert_refused(put_through(&stage, &id, "CA9").await, Reason::WrongState);
    platforms.trouble([Trouble::Status(503)]);
    assert_refused(put_through(&stage, &id, "CA1").await, Reason::Unavailable);
}

#[tokio::test]
async fn vapi_is_told_at_the_address_that_the_call_names() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Vapi, "assistant_1")).await;
    pass_on_to(&stage, NUMBER).await;
    let base = platforms.addresses.platforms.vapi.clone();
    platforms.look(|records| {
        let control = base.join("/call-1/control").unwrap();
        let live =
            json!({"id": "call-1", "status": "in-progress", "monitor": {"controlUrl": control.as_str()}});
        records.calls.vapi = vec![live, json!({"id": "call-2", "status": "ended", "monitor": {}})];
    });
    assert_eq!(put_through(&stage, &id, "call-1").await.unwrap(), NUMBER);
    platforms.look(|records| {
        let (call, told) = &records.calls.commands[0];
        let destination = json!({"type": "number", "number": NUMBER});
        assert_eq!(
            (call.as_str(), told),
            ("call-1", &json!({"type": "transfer", "destination": destination}))
        );
    });
    assert_refused(put_through(&stage, &id, "call-2").await, Reason::WrongState);
}

async fn recording(stage: &Stage, id: &str) -> Result<OpenPlatformRecordingResponse, Status> {
    let message = OpenPlatformRecordingRequest {
        business_id: WILLOW.to_string(),
        voice_connection_id: id.to_owned(),
        recording_id: "RE1/../x".to_owned(),
    };
    let request = of_telemetry(stage, WILLOW, message);
    Ok(stage.voice_secrets().open_platform_recording(request).await?.into_inner())
}

#[tokio::test]
async fn a_recording_is_opened_at_twilio_with_the_accounts_own_key() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let twilio = connect(&stage, connection(WILLOW, VoicePlatform::Twilio, "")).await;
    let opened = recording(&stage, &twilio).await.unwrap();
    let base = &platforms.addresses.platforms.twilio;
    let url = format!("{base}2010-04-01/Accounts/{ACCOUNT}/Recordings/RE1%2F..%2Fx.mp3");
    assert_eq!(opened.url, url, "an id stays one part of the path");
    use base64::{Engine, engine::general_purpose::STANDARD};
    assert_eq!(opened.authorization, format!("Basic {}", STANDARD.encode(format!("{ACCOUNT}:{KEY}"))));
    let vapi = connect(&stage, connection(WILLOW, VoicePlatform::Vapi, "assistant_1")).await;
    assert_refused(recording(&stage, &vapi).await, Reason::WrongState);
    let message = OpenPlatformRecordingRequest {
        business_id: WILLOW.to_string(),
        voice_connection_id: twilio,
        recording_id: "RE1".to_owned(),
    };
    let refused = stage.voice_secrets().open_platform_recording(stage.owner_of(WILLOW, message)).await;
    assert_refused(refused, Reason::RoleTooLow);
}
