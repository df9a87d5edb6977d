//! The OpenAPI document: what the contract generates, and the routes that are written by hand.

use boot::environment::Environment;
use http::Method;
use proto::webhook;
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::exists;
use crate::contract;

const DELIVER: Operation =
    Operation::new("DeliverVoiceEvent", "Takes a voice platform's signed events and tool calls");

type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// What the document says about a route that is written by hand.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    id: &'static str,
    summary: &'static str,
    query: &'static [&'static str],
    body: Option<SchemaOf>,
    status: &'static str,
    answer: Option<SchemaOf>,
}

impl Operation {
    /// An operation that answers 200 without a body that is described.
    pub const fn new(id: &'static str, summary: &'static str) -> Self {
        Self { id, summary, query: &[], body: None, status: "200", answer: None }
    }

    /// With optional query parameters.
    pub const fn query(self, query: &'static [&'static str]) -> Self {
        Self { query, ..self }
    }

    /// With a JSON body.
    pub const fn body<T: JsonSchema>(self) -> Self {
        Self { body: Some(SchemaGenerator::subschema_for::<T>), ..self }
    }

    /// Answering in JSON.
    pub const fn answer<T: JsonSchema>(self) -> Self {
        Self { answer: Some(SchemaGenerator::subschema_for::<T>), ..self }
    }

    /// Answering with another status than 200.
    pub const fn status(self, status: &'static str) -> Self {
        Self { status, ..self }
    }

    fn document(self, path: &str, schemas: &mut SchemaGenerator) -> Value {
        let mut success = json!({ "description": "Successful response." });
        if let Some(answer) = self.answer {
            success["content"] = content(answer(schemas));
        }
        let mut operation = json!({
            "operationId": self.id,
            "summary": self.summary,
            "responses": {
                self.status: success,
                "default": {
                    "description": "An error, as a gRPC status mapped to an HTTP status.",
                    "content": content(json!({ "$ref": "#/components/schemas/google.rpc.Status" })),
                },
            },
        });
        let variables = path.split('{').skip(1).filter_map(|part| part.split_once('}'));
        let parameters: Vec<Value> = variables
            .map(|(name, _)| parameter(name, "path"))
            .chain(self.query.iter().map(|name| parameter(name, "query")))
            .collect();
        if !parameters.is_empty() {
            operation["parameters"] = parameters.into();
        }
        if let Some(body) = self.body {
            operation["requestBody"] = json!({ "required": true, "content": content(body(schemas)) });
        }
        operation
    }
}

fn content(schema: impl Into<Value>) -> Value {
    json!({ "application/json": { "schema": schema.into() } })
}

fn parameter(name: &str, place: &str) -> Value {
    json!({ "name": name, "in": place, "required": place == "path", "schema": { "type": "string" } })
}

/// The document of what exists in `environment`: the contract, and `by_hand`.
pub fn document<'a>(
    environment: Environment,
    by_hand: impl IntoIterator<Item = (&'a Method, &'a str, Operation)>,
) -> String {
    let mut document: Value = serde_json::from_str(proto::rest::OPENAPI).expect("the document is JSON");
    let missing = proto::methods::ALL.iter().filter(|method| !exists(method, environment));
    let missing: Vec<&str> = missing.map(|method| contract::template(method)).collect();
    let mut schemas = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    object(&mut document, "paths").retain(|path, _| !missing.contains(&path.as_str()));
    let mut add = |verb: &Method, path: &str, operation: Operation| {
        let verbs = object(&mut document["paths"], path);
        verbs.insert(verb.as_str().to_ascii_lowercase(), operation.document(path, &mut schemas));
    };
    for (verb, path, operation) in by_hand {
        add(verb, path, operation);
    }
    add(&Method::POST, webhook::VOICE, DELIVER);
    let definitions = schemas.take_definitions(true);
    object(&mut document["components"], "schemas").extend(definitions);
    document.to_string()
}

/// The object under `key`, made if there is none.
fn object<'a>(parent: &'a mut Value, key: &str) -> &'a mut Map<String, Value> {
    if !parent[key].is_object() {
        parent[key] = json!({});
    }
    parent[key].as_object_mut().expect("it is an object")
}
