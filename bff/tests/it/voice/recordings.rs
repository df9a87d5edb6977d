//! Recordings that ElevenLabs delivers in the body of an event.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use axum::body::Body;
use base64::{Engine, engine::general_purpose::STANDARD as B64};
use bff::{edge::Limits, voice::elevenlabs::signature};
use bytes::Bytes;
use futures::{StreamExt, stream};
use http::{Request, StatusCode};
use http_body_util::BodyExt;
use jiff::SignedDuration;
use proto::frontdesk::tenancy::v1::VoicePlatform;
use serde_json::json;

use super::{
    door::{Door, path},
    salon::{CONNECTION, SECRET},
};

/// Audio of so many bytes, none like its neighbour.
fn audio(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| (at.wrapping_mul(2_654_435_761) >> 7) as u8).collect()
}

fn body(audio: &[u8]) -> Vec<u8> {
    let event = json!({"type": "post_call_audio", "event_timestamp": 1_780_300_900, "data": {
        "agent_id": "agent_1", "conversation_id": "conv_1", "full_audio": B64.encode(audio)}});
    event.to_string().into_bytes()
}

async fn eleven(limits: Limits) -> Door {
    let door = Door::limited(limits).await;
    door.book().platform = VoicePlatform::Elevenlabs;
    door
}

impl Door {
    /// Sends a body in pieces, as ElevenLabs does: no length is told before.
    async fn stream(&self, signed: Option<String>, body: Vec<u8>) -> (StatusCode, String) {
        let whole = Bytes::from(body);
        let pieces: Vec<_> = (0..whole.len())
            .step_by(60_000)
            .map(|at| whole.slice(at..whole.len().min(at + 60_000)))
            .collect();
        let pieces = stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>));
        let mut request = Request::post(path("elevenlabs", &CONNECTION.to_string()))
            .header("content-type", "application/json");
        if let Some(signed) = signed {
            request = request.header(signature::HEADER, signed);
        }
        let request = request.body(Body::from_stream(pieces)).unwrap();
        let response = self.edge.answer([127, 0, 0, 1].into(), request).await;
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    async fn deliver_audio(&self, key: &str, body: Vec<u8>) -> (StatusCode, String) {
        let signed = signature::sign(key, &body, self.time.now());
        self.stream(Some(signed), body).await
    }

    /// What was kept of the one call: audio of the upload that its event names.
    fn kept(&self) -> Vec<u8> {
        let book = self.book();
        let (delivery, facts) = book.events.values().next().expect("an event");
        assert_eq!(facts.platform_call_id, "conv_1");
        assert!(delivery.body.len() < 200, "the delivery is kept without the audio");
        book.recordings[&facts.recording_upload_id].concat()
    }

    fn is_empty(&self) -> bool {
        let book = self.book();
        book.events.is_empty() && book.recordings.is_empty()
    }
}

#[tokio::test]
async fn a_short_recording_and_a_long_one_are_kept_whole() {
    for bytes in [0, 1_000, 700_000, 3_000_001] {
        let door = eleven(Limits::default()).await;
        let (status, said) = door.deliver_audio(SECRET, body(&audio(bytes))).await;
        assert_eq!(status, StatusCode::OK, "{bytes}: {said}");
        if bytes > 0 {
            assert_eq!(door.kept(), audio(bytes), "{bytes}");
        }
        assert_eq!(door.book().events.keys().next().unwrap().1, "conv_1:post_call_audio");
        assert_eq!(door.recorded("frontdesk.voice.deliveries", &[("outcome", "recorded")]), 1);
    }
}

#[tokio::test]
async fn a_secret_that_was_replaced_lately_still_counts_for_a_long_body() {
    let door = eleven(Limits::default()).await;
    {
        let mut book = door.book();
        (book.secret, book.old_secret) = ("wsec_new".into(), SECRET.into());
    }
    let (status, said) = door.deliver_audio(SECRET, body(&audio(3_000_000))).await;
    assert_eq!((status, door.kept().len()), (StatusCode::OK, 3_000_000), "{said}");
}

#[tokio::test]
async fn a_long_body_that_is_not_believed_leaves_nothing() {
    let door = eleven(Limits::default()).await;
    let whole = body(&audio(3_000_000));
    let stale = signature::sign(SECRET, &whole, door.time.now() - SignedDuration::from_mins(31));
    let cut = signature::sign(SECRET, &whole[1..], door.time.now());
    for (signed, reason) in [
        (None, "missing"),
        (Some("t=1,v0=00".to_owned()), "malformed"),
        (Some(stale), "stale"),
        (Some(cut), "wrong"),
        (Some(signature::sign("another", &whole, door.time.now())), "wrong"),
    ] {
        let (status, said) = door.stream(signed, whole.clone()).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{reason}: {said}");
        assert!(door.recorded("frontdesk.voice.signature.rejected", &[("reason", reason)]) >= 1, "{reason}");
        assert!(door.is_empty(), "{reason}");
    }
}

