//! The fakes are as strict as the references: each refuses what the platform would refuse.

use base64::{Engine, engine::general_purpose::STANDARD};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use url::Url;

use crate::{
    call_fakes::ACCOUNT,
    platform_fakes::{KEY, Platforms},
};

async fn ask(method: &str, base: &Url, path: &str, key: (&str, &str), body: Option<Value>) -> StatusCode {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let request = Client::builder().no_proxy().build().unwrap().request(method, base.join(path).unwrap());
    let request = request.header(key.0, key.1);
    let request = match body {
        Some(body) => request.header("content-type", "application/json").body(body.to_string()),
        None => request,
    };
    request.send().await.unwrap().status()
}

#[tokio::test]
async fn retell_refuses_what_its_reference_does_not_have() {
    let platforms = Platforms::start().await;
    let base = &platforms.addresses.platforms.retell;
    let bearer = format!("Bearer {KEY}");
    let call = async |method: &str, path: &str, body| {
        ask(method, base, path, ("authorization", &bearer), body).await
    };
    let wrong = ask("GET", base, "get-agent/agent_1", ("authorization", "Bearer other"), None).await;
    assert_eq!(wrong, 401);
    assert_eq!(call("GET", "get-agent/agent_1", None).await, 200);
    assert_eq!(call("GET", "get-agent/agent_9", None).await, 404);
    assert_eq!(call("PUT", "update-agent/agent_1", Some(json!({}))).await, 405);
    // What is published is never changed: a draft is made first.
    assert_eq!(call("PATCH", "update-agent/agent_1", Some(json!({"language": "de-DE"}))).await, 422);
    assert_eq!(call("POST", "create-agent-version/agent_1", Some(json!({}))).await, 422);
    assert_eq!(call("POST", "create-agent-version/agent_1", Some(json!({"base_version": 0}))).await, 200);
    assert_eq!(call("PATCH", "update-agent/agent_1", Some(json!({"language": "de-DE"}))).await, 200);
    assert_eq!(call("PATCH", "update-agent/agent_1", Some(json!({"greeting": "Hi"}))).await, 422);
    let tool = |tool: Value| Some(json!({"general_tools": [tool]}));
    let fine = json!({"type": "custom", "name": "hold_slot", "url": "https://desk.test", "parameters": {"type": "object", "properties": {}}});
    assert_eq!(call("PATCH", "update-retell-llm/llm_1", tool(fine.clone())).await, 200);
    for (field, value) in
        [("name", json!("hold slot")), ("timeout_ms", json!(1)), ("speak", json!(true)), ("url", json!(7))]
    {
        let mut spoilt = fine.clone();
        spoilt[field] = value;
        assert_eq!(call("PATCH", "update-retell-llm/llm_1", tool(spoilt)).await, 422, "{field}");
    }
    assert_eq!(call("POST", "publish-agent-version/agent_1", Some(json!({"version": 1}))).await, 200);
    assert_eq!(call("POST", "publish-agent-version/agent_1", Some(json!({"version": 7}))).await, 404);
}

#[tokio::test]
async fn vapi_refuses_what_its_reference_does_not_have() {
    let platforms = Platforms::start().await;
    let base = &platforms.addresses.platforms.vapi;
    let bearer = format!("Bearer {KEY}");
    let patch = async |body| {
        ask("PATCH", base, "assistant/assistant_1", ("authorization", &bearer), Some(body)).await
    };
    assert_eq!(patch(json!({"firstMessage": "Hi"})).await, 200);
    assert_eq!(patch(json!({"first_message": "Hi"})).await, 422);
    assert_eq!(patch(json!({"model": {"messages": []}})).await, 422);
    let model = |tool: Value| json!({"model": {"provider": "openai", "model": "gpt-4o", "tools": [tool]}});
    assert_eq!(patch(model(json!({"type": "function", "function": {"name": "a"}}))).await, 200);
    assert_eq!(patch(model(json!({"type": "function", "name": "a"}))).await, 422);
    assert_eq!(patch(json!({"voice": {"provider": "11labs"}})).await, 422);
    assert_eq!(
        ask("PUT", base, "assistant/assistant_1", ("authorization", &bearer), Some(json!({}))).await,
        404
    );
    assert_eq!(ask("GET", base, "assistant/assistant_1", ("xi-api-key", KEY), None).await, 401);
}

