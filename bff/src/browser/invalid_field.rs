//! Which field a request that can't be read is refused for.
//!
//! serde says where it was when it stopped, which is often after the message.
//! So each field is read once more alone.

use std::collections::BTreeMap;

use caller::Method;
use http::{HeaderMap, StatusCode};
use proto::rest::{Door, transcoder};
use rest_over_grpc::{
    handling::{self, Code, Context},
    transcoding::{Transcode, TranscodeResponse},
};
use serde_json::value::RawValue;

/// A request as the transcoder takes it.
#[derive(Debug, Clone, Copy)]
pub struct Sent<'a> {
    /// The verb.
    pub verb: &'a str,
    /// Path and query.
    pub target: &'a str,
    /// The body.
    pub body: &'a [u8],
}

impl Sent<'_> {
    /// The first field of body or query that can't be read by itself.
    pub async fn invalid_field(self) -> Option<String> {
        let (path, query) = self.target.split_once('?').unwrap_or((self.target, ""));
        let body: BTreeMap<String, &RawValue> = serde_json::from_slice(self.body).unwrap_or_default();
        for (name, value) in body {
            let alone = serde_json::to_vec(&BTreeMap::from([(&name, value)])).unwrap_or_default();
            if !is_readable(self.verb, path, &alone).await {
                return Some(name);
            }
        }
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            if !is_readable(self.verb, &format!("{path}?{pair}"), b"").await {
                return Some(pair.split('=').next().unwrap_or_default().to_owned());
            }
        }
        None
    }
}

async fn is_readable(verb: &str, target: &str, body: &[u8]) -> bool {
    let answered = transcoder(&Unmoved).try_transcode(verb, target, HeaderMap::new(), body).await;
    !matches!(answered, Some(TranscodeResponse::Unary(answer)) if answer.status() == StatusCode::BAD_REQUEST)
}

/// A door that reads and forwards nothing.
#[derive(Debug, Clone)]
struct Unmoved;

impl Door for Unmoved {
    async fn forward<Request, Response>(
        &self,
        _: &'static Method,
        _: Option<String>,
        _: Request,
        _: &mut Context,
    ) -> Result<Response, handling::Status>
    where
        Request: prost::Message + Default + 'static,
        Response: prost::Message + Default + 'static,
    {
        Err(handling::Status::new(Code::Unavailable, "nothing is forwarded"))
    }
}
