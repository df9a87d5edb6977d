//! The samples by which connections are tested are what the voice door believes.

use bff::voice::{
    Received, elevenlabs,
    hmac_format::{Algorithm, Encoding, HmacFormat as DoorFormat},
    retell, twilio,
};
use jiff::Timestamp;
use reqwest::header::{HeaderMap, HeaderName};
use tenancy::domain::{
    HeaderName as Name, HmacAlgorithm, HmacEncoding, HmacFormat, PayloadTemplate, VoiceConnection,
    VoiceConnectionId, VoicePlatform, VoiceSecret, WebhookCheck, WebhookSample,
};
use uuid::Uuid;

const SECRET: &str = "key_hunter2";
const URL: &str = "https://desk.test/api/webhooks/voice/x/y";

fn now() -> Timestamp {
    "2026-06-01T08:00:00Z".parse().unwrap()
}

fn sample(platform: VoicePlatform, check: WebhookCheck) -> (WebhookSample, HeaderMap) {
    let connection = VoiceConnection {
        id: VoiceConnectionId(Uuid::nil()),
        platform,
        label: "Line".to_owned(),
        check,
        account: String::new(),
        platform_agent: String::new(),
        voice: String::new(),
        has_api_key: true,
    };
    let sample = WebhookSample::of(&connection, &VoiceSecret::new(SECRET.to_owned()), URL, "1", now());
    let mut headers = HeaderMap::new();
    headers.insert("content-type", sample.content_type.parse().unwrap());
    for (name, value) in &sample.headers {
        headers.insert(name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
    }
    (sample, headers)
}

#[test]
fn each_platforms_own_signature_is_right() {
    let check = || WebhookCheck::PlatformSignature;
    let (sent, headers) = sample(VoicePlatform::Retell, check());
    assert_eq!(retell::signature::verify(&headers, sent.body.as_bytes(), SECRET, now()), Ok(()));
    assert!(retell::signature::verify(&headers, sent.body.as_bytes(), "other", now()).is_err());
    let (sent, headers) = sample(VoicePlatform::ElevenLabs, check());
    assert_eq!(elevenlabs::signature::verify(&headers, sent.body.as_bytes(), SECRET, now()), Ok(()));
    assert!(elevenlabs::signature::verify(&headers, sent.body.as_bytes(), "other", now()).is_err());
    let (sent, headers) = sample(VoicePlatform::Twilio, check());
    let received = Received { url: URL, headers: &headers, body: sent.body.as_bytes() };
    assert_eq!(twilio::signature::verify(received, SECRET), Ok(()));
    assert!(twilio::signature::verify(received, "other").is_err());
}

#[test]
fn what_an_owner_configured_at_vapi_is_kept_to() {
    let (_, headers) = sample(VoicePlatform::Vapi, WebhookCheck::Bearer);
    assert_eq!(headers["authorization"], format!("Bearer {SECRET}"));
    let algorithms = [
        (HmacAlgorithm::Sha1, Algorithm::Sha1),
        (HmacAlgorithm::Sha256, Algorithm::Sha256),
        (HmacAlgorithm::Sha512, Algorithm::Sha512),
    ];
    let encodings = [(HmacEncoding::Hex, Encoding::Hex), (HmacEncoding::Base64, Encoding::Base64)];
    for (algorithm, door_algorithm) in algorithms {
        for (encoding, door_encoding) in encodings {
            let format = HmacFormat {
                algorithm,
                encoding,
                signature_header: Name::parse("x-signature").unwrap(),
                signature_prefix: "v1=".to_owned(),
                timestamp_header: Name::parse("x-timestamp").unwrap(),
                payload: PayloadTemplate::parse("{timestamp}:{body}").unwrap(),
            };
            let (sent, headers) = sample(VoicePlatform::Vapi, WebhookCheck::Hmac(format));
            let door = DoorFormat {
                algorithm: door_algorithm,
                encoding: door_encoding,
                signature_header: "x-signature".to_owned(),
                signature_prefix: "v1=".to_owned(),
                timestamp_header: "x-timestamp".to_owned(),
                payload: "{timestamp}:{body}".to_owned(),
            };
            assert_eq!(door.verify(&headers, sent.body.as_bytes(), SECRET, now()), Ok(()), "{algorithm:?}");
        }
    }
}
