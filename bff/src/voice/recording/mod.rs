//! Recordings that a platform delivers in the body of an event, up to 64 MiB of base64. A long body is never held whole:
//! its signature is computed and its audio written to a file without a name as they come, and only a body that was
//! believed is passed on to telemetry, in pieces.

mod audio_body;
mod pace;
mod room;

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use boot::random;
use bytes::Bytes;
use http::{StatusCode, request::Parts};
use http_body_util::BodyExt;
use jiff::Timestamp;
use proto::{
    error::{Reason, invalid},
    frontdesk::telemetry::internal::v1::{
        AddRecordingPieceRequest, AddRecordingPieceResponse, intake_service_methods::ADD_RECORDING_PIECE,
    },
};
use serde_json::json;
use std::{
    io::SeekFrom,
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    time::Duration,
};
use tokio::{
    fs::File,
    io::{AsyncRead, AsyncReadExt, AsyncSeekExt, AsyncWriteExt},
};
use tonic::Status;
use uuid::Uuid;

pub use self::room::Room;
use self::{
    audio_body::{About, AudioBody, Malformed},
    pace::Pace,
};
use super::{
    VoiceDoor, connection::Connection, delivery::CallEvent, elevenlabs, field::call_id, intake::Intake,
    metrics::Outcome,
};
use crate::{edge, refusal::Refusal};

/// As much as telemetry takes at once.
const PIECE: usize = 1 << 20;
/// As slow as a long body may come: so many bytes, each within this time. A place for one is scarce.
const SLOWEST: (usize, Duration) = (1 << 20, Duration::from_secs(5));

/// A body, as far as it was read.
#[derive(Debug)]
pub enum Arrived {
    /// All of it.
    Whole(Bytes),
    /// More than a usual body, and the rest.
    Long(Bytes, Body),
}

/// Reads a body up to `most` bytes.
///
/// # Errors
/// As [`crate::body::read`].
pub async fn read_some(mut body: Body, most: usize) -> Result<Arrived, Refusal> {
    let mut read = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| broken(&error))?;
        if let Ok(data) = frame.into_data() {
            read.extend_from_slice(&data);
        }
        if read.len() > most {
            return Ok(Arrived::Long(read.into(), body));
        }
    }
    Ok(Arrived::Whole(read.into()))
}

fn broken(error: &axum::Error) -> Refusal {
    match crate::body::is_too_large(error) {
        true => edge::body_too_large(),
        false => invalid("body", "did not arrive whole").into(),
    }
}

/// Takes in a long body; what comes of it is said in metrics by the caller.
pub async fn receive_long(
    door: &VoiceDoor,
    connection: Arc<Connection>,
    parts: &Parts,
    (read, rest): (Bytes, Body),
    now: Timestamp,
) -> (Outcome, Result<Response, Refusal>) {
    let checked = match connection.streamed(&parts.headers, now) {
        Ok(check) => check,
        Err(fault) => return (Outcome::Rejected, Err(door.disbelieved(&connection, fault))),
    };
    let unknown = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let address = parts.extensions.get::<edge::Address>().map_or(unknown, |address| address.0);
    let _place = match door.room.take(address, connection.business) {
        Ok(place) => place,
        Err(refusal) => return (Outcome::Failed, Err(refusal)),
    };
    let spooled = tokio::time::timeout(door.recording_time, spool(checked, read, rest)).await;
    let spooled = match spooled {
        Err(_) => return (Outcome::Malformed, Err(crate::body::too_late())),
        Ok(Err(refusal)) => return (Outcome::Malformed, Err(refusal)),
        Ok(Ok(spooled)) => spooled,
    };
    let Spooled { check, audio, body } = spooled;
    // Nothing of what is not believed was kept: the file goes with its last handle.
    if let Err(fault) = check.verify() {
        return (Outcome::Rejected, Err(door.disbelieved(&connection, fault)));
    }
    edge::Probation::passed(&parts.extensions);
    let kept = async {
        let event = about(body.map_err(malformed)?)?;
        let intake = Intake::new(door, connection, Bytes::new(), now);
        keep(&intake, event, audio).await
    };
    match kept.await {
        Ok(status) => (Outcome::Recorded, Ok(status.into_response())),
        Err(status) if proto::error::reason_of(&status) == Some(Reason::InvalidField) => {
            (Outcome::Malformed, Err(status.into()))
        }
        Err(status) => (Outcome::Failed, Err(status.into())),
    }
}