#[tokio::test]
async fn elevenlabs_refuses_what_its_reference_does_not_have() {
    let platforms = Platforms::start().await;
    let base = &platforms.addresses.platforms.elevenlabs;
    let call =
        async |method: &str, path: &str, body| ask(method, base, path, ("xi-api-key", KEY), body).await;
    let agent = |agent: Value| Some(json!({"conversation_config": {"agent": agent}}));
    let path = "v1/convai/agents/eleven_1";
    assert_eq!(call("PATCH", path, agent(json!({"prompt": {"tool_ids": ["tool_x"]}}))).await, 200);
    assert_eq!(call("PATCH", path, agent(json!({"prompt": {"tool_ids": ["tool_9"]}}))).await, 422);
    assert_eq!(
        call("PATCH", path, agent(json!({"prompt": {"tools": []}}))).await,
        422,
        "tools in the prompt are gone"
    );
    assert_eq!(call("PATCH", path, agent(json!({"prompt": {}, "firstMessage": "Hi"}))).await, 422);
    let tool = |property: Value| {
        Some(
            json!({"tool_config": {"type": "webhook", "name": "a", "description": "b", "api_schema": {"url": "https://desk.test",
            "method": "POST", "request_body_schema": {"type": "object", "properties": {"tool": property}}}}}),
        )
    };
    assert_eq!(
        call("POST", "v1/convai/tools", tool(json!({"type": "string", "constant_value": "a"}))).await,
        200
    );
    let both = json!({"type": "string", "constant_value": "a", "description": "b"});
    assert_eq!(call("POST", "v1/convai/tools", tool(both)).await, 422, "one source of a value alone");
    assert_eq!(
        call("PUT", "v1/convai/tools/tool_x", tool(json!({"type": "string", "constant_value": "a"}))).await,
        405
    );
    assert_eq!(ask("GET", base, path, ("authorization", &format!("Bearer {KEY}")), None).await, 401);
}

#[tokio::test]
async fn lists_of_calls_are_asked_for_as_the_references_say() {
    let platforms = Platforms::start().await;
    let urls = &platforms.addresses.platforms;
    let bearer = format!("Bearer {KEY}");
    let retell =
        async |body| ask("POST", &urls.retell, "v3/list-calls", ("authorization", &bearer), Some(body)).await;
    let filter = json!({
        "agent": [{"agent_id": "agent_1"}],
        "call_status": {"type": "enum", "op": "in", "value": ["ended"]},
        "start_timestamp": {"type": "range", "op": "bt", "value": [0, 1]},
    });
    assert_eq!(retell(json!({"filter_criteria": filter, "limit": 100})).await, 200);
    assert_eq!(retell(json!({"filter_criteria": filter, "limit": 1001})).await, 422);
    assert_eq!(retell(json!({"filter_criteria": filter, "page": 2})).await, 422);
    // As the version before had it.
    let mut old = filter.clone();
    old["start_timestamp"] = json!({"lower_threshold": 0, "upper_threshold": 1});
    assert_eq!(retell(json!({"filter_criteria": old})).await, 422);
    old = filter;
    old["agent_id"] = json!(["agent_1"]);
    assert_eq!(retell(json!({"filter_criteria": old})).await, 422);
    let get = async |base: &Url, path: &str, key: (&str, &str)| ask("GET", base, path, key, None).await;
    assert_eq!(get(&urls.retell, "v2/get-call/none", ("authorization", &bearer)).await, 404);
    assert_eq!(get(&urls.retell, "v2/list-calls", ("authorization", &bearer)).await, 404);
    let vapi = ("authorization", bearer.as_str());
    assert_eq!(get(&urls.vapi, "call?assistantId=a&limit=100", vapi).await, 200);
    assert_eq!(get(&urls.vapi, "call?assistant=a", vapi).await, 422);
    let eleven = ("xi-api-key", KEY);
    let path = "v1/convai/conversations?agent_id=a&page_size=";
    assert_eq!(get(&urls.elevenlabs, &format!("{path}100"), eleven).await, 200);
    assert_eq!(get(&urls.elevenlabs, &format!("{path}101"), eleven).await, 422);
    let path = format!("2010-04-01/Accounts/{ACCOUNT}");
    let login = format!("Basic {}", STANDARD.encode(format!("{ACCOUNT}:{KEY}")));
    let twilio = ("authorization", login.as_str());
    assert_eq!(get(&urls.twilio, &format!("{path}/Calls.json?To=%2B44"), twilio).await, 200);
    assert_eq!(get(&urls.twilio, &format!("{path}/Calls.json?StartTimeAfter=2026-06-01"), twilio).await, 422);
    assert_eq!(get(&urls.twilio, &format!("{path}/Calls.json"), ("authorization", &bearer)).await, 401);
    assert_eq!(get(&urls.twilio, "2010-04-01/Accounts/AC0/Calls.json", twilio).await, 404);
}
