//! Platforms as they deliver, and what they tell of a call.

use bff::voice::{
    elevenlabs,
    hmac_format::{Algorithm, Encoding, HmacFormat},
    retell, twilio,
};
use jiff::SignedDuration;
use proto::frontdesk::tenancy::v1::{self as pb, VoicePlatform, WebhookCheck};
use serde_json::{Value, json};

use super::{
    door::{Door, Raw, call, path, public_url},
    salon::{CONNECTION, PHONE, SECRET},
};

/// The salon's number.
pub const SALON: &str = "+442079460014";

/// A platform as it delivers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    Retell,
    VapiBearer,
    VapiHmac,
    Twilio,
    ElevenLabs,
}

pub const LINES: [Line; 5] = [Line::Retell, Line::VapiBearer, Line::VapiHmac, Line::Twilio, Line::ElevenLabs];

fn vapi_format() -> HmacFormat {
    HmacFormat {
        algorithm: Algorithm::Sha256,
        encoding: Encoding::Hex,
        signature_header: "x-signature".into(),
        signature_prefix: String::new(),
        timestamp_header: "x-timestamp".into(),
        payload: "{timestamp}.{body}".into(),
    }
}

impl Line {
    pub async fn open(self) -> Door {
        let door = Door::open().await;
        let mut book = door.book();
        let (platform, check) = match self {
            Self::Retell => (VoicePlatform::Retell, WebhookCheck::PlatformSignature),
            Self::VapiBearer => (VoicePlatform::Vapi, WebhookCheck::Bearer),
            Self::VapiHmac => (VoicePlatform::Vapi, WebhookCheck::Hmac),
            Self::Twilio => (VoicePlatform::Twilio, WebhookCheck::PlatformSignature),
            Self::ElevenLabs => (VoicePlatform::Elevenlabs, WebhookCheck::PlatformSignature),
        };
        (book.platform, book.check) = (platform, check);
        book.hmac = (check == WebhookCheck::Hmac).then(|| pb::HmacFormat {
            algorithm: pb::HmacAlgorithm::Sha256.into(),
            encoding: pb::HmacEncoding::Hex.into(),
            signature_header: "x-signature".into(),
            timestamp_header: "x-timestamp".into(),
            payload: "{timestamp}.{body}".into(),
            ..pb::HmacFormat::default()
        });
        drop(book);
        door
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Retell => "retell",
            Self::VapiBearer | Self::VapiHmac => "vapi",
            Self::Twilio => "twilio",
            Self::ElevenLabs => "elevenlabs",
        }
    }

    pub fn kind(self) -> &'static str {
        if self == Self::Twilio { "application/x-www-form-urlencoded" } else { "application/json" }
    }

    /// The headers that prove a delivery, made at an `age`.
    pub fn proof(self, door: &Door, secret: &str, age: SignedDuration, body: &[u8]) -> Vec<(String, String)> {
        let at = door.time.now() - age;
        let header = |name: &str, value: String| vec![(name.to_owned(), value)];
        match self {
            Self::Retell => header(retell::signature::HEADER, retell::signature::sign(secret, body, at)),
            Self::VapiBearer => header("authorization", format!("Bearer {secret}")),
            Self::VapiHmac => vapi_format().sign(secret, body, at).into(),
            Self::Twilio => {
                let url = format!("{}{}", public_url().origin(), path("twilio", &CONNECTION.to_string()));
                header(twilio::signature::HEADER, twilio::signature::sign(secret, &url, body))
            }
            Self::ElevenLabs => {
                header(elevenlabs::signature::HEADER, elevenlabs::signature::sign(secret, body, at))
            }
        }
    }

    pub async fn deliver(self, door: &Door, body: &[u8]) -> Raw {
        self.deliver_as(door, self.proof(door, SECRET, SignedDuration::ZERO, body), body).await
    }

    pub async fn deliver_as(self, door: &Door, headers: Vec<(String, String)>, body: &[u8]) -> Raw {
        door.send(&path(self.name(), &CONNECTION.to_string()), self.kind(), headers, body.to_vec()).await
    }

    /// What the platform tells of one call, in the order it happens.
    pub fn story(self) -> Vec<Vec<u8>> {
        let bodies = match self {
            Self::Retell => {
                let mut ended = call();
                ended["call_status"] = "ended".into();
                vec![
                    json!({"event": "call_started", "call": call()}),
                    json!({"event": "transcript_updated", "call": call()}),
                    json!({"event": "call_ended", "call": ended}),
                ]
            }
            Self::VapiBearer | Self::VapiHmac => vec![
                vapi(json!({"type": "status-update", "status": "in-progress"})),
                vapi(json!({"type": "conversation-update", "messages": [said("user", "Hi")]})),
                vapi(
                    json!({"type": "status-update", "status": "ended", "endedReason": "customer-ended-call"}),
                ),
                vapi(json!({"type": "end-of-call-report", "endedReason": "customer-ended-call",
                    "artifact": {"messages": [said("bot", "Hello"), said("user", "Hi")]},
                    "analysis": {"summary": "Said hello."}})),
            ],
            Self::Twilio => return twilio_story(),
            Self::ElevenLabs => vec![
                json!({"tool": "find_customer", "conversation_id": "call_1", "caller_id": PHONE,
                    "called_number": SALON, "parameters": {}}),
                json!({"type": "post_call_transcription", "data": {"conversation_id": "call_1",
                    "transcript": [{"role": "user", "message": "Hi", "time_in_call_secs": 1}],
                    "metadata": {"phone_call": {"external_number": PHONE, "agent_number": SALON}}}}),
            ],
        };
        bodies.iter().map(|body| body.to_string().into_bytes()).collect()
    }
}

pub fn vapi(mut message: Value) -> Value {
    message["call"] = json!({"id": "call_1", "type": "inboundPhoneCall",
        "customer": {"number": PHONE}, "phoneNumber": {"number": SALON}});
    json!({ "message": message })
}

fn said(role: &str, text: &str) -> Value {
    json!({"role": role, "message": text, "secondsFromStart": 1.0})
}

fn twilio_story() -> Vec<Vec<u8>> {
    let call = "CallSid=call_1&AccountSid=AC1&From=%2B447700900123&To=%2B442079460014&Direction=inbound";
    ["CallStatus=ringing", "CallStatus=in-progress&SequenceNumber=1", "CallStatus=completed&SequenceNumber=2"]
        .iter()
        .map(|rest| format!("{call}&{rest}").into_bytes())
        .collect()
}