struct Spooled {
    check: elevenlabs::signature::Streamed,
    audio: File,
    body: Result<About, Malformed>,
}

/// Writes the audio to a file without a name. A malformed body is read to its end: it may not be the platform's.
async fn spool(
    mut check: elevenlabs::signature::Streamed,
    read: Bytes,
    mut rest: Body,
) -> Result<Spooled, Refusal> {
    let failed = |error: std::io::Error| {
        tracing::error!(%error, "a recording can't be written");
        Refusal::from(Status::unavailable("a recording can't be kept now"))
    };
    let file = tokio::task::spawn_blocking(tempfile::tempfile).await;
    let file = file.unwrap_or_else(|error| Err(std::io::Error::other(error))).map_err(failed)?;
    let mut audio = File::from_std(file);
    let mut scan = Ok(AudioBody::default());
    let (mut next, mut out) = (Some(read), Vec::new());
    let mut pace = Pace::new(SLOWEST);
    while let Some(bytes) = next.take() {
        check.update(&bytes);
        scan = scan.and_then(|mut scan| scan.feed(&bytes, &mut out).map(|()| scan));
        audio.write_all(&out).await.map_err(failed)?;
        out.clear();
        while let Some(frame) = pace.within(rest.frame()).await? {
            if let Ok(data) = frame.map_err(|error| broken(&error))?.into_data() {
                pace.count(data.len());
                next = Some(data);
                break;
            }
        }
    }
    audio.flush().await.map_err(failed)?;
    audio.seek(SeekFrom::Start(0)).await.map_err(failed)?;
    Ok(Spooled { check, audio, body: scan.and_then(AudioBody::finish) })
}

/// Keeps a recording whose body is short enough to be held, once it was believed.
///
/// # Errors
/// INVALID_ARGUMENT for what is no audio; when telemetry does not take it.
pub async fn keep_whole(intake: &Intake, event: CallEvent) -> Result<StatusCode, Status> {
    let (mut scan, mut audio) = (AudioBody::default(), Vec::new());
    scan.feed(intake.body(), &mut audio).map_err(malformed)?;
    scan.finish().map_err(malformed)?;
    keep(intake, event, audio.as_slice()).await
}

/// The event of a body that was believed.
fn about(about: About) -> Result<CallEvent, Status> {
    if about.kind != elevenlabs::RECORDED {
        return Err(invalid("type", "is none of an event that is this long"));
    }
    Ok(elevenlabs::recorded(&call_id("data.conversation_id", Some(&about.conversation))?))
}

fn malformed(Malformed(what): Malformed) -> Status {
    invalid("body", what)
}

/// Passes audio on to telemetry in pieces, and then the event that names them.
async fn keep(
    intake: &Intake,
    mut event: CallEvent,
    audio: impl AsyncRead + Unpin,
) -> Result<StatusCode, Status> {
    let upload = Uuid::from_bytes(random::bytes::<16>());
    if send(intake, upload, audio).await? {
        event.facts.recording_upload_id = upload.to_string();
    }
    // The delivery is kept without the audio.
    let body =
        json!({"type": elevenlabs::RECORDED, "data": {"conversation_id": event.facts.platform_call_id}});
    intake.renewed(body.to_string().into()).record(event).await?;
    Ok(intake.connection().platform.adapter().acknowledgement())
}

/// Says whether the installation keeps recordings.
async fn send(intake: &Intake, upload: Uuid, mut audio: impl AsyncRead + Unpin) -> Result<bool, Status> {
    let unread = |error: std::io::Error| Status::unavailable(format!("a recording can't be read: {error}"));
    for number in 0.. {
        let mut piece = Vec::with_capacity(PIECE);
        (&mut audio).take(PIECE as u64).read_to_end(&mut piece).await.map_err(unread)?;
        if piece.is_empty() {
            break;
        }
        let message = AddRecordingPieceRequest {
            business_id: intake.connection().business.to_string(),
            connection_id: intake.connection().id.to_string(),
            upload_id: upload.to_string(),
            number,
            content: piece,
        };
        let added: AddRecordingPieceResponse = intake.call(&ADD_RECORDING_PIECE, message).await?;
        if added.unwanted {
            return Ok(false);
        }
    }
    Ok(true)
}
