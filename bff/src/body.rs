//! Request bodies: read whole, parsed as JSON, refused naming the place.

use core::time::Duration;

use axum::{
    body::Body,
    extract::{FromRequest, Request},
};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError};
use proto::error::invalid;
use serde::de::DeserializeOwned;
use tonic::Status;

use crate::{edge, refusal::Refusal};

/// The whole body.
///
/// # Errors
/// 413 above the edge's limit, 400 when it broke off.
pub async fn read(body: Body) -> Result<Bytes, Refusal> {
    match body.collect().await {
        Ok(whole) => Ok(whole.to_bytes()),
        Err(error) if is_too_large(&error) => Err(edge::body_too_large()),
        Err(_) => Err(invalid("body", "did not arrive whole").into()),
    }
}

/// The whole body, if it arrives `within` a time.
///
/// # Errors
/// As [`read`]; 408 when it takes longer.
pub async fn read_within(body: Body, within: Duration) -> Result<Bytes, Refusal> {
    tokio::time::timeout(within, read(body)).await.unwrap_or_else(|_| Err(too_late()))
}

/// The body takes too long.
#[must_use]
pub fn too_late() -> Refusal {
    Refusal::from(invalid("body", "did not arrive in time")).with_http(StatusCode::REQUEST_TIMEOUT)
}

/// Reads JSON into `T`.
///
/// # Errors
/// INVALID_FIELD, naming the field.
pub fn parse<T: DeserializeOwned>(json: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(json).map_err(|error| malformed(json, &error.to_string()).into())
}

/// A JSON body, as the last argument of a handler.
#[derive(Debug, Clone)]
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let (parts, body) = request.into_parts();
        let body = read(body).await?;
        must_be_json(&parts.headers, &body)?;
        parse(&body).map(Self)
    }
}

/// A body must be as it is read: none is decompressed.
///
/// # Errors
/// 415.
pub fn must_be_plain(headers: &HeaderMap) -> Result<(), Refusal> {
    let plain = |value: &HeaderValue| value.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity");
    if headers.get_all(header::CONTENT_ENCODING).iter().all(plain) {
        return Ok(());
    }
    let status = invalid("Content-Encoding", "must be identity: bodies are not decompressed");
    Err(Refusal::from(status).with_http(StatusCode::UNSUPPORTED_MEDIA_TYPE))
}

/// A body must say that it is JSON: forms of other sites can't.
///
/// # Errors
/// 415.
pub fn must_be_json(headers: &HeaderMap, body: &[u8]) -> Result<(), Refusal> {
    must_be_plain(headers)?;
    let named = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = named.split(';').next().unwrap_or_default().trim();
    if body.is_empty() || essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let status = invalid("Content-Type", "must be application/json");
    Err(Refusal::from(status).with_http(StatusCode::UNSUPPORTED_MEDIA_TYPE))
}

/// The name a fault has that lies in no field.
pub const WHOLE: &str = "body";

/// What is wrong with a message, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Path of the field.
    pub field: String,
    /// What serde says.
    pub what: String,
}

impl From<Fault> for Status {
    fn from(fault: Fault) -> Self {
        invalid(&fault.field, &format!("is malformed: {}", fault.what))
    }
}

/// Refuses JSON for what serde said of it; the place in it becomes the field's name.
#[must_use]
pub fn malformed(json: &[u8], message: &str) -> Status {
    fault(json, message).into()
}

/// Reads out of serde's words where in `json` it stopped.
#[must_use]
pub fn fault(json: &[u8], message: &str) -> Fault {
    let (what, place) = message.rsplit_once(" at line ").unwrap_or((message, ""));
    let offset = place
        .split_once(" column ")
        .and_then(|(line, column)| offset(json, line.parse().ok()?, column.parse().ok()?));
    let field = offset.map(|offset| path_at(json, offset)).filter(|path| !path.is_empty());
    Fault { field: field.unwrap_or_else(|| WHOLE.to_owned()), what: what.to_owned() }
}

/// Whether reading a body failed because it is above the limit, however deep the error is wrapped.
#[must_use]
pub fn is_too_large(error: &(dyn core::error::Error + 'static)) -> bool {
    core::iter::successors(Some(error), |error| error.source()).any(|error| error.is::<LengthLimitError>())
}

fn offset(json: &[u8], line: usize, column: usize) -> Option<usize> {
    let before: usize =
        json.split_inclusive(|byte| *byte == b'\n').take(line.checked_sub(1)?).map(<[u8]>::len).sum();
    Some((before + column).min(json.len()))
}

enum Step {
    Key { name: String, next: bool },
    Index(usize),
}

/// The path of what is being read at `offset`: `items[1].serviceId`.
fn path_at(json: &[u8], offset: usize) -> String {
    let mut steps: Vec<Step> = Vec::new();
    let mut at = 0;
    while at < offset {
        match json[at] {
            b'{' => steps.push(Step::Key { name: String::new(), next: true }),
            b'[' => steps.push(Step::Index(0)),
            b'}' | b']' => drop(steps.pop()),
            b',' => match steps.last_mut() {
                Some(Step::Index(index)) => *index += 1,
                Some(Step::Key { next, .. }) => *next = true,
                None => {}
            },
            b'"' => {
                let end = end_of_string(json, at + 1);
                if let Some(Step::Key { name, next: next @ true }) = steps.last_mut() {
                    *name = String::from_utf8_lossy(&json[at + 1..end]).into_owned();
                    *next = false;
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    write_path(&steps)
}

fn end_of_string(json: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < json.len() && json[at] != b'"' {
        at += if json[at] == b'\\' { 2 } else { 1 };
    }
    at.min(json.len())
}

fn write_path(steps: &[Step]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Key { name, .. } if name.is_empty() => {}
            Step::Key { name, .. } if path.is_empty() => path.push_str(name),
            Step::Key { name, .. } => {
                path.push('.');
                path.push_str(name);
            }
            Step::Index(index) => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use tonic_types::StatusExt;

    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Visit {
        #[expect(dead_code, reason = "only parsed")]
        items: Vec<Item>,
    }

    #[derive(Debug, serde::Deserialize)]
    struct Item {
        #[expect(dead_code, reason = "only parsed")]
        minutes: u32,
    }

    fn refused_field(json: &str) -> String {
        let refusal = parse::<Visit>(json.as_bytes()).unwrap_err();
        refusal.status().get_details_bad_request().unwrap().field_violations[0].field.clone()
    }

    #[test]
    fn a_malformed_body_is_refused_by_the_path_of_its_fault() {
        assert_eq!(refused_field(r#"{"items":[{"minutes":5},{"minutes":"a \"b"}]}"#), "items[1].minutes");
        assert_eq!(refused_field("{\n \"items\": [],\n \"extra\": 1}"), "extra");
        assert_eq!(refused_field("7"), "body");
        assert_eq!(refused_field("{"), "body");
        assert_eq!(refused_field(""), "body");
    }

    #[test]
    fn any_body_has_some_path_at_any_offset() {
        let json = r#"{"a":[{"b\\":"\"}"},[1,2,{"c":null}]],"#;
        for offset in 0..=json.len() {
            path_at(json.as_bytes(), offset);
            path_at(&json.as_bytes()[..offset], offset);
        }
    }
}