#[tokio::test]
async fn a_long_body_that_is_signed_and_no_recording_is_refused_by_what_is_wrong() {
    let door = eleven(Limits::default()).await;
    let long = "A".repeat(3_000_000);
    let other =
        json!({"type": "post_call_transcription", "data": {"conversation_id": "c", "full_audio": long}});
    let nameless = json!({"type": "post_call_audio", "data": {"full_audio": long}});
    let garbled = json!({"type": "post_call_audio", "data": {"conversation_id": "c", "full_audio": "*".repeat(3_000_000)}});
    let broken = body(&audio(3_000_000));
    let broken = broken[..broken.len() - 40].to_vec();
    for bad in [
        other.to_string().into_bytes(),
        nameless.to_string().into_bytes(),
        garbled.to_string().into_bytes(),
        broken,
    ] {
        let (status, said) = door.deliver_audio(SECRET, bad).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{said}");
        assert!(door.is_empty());
    }
    assert_eq!(door.recorded("frontdesk.voice.deliveries", &[("outcome", "malformed")]), 4);
}

#[tokio::test]
async fn a_body_is_bounded_and_of_no_other_platform_is_it_this_long() {
    let limits = Limits { recording_bytes: 3 << 20, ..Limits::default() };
    let door = eleven(limits).await;
    let (status, _) = door.deliver_audio(SECRET, body(&audio(3_000_000))).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    let declared =
        Request::post(path("elevenlabs", &CONNECTION.to_string())).header("content-length", "9999999");
    let answer = door.edge.answer([127, 0, 0, 1].into(), declared.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    let retell = Request::post(path("retell", &CONNECTION.to_string())).header("content-length", "2200000");
    let answer = door.edge.answer([127, 0, 0, 1].into(), retell.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert!(door.is_empty());
}

#[tokio::test]
async fn uploads_that_are_stuck_take_a_networks_places_for_seconds_and_unsigned_ones_none() {
    let door = eleven(Limits::default()).await;
    let whole = body(&audio(3_000_000));
    let signed = signature::sign(SECRET, &whole, door.time.now());
    let begun = Bytes::from(whole.clone()).slice(..2_500_000);
    let stuck = || {
        let pieces = stream::iter([Ok::<_, std::io::Error>(begun.clone())]).chain(stream::pending());
        let request = Request::post(path("elevenlabs", &CONNECTION.to_string()))
            .header(signature::HEADER, signed.clone())
            .body(Body::from_stream(pieces))
            .unwrap();
        door.edge.answer([127, 0, 0, 1].into(), request)
    };
    let deliver = async || door.deliver_audio(SECRET, whole.clone()).await.0;
    // From here on the connection is known, and who begins first has a place first.
    assert_eq!(deliver().await, StatusCode::OK);
    let others = async { (deliver().await, door.stream(None, whole.clone()).await.0) };
    let (first, second, others) = tokio::join!(stuck(), stuck(), others);
    assert_eq!(others, (StatusCode::TOO_MANY_REQUESTS, StatusCode::UNAUTHORIZED));
    assert_eq!([first.status(), second.status()], [StatusCode::REQUEST_TIMEOUT; 2]);
    assert_eq!(deliver().await, StatusCode::OK, "the places are free again");
}

/// Bytes that the process has in memory.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}

/// In a process of its own: other tests hold memory meanwhile.
#[test]
fn a_body_of_many_megabytes_is_never_held_in_memory() {
    let own = std::env::current_exe().unwrap();
    let name = "voice::recordings::sixty_megabytes_pass_through";
    let ran = std::process::Command::new(own).args(["--exact", name, "--ignored"]).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
}

#[tokio::test]
#[ignore = "is run by the test above, alone"]
async fn sixty_megabytes_pass_through() {
    let door = eleven(Limits::default()).await;
    let block = Bytes::from(B64.encode(audio(48 << 10)));
    let before = r#"{"type":"post_call_audio","data":{"conversation_id":"conv_1","full_audio":""#;
    let highest = Arc::new(AtomicU64::new(0));
    let seen = highest.clone();
    // Each piece is made as it is taken, so that what is held is the door's. It is read to its end, and not believed.
    let pieces = core::iter::once(Bytes::from_static(before.as_bytes()))
        .chain(core::iter::repeat_n(block, 960))
        .chain([Bytes::from_static(b"\"}}")])
        .map(move |piece| {
            seen.fetch_max(resident(), Ordering::Relaxed);
            Ok::<_, std::io::Error>(piece)
        });
    let start = resident();
    let request = Request::post(path("elevenlabs", &CONNECTION.to_string()))
        .header(signature::HEADER, signature::sign(SECRET, b"another body", door.time.now()))
        .body(Body::from_stream(stream::iter(pieces)))
        .unwrap();
    let answer = door.edge.answer([127, 0, 0, 1].into(), request).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    assert!(door.is_empty());
    let grown = highest.load(Ordering::Relaxed).saturating_sub(start);
    assert!(grown < 40 << 20, "of 60 MiB, {grown} bytes were held");
}
