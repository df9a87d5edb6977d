//! A sample of what a platform delivers, signed as it signs.

use base64::{Engine, engine::general_purpose::STANDARD as B64};
use hmac::{Hmac, Mac, digest::InvalidLength};
use jiff::Timestamp;
use proto::sample_call;
use serde_json::json;
use sha1::Sha1;
use sha2::{Sha256, Sha512};

use super::{
    HmacAlgorithm, HmacEncoding, HmacFormat, VoiceConnection, VoicePlatform, VoiceSecret, WebhookCheck,
};

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// A request as the platform would make it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSample {
    /// The id of the call that it tells of, which is none.
    pub call: String,
    /// What the body is.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
    /// What proves whose it is.
    pub headers: Vec<(String, String)>,
}

impl WebhookSample {
    /// One of a connection, for its address.
    #[must_use]
    pub fn of(
        connection: &VoiceConnection,
        secret: &VoiceSecret,
        url: &str,
        id: &str,
        at: Timestamp,
    ) -> Self {
        let call = sample_call::id(id);
        let (content_type, body) = match connection.platform {
            VoicePlatform::Retell => (JSON, retell(&call)),
            VoicePlatform::Vapi => (JSON, vapi(&call)),
            VoicePlatform::Twilio => (FORM, format!("CallSid={call}&CallStatus=ringing&SequenceNumber=0")),
            VoicePlatform::ElevenLabs => (JSON, elevenlabs(&call, at)),
        };
        let headers = proof(connection, secret.expose(), url, &body, at);
        Self { call, content_type, body, headers }
    }
}

fn retell(call: &str) -> String {
    json!({"event": "call_started", "call": {"call_id": call, "call_status": "ongoing", "direction": "inbound"}})
        .to_string()
}

fn vapi(call: &str) -> String {
    json!({"message": {"type": "status-update", "status": "ringing", "call": {"id": call}}}).to_string()
}

fn elevenlabs(call: &str, at: Timestamp) -> String {
    let data = json!({"conversation_id": call, "status": "done", "transcript": []});
    json!({"type": "post_call_transcription", "event_timestamp": at.as_second(), "data": data}).to_string()
}

fn proof(
    connection: &VoiceConnection,
    secret: &str,
    url: &str,
    body: &str,
    at: Timestamp,
) -> Vec<(String, String)> {
    let header = |name: &str, value: String| vec![(name.to_owned(), value)];
    match (&connection.check, connection.platform) {
        (WebhookCheck::Hmac(format), _) => configured(format, secret, body, at),
        (WebhookCheck::Bearer, _) | (_, VoicePlatform::Vapi) => {
            header("authorization", format!("Bearer {secret}"))
        }
        (_, VoicePlatform::Retell) => {
            let millis = at.as_millisecond();
            let digest = mac(Hmac::<Sha256>::new_from_slice(secret.as_bytes()), &format!("{body}{millis}"));
            header("x-retell-signature", format!("v={millis},d={}", hex(&digest)))
        }
        (_, VoicePlatform::ElevenLabs) => {
            let seconds = at.as_second();
            let digest = mac(Hmac::<Sha256>::new_from_slice(secret.as_bytes()), &format!("{seconds}.{body}"));
            header("elevenlabs-signature", format!("t={seconds},v0={}", hex(&digest)))
        }
        (_, VoicePlatform::Twilio) => {
            // The parameters stand in the order of their names and need no decoding.
            let signed = format!("{url}{}", body.replace(['&', '='], ""));
            let digest = mac(Hmac::<Sha1>::new_from_slice(secret.as_bytes()), &signed);
            header("x-twilio-signature", B64.encode(digest))
        }
    }
}

fn configured(format: &HmacFormat, secret: &str, body: &str, at: Timestamp) -> Vec<(String, String)> {
    let timestamp = at.as_second().to_string();
    let signed = format.payload.as_str().replace("{timestamp}", &timestamp).replace("{body}", body);
    let key = secret.as_bytes();
    let digest = match format.algorithm {
        HmacAlgorithm::Sha1 => mac(Hmac::<Sha1>::new_from_slice(key), &signed),
        HmacAlgorithm::Sha256 => mac(Hmac::<Sha256>::new_from_slice(key), &signed),
        HmacAlgorithm::Sha512 => mac(Hmac::<Sha512>::new_from_slice(key), &signed),
    };
    let written = match format.encoding {
        HmacEncoding::Hex => hex(&digest),
        HmacEncoding::Base64 => B64.encode(digest),
    };
    let signature = format!("{}{written}", format.signature_prefix);
    vec![
        (format.signature_header.as_str().to_owned(), signature),
        (format.timestamp_header.as_str().to_owned(), timestamp),
    ]
}

fn mac<M: Mac>(mac: Result<M, InvalidLength>, signed: &str) -> Vec<u8> {
    let mac = mac.expect("HMAC takes keys of any length");
    mac.chain_update(signed).finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
